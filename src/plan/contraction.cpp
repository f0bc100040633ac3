#include <plan/contraction.hpp>

#include <lower/value_list.hpp>
#include <plan/compile_weight.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/policy/part_of_body.hpp>
#include <plan/reduction_set.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace kiln::plan {

namespace {

using lower::value_id;

// Of 1024 x 1024 floats times as many an H200 takes 104 us where a thread has 8 x 8 values of a tile of 64 x 64, 110 of 4 x 8 of 32 x 64
// and 150 of 4 x 4; of doubles 186 of 4 x 8 of 32 x 32, 231 of 8 x 8 of 32 x 64, whose registers are too few. Of 512 x 512 floats, whose
// larger tiles are fewer than multiprocessors, 18 of 32 x 64, 29 of 64 x 64.
contraction_tile tile_for(int accumulator_bytes, const reduction_class& division) {
    const bool many_values = division.many_values;
    // Of rows, a value has an accumulator for each place in a vector: 64 of a thread, as of columns.
    if (division.vector_width > 1) {
        const int side = many_values ? 64 : 32;
        return {side, side, 4, accumulator_bytes <= 4 ? 4 : accumulator_bytes <= 8 ? 2 : 1};
    }
    if (division.threads_per_output == 1) return {64, 64, 4, 8};
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
int row_axis_of(const kernel& of, const std::vector<operand>& inputs, std::uint8_t tall_axes, int column_axis) {
    for (int axis = column_axis; axis-- > 0;) {
        if (!(tall_axes >> axis & 1)) continue;
        int of_rows = 0;
        int of_columns = 0;
        bool apart = true;
        for (const operand& each : inputs) {
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

bool is_deep(const kernel& of, const operand& each) { return each.axes_read() & of.reduced_axes; }

/// The axis of values that an operand knows; -1: none.
int axis_beside(const kernel& of, const operand& each) {
    const std::uint8_t axes = each.axes_read();
    return axes >> of.tile_axis & 1 ? of.tile_axis : axes >> of.column_axis() & 1 ? of.column_axis() : -1;
}

/// Whether copies of 4 bytes, or more of them, bring all elements from where they are.
bool may_be_copied(const kernel& of, const reduction_class& division, const target& on) {
    if (!on.async_copies || division.vector_width > 1 || std::popcount(of.reduced_axes) != 1) return false;
    return std::all_of(of.inputs.begin(), of.inputs.end(), [&](const operand& each) {
        if (!is_deep(of, each)) return true;
        return !each.is_position && !each.is_partial && !each.gathered && each.steps.empty() &&
               bytes_of(each.type) == 4;
    });
}

/// Whether elements of each row are neighbours, vectors of which move at once, and are taken by one thread.
bool may_be_lines(const kernel& of, const reduction_class& division) {
    constexpr int vector_bytes = 16;
    if (division.threads_per_output > 1 || division.copied_bytes < vector_bytes) return false;
    return std::all_of(of.inputs.begin(), of.inputs.end(), [&](const operand& each) {
        return !is_deep(of, each) || axis_beside(of, each) != of.tile_axis ||
               (each.address.unit_axes & of.reduced_axes);
    });
}

struct copied_tile {
    contraction_tile tile;
    int resident = 0;
};

/// All columns: each of four warps has a tile of them (policy/contraction_operands.hpp).
contraction_tile narrow_tile(int columns) {
    const int thread_rows = columns < 32 ? 8 : 4;
    return {32 * thread_rows, columns, thread_rows, columns / 4};
}

// Of an H200, CUDA 13.0, in microseconds, without and with FMA. 1024 x 1024 floats times as many: 99 where eight threads take a value's
// elements (104 by registers), 91 and 63 where one does; 4096 x 4096 times as many 5167 and 3194 by one thread, 6834 and 4644 before. Of
// kernels written by hand in this form, tiles of 64 x 64 took 5250 and 3257 there, those of 64 x 128 5134 and 3159.
copied_tile copied_tile_for(const reduction_class& division) {
    copied_tile out;
    contraction_tile& tile = out.tile;
    constexpr int most_tiles = 3;
    if (division.narrow_columns > 0) {
        tile = narrow_tile(division.narrow_columns);
        // Of 20M rows of 3 by 3 x 3 floats an H200 takes 174 us, where threads have values of their own 324.
        tile.depth = division.few_terms ? 4 : 16;
        tile.stages = 2;
        out.resident = 4;
        return out;
    }
    if (division.threads_per_output == 1) {
        const bool is_large = division.tiles >= most_tiles;
        tile = is_large ? contraction_tile{64, 128, 8, 8} : contraction_tile{64, 64, 4, 8};
        tile.depth = is_large ? 16 : 32;
        tile.stages = is_large ? 4 : 3;
        out.resident = is_large ? 3 : 4;
        return out;
    }
    tile = division.many_values ? contraction_tile{64, 64, 16, 8} : contraction_tile{32, 64, 8, 8};
    tile.depth = 64;
    tile.stages = 2;
    out.resident = division.many_values ? 1 : 2;
    return out;
}

/// A part of a thread's values.
int exchanged_at_once(int most, const contraction_tile& tile) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(most, 1, tile.values_of_thread()))));
}

}  // namespace

