#include <plan/contraction.hpp>

#include <plan/compile_weight.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

// Of 1024 x 1024 floats times as many an H200 takes 104 us where a thread has 8 x 8 values of a tile of 64 x 64, 110 of 4 x 8 of 32 x 64
// and 150 of 4 x 4; of doubles 186 of 4 x 8 of 32 x 32, 231 of 8 x 8 of 32 x 64, whose registers are too few. Of 512 x 512 floats, whose
// larger tiles are fewer than multiprocessors, 18 of 32 x 64, 29 of 64 x 64.
contraction_tile tile_for(int accumulator_bytes, bool along_rows, bool many_values) {
    // Of rows, a value has an accumulator for each place in a vector: 64 of a thread, as of columns.
    if (along_rows) {
        const int side = many_values ? 64 : 32;
        return {side, side, 4, accumulator_bytes <= 4 ? 4 : accumulator_bytes <= 8 ? 2 : 1};
    }
    if (accumulator_bytes <= 4) return {many_values ? 64 : 32, 64, 8, 8};
    return {32, 32, 4, accumulator_bytes <= 8 ? 8 : 4};
}

/// Of what a block has in shared memory for one element of each of its values.
int bytes_of_a_round(const kernel& of, int row_axis, int column_axis, const contraction_tile& tile) {
    int bytes = 0;
    for (const operand& each : of.inputs) {
        const std::uint8_t axes = each.axes_read();
        if (!(axes & of.reduced_axes)) continue;
        const int extent = axes >> row_axis & 1 ? tile.rows : axes >> column_axis & 1 ? tile.columns : 1;
        bytes += bytes_of(each.type) * tile.pitch(extent);
    }
    return bytes;
}

/// An axis of rows: some operands know it and not the columns, some the columns and not it, and none both; -1: there is none.
int row_axis_of(const kernel& of, std::uint8_t tall_axes, int column_axis) {
    for (int axis = column_axis; axis-- > 0;) {
        if (!(tall_axes >> axis & 1)) continue;
        int of_rows = 0;
        int of_columns = 0;
        bool apart = true;
        for (const operand& each : of.inputs) {
            const std::uint8_t axes = each.axes_read();
            const bool rows = axes >> axis & 1;
            const bool columns = axes >> column_axis & 1;
            apart = apart && !(rows && columns);
            const bool deep = axes & of.reduced_axes;
            of_rows += rows && deep;
            of_columns += columns && deep;
        }
        if (apart && of_rows > 0 && of_columns > 0) return axis;
    }
    return -1;
}

/// A part of a thread's values.
int exchanged_at_once(int most, const contraction_tile& tile) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(most, 1, tile.values_of_thread()))));
}

}  // namespace

bool may_be_contracted(const reduction_sizes& of) {
    const bool along_rows = of.vector_width > 1;
    // Of longer rows, warps are combined after what each of them has.
    if (along_rows ? of.reduced < 2 || of.threads_per_output > warp : of.reduced < least_contracted) return false;
    return of.splits == 1 && of.kept >= enough_values;
}

bool choose_contraction(kernel& into, const lower::program& program, const iteration_class& call, const target& on) {
    const reduction_class& division = call.division;
    const int column_axis = into.column_axis();
    if (!(division.tall_axes >> column_axis & 1) || into.persistent_rows || into.gathers()) return false;
    int accumulators = 0;  // bytes, of one value
    for (std::size_t i = 0; i < into.outputs.size(); ++i) {
        // A position beside each value, or more: as fast value by value.
        if (into.stores_elements(i) || into.reduced[i].appends_apart()) return false;
        accumulators = std::max(accumulators, accumulator_bytes(into.reduced[i]));
    }
    accumulators *= static_cast<int>(into.outputs.size());
    const int row_axis = row_axis_of(into, division.tall_axes, column_axis);
    constexpr int most_accumulator_bytes = 16;
    constexpr int most_weight = 640;  // of what stands in the kernel's text once written out
    constexpr int most_threads = 512;
    if (row_axis < 0 || accumulators > most_accumulator_bytes) return false;

    contraction_tile tile = tile_for(accumulators, division.vector_width > 1, division.many_values);
    const int weight = std::max(1, weight_once(program, into)) * division.vector_width;
    while (weight * tile.values_of_thread() > most_weight && tile.thread_columns > 2)
        (tile.thread_columns > tile.thread_rows ? tile.thread_columns : tile.thread_rows) /= 2;
    if (weight * tile.values_of_thread() > most_weight) return false;
    const auto threads = [&] {
        return division.threads_per_output * tile.rows * tile.columns / tile.values_of_thread();
    };
    while (threads() > most_threads) (tile.rows == tile.columns ? tile.rows : tile.columns) /= 2;
    if (threads() / division.threads_per_output % (warp / 2) != 0) return false;
    // What the threads of a value exchange at the end takes as much as is left, of a few of their values at once.
    constexpr int most_exchanged = 8 * 1024;
    const int exchanged = division.threads_per_output > 1 ? threads() / 2 * accumulators : 0;
    tile.values_exchanged = exchanged ? exchanged_at_once(most_exchanged / exchanged, tile) : 1;
    const int left = on.shared_bytes - exchanged * tile.values_exchanged - 64;
    const int round = bytes_of_a_round(into, row_axis, column_axis, tile);
    const bool along_rows = division.vector_width > 1;
    const int turn = division.threads_per_output * division.vector_width;  // of all threads of a value
    const int least_deep = along_rows ? turn : 2 * turn;
    // Short rows are there at once.
    tile.depth = along_rows ? std::clamp(32, turn, turn * division.items_per_thread) : 32;
    for (; tile.depth >= least_deep; tile.depth /= 2) {
        if (2 * tile.depth * round > left) continue;
        into.mapping = thread_mapping::contraction;
        into.contraction = tile;
        into.tile_axis = row_axis;
        into.threads_per_block = threads();
        into.elements_per_thread = 1;
        return true;
    }
    return false;
}

}  // namespace kiln::plan
