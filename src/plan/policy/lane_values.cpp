// Values that share a long row, as in shared_rows.cpp, with lanes in other roles: each lane of a warp has values of its own, and all of
// them read the same elements at the same time. A block then reads the row once for 32 times as many values: where lanes share a value,
// rows of 16384 bodies, which no first cache holds, come from the second one for every two of them, 2 GB in all.
//
// What a value's threads would have is made by one lane, thread after thread. They are combined in pairs, as trees: a lane takes them in
// the order of the tree's leaves, and combines what is complete, so that one result of each height waits. A warp has a tree of its own,
// and the warps' results are combined at last.
#include <plan/fast_paths.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class lane_values_policy {
public:
    lane_values_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          threads_(to_, operands_, of),
          tests_(choose_fast_paths(program, of).has_unbranched_tests()),
          inputs_(of.inputs.size()) {
        to_.set(reductions_of_outputs(of));
    }

    nest::tree run() {
        const nest::id results = to_.shared("shared", types::accumulators(), warps() * values_of_block());
        // Of four values, each with accumulators for the four places of a vector, 16 warps with 128 registers hide what takes long.
        to_.resident(std::max(1, 512 / of_.threads_per_block));
        threads_.begin_blocks();
        lane_ = to_.let("lane", types::small, threads_.thread % warp);
        warp_ = to_.let("warp", types::small, threads_.thread / warp);
        first_ = to_.let("first_value", types::number, threads_.group * values_of_block());
        keep_what_stays();
        whole_ = to_.let("whole", types::number, threads_.reduced / width() * width());
        parts_ = to_.own("part", types::accumulators(), values() * width());
        mine_ = to_.own("mine", types::accumulators(), values());
        waiting_ = to_.own("waiting", types::accumulators(), (heights() + 1) * values());
        take_tree();
        combine_warps(results);
        return to_.finish();
    }