value_id reduced_value(const lower::program& of) {
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        if (of.steps[i].code == operation::reduce) return of.step_value(static_cast<int>(i));
    return -1;
}

nest::body body_of_elements(const lower::program& program, const kernel& of) {
    const lower::step& reduced = *program.step_of(reduced_value(program));
    return part_of_body(program, of, "element", {reduced.args[0]}, {});
}

bool is_reduced(const nest::body& elements, const operand& input) { return lower::holds(elements.inputs, input.value); }

bool has_whole_rounds(const call_values& call, const iteration_class& of) {
    return call.extents[std::countr_zero(of.reduced_axes)] % round_elements == 0;
}

namespace {

bool may_be_contracted(const reduction_sizes& of) {
    const bool along_rows = of.vector_width > 1;
    // Of longer rows, warps are combined after what each of them has.
    const std::int64_t least = of.threads_per_output == 1 ? 2 : least_contracted;
    if (along_rows ? of.reduced < 2 || of.threads_per_output > warp : of.reduced < least) return false;
    return of.splits == 1 && of.kept >= enough_values;
}

/// Columns of the tile that has all of them, 4 to 32; 0: they are more.
int narrow_columns(const reduction_sizes& sizes, std::int64_t inner, bool inner_goes) {
    if (sizes.threads_per_output > 1 || sizes.vector_width > 1 || inner_goes) return 0;
    for (const int columns : {4, 8, 16, 32})
        if (inner <= columns) return columns;
    return 0;
}

}  // namespace

void divide_contraction(reduction_class& into, const reduction_sizes& sizes, std::span<const std::int64_t> extents,
                        std::uint8_t reduced_axes) {
    if (!may_be_contracted(sizes)) return;
    const std::size_t last = extents.size() - 1;
    const std::int64_t inner = extents[last];
    const bool are_few = sizes.vector_width == 1 && sizes.reduced < least_of_one_thread;
    if (are_few && (inner > most_narrow_columns || inner % reduction_sizes::widest == 0)) return;
    std::uint8_t tall = 0;
    for (std::size_t axis = 0; axis <= last; ++axis) {
        const bool may_be_narrow = sizes.threads_per_output == 1 && axis == last;
        if (extents[axis] >= (may_be_narrow ? least_columns_of_one_thread : least_contracted) &&
            !(reduced_axes >> axis & 1))
            tall = static_cast<std::uint8_t>(tall | 1 << axis);
    }
    // Rows and columns of values: of one axis there are no two groups of operands.
    if (std::popcount(tall) < 2) return;
    into.tall_axes = tall;
    into.whole_items =
        sizes.reduced == std::int64_t{sizes.threads_per_output} * sizes.vector_width * sizes.items_per_thread();
    into.narrow_columns = narrow_columns(sizes, inner, reduced_axes >> last & 1);
    into.few_terms = into.narrow_columns > 0 && sizes.reduced < least_of_one_thread;
    into.many_values = sizes.kept >= many_values;
}

