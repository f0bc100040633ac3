// A block makes a tile of values, a warp a part of it by tensor cores. Rounds of neighbouring elements of each row and each column
// come into shared memory in the background, several rounds ahead of the one that is multiplied. A line there begins in other
// banks than those around it, so that squares of eight lines are read at once, as they lie or turned, whichever way an operand
// lies in memory. Past an operand's end there are zeros; past its last row or column, that one once more, or what
// fills the memory's rows up, whose values are not stored.
#include <plan/policy/finished_values.hpp>
#include <plan/policy/mirrored_tiles.hpp>
#include <plan/policy/reduction.hpp>
#include <plan/policy/stored_counts.hpp>
#include <plan/policy/stored_product.hpp>
#include <plan/policy/stored_rows.hpp>
#include <plan/policy/tensor_operand.hpp>
#include <plan/tensor_contraction.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class tensor_contraction_policy {
public:
    tensor_contraction_policy(const lower::program& program, const kernel& of)
        : tensor_contraction_policy(program, of, staged_operands_of(program, of)) {}

    nest::tree run() {
        begin();
        for (side& each : sides_) each.of.divide(thread_, each.first, positions_);
        const value reduced = operands_.extent(depth_axis());
        if (tile_.by_groups) add_by_groups(reduced);
        else add_by_warps(reduced);
        store(reduced);
        return to_.finish();
    }

