#include <plan/tensor_contraction.hpp>

#include <plan/ceil_div.hpp>
#include <plan/compile_weight.hpp>
#include <plan/contraction.hpp>
#include <plan/mirrored.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/policy/part_of_body.hpp>
#include <plan/policy/stored_product.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace kiln::plan {

namespace {

using lower::program;
using lower::value_id;

/// The last two axes of values that stay: rows and columns.
struct axes_of_values {
    int rows = -1;
    int columns = -1;
};
axes_of_values axes_of_values_of(int rank, std::uint8_t reduced_axes) {
    axes_of_values out;
    for (int axis = rank; axis-- > 0 && out.rows < 0;)
        if (!(reduced_axes >> axis & 1)) (out.columns < 0 ? out.columns : out.rows) = axis;
    return out;
}

}  // namespace

bool may_be_on_tensor_cores(const call_values& call, const iteration_class& of, bool of_products) {
    // Counts of the bits of so many words have 31 themselves.
    constexpr std::int64_t most_elements = std::int64_t{1} << 24;
    if (of.rank < 3 || std::popcount(of.reduced_axes) != 1) return false;
    if (!of_products && (of.persistent_rows || call.array_count != 2)) return false;
    return call.extents[std::countr_zero(of.reduced_axes)] <= most_elements;
}

bool is_multiplied(const call_values& call, const reach& of) {
    for (int axis = 0; axis < call.rank; ++axis)
        if (const int inner = call.inner_axis[axis]; inner >= 0 && (call.reduced_axes >> inner & 1))
            return merged_coefficient(call, of, of.strides, axis) != 0;
    return false;
}

std::uint64_t copied_multiples(const call_values& call, const reach& of, const detail::array_node& node) {
    const auto bytes = static_cast<std::uint64_t>(bytes_of(node.type));
    auto out = std::bit_cast<std::uintptr_t>(node.data);
    bool has_neighbours = false;
    std::int64_t row = 0;
    std::int64_t last = 0;  // the furthest element
    for (int axis = 0; axis < call.rank; ++axis) {
        const std::int64_t apart = merged_coefficient(call, of, of.strides, axis);
        const bool is_unit = apart == 1 && !has_neighbours;
        has_neighbours = has_neighbours || is_unit;
        last += (call.extents[axis] - 1) * std::max<std::int64_t>(apart, 0);
        if (is_unit) row = call.extents[axis];
        else out |= static_cast<std::uint64_t>(apart) * bytes;
    }
    // Whole vectors of what lies beside in a row may be read past its end, where the memory goes on.
    if (const std::int64_t rest = row * static_cast<std::int64_t>(bytes) % most_copied_bytes; rest != 0) {
        const detail::array_node& whole = node.storage();
        const auto end = std::bit_cast<std::uintptr_t>(node.data) + static_cast<std::uint64_t>(last + 1) * bytes;
        const auto memory = std::bit_cast<std::uintptr_t>(whole.data) +
                            static_cast<std::uint64_t>(whole.extents.size()) * bytes_of(whole.type);
        if (end + static_cast<std::uint64_t>(most_copied_bytes - rest) > memory)
            out |= static_cast<std::uint64_t>(row) * bytes;
    }
    return has_neighbours && !of.map ? out : out | bytes;
}

namespace {

// Of 132 multiprocessors: a block of 128 x 256 values for each, or of 128 x 128.
constexpr std::int64_t values_of_largest = std::int64_t{132} * 128 * 240;
constexpr std::int64_t values_of_larger = std::int64_t{132} * 128 * 96;
constexpr std::int64_t least_side_of_groups = 65;

}  // namespace