namespace {

/// What a block's operands need of shared memory where they are copied in the background.
int bytes_of_stages(const kernel& of) {
    int out = 0;
    for (std::size_t i = 0; i < of.inputs.size(); ++i)
        if (is_deep(of, of.inputs[i]))
            out = nest::dynamic_shared_end(out, nest::types::element(of.inputs[i].type),
                                           of.contraction.stages * staged_elements(of, i));
    return out;
}

constexpr int most_weight = 640;  // of what stands in the kernel's text once written out

/// Elements of a value, all of them.
int depth_of_short_rows(const reduction_class& of) {
    return of.threads_per_output * of.vector_width * of.items_per_thread;
}

// Rows are written out: NVRTC takes 0.7 s for squares of differences of 64 elements, and took twice as long for quotients of as many.
constexpr int most_serial_weight = 2048;

/// Whether each thread makes values of its own, of what all threads of a value would take: whole rows are in shared memory at once. With a
/// thread's values known.
bool is_serial(const kernel& of, const reduction_class& division, int weight_of_element, const target& on,
               int accumulators) {
    constexpr int most_accumulator_bytes = 4;
    if (division.vector_width == 1 || division.threads_per_output > most_serial_lanes ||
        division.items_per_thread > most_serial_items || accumulators > most_accumulator_bytes)
        return false;
    const int depth = depth_of_short_rows(division);
    const int round = bytes_of_a_round(of, of.tile_axis, of.column_axis(), of.contraction);
    return weight_of_element * of.contraction.values_of_thread() * depth <= most_serial_weight &&
           depth * round <= on.shared_bytes;
}

/// With tile_axis set; what else is set counts if it is one. `weight_of_element`: of what is reduced.
bool choose_tile(kernel& into, int weight_of_element, const iteration_class& call, const target& on, int accumulators) {
    constexpr int most_threads = 512;
    constexpr int most_copied_accumulator = 4;
    const reduction_class& division = call.division;
    const bool along_rows = division.vector_width > 1;
    const bool copies = accumulators <= most_copied_accumulator && may_be_copied(into, division, on);
    // By registers, a tile of 64 columns may be half empty, not more.
    if (!copies &&
        (division.few_terms || (division.narrow_columns > 0 && division.narrow_columns < most_narrow_columns)))
        return false;
    const copied_tile copied = copied_tile_for(division);
    contraction_tile& tile = into.contraction;
    tile = copies ? copied.tile : tile_for(accumulators, division);
    const int weight = std::max(1, weight_of_element) * division.vector_width;
    while (weight * tile.values_of_thread() > most_weight && tile.thread_columns > 2)
        (tile.thread_columns > tile.thread_rows ? tile.thread_columns : tile.thread_rows) /= 2;
    if (weight * tile.values_of_thread() > most_weight) return false;
    tile.serial = is_serial(into, division, weight_of_element, on, accumulators);
    const int lanes_of_order = division.threads_per_output;
    const int lanes = tile.serial ? 1 : lanes_of_order;
    const auto threads = [&] { return lanes * tile.rows * tile.columns / tile.values_of_thread(); };
    while (threads() > most_threads) (tile.rows == tile.columns ? tile.rows : tile.columns) /= 2;
    if (threads() / lanes % (warp / 2) != 0) return false;
    into.threads_per_block = threads();
    // What the threads of a value exchange at the end takes as much as is left, of a few of their values at once.
    const int most_exchanged = copies ? std::min(32 * 1024, on.most_shared_bytes / 5) : 8 * 1024;
    const int exchanged = lanes > 1 ? threads() / 2 * accumulators : 0;
    tile.values_exchanged = exchanged ? exchanged_at_once(most_exchanged / exchanged, tile) : 1;
    if (copies) {
        tile.copied_bytes = division.copied_bytes;
        tile.lines = may_be_lines(into, division);
        tile.whole_rounds = division.whole_rounds && round_elements % tile.depth == 0;
        tile.stores_fours = division.whole_fours && into.outputs.size() == 1;
        into.dynamic_shared_bytes = bytes_of_stages(into);
        if (tile.values_of_thread() == copied.tile.values_of_thread()) into.resident = copied.resident;
        // Four blocks leave a thread 128 registers: of 1024 x 1024 products with FMA an H100 takes 59.6 us, 60.8 where it has more.
        constexpr int light = 4;
        if (weight > light && into.resident > 3) into.resident = 2;
        return exchanged * tile.values_exchanged + into.dynamic_shared_bytes <= on.most_shared_bytes;
    }
    if (tile.serial) {
        // Of (8192, 10000) distances of 64 features an H200 takes 688 us with three blocks at once, 766 with two; of 8 108 with four, 124.
        if (lanes_of_order > 1) into.resident = 3;
        tile.whole_rounds = division.whole_items;
        tile.depth = depth_of_short_rows(division);
        return true;
    }
    const int left = on.shared_bytes - exchanged * tile.values_exchanged - 64;
    const int round = bytes_of_a_round(into, into.tile_axis, into.column_axis(), tile);
    const int turn = lanes * division.vector_width;  // of all threads of a value
    const int least_deep = along_rows ? turn : 2 * turn;
    // Short rows are there at once.
    tile.depth =
        along_rows
            ? std::clamp(32, turn,
                         turn * static_cast<int>(std::bit_ceil(static_cast<unsigned>(division.items_per_thread))))
            : 32;
    while (tile.depth >= least_deep && 2 * tile.depth * round > left) tile.depth /= 2;
    return tile.depth >= least_deep;
}

}  // namespace

