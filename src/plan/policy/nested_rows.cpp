// Rows of what shorter rows come to: of each point the nearest of 64 centres, whose distances are sums over 8 coordinates. A thread
// makes all elements of its outer rows, one after the other, each in the order that the short rows have by themselves, so that
// no distance is ever stored. What elements of an outer row have in common (the point) is read once; what all threads read at the
// same time (a centre) is brought to shared memory, so many elements of the outer row at once, and read there once for a thread's
// several outer rows: from the first cache 1M points took an H200 8% longer, and where four threads shared an outer row, each with
// centres of its own, 283 us. Of fewer outer rows than keep a device busy several threads share one all the same, and its elements.
#include <plan/policy/reduction.hpp>
#include <plan/policy/row_bodies.hpp>

#include <algorithm>
#include <optional>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class nested_rows_policy {
public:
    nested_rows_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          threads_(to_, operands_, of),
          inputs_(of.inputs.size()) {
        reduction_set outputs = reductions_of_outputs(of);
        outputs.finds_nans = true;
        for (const reduction_set::member& each : outputs.members)
            if (outputs.appends_until_nan(each.of)) until_nan_.push_back(each.number);
        to_.set(std::move(outputs));
        rows_.emplace(to_, program, of);
        look_at_inputs();
    }

    nest::tree run() {
        threads_.begin();
        mine_ = to_.own("mine", types::accumulators(), values());
        each_value([&](value v) { to_.assign(to_.at(mine_, v), to_.identity()); });
        read_what_stays();
        take_elements();
        for (const std::size_t output : until_nan_) each_value([&](value v) { find_nan(v, output); });
        each_value([&](value v) { threads_.combine(to_.at(mine_, v), nest::none); });
        store();
        return to_.finish();
    }