private:
    struct input {
        bool of_row = false;
        nest::id own = nest::none;     // of values: an element of each
        value vector = {};             // of the row: what is there now, a vector or
        nest::id loaded = nest::none;  // as many elements
    };

    [[nodiscard]] int values() const { return of_.rows_per_thread; }
    [[nodiscard]] int values_of_block() const { return of_.values_per_block(); }
    [[nodiscard]] int width() const { return of_.vector_width; }
    [[nodiscard]] int warps() const { return of_.threads_per_block / warp; }
    /// Threads that a value would have, of each warp.
    [[nodiscard]] int leaves() const { return of_.threads_per_output / warps(); }
    [[nodiscard]] int heights() const { return std::countr_zero(static_cast<unsigned>(leaves())); }
    [[nodiscard]] value part(value v, nest::value_or_number k) { return to_.at(parts_, v * width() + k); }
    [[nodiscard]] value waiting(value height, value v) { return to_.at(waiting_, height * values() + v); }
    template <class Each>
    void each_value(Each each) {
        to_.unrolled("v", values(), each);
    }
    [[nodiscard]] value number_of(value v) {
        return to_.let("number", types::number, first_ + v * warp + to_.convert(lane_, types::number));
    }

    void keep_what_stays() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            inputs_[i].of_row = of_.inputs[i].axes_read() & of_.reduced_axes;
            if (inputs_[i].of_row) continue;
            inputs_[i].own = to_.own("v_" + operands_.input_name(i), types::element(of_.inputs[i].type), values());
        }
        each_value([&](value v) {
            // The last one's where there is none.
            value_threads::place at =
                threads_.place_of_value(to_.let("which", types::number, to_.least(number_of(v), threads_.kept - 1)));
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                if (!inputs_[i].of_row)
                    to_.assign(to_.at(inputs_[i].own, v), operands_.element(i, threads_.address(i, at)));
        });
    }

    // --- A warp's tree ---

    /// The last `bits` bits in the other order. The first three operations lay eight of them out, each by itself, so that the
    /// last one gathers them reversed (H. S. Warren, Hacker's Delight, 7-1).
    value reversed(value of, int bits) {
        const value number = to_.convert(of, types::number);
        const value spread = (number * 0x0802 & 0x22110) | (number * 0x8020 & 0x88440);
        return spread * 0x10101 / 65536 % 256 / (1 << (8 - bits));
    }

    /// As value_threads::combine_row has it: the threads of a warp in pairs 16, then 8, ... 1 apart, then the warps in pairs half as many
    /// apart, then a quarter.
    value thread_of_leaf(value leaf) {
        const int warps_of_value = of_.threads_per_output / warp;
        return reversed(leaf / warp, std::countr_zero(static_cast<unsigned>(warps_of_value))) * warp +
               reversed(leaf % warp, std::countr_zero(static_cast<unsigned>(warp)));
    }

    void take_tree() {
        to_.loop(
            runner::serial, "leaf", 0, leaves(), 1,
            [&](value leaf) {
                thread_of_value_ = to_.let("thread_of_value", types::number, thread_of_leaf(warp_ * leaves() + leaf));
                take_vectors_of_thread();
                take_rest();
                combine_complete(leaf);
            },
            /*written_out=*/1, types::small);
    }

    void begin_anew() {
        to_.unrolled("k", values() * width(), [&](value k) { to_.assign(to_.at(parts_, k), to_.identity()); });
    }

    /// By fast paths without a branch between them; a lane begins anew where a result was not right.
    void take_vectors_of_thread() {
        begin_anew();
        if (!tests_) return take_vectors();
        is_right_ = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
        take_vectors();
        const value all_are_right = std::exchange(is_right_, value());
        to_.when(!all_are_right, [&] {
            begin_anew();
            take_vectors();
        });
    }

    void take_vectors() {
        to_.loop(
            runner::serial, "next", thread_of_value_ * width(), whole_, threads_.round(),
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
        to_.when(whole_ < threads_.reduced && thread_of_value_ == vectors % of_.threads_per_output, [&] {
            to_.loop(runner::serial, "k", 0, width() - 1, 1, [&](value k) {
                const value next = to_.let("next", types::number, whole_ + k);
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

    /// A leaf completes as many trees as its number ends in ones.
    void combine_complete(value leaf) {
        each_value(
            [&](value v) { to_.assign(to_.at(mine_, v), combined_places(to_, [&](int k) { return part(v, k); })); });
        const value rest = to_.variable("ones", types::small, leaf);
        const value height = to_.variable("height", types::small, to_.constant(0));
        if (heights() > 0)
            to_.loop(runner::serial, "each", 0, heights(), 1, [&](value) {
                to_.when(rest % 2 == 0, [&] { to_.leave(); });
                each_value(
                    [&](value v) { to_.assign(to_.at(mine_, v), to_.combine(waiting(height, v), to_.at(mine_, v))); });
                to_.assign(rest, rest / 2);
                to_.assign(height, height + 1);
            });
        each_value([&](value v) { to_.assign(waiting(height, v), to_.at(mine_, v)); });
    }

    // --- The warps' trees ---

    void combine_warps(nest::id results) {
        const auto result = [&](value of_warp, value of_block) {
            return to_.at(results, of_warp * values_of_block() + of_block);
        };
        each_value([&](value v) { to_.assign(result(warp_, v * warp + lane_), waiting(to_.constant(heights()), v)); });
        to_.barrier();
        to_.loop(runner::serial, "of_block", threads_.thread, values_of_block(), of_.threads_per_block,
                 [&](value of_block) {
                     to_.doubling("apart", warps(), [&](value apart) {
                         to_.loop(runner::serial, "each", 0, warps(), apart * 2, [&](value each) {
                             to_.assign(result(each, of_block),
                                        to_.combine(result(each, of_block), result(each + apart, of_block)));
                         });
                     });
                     store(result(to_.constant(0), of_block), first_ + to_.convert(of_block, types::number));
                 });
    }

    void store(value result, value of_value) {
        const value number = to_.let("number", types::number, of_value);
        to_.when(number < threads_.kept, [&] {
            for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                to_.assign(operands_.output(i, number), to_.finish(to_.member(result, i), i, threads_.reduced));
        });
    }

    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    value_threads threads_;
    const bool tests_;  // roots and quotients have
    value lane_ = {}, warp_ = {};
    value first_ = {};            // the block's first value
    value whole_ = {};            // elements of the row that are of whole vectors
    value thread_of_value_ = {};  // whose elements are taken
    value is_right_ = {};
    std::vector<input> inputs_;
    nest::id parts_ = nest::none, mine_ = nest::none;
    nest::id waiting_ = nest::none;  // of each height a complete tree's result
};

}  // namespace

nest::tree lane_values_nest(const lower::program& program, const kernel& of) {
    return lane_values_policy(program, of).run();
}

}  // namespace kiln::plan
