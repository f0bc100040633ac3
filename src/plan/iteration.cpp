#include <plan/iteration.hpp>

#include <plan/contraction.hpp>
#include <plan/interleaved.hpp>
#include <plan/operands.hpp>
#include <plan/partial_sums.hpp>
#include <plan/planes.hpp>
#include <plan/reach.hpp>
#include <plan/reduction.hpp>
#include <plan/row_blocks.hpp>
#include <plan/row_sets.hpp>
#include <plan/row_window.hpp>
#include <plan/rows_in_lanes.hpp>
#include <plan/shared_rows.hpp>
#include <plan/side_by_side.hpp>
#include <plan/skewed_elements.hpp>
#include <plan/split_axes.hpp>
#include <plan/stencil.hpp>
#include <plan/tensor_contraction.hpp>
#include <plan/window.hpp>

#include <capture/reduced.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <span>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::index_step;
using detail::leaf;
using detail::leaf_kind;
using detail::linear_form;
using detail::output;
using detail::ownership;

const shape* shape_of_leaf(const leaf& of) {
    if (of.kind == leaf_kind::array) return &static_cast<const array_node*>(of.object)->extents;
    return of.kind == leaf_kind::extent ? static_cast<const shape*>(of.object) : nullptr;
}

/// The shape of the leaves that `counts` says.
template <class Counts>
shape broadcast_of(const call_values& call, Counts counts) {
    shape out;
    bool first = true;
    for (int slot = 0; slot < call.leaf_count; ++slot) {
        const shape* const extents = counts(slot) ? shape_of_leaf(call.leaves[slot]) : nullptr;
        if (!extents) continue;
        if (first) out = *extents;
        else if (!(out == *extents)) out = detail::broadcast_shapes(out, *extents);
        first = false;
    }
    return out;
}

void find_output_shapes(call_values& call, const output_leaves& of_each) {
    call.output_shapes = std::make_unique<std::vector<shape>>();
    for (const std::vector<bool>& of : of_each)
        call.output_shapes->push_back(broadcast_of(call, [&](int slot) { return of[static_cast<std::size_t>(slot)]; }));
}

shape broadcast_of(const std::vector<shape>& outputs) {
    shape out = outputs.front();
    try {
        for (const shape& each : outputs) out = detail::broadcast_shapes(out, each, "outputs of one kernel, of shapes");
    } catch (const shape_error& trouble) {
        throw shape_error(text::format("{}; evaluate them apart", trouble.what()));
    }
    return out;
}

void check_free_axes(const call_values& call) {
    for (int i = 0; i < call.array_count; ++i) {
        const int along = call.arrays[static_cast<std::size_t>(i)]->free_axis;
        if (along == array_node::no_axis) continue;
        if (call.iteration->rank() == 0)
            throw shape_error(text::format(
                "kiln: index({}) alone has no shape: it counts along the axes of arrays and generators beside "
                "it; k::broadcast_to(k::index({}), shape) gives it one, and so does k::arange",
                along, along));
        detail::resolve_axis(along, call.iteration->rank(), "index");
    }
}

bool is_of_products(const call_values& call) { return call.outputs[0].call_is == output::reducing::products; }

/// The same of what tiles of another contraction reduce.
bool is_of_values(const call_values& call) {
    return call.outputs[0].call_is == output::reducing::values ||
           call.outputs[0].call_is == output::reducing::values_of_sums_of_products;
}

/// Of what reductions over the last axis come to: that axis goes, too, or all others do.
bool has_row_reductions(const call_values& call) { return call.outputs[0].call_is == output::reducing::nested; }
bool is_nested(const call_values& call) {
    return has_row_reductions(call) && call.reduced_axes >> (call.iteration->rank() - 1) & 1;
}

reduction_sizes sizes_of(const call_values& call) {
    switch (call.outputs[0].call_is) {
        case output::reducing::nested:
            if (!is_nested(call)) break;
            return sizes_of_nested(detail::without_last_axis(*call.iteration), call.reduced_axes);
        case output::reducing::sums_of_products:
        case output::reducing::values_of_sums_of_products: return sizes_of_products(*call.iteration, call.reduced_axes);
        default: break;
    }
    return sizes_of_reduction(*call.iteration, call.reduced_axes);
}

