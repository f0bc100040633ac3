// Every value has an element of its own for what all of them read of one row. A thread reads its part of the row once for several
// values, whose own elements it keeps: where each value's threads read the row by themselves, caches have more to give than
// multiprocessors to compute.
#include <plan/fast_paths.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <utility>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class shared_rows_policy {
public:
    shared_rows_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          threads_(to_, operands_, of),
          tests_(choose_fast_paths(program, of).has_unbranched_tests()),
          inputs_(of.inputs.size()) {
        to_.set(reductions_of_outputs(of));
    }

    nest::tree run() {
        const nest::id shared = threads_.shared("shared", 0);
        limit_registers();
        threads_.begin();
        parts_ = to_.own("part", types::accumulators(), values() * width());
        begin_anew();
        keep_what_stays();
        whole_ = to_.let("whole", types::number, threads_.reduced / width() * width());
        if (tests_) take_vectors_fast();
        else take_vectors();
        take_rest();
        combine(shared);
        store();
        return to_.finish();
    }

private:
    struct input {
        bool of_row = false;
        nest::id own = nest::none;     // of values: an element of each
        value vector = {};             // of the row: what is there now, a vector or
        nest::id loaded = nest::none;  // as many elements
    };

    [[nodiscard]] int values() const { return threads_.width(); }
    [[nodiscard]] int width() const { return of_.vector_width; }
    [[nodiscard]] value part(value v, nest::value_or_number k) { return to_.at(parts_, v * width() + k); }
    template <class Each>
    void each_value(Each each) {
        to_.unrolled("v", values(), each);
    }

    /// Roots and quotients are long to wait for: of 16384 bodies' forces on each other an H200 takes 416 us with 32 warps on a
    /// multiprocessor, 542 with the 16 that have room where registers are as many as the compiler likes.
    void limit_registers() {
        constexpr int warps = 32;
        constexpr int most_bytes = 96;  // of accumulators: more are spilled
        constexpr int most_steps = 32;
        int bytes = 0;
        for (const reduced_output& each : of_.reduced) bytes += values() * width() * accumulator_bytes(each);
        if (bytes <= most_bytes && of_.last_step - of_.first_step <= most_steps)
            to_.resident(std::max(1, warps * warp / of_.threads_per_block));
    }

    void keep_what_stays() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            inputs_[i].of_row = of_.inputs[i].axes_read() & of_.reduced_axes;
            if (inputs_[i].of_row) continue;
            inputs_[i].own = to_.own("v_" + operands_.input_name(i), types::element(of_.inputs[i].type), values());
        }
        each_value([&](value v) {
            // The last one's where there is none.
            value_threads::place at = threads_.place_of_value(
                to_.let("which", types::number, to_.least(threads_.which + v, threads_.kept - 1)));
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                if (!inputs_[i].of_row)
                    to_.assign(to_.at(inputs_[i].own, v), operands_.element(i, threads_.address(i, at)));
        });
    }

    void begin_anew() {
        to_.unrolled("k", values() * width(), [&](value k) { to_.assign(to_.at(parts_, k), to_.identity()); });
    }

    /// By fast paths without a branch between them; a thread begins anew where a result was not right.
    void take_vectors_fast() {
        is_right_ = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
        take_vectors();
        const value all_are_right = std::exchange(is_right_, value());
        to_.when(!all_are_right, [&] {
            begin_anew();
            take_vectors();
        });
    }

    /// Whole vectors of the row.
    void take_vectors() {
        to_.loop(
            runner::serial, "next", threads_.lane * width(), whole_, threads_.round(),
            [&](value next) {
                load(next);
                to_.unrolled("k", width(), [&](value k) {
                    each_value([&](value v) {
                        append(part(v, k), one(v, next + k, [&](std::size_t i) {
                                   return inputs_[i].vector.is_there() ? to_.lane(inputs_[i].vector, k)
                                                                       : to_.at(inputs_[i].loaded, k);
                               }));
                    });
                });
            },
            /*written_out=*/1, types::number);
    }

    void load(value next) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (!inputs_[i].of_row) continue;
            const std::string name = "v_" + operands_.input_name(i);
            if (of_.vectorised && of_.inputs[i].how != access::uniform && !of_.inputs[i].is_position) {
                value_threads::place at = threads_.place_of(next);
                inputs_[i].vector = to_.let(name, operands_.vector(i, threads_.address(i, at)));
                continue;
            }
            inputs_[i].loaded = to_.own(name, types::element(of_.inputs[i].type), width());
            to_.unrolled("k", width(),
                         [&](value k) { to_.assign(to_.at(inputs_[i].loaded, k), element(i, next + k)); });
        }
    }

    value element(std::size_t i, value number) {
        value_threads::place at = threads_.place_of(number);
        return operands_.element(i, threads_.address(i, at));
    }

    /// Fewer elements than a vector, which belong to the thread whose turn it would be.
    void take_rest() {
        const value vectors = to_.let("vectors", types::number, threads_.reduced / width());
        const value rest = to_.let("rest", types::number, vectors * width());
        to_.when(rest < threads_.reduced && threads_.lane == vectors % of_.threads_per_output, [&] {
            to_.loop(runner::serial, "k", 0, width() - 1, 1, [&](value k) {
                const value next = to_.let("next", types::number, rest + k);
                to_.when(next >= threads_.reduced, [&] { to_.leave(); });
                std::vector<value> elements(inputs_.size());
                for (std::size_t i = 0; i < inputs_.size(); ++i)
                    if (inputs_[i].of_row)
                        elements[i] = to_.let("v_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                                              element(i, next));
                each_value([&](value v) {
                    const value made = one(v, next, [&](std::size_t i) { return elements[i]; });
                    to_.unrolled("each", width() - 1,
                                 [&](value each) { to_.when(each == k, [&] { append(part(v, each), made); }); });
                });
            });
        });
    }

    void append(value to, value made) { to_.assign(to, to_.append(to, made)); }

    template <class OfRow>
    value one(value v, value number, OfRow of_row) {
        return reduced_element(
            to_, operands_, of_,
            [&](std::size_t i) { return inputs_[i].of_row ? of_row(i) : to_.at(inputs_[i].own, v); }, {}, number,
            [](std::size_t, value) {},  // no elements are stored
            is_right_);
    }

    void combine(nest::id shared) {
        mine_ = to_.own("mine", types::accumulators(), values());
        each_value(
            [&](value v) { to_.assign(to_.at(mine_, v), combined_places(to_, [&](int k) { return part(v, k); })); });
        each_value([&](value v) {
            threads_.combine(to_.at(mine_, v), shared);
            // What warps left there is read before the next value's is.
            if (of_.threads_per_output > warp) to_.barrier();
        });
    }

    void store() {
        to_.when(threads_.lane == 0 && threads_.is_there, [&] {
            each_value([&](value v) {
                const value number = to_.let("number", types::number, threads_.which + v);
                to_.when(number < threads_.kept, [&] {
                    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                        to_.assign(operands_.output(i, number),
                                   to_.finish(to_.member(to_.at(mine_, v), i), i, threads_.reduced));
                });
            });
        });
    }

    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    value_threads threads_;
    const bool tests_;  // roots and quotients have
    value whole_ = {};  // elements of the row that are of whole vectors
    value is_right_ = {};
    std::vector<input> inputs_;
    nest::id parts_ = nest::none, mine_ = nest::none;
};

}  // namespace

nest::tree shared_rows_nest(const lower::program& program, const kernel& of) {
    return shared_rows_policy(program, of).run();
}

}  // namespace kiln::plan
