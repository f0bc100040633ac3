// A block makes a tile of values, rows by columns. What operands know of the rows, or of the columns, comes into shared memory
// once for all of the tile, some elements of each value at a time, the next of them on their way while these are multiplied; a
// thread has a tile of its own in registers. The threads of a value take every so many-th of its elements, and are combined, as
// where columns are reduced value by value: to the bit.
#include <plan/contraction.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <vector>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class contraction_policy {
public:
    contraction_policy(const lower::program& program, const kernel& of)
        : of_(of),
          tile_(of.contraction),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          inputs_(of.inputs.size()) {
        to_.set(reductions_of_outputs(of));
        for (int axis = 0; axis < of.rank; ++axis) {
            if (of.reduced_axes >> axis & 1) reduced_axes_.push_back(axis);
            else if (axis != row_axis() && axis != column_axis()) outer_axes_.push_back(axis);
        }
    }

    nest::tree run() {
        declare();
        begin();
        keep_what_stays();
        load(to_.constant(0, types::number));
        const value stage = to_.variable("stage", types::small, 0);
        leave_in(stage);
        to_.barrier();
        to_.loop(
            runner::serial, "next", to_.constant(0, types::number), reduced_, tile_.depth,
            [&](value next) {
                const value following = to_.let("following", types::number, next + tile_.depth);
                to_.when(following < reduced_, [&] { load(following); });
                take_elements(stage, next);
                to_.assign(stage, to_.bit_xor(stage, 1));
                to_.when(following < reduced_, [&] { leave_in(stage); });
                to_.barrier();
            },
            /*written_out=*/1, types::number);
        combine();
        store();
        return to_.finish();
    }