/// Axes merge where one number walks both in every form of every operand.
void merge_axes(call_values& call) {
    const shape& full = *call.iteration;
    call.rank = 0;
    for (int axis = 0; axis < full.rank(); ++axis) {
        if (full[axis] == 1) continue;
        bool merges = call.rank > 0;
        const int outer = merges ? call.inner_axis[call.rank - 1] : 0;
        merges = merges && (call.reduced_axes >> outer & 1) == (call.reduced_axes >> axis & 1);
        merges = merges && !(is_nested(call) && axis + 1 == full.rank());
        for (int memory = 0; merges && memory < call.memory_count(); ++memory) {
            reach of;
            find_reach(call, memory, of);
            each_form(of, [&](const std::int64_t* by_axis, const linear_form*) {
                merges = merges &&
                         coefficient(call, of, by_axis, outer) == coefficient(call, of, by_axis, axis) * full[axis];
            });
        }
        if (merges) call.extents[call.rank - 1] *= full[axis];
        else call.extents[call.rank++] = full[axis];
        call.inner_axis[call.rank - 1] = axis;
    }
    if (call.rank == 0) {  // one element
        call.rank = 1;
        call.extents[0] = 1;
        call.inner_axis[0] = -1;
    }
}

/// Rows that stay on chip are of lookups that are the same all along them (row_limits.cpp).
bool looks_up_rows(const call_values& call) { return call.outputs[0].call_is == output::reducing::rows; }

/// Whether what is divided is a multiple of the row's extent where the row begins, and goes up by one: by a multiple of that extent, the
/// quotient is the same all along it. So it is of reshaped axes, some of which are a group: its statistics are one element of a row.
bool divides_whole_rows(const call_values& call, const reach& of, const index_step& step) {
    const std::int64_t extent = call.extents[call.rank - 1];
    const auto is_multiple = [extent](std::int64_t each) { return each % extent == 0; };
    if (step.how != index_step::kind::divide || merged_coefficient(call, of, step.input.axis, call.rank - 1) != 1)
        return false;
    bool out = is_multiple(step.extent) && is_multiple(step.input.offset) &&
               std::all_of(step.input.steps.begin(), step.input.steps.end(), is_multiple);
    for (int axis = 0; axis + 1 < call.rank; ++axis)
        out = out && is_multiple(merged_coefficient(call, of, step.input.axis, axis));
    return out;
}

/// Whether a step's value changes along a row; a bit per step.
std::uint32_t steps_along_row(const call_values& call, const reach& of, frame device) {
    std::uint32_t along = 0;
    const int inner = call.rank - 1;
    for (std::size_t i = 0; i < of.map->steps.size(); ++i) {
        const index_step& step = of.map->steps[i];
        const bool is_lookup = step.how == index_step::kind::lookup;
        bool moves = is_lookup && !looks_up_rows(call);
        if (!is_lookup) {
            moves = merged_coefficient(call, of, step.input.axis, inner) != 0;
            // What reduces, and the host, take what a row has one of where it says so by its axes.
            if (moves && device == frame::cuda && !call.reduces && divides_whole_rows(call, of, step)) continue;
            for (std::size_t j = 0; j < step.input.steps.size(); ++j)
                moves = moves || (step.input.steps[j] != 0 && (along >> j & 1));
        }
        along |= static_cast<std::uint32_t>(moves) << i;
    }
    return along;
}

bool is_row_major(const call_values& call, const reach& of) {
    std::int64_t expected = 1;
    for (int axis = call.rank; axis-- > 0;) {
        if (call.extents[axis] != 1 && merged_coefficient(call, of, of.strides, axis) != expected) return false;
        expected *= call.extents[axis];
    }
    return true;
}

access class_for(const call_values& call, const reach& of, frame device) {
    if (!of.map && is_row_major(call, of)) return access::contiguous;
    if (of.map) {
        const std::uint32_t along = steps_along_row(call, of, device);
        for (std::size_t i = 0; i < of.map->address.size(); ++i)
            if (of.map->address[i] != 0 && (along >> i & 1)) return access::strided;
    }
    switch (merged_coefficient(call, of, of.strides, call.rank - 1)) {
        case 0: return access::uniform;
        case 1: return access::row;
        default: return access::strided;
    }
}

/// Positions that are contiguous start at a multiple of 16: a kernel knows then which of them share a random block.
bool starts_between_vectors(const array_node& node) {
    return node.owned == ownership::position && std::bit_cast<std::uintptr_t>(node.data) % 16 != 0;
}