private:
    struct input {
        bool of_row = false;           // another element along the short row
        bool of_element = false;       // another one for each element of the outer row
        bool of_value = false;         // another one for each outer row
        nest::id held = nest::none;    // rows, or elements, of each of the thread's outer rows where it is of_value
        nest::id staged = nest::none;  // in shared memory: rows of several elements of the outer row
    };
    using known_values = row_bodies::known_values;

    /// Outer rows of a thread.
    [[nodiscard]] int values() const { return threads_.width(); }
    template <class Each>
    void each_value(Each each) {
        to_.unrolled("v", values(), each);
    }
    /// With neighbouring threads, which take its elements in turn.
    [[nodiscard]] bool shares_row() const { return of_.threads_per_output > 1; }
    [[nodiscard]] int width() const { return of_.vector_width; }
    [[nodiscard]] int extent() const { return of_.nested_extent; }
    [[nodiscard]] int row_axis() const { return of_.rank - 1; }
    /// Threads of a short row where it has threads of its own.
    [[nodiscard]] int lanes() const {
        const std::int64_t extents[] = {of_.threads_per_block, extent()};
        return sizes_of_reduction(shape(extents, 2), 0b10).threads_per_output;
    }

    // --- Which inputs are of a short row's elements, and which of what it comes to ---

    void look_at_inputs() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const std::uint8_t axes = of_.inputs[i].axes_read();
            if (of_.inputs[i].is_partial) continue;
            inputs_[i].of_row = axes >> row_axis() & 1;
            inputs_[i].of_element = axes & of_.reduced_axes;
            inputs_[i].of_value = axes & ~of_.reduced_axes & ~(1 << row_axis());
        }
    }

    // --- What is read ---

    [[nodiscard]] int held_elements(const input& of) const { return of.of_row ? extent() : 1; }

    void hold(std::size_t i) { hold(i, values()); }
    void hold(std::size_t i, int outer_rows) {
        input& to = inputs_[i];
        to.held = to_.own("v_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                          held_elements(to) * (to.of_value ? outer_rows : 1));
    }

    /// The outer row of a thread; the last one's where there is none.
    value_threads::place place_of(value v) {
        return threads_.place_of_value(
            to_.let("which", types::number, to_.least(threads_.which + v, threads_.kept - 1)));
    }

    /// Of an element of that outer row.
    value_threads::place place_of(value v, value next) {
        value_threads::place at = place_of(v);
        const value_threads::place of_element = threads_.place_of(next);
        for (int axis = 0; axis < row_axis(); ++axis)
            if (of_.reduced_axes >> axis & 1)
                at.positions[static_cast<std::size_t>(axis)] = of_element.positions[static_cast<std::size_t>(axis)];
        return at;
    }

    void read_what_stays() {
        for (std::size_t i = 0; i < of_.scalars.size(); ++i) known_[of_.scalars[i]] = operands_.scalar(i);
        bool is_of_value = false;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (inputs_[i].of_element) continue;
            hold(i);
            is_of_value = is_of_value || inputs_[i].of_value;
            value_threads::place anywhere{std::vector<value>(static_cast<std::size_t>(of_.rank))};
            if (!inputs_[i].of_value) read(i, anywhere, to_.constant(0));
        }
        if (!is_of_value) return;
        each_value([&](value v) {
            value_threads::place at = place_of(v);
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                if (inputs_[i].of_value && !inputs_[i].of_element) read(i, at, v);
        });
    }

    void read(std::size_t i, const value_threads::place& at, value v) {
        const input& to = inputs_[i];
        const operand& from = of_.inputs[i];
        const value first = v * held_elements(to);
        const auto address = [&](value e) {
            value_threads::place place{at.positions};
            place.positions[static_cast<std::size_t>(row_axis())] = to_.let("e", types::index, e);
            return threads_.address(i, place);
        };
        if (from.is_partial) {
            to_.assign(to_.at(to.held, first), operands_.element(i, {}));
        } else if (to.of_row && of_.vectorised && !from.is_position &&
                   (from.how == access::contiguous || from.how == access::row)) {
            const value begin = address(to_.constant(0));
            to_.unrolled("vector", extent() / width(), [&](value vector) {
                const value loaded = to_.let("loaded", to_.at(operands_.memory_of_input(i), begin + vector * width(),
                                                              types::vector(from.type, width())));
                to_.unrolled("k", width(), [&](value k) {
                    to_.assign(to_.at(to.held, first + vector * width() + k), to_.lane(loaded, k));
                });
            });
        } else {
            to_.unrolled("each", held_elements(to), [&](value each) {
                to_.assign(to_.at(to.held, first + each), operands_.element(i, address(each)));
            });
        }
    }

    // --- What all threads of a block read, in shared memory ---

    /// Elements of the outer row whose short rows are there at once; 0: nothing is.
    int stage() {
        constexpr int most_bytes = 16384;  // of a block, which leaves the first cache its share
        int bytes = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (is_staged(i)) bytes += bytes_of_row(i);
        if (bytes == 0) return 0;
        const int elements = std::min(64, most_bytes / bytes);
        if (elements < 8) return 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (is_staged(i))
                inputs_[i].staged = to_.shared("shared_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                                               elements * extent(), 16);
        return elements;
    }

    [[nodiscard]] bool is_staged(std::size_t i) const {
        return inputs_[i].of_element && inputs_[i].of_row && !inputs_[i].of_value && !of_.inputs[i].is_position;
    }
    [[nodiscard]] int bytes_of_row(std::size_t i) const { return extent() * bytes_of(of_.inputs[i].type); }

    /// Each thread an element at a time.
    void bring(value first, value end) {
        to_.barrier();  // those before have been read
        const value there = to_.let("there", types::number, (end - first) * extent());
        to_.loop(
            runner::serial, "nth", threads_.thread, there, of_.threads_per_block,
            [&](value nth) {
                value_threads::place place = threads_.place_of(to_.let("next", types::number, first + nth / extent()));
                place.positions[static_cast<std::size_t>(row_axis())] = to_.let("e", types::index, nth % extent());
                for (std::size_t i = 0; i < inputs_.size(); ++i)
                    if (inputs_[i].staged != nest::none)
                        to_.assign(to_.at(inputs_[i].staged, nth), operands_.element(i, threads_.address(i, place)));
            },
            /*written_out=*/1, types::number);
        to_.barrier();
    }

    // --- What is made of it ---

    void take_elements() {
        const int staged = stage();
        if (staged == 0) return take_elements(to_.constant(0, types::number), threads_.reduced);
        to_.loop(
            runner::serial, "first", 0, threads_.reduced, staged,
            [&](value first) {
                const value end = to_.let("end", types::number, to_.least(first + staged, threads_.reduced));
                bring(first, end);
                take_elements(first, end);
            },
            /*written_out=*/1, types::number);
    }

    void take_elements(value first, value end) {
        // Loads of the next elements go out before this one is computed.
        constexpr int written_out = 4;
        // Counted from a stage's first on they are, as NVRTC sees it, at constant distances there: 40 registers for 46. Doubles, whose
        // comparisons are others, take 70 so for 64.
        const bool is_counted = !until_nan_.empty() && !nest::is_constant(first, 0);
        const value begin = is_counted ? to_.constant(0, types::number) : first;
        to_.loop(
            runner::serial, is_counted ? "nth" : "next", shares_row() ? begin + threads_.lane : begin,
            is_counted ? end - first : end, of_.threads_per_output,
            [&](value turn) {
                const value next = is_counted ? to_.let("next", types::number, first + turn) : turn;
                bool is_of_value = false;
                for (std::size_t i = 0; i < inputs_.size(); ++i) {
                    if (!inputs_[i].of_element) continue;
                    hold(i);
                    is_of_value = is_of_value || inputs_[i].of_value;
                    if (inputs_[i].of_value) continue;
                    value_threads::place at = threads_.place_of(next);
                    if (inputs_[i].staged != nest::none) read_staged(i, is_counted ? turn : next - first);
                    else read(i, at, to_.constant(0));
                }
                each_value([&](value v) {
                    if (is_of_value) read_own(v, next);
                    const value one = element(v, next);
                    to_.assign(to_.at(mine_, v), to_.append(to_.at(mine_, v), one));
                });
            },
            written_out, types::number);
    }

    void read_staged(std::size_t i, value row) {
        const element_type type = of_.inputs[i].type;
        const value begin = to_.let("begin", types::index, row * extent());
        const int lanes = 16 / bytes_of(type);
        if (lanes > 1 && extent() % lanes == 0) {
            to_.unrolled("vector", extent() / lanes, [&](value vector) {
                const value loaded =
                    to_.let("loaded", to_.at(inputs_[i].staged, begin + vector * lanes, types::vector(type, lanes)));
                to_.unrolled("k", lanes, [&](value k) {
                    to_.assign(to_.at(inputs_[i].held, vector * lanes + k), to_.lane(loaded, k));
                });
            });
        } else {
            to_.unrolled("each", extent(), [&](value each) {
                to_.assign(to_.at(inputs_[i].held, each), to_.at(inputs_[i].staged, begin + each));
            });
        }
    }

    /// What is another one for each element of each outer row.
    void read_own(value v, value next) {
        const value_threads::place at = place_of(v, next);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i].of_element && inputs_[i].of_value) read(i, at, v);
    }

    value held(std::size_t i, value v, value e) {
        const input& from = inputs_[i];
        const value first = from.of_value ? v * held_elements(from) : to_.constant(0);
        return to_.at(from.held, from.of_row ? first + e : first);
    }

    /// An element of the outer row: the short row of it first.
    value element(value v, value number) {
        const known_values known = made_of_row(v);
        const value one = to_.variable("one", types::accumulators());
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            to_.assign_one(to_.member(one, i), known.at(of_.outputs[i].value), number);
        return one;
    }

    /// Where the thread's best is NaN: the first of its elements that is. By code apart that reads all it needs again: in line, its
    /// registers leave room for 5 blocks and not 6 (46 for 40, of the nearest of 64 centres of 8 coordinates).
    void find_nan(value v, std::size_t output) {
        const auto is_nan = [](value of) { return !(of == of); };
        const value found = to_.member(to_.at(mine_, v), output);
        const value best = to_.make(nest::operation::value_of, types::element(of_.reduced[output].accumulated), found);
        to_.when(is_nan(best), [&] {
            const value first = to_.apart("first_nan", types::number, [&] {
                const value place = to_.variable("nan", types::number, 0);
                to_.loop(
                    runner::serial, "next", shares_row() ? threads_.lane : to_.constant(0), threads_.reduced,
                    of_.threads_per_output,
                    [&](value next) {
                        const value_threads::place at = place_of(v, next);
                        const value only = to_.constant(0);
                        for (std::size_t i = 0; i < inputs_.size(); ++i) hold(i, 1), read(i, at, only);
                        const value made = made_of_row(only).at(of_.outputs[output].value);
                        to_.when(is_nan(made), [&] {
                            to_.assign(place, next);
                            to_.leave();
                        });
                    },
                    /*written_out=*/1, types::number);
                return place;
            });
            to_.assign(to_.make(nest::operation::place_of, types::position, found), first);
        });
    }

    /// What the short row comes to, and what is made of that.
    known_values made_of_row(value v) {
        known_values known = known_;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!inputs_[i].of_row) known[of_.inputs[i].value] = held(i, v, {});
        reduce_row(known, v);
        rows_->make_results(known);
        return known;
    }

    void reduce_row(known_values& known, value v) {
        const nest::type is = types::accumulators(rows_->set());
        const nest::id row = to_.own("part", is, lanes() * width());
        to_.unrolled("k", lanes() * width(), [&](value k) { to_.assign(to_.at(row, k), to_.identity(rows_->set())); });
        to_.unrolled("e", extent(), [&](value e) {
            known_values here = known;
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                if (inputs_[i].of_row) here[of_.inputs[i].value] = held(i, v, e);
            const value one = rows_->element(std::move(here), e);
            // As the row's threads would: each takes vectors in turn.
            const value place = to_.at(row, e / width() % lanes() * width() + e % width());
            to_.assign(place, to_.append(place, one));
        });
        const auto of_lane = [&](int lane) {
            return combined_places(to_, [&](int k) { return to_.at(row, lane * width() + k); });
        };
        const nest::id mine = to_.own("row", is, lanes());
        for (int lane = 0; lane < lanes(); ++lane) to_.assign(to_.at(mine, lane), of_lane(lane));
        for (int apart = lanes() / 2; apart > 0; apart /= 2)
            for (int lane = 0; lane < apart; ++lane)
                to_.assign(to_.at(mine, lane), to_.combine(to_.at(mine, lane), to_.at(mine, lane + apart)));
        rows_->finish(known, to_.at(mine, 0), to_.constant(extent(), types::number));
    }

    void store() {
        to_.when(shares_row() ? threads_.is_there && threads_.lane == 0 : threads_.is_there, [&] {
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
    std::vector<input> inputs_;
    std::optional<row_bodies> rows_;      // once the outputs have their set
    std::vector<std::size_t> until_nan_;  // outputs that are places, of which the first NaN's is found afterwards
    known_values known_;                  // scalars
    nest::id mine_ = nest::none;          // of each outer row
};

}  // namespace

nest::tree nested_rows_nest(const lower::program& program, const kernel& of) {
    return nested_rows_policy(program, of).run();
}

}  // namespace kiln::plan