// Of an H100 (CUDA 13.0), one kernel beside two, in microseconds: max(a, 0) of 256 x 4096 by 4096 x 4096 57 and 49 (each element is made 64
// times), with max(b, 0) in its place (twice) 54 and 70; of 2048^3 42 and 40 (8 times), 50 and 40 (16 times); of 4096^3 307 and 237; tanh(a) 103
// and 49, 59 and 41, 431 and 243; a * c 68 and 50, 45 and 44, 295 and 252. Of 1024^3 one kernel takes 17 for max, 29 for tanh, of 64 batches of
// 128 x 64 by 64 x 128 16, where two launches alone take 23: a million elements once more are 0.2 us, a kernel that makes them before 2.5 us and
// 0.8 for each million.
bool is_made_by_tiles(const shape& product, const detail::operand_work& of) {
    constexpr int most_operations = 16;     // which stand in the kernel's text several times
    constexpr double worth_a_kernel = 2e7;  // elements
    constexpr double worth_storing = 4;     // times
    constexpr double of_operation = 0.125;  // arrays
    constexpr double of_functions = 4;
    if (of.operations > most_operations || of.extents.size() == 0) return false;
    const int rank = product.rank();
    const std::int64_t rows = product[rank - 3];
    const std::int64_t columns = product[rank - 1];
    const bool by_groups = product.size() / product[rank - 2] >= values_of_largest;
    const bool is_of_rows = of.extents[of.extents.rank() - 1] == 1;
    const std::int64_t tiles =
        is_of_rows ? ceil_div(columns, std::int64_t{by_groups ? 256 : 64}) : ceil_div(rows, std::int64_t{128});
    const std::int64_t batches = product.size() / (is_of_rows ? columns : rows) / of.extents.size();
    const double takes = of.arrays + of_operation * of.operations + (of.has_functions ? of_functions : 0);
    const auto elements = static_cast<double>(of.extents.size());
    return elements * static_cast<double>(tiles * batches) * takes < elements * worth_storing + worth_a_kernel;
}

bool has_whole_fours(const call_values& call, const iteration_class& of) {
    const axes_of_values axes = axes_of_values_of(of.rank, of.reduced_axes);
    if (axes.columns < 0 || call.extents[axes.columns] % 4 != 0) return false;
    // What the call allocates is aligned.
    if (!call.reused) return true;
    const detail::array_node& target = *call.outputs[0].target;
    return target.contiguous && std::bit_cast<std::uintptr_t>(target.data) % 16 == 0;
}

namespace {

struct tile_size {
    int rows, columns, warp_rows, warp_columns;
    int round_bytes;  // of each row, and of each column
    int stages;
};
// From least to most values. Of float16 by an H200 (CUDA 13.0): 1024^3 12.8 us by the first, 15.9 by the second, 24.8 by the third; 4096 x
// 4096 by 4096 x 512 77, 52 and 86; 4096^3 595, 410 and 321, where warps have 64 x 32 of the second 495.
constexpr tile_size tile_sizes[] = {{128, 64, 64, 32, 128, 3}, {128, 128, 64, 64, 64, 4}, {128, 256, 64, 64, 64, 4}};
// Of bits, where 16 bytes are copied at once: of 6000 rows of 256 words an H100 takes 162 us; by the second of the above, in 64-bit indices, 185.
constexpr tile_size tile_of_bits = {128, 128, 64, 64, 128, 3};
// Of tiles that are stored a second time, turned: rows are columns there.
constexpr const tile_size& tile_of_mirrored = tile_sizes[1];
// Of groups: of 4096^3 252 us with four stages, 281 with three that are waited for at once.
constexpr tile_size tile_of_groups = {128, 256, 16, 256, 2 * nest::line_of_group, 4};

// Each the whole of a product of few rows and columns, of which there may be thousands. Of 8209 of 32 x 16 by 16 x 32 an H200 takes 19 us
// for 105 by the first of the above, of 33 x 17 by 17 x 35, which then are not copied before, 67 for 175.
constexpr tile_size small_tiles[] = {{32, 32, 32, 32, 64, 2}, {48, 48, 16, 48, 64, 2}, {64, 64, 32, 32, 64, 2}};

}  // namespace

int small_side(const call_values& call, const iteration_class& of) {
    constexpr std::int64_t most_reduced = 64;  // of more, rounds are waited for
    const axes_of_values axes = axes_of_values_of(of.rank, of.reduced_axes);
    if (axes.rows < 0 || call.extents[std::countr_zero(of.reduced_axes)] > most_reduced) return 0;
    const std::int64_t side = std::max(call.extents[axes.rows], call.extents[axes.columns]);
    for (const tile_size& each : small_tiles)
        if (side <= each.rows) return each.rows;
    return 0;
}

