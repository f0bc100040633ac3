// A block makes a tile of values, rows by columns. What operands know of the rows, or of the columns, comes into shared memory
// once for all of the tile, some elements of each value at a time, the next of them on their way while these are multiplied; a
// thread has a tile of its own in registers. The threads of a value take every so many-th of its elements, and are combined, as
// where columns are reduced value by value: to the bit. Short rows are in shared memory whole, and one thread takes each value's elements in
// the order in which several would be combined. What is made of the values is made before they are stored.
#include <plan/contraction.hpp>
#include <plan/policy/contraction_operands.hpp>
#include <plan/policy/finished_values.hpp>
#include <plan/policy/reduction.hpp>
#include <plan/reduction_set.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class contraction_policy {
    using side = contraction_place::side;

public:
    contraction_policy(const lower::program& program, const kernel& of)
        : of_(of),
          tile_(of.contraction),
          reduced_(reduced_value(program)),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          at_{of, operands_},
          elements_(goes_on() ? body_of_elements(program, of) : nest::body()),
          inputs_(to_, at_, are_reduced()) {
        if (goes_on()) {
            to_.set(reductions_of_rows(program, number_of_reduced()).front());
            element_ = types::element(program.type_of(elements_.outputs.front()));
            result_ = program.type_of(reduced_);
            body_of_element_ = to_.body(elements_);
            finish_.emplace(to_, operands_, program, of, reduced_, tile_.finishes_in_functions);
        } else {
            to_.set(reductions_of_outputs(of));
        }
        to_.resident(of.resident);
        for (int axis = 0; axis < of.rank; ++axis) {
            if (of.reduced_axes >> axis & 1) reduced_axes_.push_back(axis);
            else if (axis != of.tile_axis && axis != of.column_axis()) outer_axes_.push_back(axis);
        }
    }

    nest::tree run() {
        declare();
        begin();
        inputs_.begin();
        if (tile_.serial) {
            take_rows();
        } else {
            if (tile_.stages > 0) take_copies();
            else take_loads();
            combine();
        }
        store();
        return to_.finish();
    }