/// Distances between rows, and to their steps: vectors along a row stay aligned when all are multiples.
void look_at_rows(bindings& call, const reach& of, std::uint64_t& multiples) {
    for (int axis = 0; axis + 1 < call.rank; ++axis)
        multiples |= static_cast<std::uint64_t>(merged_coefficient(call, of, of.strides, axis));
    if (of.map)
        for (const std::int64_t each : of.map->address) multiples |= static_cast<std::uint64_t>(each);
}

/// Whether any value on the way to an element's address needs more than 32 bits, `beyond` elements further along each axis, too.
bool needs_wide_index(const call_values& call, const reach& of, std::int64_t beyond = 0) {
    constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    constexpr std::size_t most_known = 32;  // steps, of which a divided position is known to be as much nearer
    double largest[most_known];
    // In double: a sum of products of 64-bit numbers, compared with 2^31.
    const auto farthest = [&](const std::int64_t* by_axis, std::int64_t offset, std::span<const std::int64_t> steps) {
        double far = std::abs(static_cast<double>(offset));
        for (int axis = 0; axis < call.rank; ++axis)
            far += std::abs(static_cast<double>(merged_coefficient(call, of, by_axis, axis))) *
                   static_cast<double>(call.extents[axis] + beyond);
        for (std::size_t i = 0; i < steps.size(); ++i)
            far += std::abs(static_cast<double>(steps[i])) *
                   (i < most_known ? largest[i] : static_cast<double>(call.element_count));
        return far;
    };
    if (!of.map) return farthest(of.strides, 0, {}) > static_cast<double>(limit);
    // Steps that are yet to come are counted 0 times, and 0 times NaN would be NaN.
    std::fill(std::begin(largest), std::end(largest), 0.0);
    for (std::size_t i = 0; i < of.map->steps.size(); ++i) {
        const index_step& step = of.map->steps[i];
        const double far = farthest(step.input.axis, step.input.offset, step.input.steps);
        if (step.extent > limit || far > static_cast<double>(limit)) return true;
        if (i >= most_known) continue;
        const auto extent = static_cast<double>(step.extent);
        largest[i] = step.how == index_step::kind::divide ? far / extent + 1 : extent;
    }
    return farthest(of.strides, 0, of.map->address) > static_cast<double>(limit);
}

}  // namespace

void resolve_shapes(bindings& call, const std::function<const output_leaves&()>* leaves_of) {
    if (!call.iteration)
        throw shape_error("kiln: a function of numbers alone has no shape; give it an array, or k::full of a number");
    if (call.mixed_shapes) {
        const bool of_each = call.output_count > 1 && !call.reduces && leaves_of;
        if (of_each) find_output_shapes(call, (*leaves_of)());
        const shape whole = of_each ? broadcast_of(*call.output_shapes) : broadcast_of(call, [](int) { return true; });
        const output& result = call.outputs[0];
        if (result.where == output::place::through) {
            detail::require_broadcast(whole, result.target->extents, "assigning to a part");
            call.iteration = &result.target->extents;
        } else {
            call.iteration = new (&call.broadcast) shape(whole);
        }
    }
    check_free_axes(call);
    if (call.reduces) new (&call.kept) shape(detail::reduced_shape(*call.iteration, call.reduced_axes, /*keep=*/true));
}

bool finalizes(const call_values& call, const array_node& array) {
    if (array.base || !is_partial(array)) return false;
    // Blocks along columns may be of any number of threads.
    if (call.reduces && call.sizes.vector_width == 1) return false;
    return each_block_finalizes(call.element_count, partial_count(array), bytes_of(array.type));
}