// Of an H100 (CUDA 13.0), half of the tiles beside all of them, in microseconds: 6000 rows of 250 words 89 and 123, 6001 127 and 155, 3000 of 1024
// 74 and 108, 2304 of 128 16 and 18, 4096 of 64 31 and 32. What is stored turned takes longer than what is stored as it lies: where all tiles have
// room at once, 2048 rows of 128 words 12.6 and 11.6; of short rows, 8192 of 16 93 and 90, 12001 of 64 377 and 359.
bool has_mirrored_tiles(const call_values& call, const iteration_class& of) {
    constexpr std::int64_t at_once = 264;      // two on each of 132 multiprocessors
    constexpr std::int64_t least_bytes = 256;  // of a row
    if (of.division.tiles < least_mirrored_tiles) return false;
    const axes_of_values axes = axes_of_values_of(of.rank, of.reduced_axes);
    if (!is_mirrored(call, axes.rows, axes.columns)) return false;
    const std::int64_t side = call.extents[axes.columns];
    const std::int64_t reduced = call.extents[std::countr_zero(of.reduced_axes)];
    const std::int64_t tiles = ceil_div(side, std::int64_t{tile_of_mirrored.columns});
    const std::int64_t in_all = call.element_count / reduced / (side * side) * tiles * tiles;
    return in_all > at_once && reduced * bytes_of(call.node(0)->type) >= least_bytes;
}

int tiles_for(const call_values& call, const iteration_class& of) {
    const axes_of_values axes = axes_of_values_of(of.rank, of.reduced_axes);
    if (axes.rows < 0) return 0;
    const std::int64_t side = std::min(call.extents[axes.rows], call.extents[axes.columns]);
    const std::int64_t kept = call.element_count / call.extents[std::countr_zero(of.reduced_axes)];
    if (side < least_contracted || kept < enough_values) return 0;
    // By the shape alone, however its axes merge: groups of warps add up in an order of their own.
    const shape& whole = *call.iteration;
    const int rank = whole.rank();
    const bool is_for_groups = rank >= 3 && std::min(whole[rank - 3], whole[rank - 1]) >= least_side_of_groups &&
                               call.reduced_axes == 1u << (rank - 2) && kept >= values_of_largest;
    if (is_for_groups) return 4;
    return side < least_side_of_groups ? 1 : kept >= values_of_largest ? 3 : kept >= values_of_larger ? 2 : 1;
}

namespace {

/// What the value is widened from, if it is an integer.
value_id without_conversions(const program& of, value_id value) {
    for (const lower::step* step = of.step_of(value); step && step->code == operation::cast; step = of.step_of(value)) {
        const element_type from = of.type_of(step->args[0]);
        if (kind_of(from) != element_kind::integer || bytes_of(from) > bytes_of(step->result)) break;
        value = step->args[0];
    }
    return value;
}

struct product {
    nest::tile_shape shape = nest::tile_shape::f16;
    value_id of[2] = {};
};

/// What a kernel adds up.
std::optional<product> product_of(const program& of, const kernel& made) {
    reduced_output by = made.reduced[0];
    value_id value = made.outputs[0].value;
    // Of floats that were 16 bits before, the order is floats'.
    if (by.what == detail::reduction_kind::dot && bytes_of(by.result) != 2) return {};
    if (const lower::step* const sum = of.step_of(finished_product(of))) {
        by.what = sum->reduces;
        value = sum->args[0];
    }
    product out;
    const lower::step* step = of.step_of(value);
    if (by.what == detail::reduction_kind::dot) {
        if (!step || step->code != operation::mul) return {};
        for (int i = 0; i < 2; ++i) {
            const lower::step* const cast = of.step_of(step->args[i]);
            if (!cast || cast->code != operation::cast) return {};
            out.of[i] = cast->args[0];
        }
        const element_type type = of.type_of(out.of[0]);
        if (!is_small_float(type) || of.type_of(out.of[1]) != type) return {};
        out.shape = type == element_type::float16 ? nest::tile_shape::f16 : nest::tile_shape::bf16;
        return out;
    }
    if (by.what != detail::reduction_kind::sum || kind_of(by.accumulated) != element_kind::integer) return {};
    step = of.step_of(without_conversions(of, value));
    if (!step || step->code != operation::popcount) return {};
    step = of.step_of(step->args[0]);
    if (!step || step->code != operation::bit_and) return {};
    out.shape = nest::tile_shape::b1;
    for (int i = 0; i < 2; ++i) {
        out.of[i] = step->args[i];
        if (kind_of(of.type_of(out.of[i])) != element_kind::integer || bytes_of(of.type_of(out.of[i])) < 4) return {};
    }
    if (bytes_of(of.type_of(out.of[0])) != bytes_of(of.type_of(out.of[1]))) return {};
    return out;
}

}  // namespace