private:
    /// Whether something is made of what values come to.
    [[nodiscard]] bool goes_on() const { return reduced_ >= 0; }
    /// Among the accumulators, then.
    [[nodiscard]] std::size_t number_of_reduced() const { return of_.outputs.size(); }

    [[nodiscard]] std::vector<bool> are_reduced() const {
        std::vector<bool> out(of_.inputs.size(), true);
        for (std::size_t i = 0; goes_on() && i < out.size(); ++i) out[i] = is_reduced(elements_, of_.inputs[i]);
        return out;
    }

    [[nodiscard]] int lanes_of_value() const { return tile_.serial ? 1 : of_.threads_per_output; }
    /// Accumulators of a value in its thread: of rows one for each place in a vector.
    [[nodiscard]] int parts() const { return tile_.serial ? 1 : of_.vector_width; }
    [[nodiscard]] int neighbours() const { return at_.neighbours(side::columns); }
    [[nodiscard]] int threads_of_lane() const { return of_.threads_per_block / lanes_of_value(); }

    void declare() {
        inputs_.declare();
        if (lanes_of_value() > 1)
            exchanged_ =
                to_.shared("exchanged", types::accumulators(), of_.threads_per_block / 2 * tile_.values_exchanged);
    }

    void begin() {
        const auto tiles = [&](value of, int word) { return to_.quotient(of, word, word + 1); };
        const value block = to_.loop_of(runner::grid, "block");
        at_.thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        const value tile_row = to_.let("tile_row", types::number, tiles(block, of_.grid_word));
        const value outer = to_.let("outer", types::number, tiles(tile_row, of_.grid_word + 2));
        const auto first = [&](const char* name, value from, value whole, int word, int extent) {
            const value at = (from - whole * to_.word(word, types::number)) * extent;
            return at_.has_warp_tiles() ? to_.variable(name, types::index, at) : to_.let(name, types::index, at);
        };
        at_.first_column = first("first_column", block, tile_row, of_.grid_word, tile_.columns);
        at_.first_row = first("first_row", tile_row, outer, of_.grid_word + 2, tile_.rows);
        if (at_.has_warp_tiles()) order_blocks(block, tile_row, outer);
        at_.positions.resize(static_cast<std::size_t>(of_.rank));
        operands_.positions(outer, outer_axes_, at_.positions);
        value count = to_.constant(1, types::number);
        for (const int axis : reduced_axes_)
            count = axis == reduced_axes_.front()
                        ? to_.make(nest::operation::convert, types::number, operands_.extent(axis))
                        : count * operands_.extent(axis);
        at_.reduced = to_.let("reduced", types::number, count);
        if (at_.has_warp_tiles()) {
            lane_ = to_.constant(0);
            divide_by_warps();
        } else {
            lane_ = to_.let("lane", types::small, at_.thread / threads_of_lane());
            const value of_tile = to_.let("of_tile", types::small, at_.thread % threads_of_lane());
            const int across = tile_.columns / tile_.thread_columns;
            at_.thread_row = to_.let("thread_row", types::small, of_tile / across * at_.neighbours(side::rows));
            at_.thread_column = to_.let("thread_column", types::small, of_tile % across * neighbours());
        }
        const int accumulators = parts() * tile_.values_of_thread();
        parts_ = to_.own("part", types::accumulators(), accumulators);
        if (!tile_.serial)
            to_.unrolled("v", accumulators, [&](value v) { to_.assign(to_.at(parts_, v), to_.identity()); });
    }

    /// Of blocks that run at once eight rows of tiles, which share columns in the second cache, where there are so many.
    void order_blocks(value block, value tile_row, value outer) {
        constexpr int together = 8;
        const value rows = to_.word(of_.grid_word + 2, types::number);
        const value columns = to_.word(of_.grid_word, types::number);
        const value row = to_.let("row_of_tiles", types::number, tile_row - outer * rows);
        const value first = to_.let("first_together", types::number, row / together * together);
        const value within = to_.let("within", types::number, block - (outer * rows + first) * columns);
        to_.when(first + together <= rows, [&] {
            to_.assign(at_.first_row, (first + within % together) * tile_.rows);
            to_.assign(at_.first_column, within / together * tile_.columns);
        });
    }

    void divide_by_warps() {
        const int rows = contraction_place::warp_rows * tile_.thread_rows;
        const int columns = contraction_place::warp_columns * tile_.thread_columns;
        const int across = tile_.rows / rows;
        const value of_warp = to_.let("of_warp", types::small, at_.thread % warp);
        const value which = to_.let("warp", types::small, at_.thread / warp);
        at_.thread_row =
            to_.let("thread_row", types::small,
                    which % across * rows + of_warp % contraction_place::warp_rows * at_.neighbours(side::rows));
        at_.thread_column = to_.let("thread_column", types::small,
                                    which / across * columns + of_warp / contraction_place::warp_rows * neighbours());
    }

    // --- How elements come ---

    /// By registers: the next ones are asked for before these are taken, and left in shared memory after that.
    void take_loads() {
        inputs_.load(to_.constant(0, types::number));
        const value stage = to_.variable("stage", types::small, 0);
        inputs_.leave_in(stage);
        to_.barrier();
        each_round(at_.reduced, [&](value next) {
            const value following = to_.let("following", types::number, next + tile_.depth);
            to_.when(following < at_.reduced, [&] { inputs_.load(following); });
            take_elements(stage, next);
            to_.assign(stage, to_.bit_xor(stage, 1));
            to_.when(following < at_.reduced, [&] { inputs_.leave_in(stage); });
            to_.barrier();
        });
    }

    /// In the background, several rounds ahead: once all threads are here, nobody needs what the round before this one left. The last
    /// round, if it is shorter, is by itself, and its copies, too: a loop without them is faster.
    void take_copies() {
        const int ahead = tile_.stages - 1;
        const value first = to_.variable("first", types::number, 0);
        const value filled = to_.variable("filled", types::small, 0);
        const auto go_on = [&](value stage) { to_.assign(stage, to_.select(stage == ahead, 0, stage + 1)); };
        const auto copy_whole = [&] {
            to_.when(first + tile_.depth <= at_.reduced, [&] {
                inputs_.copy(first, filled, /*all_there=*/true);
                to_.assign(first, first + tile_.depth);
                go_on(filled);
            });
            to_.commit_copies();
        };
        to_.loop(runner::serial, "s", 0, ahead, 1, [&](value) { copy_whole(); });
        const value stage = to_.variable("stage", types::small, 0);
        const value whole =
            tile_.whole_rounds ? at_.reduced : to_.let("whole", types::number, at_.reduced / tile_.depth * tile_.depth);
        each_round(whole, [&](value next) {
            to_.wait_copies(ahead - 1);
            to_.barrier();
            copy_whole();
            take_whole_round(stage, next);
            go_on(stage);
        });
        // Its text is that of a round once more, and takes the compiler a sixth of the kernel's time.
        if (tile_.whole_rounds) return;
        to_.when(whole < at_.reduced, [&] {
            inputs_.copy(whole, filled, /*all_there=*/false);
            to_.commit_copies();
            to_.wait_copies(0);
            to_.barrier();
            take_rest(stage, whole, to_.let("depth", types::small, at_.reduced - whole));
        });
    }

    template <class Round>
    void each_round(value end, Round round) {
        to_.loop(runner::serial, "next", to_.constant(0, types::number), end, tile_.depth, round,
                 /*written_out=*/1, types::number);
    }

    // --- Short rows, which one thread takes for all ---

    void take_rows() {
        inputs_.load(to_.constant(0, types::number));
        inputs_.leave_in(to_.constant(0));
        to_.barrier();
        take_lanes(0, 1, parts_);
    }

    /// What lanes `first`, `first + apart` and so on come to, as if each had its thread: those far apart meet first.
    void take_lanes(int first, int apart, nest::id into) {
        if (apart == of_.threads_per_output) return take_places(first, into);
        take_lanes(first, 2 * apart, into);
        with_other(into, [&](nest::id other) { take_lanes(first + apart, 2 * apart, other); });
    }

    /// As combined_places() has them, each from all of the lane's vectors before the next.
    void take_places(int lane, nest::id into) {
        const auto pair = [&](int k, nest::id to) {
            take_place(lane, k, to);
            with_other(to, [&](nest::id other) { take_place(lane, k + 1, other); });
        };
        pair(0, into);
        with_other(into, [&](nest::id other) { pair(2, other); });
    }

    template <class Take>
    void with_other(nest::id into, Take take) {
        const int values = tile_.values_of_thread();
        const nest::id other = to_.own("other", types::accumulators(), values);
        take(other);
        to_.unrolled("v", values,
                     [&](value v) { to_.assign(to_.at(into, v), to_.combine(to_.at(into, v), to_.at(other, v))); });
    }

    void take_place(int lane, int k, nest::id into) {
        to_.unrolled("v", tile_.values_of_thread(), [&](value v) { to_.assign(to_.at(into, v), to_.identity()); });
        to_.unrolled("item", of_.items_per_thread, [&](value item) {
            const int width = of_.vector_width;
            const value deep =
                to_.let("deep", types::small, item * (of_.threads_per_output * width) + (lane * width + k));
            const auto append = [&] {
                append_element(to_.constant(0), deep, to_.convert(deep, types::number), into, {});
            };
            if (tile_.whole_rounds) append();
            else to_.when(deep < at_.reduced, append);
        });
    }

    // --- What becomes of it ---

    void take_elements(value stage, value next) {
        const value depth = to_.let("depth", types::small, to_.least(at_.reduced - next, tile_.depth));
        if (parts() > 1) {
            take_vectors(stage, next, depth);
            return;
        }
        to_.when(
            depth == tile_.depth, [&] { take_whole_round(stage, next); }, [&] { take_rest(stage, next, depth); });
    }

    /// Written out: what comes next from shared memory is then on its way in time.
    void take_whole_round(value stage, value next) {
        const int rounds = tile_.depth / turn();
        to_.loop(
            runner::serial, "round", 0, rounds, 1,
            [&](value round) { take_neighbours(stage, to_.let("deep", types::small, lane_ + round * turn()), next); },
            /*written_out=*/tile_.stages > 0 ? rounds : std::min(rounds, 4));
    }

    void take_rest(value stage, value next, value depth) {
        to_.loop(runner::serial, "deep", lane_, depth, turn(), [&](value deep) { take_neighbours(stage, deep, next); });
    }
    /// Of all threads of a value.
    [[nodiscard]] int turn() const { return lanes_of_value() * elements_of_line(); }

    /// Of lines, which end between vectors of theirs, those of a vector.
    void take_neighbours(value stage, value deep, value next) {
        if (tile_.lines) inputs_.read_lines(stage, deep);
        to_.unrolled("k", elements_of_line(), [&](value k) {
            const value here = tile_.lines ? to_.let("here", types::small, deep + k) : deep;
            take_element(stage, here, next + here, to_.constant(0), k);
        });
    }
    [[nodiscard]] int elements_of_line() const { return tile_.lines ? tile_.copied_bytes / 4 : 1; }

    /// As where rows are reduced value by value: element k of a vector into accumulator k.
    void take_vectors(value stage, value next, value depth) {
        const int turn = lanes_of_value() * parts();
        to_.loop(runner::serial, "vector", lanes_of_value() > 1 ? lane_ * parts() : to_.constant(0), depth, turn,
                 [&](value vector) {
                     to_.unrolled("k", parts(), [&](value k) {
                         const value deep = to_.let("deep", types::small, vector + k);
                         to_.when(deep < depth, [&] { take_element(stage, deep, next + deep, k, {}); });
                     });
                 });
    }

    /// An element of each of the thread's values, into accumulator `part` of each; of lines, element `k` of what was read.
    void take_element(value stage, value deep, value number, value part, value k) {
        append_element(stage, deep, number, parts_, k, part * tile_.values_of_thread());
    }

    void append_element(value stage, value deep, value number, nest::id into, value k, value first = {}) {
        inputs_.read(stage, deep);
        to_.unrolled("r", tile_.thread_rows, [&](value r) {
            to_.unrolled("c", tile_.thread_columns, [&](value c) {
                const value of_thread = r * tile_.thread_columns + c;
                const value sum = to_.at(into, first.is_there() ? first + of_thread : of_thread);
                to_.assign(sum, to_.append(sum, one(r, c, k, number)));
            });
        });
    }

    value one(value r, value c, value k, value number) {
        if (goes_on()) return one_of_elements(r, c, k, number);
        return reduced_element(
            to_, operands_, of_, [&](std::size_t i) { return inputs_.value_of(i, r, c, k); }, at_.positions, number,
            [](std::size_t, value) {});  // no elements are stored
    }

    value one_of_elements(value r, value c, value k, value number) {
        std::vector<value> read;
        for (const lower::value_id each : elements_.inputs) {
            const auto is_it = [&](const operand& input) { return input.value == each; };
            const auto found = std::find_if(of_.inputs.begin(), of_.inputs.end(), is_it);
            if (found != of_.inputs.end()) {
                read.push_back(inputs_.value_of(static_cast<std::size_t>(found - of_.inputs.begin()), r, c, k));
                continue;
            }
            const auto scalar = std::find(of_.scalars.begin(), of_.scalars.end(), each);
            read.push_back(operands_.scalar(static_cast<std::size_t>(scalar - of_.scalars.begin())));
        }
        const value made = to_.variable("made", element_);
        to_.compute(read, {{made}}, body_of_element_);
        const value one = to_.variable("one", types::accumulators());
        to_.assign_one(to_.member(one, number_of_reduced()), made, number);
        return one;
    }

    /// As value_threads does, some of a thread's values at a time.
    void combine() {
        if (parts() > 1)
            to_.unrolled("v", tile_.values_of_thread(), [&](value v) {
                const auto part = [&](int k) { return to_.at(parts_, v + k * tile_.values_of_thread()); };
                to_.assign(part(0), combined_places(to_, part));
            });
        if (lanes_of_value() == 1) return;
        const int together = tile_.values_exchanged;
        to_.loop(runner::unrolled, "first", 0, tile_.values_of_thread(), together, [&](value first) {
            to_.halving("apart", lanes_of_value() / 2, [&](value apart) {
                const value threads = to_.let("threads", types::small, apart * threads_of_lane());
                const auto each = [&](auto what) {
                    to_.unrolled("v", together, [&](value v) { what(to_.at(parts_, first + v), v * threads); });
                };
                to_.when(lane_ >= apart && lane_ < apart * 2, [&] {
                    each([&](value part, value from) {
                        to_.assign(to_.at(exchanged_, from + at_.thread - threads), part);
                    });
                });
                to_.barrier();
                to_.when(lane_ < apart, [&] {
                    each([&](value part, value from) {
                        to_.assign(part, to_.combine(part, to_.at(exchanged_, from + at_.thread)));
                    });
                });
                to_.barrier();
            });
        });
    }

    void store() {
        if (lanes_of_value() == 1 && tile_.stages > 0) store_values();
        else to_.when(lane_ == 0, [&] { store_values(); });
    }

    void store_values() {
        to_.unrolled("r", tile_.thread_rows, [&](value r) {
            const auto of_axis = [&](side of, const char* name, value number) {
                return to_.let(name, types::index, at_.position(of, at_.in_tile(of, number)));
            };
            position(of_.tile_axis) = of_axis(side::rows, "row", r);
            to_.when(position(of_.tile_axis) < operands_.extent(of_.tile_axis), [&] {
                to_.unrolled("g", tile_.thread_columns / neighbours(), [&](value g) {
                    position(of_.column_axis()) = of_axis(side::columns, "column", g * neighbours());
                    store_neighbours(r * tile_.thread_columns + g * neighbours());
                });
            });
        });
    }

    /// At once, where they are whole vectors.
    void store_neighbours(value first) {
        const value number = to_.let("value", types::number, number_of_value());
        const value column = position(of_.column_axis());
        const value left = to_.let("left", types::index, operands_.extent(of_.column_axis()) - column);
        if (neighbours() == 1) {
            to_.when(left > 0, [&] {
                const std::vector<value> results = results_of(to_.at(parts_, first), column);
                for (std::size_t i = 0; i < results.size(); ++i) to_.assign(operands_.output(i, number), results[i]);
            });
            return;
        }
        std::vector<value> results;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            results.push_back(to_.variable("v_" + operands_.output_name(i), types::vector(type_of(i), neighbours())));
        to_.unrolled("k", neighbours(), [&](value k) {
            const std::vector<value> made = results_of(to_.at(parts_, first + k), column + k);
            for (std::size_t i = 0; i < made.size(); ++i) to_.assign(to_.lane(results[i], k), made[i]);
        });
        for (std::size_t i = 0; i < results.size(); ++i) store_vector(i, results[i], number, left);
    }

    void store_vector(std::size_t output, value results, value number, value left) {
        const int bytes = std::min(16, neighbours() * bytes_of(type_of(output)));
        const nest::id memory = operands_.memory_of_output(output);
        const auto whole = [&] { to_.assign(to_.at(memory, number, results.is()), results); };
        constexpr int four = 4;
        if (tile_.stores_fours && neighbours() == four) {
            to_.when(left > 0, whole);
            return;
        }
        to_.when(left >= neighbours() && to_.is_aligned(memory, number, bytes), whole, [&] {
            to_.unrolled("k", neighbours(), [&](value k) {
                to_.when(k < left, [&] { to_.assign(operands_.output(output, number + k), to_.lane(results, k)); });
            });
        });
    }

    [[nodiscard]] element_type type_of(std::size_t output) const {
        return goes_on() ? of_.outputs[output].type : of_.reduced[output].result;
    }

    /// Of each output, what becomes of a value's accumulators. Past the last column, what is read beside is that one's.
    std::vector<value> results_of(value part, value column) {
        std::vector<value> out;
        if (!goes_on()) {
            for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                out.push_back(to_.finish(to_.member(part, i), i, at_.reduced));
            return out;
        }
        const value of_row = position(of_.column_axis());
        if (finish_->reads_beside())
            position(of_.column_axis()) =
                to_.let("beside", types::index, to_.least(column, operands_.extent(of_.column_axis()) - 1));
        const value came_to = to_.finish(to_.member(part, number_of_reduced()), number_of_reduced(), at_.reduced);
        out = finish_->of(to_.let("came_to", types::element(result_), came_to), at_.positions);
        position(of_.column_axis()) = of_row;
        return out;
    }

    value& position(int axis) { return at_.positions[static_cast<std::size_t>(axis)]; }

    /// Row-major by the axes that stay.
    value number_of_value() {
        value out;
        for (int axis = 0; axis < of_.rank; ++axis) {
            if (of_.reduced_axes >> axis & 1) continue;
            const value& here = position(axis);
            out = out.is_there() ? out * operands_.extent(axis) + here
                                 : to_.make(nest::operation::convert, types::number, here);
        }
        return out;
    }

    const kernel& of_;
    const contraction_tile tile_;
    const lower::value_id reduced_;  // what its kernel goes on with
    nest::builder to_;
    nest::operands operands_;
    contraction_place at_;
    nest::body elements_;  // then: of what is reduced
    contraction_operands inputs_;
    nest::type element_ = {};
    element_type result_ = {};
    int body_of_element_ = 0;
    std::optional<finished_values> finish_;
    std::vector<int> reduced_axes_, outer_axes_;
    value lane_;
    nest::id parts_ = nest::none, exchanged_ = nest::none;
};

}  // namespace

nest::tree contraction_nest(const lower::program& program, const kernel& of) {
    return contraction_policy(program, of).run();
}

}  // namespace kiln::plan