bool choose_contraction(kernel& into, const lower::program& program, const iteration_class& call, const target& on) {
    const reduction_class& division = call.division;
    const int column_axis = into.column_axis();
    if (!(division.tall_axes >> column_axis & 1) || (into.persistent_rows && !call.of_values) || into.gathers())
        return false;
    int accumulators = 0;  // bytes, of one value
    std::vector<operand> inputs = into.inputs;
    int weight = 0;
    int finishing_weight = 0;
    if (call.of_values) {
        const nest::body elements = body_of_elements(program, into);
        std::erase_if(inputs, [&](const operand& each) { return !is_reduced(elements, each); });
        accumulators = accumulator_bytes(reductions_of_rows(program).front().members.front().of);
        weight = weight_once(program, into, elements.steps);
        finishing_weight = weight_once(program, into) - weight;
    } else {
        for (std::size_t i = 0; i < into.outputs.size(); ++i) {
            // A position beside each value, or more: as fast value by value.
            if (into.stores_elements(i) || into.reduced[i].appends_apart()) return false;
            accumulators = std::max(accumulators, accumulator_bytes(into.reduced[i]));
        }
        accumulators *= static_cast<int>(into.outputs.size());
        weight = weight_once(program, into);
    }
    constexpr int most_accumulator_bytes = 16;
    kernel tiled = into;
    tiled.tile_axis = row_axis_of(into, inputs, division.tall_axes, column_axis);
    if (tiled.tile_axis < 0 || accumulators > most_accumulator_bytes ||
        !choose_tile(tiled, weight, call, on, accumulators))
        return false;
    into = std::move(tiled);
    into.persistent_rows = false;
    into.contraction.finishes_in_functions = finishing_weight * into.contraction.values_of_thread() > most_weight;
    into.mapping = thread_mapping::contraction;
    into.wide_index = into.wide_index && !call.narrow_operands;
    into.elements_per_thread = 1;
    return true;
}

bool is_line(const kernel& of, std::size_t input) {
    return of.contraction.lines && axis_beside(of, of.inputs[input]) == of.tile_axis;
}

int copied_at_once(const kernel& of, std::size_t input) {
    const operand& each = of.inputs[input];
    const int beside = axis_beside(of, each);
    const bool are_neighbours = is_line(of, input) || (beside >= 0 && (each.address.unit_axes >> beside & 1));
    return are_neighbours ? std::max(1, of.contraction.copied_bytes / bytes_of(each.type)) : 1;
}

// Of 1024 x 1024 floats with FMA an H100 takes 61.8 us where vectors of columns follow each other without a gap, 64.3 with one.
int staged_pitch(const kernel& of, std::size_t input) {
    constexpr int of_vector = 4;
    const contraction_tile& tile = of.contraction;
    if (is_line(of, input)) return tile.pitch(tile.depth);
    const int beside = axis_beside(of, of.inputs[input]);
    const int extent = beside == of.tile_axis ? tile.rows : beside >= 0 ? tile.columns : 1;
    // Vectors of one row alone are read at once.
    const bool are_vectors = of.threads_per_output == 1 && copied_at_once(of, input) == of_vector;
    return are_vectors ? extent : tile.pitch(extent);
}

int staged_elements(const kernel& of, std::size_t input) {
    return (is_line(of, input) ? of.contraction.rows : of.contraction.depth) * staged_pitch(of, input);
}

}  // namespace kiln::plan