value_id finished_product(const program& of) {
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        if (of.steps[i].code == operation::reduce && of.steps[i].reduces == detail::reduction_kind::dot)
            return of.step_value(static_cast<int>(i));
    return -1;
}

namespace {

/// An array that each element is read of where its positions alone say.
bool is_read_by_positions(const operand& of) {
    return !of.is_position && !of.is_partial && !of.gathered && of.steps.empty() && of.how != access::contiguous;
}

bool knows(const operand& of, int axis) { return of.address.axes >> axis & 1; }

/// What a value is made of, unless that is a position of its own, or a sum.
std::optional<std::vector<std::size_t>> inputs_behind(const program& code, const kernel& of, value_id value) {
    for (std::size_t i = 0; i < of.inputs.size(); ++i)
        if (of.inputs[i].value == value) return std::vector<std::size_t>{i};
    const lower::step* const step = code.step_of(value);
    if (!step) return std::vector<std::size_t>();
    if (step->code == operation::reduce || step->code == operation::gather) return {};
    std::vector<std::size_t> out;
    for (int arg = 0; arg < step->arity; ++arg) {
        const auto behind = inputs_behind(code, of, step->args[arg]);
        if (!behind) return {};
        for (const std::size_t each : *behind)
            if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(each);
    }
    return out;
}

/// One of the values that are multiplied.
struct multiplied {
    value_id value = -1;
    std::vector<std::size_t> inputs;
};
/// That of rows and that of columns.
std::optional<std::pair<multiplied, multiplied>> sides_of(const program& code, const kernel& of, const product& made,
                                                          int rows, int columns) {
    multiplied sides[2];
    for (int i = 0; i < 2; ++i) {
        auto inputs = inputs_behind(code, of, made.of[i]);
        if (!inputs || inputs->empty()) return {};
        sides[i] = {made.of[i], std::move(*inputs)};
    }
    const auto know = [&of](const multiplied& side, int axis) {
        return std::any_of(side.inputs.begin(), side.inputs.end(),
                           [&](std::size_t input) { return knows(of.inputs[input], axis); });
    };
    for (const std::size_t each : sides[0].inputs)
        if (std::count(sides[1].inputs.begin(), sides[1].inputs.end(), each)) return {};
    if (know(sides[0], columns) || know(sides[1], rows)) std::swap(sides[0], sides[1]);
    if (know(sides[0], columns) || know(sides[1], rows)) return {};
    return std::pair(std::move(sides[0]), std::move(sides[1]));
}

/// Whether what is side by side in shared memory is so in all that it is made of.
bool has_neighbours(const kernel& of, const staged_operand& staged) {
    const int along = staged.is_turned ? staged.axis : std::countr_zero(of.reduced_axes);
    return std::all_of(staged.inputs.begin(), staged.inputs.end(),
                       [&](std::size_t input) { return of.inputs[input].address.unit_axes >> along & 1; });
}

}  // namespace