namespace {

/// Which of the collapsed axes go: axes of both kinds never merge.
std::uint8_t collapsed_reduced_axes(const call_values& call) {
    std::uint8_t out = 0;
    for (int axis = 0; axis < call.rank; ++axis)
        if (const int inner = call.inner_axis[axis]; inner >= 0 && (call.reduced_axes >> inner & 1))
            out = static_cast<std::uint8_t>(out | 1 << axis);
    return out;
}

/// Of merged axes; all but the row_multiple, which operands have a say in.
iteration_class iteration_of(const call_values& call, frame device) {
    const std::int64_t inner = call.extents[call.rank - 1];
    iteration_class out;
    out.rank = call.rank;
    out.long_rows = call.rank > 1 && inner >= long_row;
    out.of_values = call.reduces && is_of_values(call);
    out.persistent_rows =
        call.reduces && (call.outputs[0].call_is == output::reducing::rows || is_of_products(call) || out.of_values);
    const int longest = out.persistent_rows ? longest_tiled_row : longest_short_row;
    out.short_rows = device == frame::host ? call.rank > 1 && inner <= longest
                                           : !call.reduces && may_be_interleaved(call.rank, inner);
    if (out.short_rows && inner <= longest_known_row && !out.persistent_rows &&
        (!call.reduces || device == frame::host))
        out.known_row = static_cast<int>(inner);
    if (out.long_rows && !call.reduces && device == frame::cuda) out.planes = planes_of(call);
    if (!call.reduces) return out;
    out.reduces = true;
    out.nested = has_row_reductions(call);
    out.reduced_axes = collapsed_reduced_axes(call);
    if (device == frame::host) {
        out.division.tall_axes = axes_side_by_side(call, out.reduced_axes);
        out.division.rows_of_part = out.reduced_axes == 1 << (call.rank - 1) && is_row_of_part(inner);
    }
    if (device == frame::host || is_of_products(call)) return out;
    const reduction_sizes& sizes = call.sizes;
    out.division = {sizes.threads_per_output,   sizes.outputs_per_block,  sizes.vector_width,
                    sizes.loads_in_flight,      sizes.items_per_thread(), sizes.splits > 1,
                    ends_in_partial_sums(sizes)};
    if (is_nested(call)) {
        out.division.known_row = static_cast<int>(inner);
        return out;
    }
    if (out.persistent_rows && !out.of_values && sizes.vector_width == 1) {
        const std::int64_t most = std::int64_t{out.division.items_per_thread} * sizes.threads_per_output;
        out.division.cluster = static_cast<int>(sizes.splits);
        out.division.whole_items = sizes.reduced == sizes.splits * most;
    }
    if (!out.persistent_rows) {
        out.division.few_columns = sizes.threads_of_few_columns();
        if (!out.nested) out.division.outputs_per_block = sizes.columns_of_block();
    }
    if (may_be_interleaved(sizes) && call.rank == 2) out.division.known_row = static_cast<int>(inner);
    out.division.long_parts = sizes.vector_width > 1 && sizes.part >= std::int64_t{least_of_long_part} *
                                                                          sizes.threads_per_output * sizes.vector_width;
    out.division.many_values = !out.persistent_rows && may_share_rows(sizes);
    if (!out.persistent_rows) out.division.lane_values = values_of_lane(sizes);
    divide_contraction(out.division, sizes, {call.extents, static_cast<std::size_t>(call.rank)}, out.reduced_axes);
    return out;
}

/// Whether a contraction's operands, and its values, may be few though its iteration is wide.
bool may_have_narrow_operands(const bindings& call, frame device) {
    return call.wide_index && call.reduces && device == frame::cuda &&
           call.sizes.reduced <= std::numeric_limits<std::int32_t>::max() - most_past_end;
}

/// Colours of pixels and the like, every so manieth of which is read: where the text says how many there are, a compiler makes vectors of
/// whole pixels and shuffles of these. A grey picture of (2160, 3840, 3) bytes takes a core of a Xeon (Emerald Rapids) a quarter of the time
/// so; of floats, which are four times the memory, nine tenths.
int known_stride_of(const call_values& call, int memory, const reach& of) {
    constexpr int widest = 2;  // bytes
    const array_node* const node = call.node(memory);
    if (!node || node->owned == ownership::position || of.map || bytes_of(node->type) > widest) return 0;
    const std::int64_t by = merged_coefficient(call, of, of.strides, call.rank - 1);
    return by >= 2 && by <= 4 ? static_cast<int>(by) : 0;
}

/// What memory `memory` is like, and what it adds to what the call's class says of all.
access class_of_memory(bindings& call, int memory, const reach& of, std::uint64_t& multiples, frame device) {
    const array_node* const node = call.node(memory);
    access how = class_for(call, of, device);
    if (how == access::contiguous && node && starts_between_vectors(*node)) how = access::row;
    if (node && is_partial(*node)) {
        call.foreign |= call_values::partial_sums;
        if (memory < call.array_count && finalizes(call, *node)) how = access::partial_sums;
    }
    call.wide_index = call.wide_index || needs_wide_index(call, of);
    if (how == access::row) look_at_rows(call, of, multiples);
    if (node && node->owned != ownership::position && (how == access::row || how == access::contiguous))
        call.addresses |= std::bit_cast<std::uintptr_t>(node->data);
    return how;
}

}  // namespace