private:
    /// What an operand knows of a value beside its elements.
    enum class side { rows, columns, neither };
    struct input {
        side of = side::neither;
        bool deep = false;  // it knows the elements
        nest::id shared = nest::none;
        nest::id loaded = nest::none;  // the thread's part of what comes next
        nest::id own = nest::none;     // what the thread's values need: vectors of `lanes`
        int lanes = 1;
        value one = {};  // the same for all
        // Of deep ones: of the elements that come next, the thread's first, then every `rise`th; and where that is.
        value deep_from = {}, across = {}, at = {}, stride = {};
        int rise = 0;
    };

    [[nodiscard]] int row_axis() const { return of_.tile_axis; }
    [[nodiscard]] int column_axis() const { return of_.column_axis(); }
    [[nodiscard]] int lanes_of_value() const { return of_.threads_per_output; }
    /// Accumulators of a value in its thread: of rows one for each place in a vector.
    [[nodiscard]] int parts() const { return of_.vector_width; }
    [[nodiscard]] int threads_of_lane() const { return of_.threads_per_block / of_.threads_per_output; }
    [[nodiscard]] int extent(side of) const {
        return of == side::rows ? tile_.rows : of == side::columns ? tile_.columns : 1;
    }
    [[nodiscard]] int values(side of) const {
        return of == side::rows ? tile_.thread_rows : of == side::columns ? tile_.thread_columns : 1;
    }

    void declare() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const std::uint8_t axes = of_.inputs[i].axes_read();
            input& each = inputs_[i];
            each.deep = axes & of_.reduced_axes;
            if (axes >> row_axis() & 1) each.of = side::rows;
            else if (axes >> column_axis() & 1) each.of = side::columns;
            if (!each.deep) continue;
            each.shared = to_.shared("shared_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                                     2 * tile_.depth * tile_.pitch(extent(each.of)), /*aligned=*/16);
        }
        if (lanes_of_value() > 1)
            exchanged_ =
                to_.shared("exchanged", types::accumulators(), of_.threads_per_block / 2 * tile_.values_exchanged);
    }

    void begin() {
        const auto tiles = [&](value of, int word) { return to_.quotient(of, word, word + 1); };
        const value block = to_.loop_of(runner::grid, "block");
        thread_ = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        const value tile_row = to_.let("tile_row", types::number, tiles(block, of_.grid_word));
        const value outer = to_.let("outer", types::number, tiles(tile_row, of_.grid_word + 2));
        const auto first = [&](const char* name, value from, value whole, int word, int extent) {
            return to_.let(name, types::index, (from - whole * to_.word(word, types::number)) * extent);
        };
        first_column_ = first("first_column", block, tile_row, of_.grid_word, tile_.columns);
        first_row_ = first("first_row", tile_row, outer, of_.grid_word + 2, tile_.rows);
        positions_.resize(static_cast<std::size_t>(of_.rank));
        operands_.positions(outer, outer_axes_, positions_);
        value count = to_.constant(1, types::number);
        for (const int axis : reduced_axes_)
            count = axis == reduced_axes_.front()
                        ? to_.make(nest::operation::convert, types::number, operands_.extent(axis))
                        : count * operands_.extent(axis);
        reduced_ = to_.let("reduced", types::number, count);
        lane_ = to_.let("lane", types::small, thread_ / threads_of_lane());
        const value of_tile = to_.let("of_tile", types::small, thread_ % threads_of_lane());
        const int across = tile_.columns / tile_.thread_columns;
        thread_row_ = to_.let("thread_row", types::small, of_tile / across * tile_.thread_rows);
        thread_column_ = to_.let("thread_column", types::small, of_tile % across * neighbours());
        const int accumulators = parts() * tile_.values_of_thread();
        parts_ = to_.own("part", types::accumulators(), accumulators);
        to_.unrolled("v", accumulators, [&](value v) { to_.assign(to_.at(parts_, v), to_.identity()); });
    }

    // --- Which values are a thread's ---

    /// Columns side by side: neighbouring threads' then are neighbours in shared memory, in as many banks.
    [[nodiscard]] int neighbours() const { return std::min(4, tile_.thread_columns); }
    [[nodiscard]] value in_tile(side of, value number) {
        if (of == side::rows) return thread_row_ + number;
        const int groups = tile_.thread_columns / neighbours();
        if (groups == 1) return thread_column_ + number;
        return thread_column_ + number / neighbours() * (tile_.columns / groups) + number % neighbours();
    }
    [[nodiscard]] value position(side of, value in_tile) {
        return of == side::rows ? first_row_ + in_tile : first_column_ + in_tile;
    }
    /// The last one's where there is none.
    [[nodiscard]] value position_inside(side of, value in_tile) {
        return to_.least(position(of, in_tile), operands_.extent(axis(of)) - 1);
    }
    [[nodiscard]] int axis(side of) const { return of == side::rows ? row_axis() : column_axis(); }

    // --- What comes into shared memory ---

    [[nodiscard]] std::vector<value> positions_beside(side of, value in_tile) {
        std::vector<value> out = positions_;
        if (of != side::neither)
            out[static_cast<std::size_t>(axis(of))] =
                to_.let(of == side::rows ? "row" : "column", types::index, position_inside(of, in_tile));
        return out;
    }
    [[nodiscard]] std::vector<value> positions_of(const input& of) { return positions_beside(of.of, of.across); }
    value element(std::size_t i, side of, value in_tile) {
        return operands_.element(
            i, operands_.address(of_.inputs[i], operands_.input_name(i), positions_beside(of, in_tile)));
    }

    void keep_what_stays() {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            input& each = inputs_[i];
            const nest::type type = types::element(of_.inputs[i].type);
            const std::string name = "v_" + operands_.input_name(i);
            if (each.deep) {
                each.lanes = std::min(values(each.of), std::clamp(16 / bytes_of(of_.inputs[i].type), 1, 4));
                each.own = to_.own(name, each.lanes > 1 ? types::vector(of_.inputs[i].type, each.lanes) : type,
                                   values(each.of) / each.lanes);
                each.loaded = to_.own("next_" + operands_.input_name(i), type, rounds(each));
                divide(i);
            } else if (each.of == side::neither) {
                each.one = to_.let(name, element(i, side::neither, {}));
            } else {
                each.own = to_.own(name, type, values(each.of));
                to_.unrolled("v", values(each.of), [&](value v) {
                    to_.assign(to_.at(each.own, v), element(i, each.of, in_tile(each.of, v)));
                });
            }
        }
    }

    [[nodiscard]] int elements(const input& of) const { return tile_.depth * extent(of.of); }
    [[nodiscard]] int rounds(const input& of) const {
        return static_cast<int>(ceil_div(elements(of), of_.threads_per_block));
    }

    /// Which of an operand's elements come by this thread: where neighbours are those of one value, eight of each of four, so that both
    /// what is read and what is left in shared memory lie in as many banks as they can.
    void divide(std::size_t i) {
        input& of = inputs_[i];
        const bool turned = of_.inputs[i].address.unit_axes & of_.reduced_axes;
        const int beside = turned ? std::min(8, of_.threads_per_block / extent(of.of)) : 1;
        const std::string& name = operands_.input_name(i);
        if (of.of == side::neither) {
            of.deep_from = thread_;
        } else {
            of.deep_from = to_.let(
                "deep_of_" + name, types::small,
                turned ? thread_ % beside + thread_ / (beside * extent(of.of)) * beside : thread_ / extent(of.of));
            of.across = to_.let("across_" + name, types::small, thread_ / beside % extent(of.of));
        }
        of.rise = of_.threads_per_block / extent(of.of);
        // Of the usual operand, by how much it moves on: from element to element of a value.
        if (reduced_axes_.size() == 1 && of_.inputs[i].steps.empty()) {
            std::vector<value> positions = positions_of(of);
            positions[static_cast<std::size_t>(reduced_axes_[0])] = of.deep_from;
            of.stride = operands_.stride(of_.inputs[i], reduced_axes_[0]);
            of.at = to_.variable("next_at_" + name, types::index, operands_.address(of_.inputs[i], name, positions));
        }
    }

    /// The thread's part of an operand's next elements.
    template <class Each>
    void each_of_next(const input& of, Each each) {
        to_.unrolled("u", rounds(of), [&](value u) {
            const value deep = rounds(of) > 1 ? of.deep_from + u * of.rise : of.deep_from;
            if (elements(of) % of_.threads_per_block == 0) each(u, deep);
            else to_.when(deep < tile_.depth, [&] { each(u, deep); });
        });
    }

    /// Elements from `first` on of each value.
    void load(value first) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const input& of = inputs_[i];
            if (!of.deep) continue;
            each_of_next(of, [&](value u, value deep) {
                const value number = to_.let("n", types::number, first + deep);
                to_.when(number < reduced_, [&] {
                    value from;
                    if (of.at.is_there()) {
                        from = rounds(of) > 1 ? of.at + u * of.rise * of.stride : of.at;
                    } else {
                        std::vector<value> positions = positions_of(of);
                        operands_.positions(number, reduced_axes_, positions);
                        from = operands_.address(of_.inputs[i], operands_.input_name(i), positions);
                    }
                    to_.assign(to_.at(of.loaded, u), operands_.element(i, from));
                });
            });
            if (of.at.is_there()) to_.assign(of.at, of.at + of.stride * tile_.depth);
        }
    }

    [[nodiscard]] value place(const input& of, value stage, value deep, value across) {
        const value row = (stage * tile_.depth + deep) * tile_.pitch(extent(of.of));
        return across.is_there() ? row + across : row;
    }

    void leave_in(value stage) {
        for (const input& of : inputs_) {
            if (!of.deep) continue;
            each_of_next(of, [&](value u, value deep) {
                to_.assign(to_.at(of.shared, place(of, stage, deep, of.across)), to_.at(of.loaded, u));
            });
        }
    }

    // --- What becomes of it ---

    /// Rounds of as many elements as are there are written out: what comes next from shared memory is then on its way in time.
    void take_elements(value stage, value next) {
        const value depth = to_.let("depth", types::small, to_.least(reduced_ - next, tile_.depth));
        if (parts() > 1) {
            take_vectors(stage, next, depth);
            return;
        }
        const auto each = [&](value deep) { take_element(stage, deep, next + deep, to_.constant(0)); };
        const int rounds = tile_.depth / lanes_of_value();
        to_.when(
            depth == tile_.depth,
            [&] {
                to_.loop(
                    runner::serial, "round", 0, rounds, 1,
                    [&](value round) { each(to_.let("deep", types::small, lane_ + round * lanes_of_value())); },
                    /*written_out=*/std::min(rounds, 4));
            },
            [&] { to_.loop(runner::serial, "deep", lane_, depth, lanes_of_value(), each); });
    }

    /// As where rows are reduced value by value: element k of a vector into accumulator k.
    void take_vectors(value stage, value next, value depth) {
        const int turn = lanes_of_value() * parts();
        to_.loop(runner::serial, "vector", lanes_of_value() > 1 ? lane_ * parts() : to_.constant(0), depth, turn,
                 [&](value vector) {
                     to_.unrolled("k", parts(), [&](value k) {
                         const value deep = to_.let("deep", types::small, vector + k);
                         to_.when(deep < depth, [&] { take_element(stage, deep, next + deep, k); });
                     });
                 });
    }

    /// An element of each of the thread's values, into accumulator `k` of each.
    void take_element(value stage, value deep, value number, value k) {
        for (const input& of : inputs_) {
            if (!of.deep) continue;
            to_.unrolled("v", values(of.of) / of.lanes, [&](value v) {
                const value at = of.of == side::neither ? place(of, stage, deep, {})
                                                        : place(of, stage, deep, in_tile(of.of, v * of.lanes));
                to_.assign(to_.at(of.own, v),
                           of.lanes > 1 ? to_.at(of.shared, at, vector_of(of)) : to_.at(of.shared, at));
            });
        }
        to_.unrolled("r", tile_.thread_rows, [&](value r) {
            to_.unrolled("c", tile_.thread_columns, [&](value c) {
                const value part = to_.at(parts_, k * tile_.values_of_thread() + r * tile_.thread_columns + c);
                to_.assign(part, to_.append(part, one(r, c, number)));
            });
        });
    }

    [[nodiscard]] nest::type vector_of(const input& of) const {
        return types::vector(of_.inputs[static_cast<std::size_t>(&of - inputs_.data())].type, of.lanes);
    }

    value one(value r, value c, value number) {
        const auto input_value = [&](std::size_t i) {
            const input& of = inputs_[i];
            if (of.one.is_there()) return of.one;
            if (of.of == side::neither) return to_.at(of.own, 0);
            const value v = of.of == side::rows ? r : c;
            return of.lanes > 1 ? to_.lane(to_.at(of.own, v / of.lanes), v % of.lanes) : to_.at(of.own, v);
        };
        return reduced_element(to_, operands_, of_, input_value, positions_, number,
                               [](std::size_t, value) {});  // no elements are stored
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
                        to_.assign(to_.at(exchanged_, from + thread_ - threads), part);
                    });
                });
                to_.barrier();
                to_.when(lane_ < apart, [&] {
                    each([&](value part, value from) {
                        to_.assign(part, to_.combine(part, to_.at(exchanged_, from + thread_)));
                    });
                });
                to_.barrier();
            });
        });
    }

    /// Neighbouring columns at once, where they are whole vectors.
    void store() {
        to_.when(lane_ == 0, [&] {
            to_.unrolled("r", tile_.thread_rows, [&](value r) {
                const auto of_axis = [&](side of, const char* name, value number) {
                    return to_.let(name, types::index, position(of, in_tile(of, number)));
                };
                positions_[static_cast<std::size_t>(row_axis())] = of_axis(side::rows, "row", r);
                to_.when(positions_[static_cast<std::size_t>(row_axis())] < operands_.extent(row_axis()), [&] {
                    to_.unrolled("g", tile_.thread_columns / neighbours(), [&](value g) {
                        positions_[static_cast<std::size_t>(column_axis())] =
                            of_axis(side::columns, "column", g * neighbours());
                        store_neighbours(r * tile_.thread_columns + g * neighbours());
                    });
                });
            });
        });
    }

    void store_neighbours(value first) {
        const value number = to_.let("value", types::number, number_of_value());
        const value left =
            to_.let("left", types::index,
                    operands_.extent(column_axis()) - positions_[static_cast<std::size_t>(column_axis())]);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            const auto result = [&](value k) {
                return to_.finish(to_.member(to_.at(parts_, first + k), i), i, reduced_);
            };
            const auto one_by_one = [&](auto of) {
                to_.unrolled("k", neighbours(), [&](value k) {
                    to_.when(k < left, [&] { to_.assign(operands_.output(i, number + k), of(k)); });
                });
            };
            if (neighbours() == 1) {
                one_by_one(result);
                continue;
            }
            const nest::type vector = types::vector(of_.reduced[i].result, neighbours());
            const value results = to_.variable("v_" + operands_.output_name(i), vector);
            to_.unrolled("k", neighbours(), [&](value k) { to_.assign(to_.lane(results, k), result(k)); });
            const int bytes = std::min(16, neighbours() * bytes_of(of_.reduced[i].result));
            const nest::id memory = operands_.memory_of_output(i);
            to_.when(
                left >= neighbours() && to_.is_aligned(memory, number, bytes),
                [&] { to_.assign(to_.at(memory, number, vector), results); },
                [&] { one_by_one([&](value k) { return to_.lane(results, k); }); });
        }
    }

    /// Row-major by the axes that stay.
    value number_of_value() {
        value out;
        for (int axis = 0; axis < of_.rank; ++axis) {
            if (of_.reduced_axes >> axis & 1) continue;
            const value& here = positions_[static_cast<std::size_t>(axis)];
            out = out.is_there() ? out * operands_.extent(axis) + here
                                 : to_.make(nest::operation::convert, types::number, here);
        }
        return out;
    }

    const kernel& of_;
    const contraction_tile tile_;
    nest::builder to_;
    nest::operands operands_;
    std::vector<input> inputs_;
    std::vector<int> reduced_axes_, outer_axes_;
    std::vector<value> positions_;
    value thread_, lane_, reduced_;
    value first_row_, first_column_, thread_row_, thread_column_;
    nest::id parts_ = nest::none, exchanged_ = nest::none;
};

}  // namespace

nest::tree contraction_nest(const lower::program& program, const kernel& of) {
    return contraction_policy(program, of).run();
}

}  // namespace kiln::plan