staged_operands staged_operands_of(const lower::program& program, const kernel& of) {
    const contraction_tile& tile = of.contraction;
    const std::optional<product> made = product_of(program, of);
    const auto sides = sides_of(program, of, *made, of.tile_axis, of.column_axis());
    const int depth_axis = std::countr_zero(of.reduced_axes);
    const auto staged = [&](const multiplied& side, int axis, int extent) {
        const linear_plan& address = of.inputs[side.inputs[0]].address;
        staged_operand out;
        out.inputs = side.inputs;
        if (of.inputs[side.inputs[0]].value != side.value) out.made = side.value;
        out.type = program.type_of(side.value);
        out.axis = axis;
        // Registers are filled from lines of rows turned by 16 bits.
        out.is_turned = tile.shape != nest::tile_shape::b1 && !(address.unit_axes >> depth_axis & 1) &&
                        (address.unit_axes >> axis & 1);
        out.lines = out.is_turned ? tile.depth : extent;
        out.length = out.is_turned ? extent : tile.depth;
        out.pitch = out.length + (tile.by_groups ? 0 : 16 / bytes_of(out.type));
        return out;
    };
    return {staged(sides->first, of.tile_axis, tile.rows), staged(sides->second, of.column_axis(), tile.columns)};
}

namespace {

/// Whether a function of the library is made of the sum.
bool finishes_in_functions(const program& program, const kernel& of) {
    std::vector<value_id> wanted;
    for (const operand& each : of.outputs) wanted.push_back(each.value);
    const nest::body made = part_of_body(program, of, {}, wanted, {finished_product(program)});
    return std::any_of(made.steps.begin(), made.steps.end(),
                       [&](int step) { return is_function(program.steps[static_cast<std::size_t>(step)].code); });
}

/// Of a row, 16 bytes of the widest output, where they begin at whole vectors and shared memory of rows has room for the tile; 0: none.
int neighbours_stored(const program& program, const kernel& of, const staged_operand& rows,
                      const iteration_class& call) {
    constexpr int most_neighbours = 8;
    const contraction_tile& tile = of.contraction;
    const value_id sum = finished_product(program);
    if ((sum < 0 ? of.reduced[0].result : program.type_of(sum)) != rows.type) return 0;
    if (call.row_multiple < most_neighbours || tile.rows * tile.columns > tile.stages * rows.elements()) return 0;
    int bytes = bytes_of(rows.type);
    for (const operand& each : of.outputs) bytes = std::max(bytes, bytes_of(each.type));
    return bytes > 8 ? 0 : 16 / bytes;
}

/// Whether a block's values, which are a whole product, have room where its rows' elements were.
bool have_room(const kernel& of, const staged_operand& rows) {
    const contraction_tile& tile = of.contraction;
    return rows.type == of.outputs[0].type &&
           staged_product_elements(rows.type, tile.rows, tile.columns) <= tile.stages * rows.elements();
}

}  // namespace