std::uint8_t* classify(bindings& call, std::uint8_t* next, frame device) {
    if (call.element_count == 0) return next;
    const std::ptrdiff_t before = next - call.kind.first_byte();
    if (call.reduces && device == frame::cuda) new (&call.sizes) reduction_sizes(sizes_of(call));
    merge_axes(call);
    if (device == frame::host && !call.reduces) split_axes(call);
    iteration_class iteration = iteration_of(call, device);
    next = call.kind.make_room(next, call_class::iteration_size + static_cast<std::size_t>(call.output_count));
    next = call_class::write_iteration(next, iteration, device);
    if (iteration.persistent_rows)
        for (int i = 0; i < call.output_count; ++i) *next++ = call.outputs[i].reduces;

    std::uint64_t multiples = 16;
    // Of one axis only where its neighbours are values of their own: along a row a rest is taken care of.
    if (call.rank > 1 || (call.reduces && iteration.reduced_axes == 0))
        multiples |= static_cast<std::uint64_t>(call.extents[call.rank - 1]);
    bool contiguous = true;
    bool narrow_operands = may_have_narrow_operands(call, device);
    const bool goes_on = is_of_products(call) || iteration.of_values;
    const bool is_told = device == frame::cuda && may_be_on_tensor_cores(call, iteration, goes_on);
    std::uint64_t copied = most_copied_bytes;
    int narrowest = std::numeric_limits<int>::max();
    for (int memory = 0; memory < call.memory_count(); ++memory) {
        reach of;
        find_reach(call, memory, of);
        const access how = class_of_memory(call, memory, of, multiples, device);
        contiguous = contiguous && how == access::contiguous;
        narrow_operands = narrow_operands && !needs_wide_index(call, of, most_past_end);
        if (is_told && memory < call.array_count && (!goes_on || is_multiplied(call, of)))
            copied |= copied_multiples(call, of, *call.node(memory));
        if (memory < call.array_count) narrowest = std::min(narrowest, bytes_of(call.node(memory)->type));
        row_blocks blocks;
        // Long rows are read by parts of stencils (stencil.hpp), wherever they are.
        if (how == access::strided && of.map && device == frame::cuda && !call.reduces && !iteration.long_rows)
            blocks = blocks_of(call, of, memory);
        multiples |= blocks.multiples;
        const int known_stride =
            device == frame::host && how == access::strided ? known_stride_of(call, memory, of) : 0;
        next = write_operand(call, of, how, blocks.how, known_stride, next);
    }
    if (contiguous && !call.reduces) {
        call.rank = 1;
        call.extents[0] = call.element_count;
        next = call.kind.first_byte() + before;
        if (device == frame::host) return next;
        return write_window(call, next);
    }
    iteration.row_multiple = 1 << std::countr_zero(multiples);
    iteration.narrow_operands = narrow_operands;
    iteration.skewed_rows = device == frame::cuda && !call.reduces && !iteration.long_rows &&
                            is_skewed_row(narrowest, call.extents[call.rank - 1], iteration.row_multiple);
    if (is_told) {
        iteration.division.copied_bytes = 1 << std::countr_zero(copied);
        iteration.division.tiles = tiles_for(call, iteration);
        iteration.division.small_side = small_side(call, iteration);
        // Products of floats store pairs.
        const bool may_be_whole = iteration.division.tiles > 0 && !is_of_products(call);
        iteration.division.whole_fours = may_be_whole && has_whole_fours(call, iteration);
        iteration.division.whole_rounds = may_be_whole && has_whole_rounds(call, iteration);
        iteration.division.mirrored = may_be_whole && has_mirrored_tiles(call, iteration);
    }
    call_class::write_iteration(call.kind.first_byte() + before, iteration, device);
    if (device == frame::host || call.rank < 2) return next;
    if (call.reduces) return write_row_sets(call, iteration, next);
    if (iteration.long_rows) return write_row_groups(call, write_stencils(call, next));
    return call.extents[call.rank - 1] > longest_short_row ? write_row_groups(call, next) : next;
}

}  // namespace kiln::plan