private:
    tensor_contraction_policy(const lower::program& program, const kernel& of, const staged_operands& staged)
        : of_(of),
          tile_(of.contraction),
          product_(nest::info(of.contraction.shape)),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          sides_{{{to_, operands_, program, of, staged.rows}}, {{to_, operands_, program, of, staged.columns}}} {
        const lower::value_id sum = finished_product(program);
        to_.set(sum < 0 ? reductions_of_outputs(of) : reductions_of_rows(program, of.outputs.size()).front());
        if (sum >= 0) {
            finish_.emplace(to_, operands_, program, of, sum);
            number_of_sum_ = of.outputs.size();
            result_ = program.type_of(sum);
            accumulated_ = program.step_of(sum)->operands;
        } else {
            result_ = of.reduced[0].result;
            accumulated_ = of.reduced[0].accumulated;
        }
        for (int axis = 0; axis < of.rank; ++axis)
            if (!(of.reduced_axes >> axis & 1) && axis != of.tile_axis && axis != of.column_axis())
                outer_axes_.push_back(axis);
    }

    /// Rows, or columns.
    struct side {
        tensor_operand of;
        value first = {};                 // of the tile: its position
        value in_warp = {};               // shared memory that a thread's lines of squares begin at
        nest::id registers = nest::none;  // of two products, in turns
        int count = 0;                    // of one

        [[nodiscard]] const staged_operand& staged() const { return of.of(); }
    };

    [[nodiscard]] int depth_axis() const { return std::countr_zero(of_.reduced_axes); }
    [[nodiscard]] bool is_columns(const side& of) const { return &of == &sides_[1]; }
    [[nodiscard]] int values_of_warp(const side& of) const {
        return is_columns(of) ? tile_.warp_columns : tile_.warp_rows;
    }

    void begin() {
        for (side& each : sides_) each.of.declare();
        const auto tiles = [&](value of, int word) { return to_.quotient(of, word, word + 1); };
        const value block = to_.loop_of(runner::grid, "block");
        thread_ = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        // Blocks that run together have few rows of tiles, so that what they read stays in the second cache: of 4096^3 on an H200 252 us in
        // place of 296.
        constexpr int rows_together = 8;
        const value across_grid = to_.word(of_.grid_word, types::number);
        const value down_grid = to_.word(of_.grid_word + 2, types::number);
        const value all_rows = to_.let("all_rows", types::number, tiles(block, of_.grid_word));
        const value outer = to_.let("outer", types::number, tiles(all_rows, of_.grid_word + 2));
        const value first_of_rows =
            to_.let("first_of_rows", types::number, (all_rows - outer * down_grid) / rows_together * rows_together);
        const value together = to_.let("together", types::number, to_.least(down_grid - first_of_rows, rows_together));
        const value among = to_.let("among", types::number, block - (outer * down_grid + first_of_rows) * across_grid);
        if (tile_.mirrored) {
            const value row = to_.let("rectangle_row", types::number, first_of_rows + among % together);
            const value column = to_.let("rectangle_column", types::number, among / together);
            const value extent = to_.convert(operands_.extent(of_.column_axis()), types::number);
            const value on_side = to_.let("tiles", types::number, (extent + (tile_.columns - 1)) / tile_.columns);
            const tile_of_triangle tile = unfolded(to_, row, column, across_grid, on_side);
            sides_[1].first = to_.let("first_column", types::index, tile.column * tile_.columns);
            sides_[0].first = to_.let("first_row", types::index, tile.row * tile_.rows);
        } else {
            const value tile_row = to_.let("tile_row", types::number, first_of_rows + among % together);
            sides_[1].first = to_.let("first_column", types::index, among / together * tile_.columns);
            sides_[0].first = to_.let("first_row", types::index, tile_row * tile_.rows);
        }
        positions_.resize(static_cast<std::size_t>(of_.rank));
        operands_.positions(outer, outer_axes_, positions_);

        lane_ = to_.let("lane", types::small, thread_ % warp);
        const value which = to_.let("warp", types::small, thread_ / warp);
        const int across = tile_.columns / tile_.warp_columns;
        warp_row_ = to_.let("warp_row", types::small, which / across * tile_.warp_rows);
        warp_column_ = to_.let("warp_column", types::small, which % across * tile_.warp_columns);
        const nest::type registers =
            product_.parts > 1 ? types::vector(product_.of, product_.parts) : types::element(product_.of);
        for (side& each : sides_) {
            if (tile_.by_groups) break;
            const bool columns = is_columns(each);
            const int count = columns ? values_of_warp(each) / nest::tile::columns * nest::tile::registers_of_b
                                      : values_of_warp(each) / nest::tile::rows * nest::tile::registers_of_a;
            each.registers = to_.own(columns ? "b" : "a", registers, 2 * count);
            each.count = count;
            each.in_warp = to_.let(columns ? "b_of_warp" : "a_of_warp", types::small, squares(each));
        }
        sums_ = to_.own("sums", types::element(product_.sums), sums_of_row() * row_tiles());
        to_.unrolled("v", sums_of_row() * row_tiles(), [&](value v) { to_.assign(to_.at(sums_, v), 0); });
    }

    [[nodiscard]] int row_tiles() const { return tile_.warp_rows / nest::tile::rows; }
    [[nodiscard]] int column_tiles() const { return tile_.warp_columns / nest::tile::columns; }
    [[nodiscard]] int sums_of_row() const { return column_tiles() * nest::tile::sums_of_thread; }

    // --- The rounds ---

    /// The first rounds. What makes elements stands in the kernel once for all of those.
    void fill(int stages, value reduced) {
        const auto one = [&](value s) {
            load(s, to_.let("k", types::index, s * tile_.depth), reduced);
            to_.commit_copies();
        };
        if (!sides_[0].of.is_made() && !sides_[1].of.is_made()) return to_.unrolled("s", stages, one);
        ask(to_.constant(0, types::index), reduced);
        to_.loop(runner::serial, "s", 0, stages, 1, one);
    }

    void next_stage(value to) {
        to_.assign(to, to + 1);
        to_.when(to == tile_.stages, [&] { to_.assign(to, 0); });
    }

    /// A round's products go on while the next one's copies are waited for; what comes in takes the place of the round before both,
    /// which all groups have finished where they met.
    void add_by_groups(value reduced) {
        const int ahead = tile_.stages - 2;
        fill(ahead, reduced);
        const value stage = to_.variable("stage", types::small, 0);
        const value filled = to_.variable("filled", types::small, ahead);
        const value group = to_.let("group", types::small, thread_ / (warp * nest::warps_of_group));
        to_.loop(
            runner::serial, "next", to_.constant(0, types::index), reduced, tile_.depth,
            [&](value next) {
                to_.wait_copies(ahead - 1);
                to_.publish_copies();
                to_.barrier();
                const auto lines = [&](const side& of, value from) {
                    return nest::builder::lines{to_.at(of.of.shared(), stage * of.staged().elements() + from),
                                                of.staged().is_turned};
                };
                to_.multiply_group(tile_.shape, tile_.columns, to_.at(sums_, 0),
                                   lines(sides_[0], group * (nest::rows_of_group * nest::line_of_group)),
                                   lines(sides_[1], to_.constant(0)));
                load(filled, to_.let("k", types::index, next + ahead * tile_.depth), reduced);
                to_.commit_copies();
                to_.wait_products(1);
                next_stage(stage);
                next_stage(filled);
            },
            /*written_out=*/1, types::index);
        to_.wait_products(0);
    }

    void add_by_warps(value reduced) {
        const int ahead = tile_.stages - 1;
        fill(ahead, reduced);
        to_.wait_copies(ahead - 1);
        to_.barrier();
        const value stage = to_.variable("stage", types::small, 0);
        read(stage, 0);
        const value filled = to_.variable("filled", types::small, ahead);
        to_.loop(
            runner::serial, "next", to_.constant(0, types::index), reduced, tile_.depth,
            [&](value next) {
                const int products = tile_.depth / depth_of_product();
                for (int d = 0; d < products; ++d) {
                    if (d + 1 == products) {
                        to_.wait_copies(ahead - 1);
                        to_.barrier();
                        next_stage(stage);
                    }
                    // Registers of the next product are on their way while this one is made.
                    read(stage, (d + 1) % products);
                    if (d == 0) {  // all have read what this takes the place of
                        load_next(filled, to_.let("k", types::index, next + ahead * tile_.depth), reduced);
                        to_.commit_copies();
                        next_stage(filled);
                    }
                    multiply(d);
                }
            },
            /*written_out=*/1, types::index);
    }

    /// Elements from `first` on of each row and column, to a stage.
    void load(value stage, value first, value reduced) {
        to_.when(
            first + tile_.depth <= reduced, [&] { bring(stage, first, {}); }, [&] { bring(stage, first, reduced); });
        for (side& each : sides_) each.of.go_on();
        ask(first + tile_.depth, reduced);
    }
    /// Past the last round elements that move one by one are not made zeros: nothing is multiplied by them.
    void load_next(value stage, value first, value reduced) {
        if (tile_.copied > 1) return load(stage, first, reduced);
        to_.when(first < reduced, [&] { load(stage, first, reduced); });
    }
    void bring(value stage, value first, value reduced) {
        for (side& each : sides_) each.of.bring(stage, first, reduced);
    }
    void ask(value first, value reduced) {
        for (side& each : sides_) each.of.ask(first, reduced);
    }

    // --- What becomes of it ---

    /// A thread says where one of eight lines of each of four squares is: of rows the upper and the lower eight, near and then far
    /// along them; of columns near and far of the first eight, then of the next.
    value squares(const side& of) {
        const value eights = lane_ / 8;
        const value line = lane_ % 8;
        const value beside =
            (is_columns(of) ? warp_column_ : warp_row_) + (is_columns(of) ? eights / 2 : eights % 2) * 8;
        const value far = is_columns(of) ? eights % 2 : eights / 2;
        if (of.staged().is_turned) return (far * 8 + line) * of.staged().pitch + beside;
        return (beside + line) * of.staged().pitch + far * (16 / bytes_of(of.staged().type));
    }

    /// Elements of 32 bytes.
    [[nodiscard]] int depth_of_product() const { return 32 / bytes_of(sides_[0].staged().type); }
    /// Tiles that lie beside each other come from so much further on in shared memory.
    [[nodiscard]] int from_tile_to_tile(const side& of) const {
        return 16 * (of.staged().is_turned ? 1 : of.staged().pitch);
    }

    /// Of a round's product `d`.
    void read(value stage, int d) {
        for (const side& of : sides_)
            to_.unrolled(is_columns(of) ? "j" : "i", values_of_warp(of) / 16, [&](value tile) {
                const value begin = of.in_warp + stage * of.staged().elements();
                const value place = begin + d * depth_of_product() * (of.staged().is_turned ? of.staged().pitch : 1) +
                                    tile * from_tile_to_tile(of);
                to_.load_tile(to_.at(of.registers, tile * 4 + d % 2 * of.count), 4, to_.at(of.of.shared(), place),
                              of.staged().is_turned);
            });
    }

    void multiply(int d) {
        to_.unrolled("i", row_tiles(), [&](value i) {
            to_.unrolled("j", column_tiles(), [&](value j) {
                const auto registers = [&](const side& of, value first) {
                    return to_.at(of.registers, first + d % 2 * of.count);
                };
                to_.multiply_tile(tile_.shape, to_.at(sums_, i * sums_of_row() + j * nest::tile::sums_of_thread),
                                  registers(sides_[0], i * nest::tile::registers_of_a),
                                  registers(sides_[1], j * nest::tile::registers_of_b));
            });
        });
    }

    void store(value reduced) {
        sums_of_warp_ = {sums_,           row_tiles(), column_tiles(), sides_[0].first,
                         sides_[1].first, warp_row_,   warp_column_,   lane_};
        if (tile_.stores_whole) return store_whole(reduced);
        if (tile_.stores_neighbours) return store_neighbours(reduced);
        stored_counts counts(to_, sums_of_warp_,
                             {operands_.memory_of_output(0), result_, operands_.extent(of_.tile_axis),
                              operands_.extent(of_.column_axis()),
                              [this](value row, value column) {
                                  position(of_.tile_axis) = row;
                                  position(of_.column_axis()) = column;
                                  return number_of_value();
                              },
                              [this, reduced](value sum) { return finished(sum, reduced); }});
        if (tile_.stores_fours) counts.fours();
        else if (tile_.stores_lines) counts.lines();
        else store_pairs(reduced);
        if (!tile_.mirrored) return;
        // On the diagonal is what is stored already.
        to_.when(sides_[0].first < sides_[1].first, [&] {
            if (tile_.stores_fours) counts.turned_fours();
            else counts.turned_lines();
        });
    }

    /// What was multiplied makes room for it.
    void store_whole(value reduced) {
        position(of_.tile_axis) = position(of_.column_axis()) = to_.constant(0, types::index);
        store_product(
            to_, sums_of_warp_,
            {operands_.memory_of_output(0), result_, number_of_value(), operands_.extent(of_.tile_axis),
             operands_.extent(of_.column_axis()), [this, reduced](value sum) { return finished(sum, reduced); },
             sides_[0].of.shared(), thread_, of_.threads_per_block});
    }

    void store_neighbours(value reduced) {
        store_rows(to_, sums_of_warp_,
                   {sides_[0].of.shared(), result_, tile_.rows, tile_.columns, tile_.stores_neighbours,
                    /*written_out=*/tile_.finishes_in_functions ? 1 : 4, operands_.extent(of_.tile_axis),
                    operands_.extent(of_.column_axis()), thread_, of_.threads_per_block,
                    [this, reduced](value sum) { return finished(sum, reduced); },
                    [this](value row, value column, value sums) {
                        position(of_.tile_axis) = row;
                        store_vector(column, tile_.stores_neighbours, [&](value k) { return to_.lane(sums, k); });
                    }});
    }

    value finished(value sum, value reduced) {
        const value part = to_.variable("part", types::accumulators());
        const nest::type added = types::element(accumulated_);
        to_.assign(to_.member(part, number_of_sum_),
                   product_.sums == added.of ? sum : to_.make(nest::operation::convert, added, sum));
        return to_.finish(to_.member(part, number_of_sum_), number_of_sum_, reduced);
    }

    /// Pairs of neighbouring columns at once, where they are whole vectors.
    void store_pairs(value reduced) {
        const value row_in_tile = to_.let("row_in_tile", types::small, warp_row_ + lane_ / 4);
        const value column_in_tile = to_.let("column_in_tile", types::small, warp_column_ + lane_ % 4 * 2);
        to_.unrolled("i", 2 * row_tiles(), [&](value i) {
            const value row = to_.let("row", types::index, sides_[0].first + row_in_tile + i * 8);
            position(of_.tile_axis) = row;
            to_.when(row < operands_.extent(of_.tile_axis), [&] {
                to_.unrolled("j", column_tiles(), [&](value j) {
                    const value column = to_.let("column", types::index, sides_[1].first + column_in_tile + j * 8);
                    store_pair(sums_of_warp_.of_half(i, j), column, reduced);
                });
            });
        });
    }

    void store_pair(value first, value column, value reduced) {
        store_vector(column, 2, [&](value k) { return finished(to_.at(sums_, first + k), reduced); });
    }

    /// What becomes of the sums of `width` neighbouring columns from `column` on; past the last column there is nothing to store.
    template <class Sum>
    void store_vector(value column, int width, Sum sum_of) {
        position(of_.column_axis()) = column;
        const value number = to_.let("value", types::number, number_of_value());
        const value extent = operands_.extent(of_.column_axis());
        std::vector<value> vectors;
        const char* const name = width == 2 ? "pair" : "values";
        for (const operand& each : of_.outputs) vectors.push_back(to_.variable(name, types::vector(each.type, width)));
        to_.unrolled("k", width, [&](value k) {
            const value made = sum_of(k);
            if (!finish_) return to_.assign(to_.lane(vectors[0], k), made);
            position(of_.column_axis()) = to_.let("beside", types::index, to_.least(column + k, extent - 1));
            const std::vector<value> finished = finish_->of(to_.let("sum", types::element(result_), made), positions_);
            for (std::size_t i = 0; i < vectors.size(); ++i) to_.assign(to_.lane(vectors[i], k), finished[i]);
        });
        position(of_.column_axis()) = column;
        const value left = extent - column;
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            const nest::id memory = operands_.memory_of_output(i);
            to_.when(
                left >= width && to_.is_aligned(memory, number, width * bytes_of(of_.outputs[i].type)),
                [&] { to_.assign(to_.at(memory, number, vectors[i].is()), vectors[i]); },
                [&] {
                    to_.unrolled("k", width, [&](value k) {
                        to_.when(k < left,
                                 [&] { to_.assign(operands_.output(i, number + k), to_.lane(vectors[i], k)); });
                    });
                });
        }
    }

    value& position(int axis) { return positions_[static_cast<std::size_t>(axis)]; }

    /// Row-major by the axes that stay.
    value number_of_value() {
        value out;
        for (int axis = 0; axis < of_.rank; ++axis) {
            if (of_.reduced_axes >> axis & 1) continue;
            out = out.is_there() ? out * operands_.extent(axis) + position(axis)
                                 : to_.make(nest::operation::convert, types::number, position(axis));
        }
        return out;
    }

    const kernel& of_;
    const contraction_tile tile_;
    const nest::tile& product_;
    nest::builder to_;
    nest::operands operands_;
    std::optional<finished_values> finish_;
    std::size_t number_of_sum_ = 0;  // among the reductions
    element_type result_, accumulated_;
    side sides_[2];
    std::vector<int> outer_axes_;
    std::vector<value> positions_;
    value thread_, lane_, warp_row_, warp_column_;
    nest::id sums_ = nest::none;
    warp_sums sums_of_warp_;
};

}  // namespace

nest::tree tensor_contraction_nest(const lower::program& program, const kernel& of) {
    return tensor_contraction_policy(program, of).run();
}

}  // namespace kiln::plan