bool choose_tensor_contraction(kernel& into, const program& program, const iteration_class& call, const target& on) {
    const reduction_class& division = call.division;
    if (!on.tiles || !on.async_copies || division.copied_bytes == 0) return false;
    const bool goes_on = finished_product(program) >= 0;
    if (into.persistent_rows && !goes_on) return false;
    if (!goes_on && (into.outputs.size() != 1 || into.inputs.size() != 2 || !into.scalars.empty())) return false;
    if (!std::all_of(into.inputs.begin(), into.inputs.end(), is_read_by_positions)) return false;
    const std::optional<product> made = product_of(program, into);
    const axes_of_values axes = axes_of_values_of(into.rank, into.reduced_axes);
    if (!made || axes.rows < 0 || axes.columns != into.column_axis()) return false;
    const bool is_bits = made->shape == nest::tile_shape::b1;
    // Counts are the same by any kernel: of few values others are as fast.
    if (is_bits && division.tiles == 0) return false;
    const auto sides = sides_of(program, into, *made, axes.rows, axes.columns);
    if (!sides) return false;
    // What is made of operands is made where kernels go on with values, too (stage/stages.cpp).
    const auto are_of = [&](const multiplied& side, int axis) {
        const operand& first = into.inputs[side.inputs[0]];
        return first.value == side.value && (!is_bits || knows(first, axis));
    };
    if (!goes_on && (!are_of(sides->first, axes.rows) || !are_of(sides->second, axes.columns))) return false;

    const int depth_axis = std::countr_zero(into.reduced_axes);
    into.persistent_rows = false;
    into.mapping = thread_mapping::contraction;
    into.tile_axis = axes.rows;
    into.threads_per_output = 1;
    into.vector_width = 1;
    into.splits = false;
    into.ends_in_partial_sums = false;
    into.elements_per_thread = 1;
    const int bytes = bytes_of(program.type_of(made->of[0]));
    contraction_tile& tile = into.contraction;
    tile.shape = made->shape;
    tile.copied = std::max(1, division.copied_bytes / bytes);
    // Of 6000 rows of 256 words an H100 takes 136 us for 164 in pairs, and 119 with the first cache (below); of 4004 rows of 77 words 54 for
    // 65, of 1000 rows of 256 12 for 14.
    tile.stores_fours = is_bits && !goes_on && division.whole_fours && into.reduced[0].result == element_type::int32;
    // Of 6001 rows of 256 words 144 for 232 in pairs, of 8191 of 16 150 for 307; of 1001 of 77 6.8 for 10.
    tile.stores_lines = is_bits && !goes_on && !division.whole_fours;
    const bool in_functions = goes_on && finishes_in_functions(program, into);
    // The smallest always has room.
    constexpr int by_groups = 3;
    for (int tiles = std::max(0, division.tiles - 1); tiles >= 0; --tiles) {
        tile.by_groups = tiles == by_groups && on.group_tiles && !is_bits;
        if (tiles == by_groups && !tile.by_groups) continue;
        const bool are_many_bits = is_bits && tiles > 0 && tile.copied * bytes == most_copied_bytes;
        const bool mirrored = division.mirrored && is_bits && !goes_on && tiles > 0;
        const tile_size* const small =
            std::find_if(std::begin(small_tiles), std::end(small_tiles),
                         [&](const tile_size& each) { return !is_bits && each.rows == division.small_side; });
        const tile_size& size = small != std::end(small_tiles) ? *small
                                : tile.by_groups               ? tile_of_groups
                                : are_many_bits                ? tile_of_bits
                                : mirrored                     ? tile_of_mirrored
                                                               : tile_sizes[tiles];
        tile.mirrored = mirrored;
        tile.finishes_in_functions = in_functions;
        tile.rows = size.rows;
        tile.columns = size.columns;
        tile.warp_rows = size.warp_rows;
        tile.warp_columns = size.warp_columns;
        tile.depth = size.round_bytes / bytes;
        tile.stages = size.stages;
        into.threads_per_block = warp * (size.rows / size.warp_rows) * (size.columns / size.warp_columns);
        const staged_operands staged = staged_operands_of(program, into);
        for (const staged_operand* each : {&staged.rows, &staged.columns})
            if (!has_neighbours(into, *each) || (goes_on && !knows(into.inputs[each->inputs[0]], depth_axis)))
                tile.copied = 1;
        // Of 64 x 64 by 64 x 64, whose rows are whole sectors, 4099 take an H100 47 us in pairs and 54 so; of 63 x 64 by 64 x 61 91 and 51.
        tile.stores_whole =
            small != std::end(small_tiles) && !goes_on && call.row_multiple < 8 && have_room(into, staged.rows);
        tile.stores_neighbours = tile.by_groups ? neighbours_stored(program, into, staged.rows, call) : 0;
        // Of 6000 rows of 256 words an H100 takes 140 us for 163 past the first cache (CUDA 13.0), and with one block on each
        // multiprocessor 181 for 205: so not because blocks there share lines.
        tile.by_first_cache = are_many_bits && tile.copied * bytes == most_copied_bytes;
        into.dynamic_shared_bytes = 0;
        for (const staged_operand* each : {&staged.rows, &staged.columns})
            into.dynamic_shared_bytes = nest::dynamic_shared_end(
                into.dynamic_shared_bytes, nest::types::element(each->type), tile.stages * each->elements());
        if (into.dynamic_shared_bytes <= on.most_shared_bytes) break;
    }
    // Groups take their time anyway: of 4096^3 an H100 takes 232 us in 64-bit indices and 258 in 32 (215 and 232 after a pause).
    into.wide_index = into.wide_index && !(call.narrow_operands && !tile.by_groups);
    return true;
}

}  // namespace kiln::plan
