#include <plan/iteration.hpp>

#include <plan/partial_sums.hpp>
#include <plan/reach.hpp>
#include <plan/reduction.hpp>

#include <capture/reduced.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <bit>
#include <limits>
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

constexpr std::int64_t long_row = 1024;  // elements: of five blocks of 256 threads, at most one is mostly idle
constexpr std::size_t most_steps = 32;   // of one operand's map: their masks in the key have 32 bits

const shape* shape_of_leaf(const leaf& of) {
    if (of.kind == leaf_kind::array) return &static_cast<const array_node*>(of.object)->extents;
    return of.kind == leaf_kind::extent ? static_cast<const shape*>(of.object) : nullptr;
}

/// The shape of the leaves that `counts` says.
template <class Counts>
shape broadcast_of(const bindings& call, Counts counts) {
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

bindings::rest& rest_of(bindings& call) {
    if (!call.more) call.more = std::make_unique<bindings::rest>();
    return *call.more;
}

void set_class(bindings& call, int memory, access how) {
    if (call.memory_count() <= usual_leaves) {
        call.few_classes[memory] = how;
    } else {
        rest_of(call).classes.resize(static_cast<std::size_t>(call.memory_count()));
        call.more->classes[static_cast<std::size_t>(memory)] = how;
    }
}

void check_free_axes(const bindings& call) {
    for (int i = 0; i < call.array_count; ++i) {
        const int along = call.arrays[static_cast<std::size_t>(i)]->free_axis;
        if (along != array_node::no_axis) detail::resolve_axis(along, call.iteration->rank(), "index");
    }
}

/// Axes merge where one number walks both in every form of every operand.
void merge_axes(bindings& call) {
    const shape& full = *call.iteration;
    call.rank = 0;
    for (int axis = 0; axis < full.rank(); ++axis) {
        if (full[axis] == 1) continue;
        bool merges = call.rank > 0;
        const int outer = merges ? call.inner_axis[call.rank - 1] : 0;
        merges = merges && (call.reduced_axes >> outer & 1) == (call.reduced_axes >> axis & 1);
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

/// Whether a step's value changes along a row; a bit per step. Lookups do.
std::uint32_t steps_along_row(const bindings& call, const reach& of) {
    std::uint32_t along = 0;
    const int inner = call.rank - 1;
    for (std::size_t i = 0; i < of.map->steps.size(); ++i) {
        const index_step& step = of.map->steps[i];
        bool moves = step.how == index_step::kind::lookup;
        if (!moves) {
            moves = merged_coefficient(call, of, step.input.axis, inner) != 0;
            for (std::size_t j = 0; j < step.input.steps.size(); ++j)
                moves = moves || (step.input.steps[j] != 0 && (along >> j & 1));
        }
        along |= static_cast<std::uint32_t>(moves) << i;
    }
    return along;
}

bool is_row_major(const bindings& call, const reach& of) {
    std::int64_t expected = 1;
    for (int axis = call.rank; axis-- > 0;) {
        if (call.extents[axis] != 1 && merged_coefficient(call, of, of.strides, axis) != expected) return false;
        expected *= call.extents[axis];
    }
    return true;
}

access class_for(const bindings& call, const reach& of) {
    if (!of.map && is_row_major(call, of)) return access::contiguous;
    if (of.map) {
        const std::uint32_t along = steps_along_row(call, of);
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

/// Whether any value on the way to an element's address needs more than 32 bits.
bool needs_wide_index(const bindings& call, const reach& of) {
    constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    const auto too_far = [&](const std::int64_t* by_axis, std::int64_t offset, std::span<const std::int64_t> steps) {
        // In double: a sum of products of 64-bit numbers, compared with 2^31.
        double far = std::abs(static_cast<double>(offset));
        for (int axis = 0; axis < call.rank; ++axis)
            far += std::abs(static_cast<double>(merged_coefficient(call, of, by_axis, axis))) *
                   static_cast<double>(call.extents[axis]);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const index_step& step = of.map->steps[i];
            const double largest = step.how == index_step::kind::divide ? static_cast<double>(call.element_count)
                                                                        : static_cast<double>(step.extent);
            far += std::abs(static_cast<double>(steps[i])) * largest;
        }
        return far > static_cast<double>(limit);
    };
    std::span<const std::int64_t> steps_of_address;
    if (of.map) steps_of_address = of.map->address;
    if (too_far(of.strides, 0, steps_of_address)) return true;
    if (of.map)
        for (const index_step& step : of.map->steps)
            if (step.extent > limit || too_far(step.input.axis, step.input.offset, step.input.steps)) return true;
    return false;
}

/// Which coefficients are not 0, and which are 1.
std::uint64_t masks_of(const std::vector<std::int64_t>& coefficients) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
        out |= std::uint64_t{coefficients[i] != 0} << i | std::uint64_t{coefficients[i] == 1} << (i + most_steps);
    return out;
}

std::uint8_t* write_structure(bindings& call, int memory, const reach& of, std::uint8_t* next) {
    const auto put = [&next](const auto value) {
        std::memcpy(next, &value, sizeof value);
        next += sizeof value;
    };
    const std::size_t steps = of.map ? of.map->steps.size() : 0;
    if (steps > most_steps)
        throw error(text::format("kiln: a view made of more than {} steps; evaluate part of it first", most_steps));
    next = make_room(call, next, 16 + 16 * steps);
    if (call.class_of(memory) == access::parts) {
        put(std::uint8_t{0xff});  // more than any of those below
        return next;
    }
    put(static_cast<std::uint8_t>(static_cast<int>(call.class_of(memory)) | static_cast<int>(steps) << 2));
    if (call.class_of(memory) == access::contiguous) return next;
    put(axes_in(call, of, of.strides));
    put(unit_axes_in(call, of, of.strides));
    if (call.class_of(memory) == access::strided) put(unit_axis_of(call, of, access::strided));
    if (!steps) return next;
    put(masks_of(of.map->address));
    for (const index_step& step : of.map->steps) {
        put(step.how);
        if (step.how == index_step::kind::lookup) continue;
        put(axes_in(call, of, step.input.axis));
        put(unit_axes_in(call, of, step.input.axis));
        put(masks_of(step.input.steps));
    }
    return next;
}

}  // namespace

std::uint8_t* make_room(bindings& call, std::uint8_t* next, std::size_t bytes) {
    const auto used = static_cast<std::size_t>(next - reinterpret_cast<std::uint8_t*>(call.key.data()));
    call.key.grow((used + bytes + 16 + 7) / 8, (used + 7) / 8);
    return reinterpret_cast<std::uint8_t*>(call.key.data()) + used;
}

void resolve_shapes(bindings& call, const std::function<const output_leaves&()>* leaves_of) {
    if (!call.iteration)
        throw shape_error("kiln: a function of numbers alone has no shape; give it an array, or k::full of a number");
    if (call.mixed_shapes) {
        const shape whole = broadcast_of(call, [](int) { return true; });
        const output& result = call.outputs[0];
        if (result.where == output::place::through) {
            detail::require_broadcast(whole, result.target->extents, "assigning to a part");
            call.iteration = &result.target->extents;
        } else {
            call.iteration = new (&call.broadcast) shape(whole);
        }
        if (call.output_count > 1 && !call.reduces) {
            if (leaves_of)
                for (const std::vector<bool>& of : (*leaves_of)())
                    rest_of(call).output_shapes.push_back(
                        broadcast_of(call, [&](int slot) { return of[static_cast<std::size_t>(slot)]; }));
        }
    }
    check_free_axes(call);
    if (call.reduces) new (&call.kept) shape(detail::reduced_shape(*call.iteration, call.reduced_axes, /*keep=*/true));
}

namespace {

/// Another thread may put the sum together meanwhile: its parts stay, and what is found here holds for the call.
bool finalizes(const bindings& call, const array_node& node) {
    if (node.base) return false;
    // Blocks along columns may be of any number of threads.
    if (call.reduces && call.sizes.run == 1) return false;
    return each_block_finalizes(call.element_count, partial_count(node), bytes_of(node.type));
}

}  // namespace

std::uint8_t* classify(bindings& call, std::uint8_t* next, frame device) {
    if (call.element_count == 0) return next;
    call.all_contiguous = false;
    if (call.reduces) new (&call.sizes) reduction_sizes(sizes_of_reduction(*call.iteration, call.reduced_axes));
    merge_axes(call);
    std::uint64_t multiples = 16;
    // Of one axis only where its neighbours are values of their own: along a row a rest is taken care of.
    if (call.rank > 1 || (call.reduces && collapsed_reduced_axes(call) == 0))
        multiples |= static_cast<std::uint64_t>(call.extents[call.rank - 1]);
    bool contiguous = true;
    for (int memory = 0; memory < call.memory_count(); ++memory) {
        reach of;
        find_reach(call, memory, of);
        const array_node* const node = call.node(memory);
        access how = class_for(call, of);
        if (how == access::contiguous && node && starts_between_vectors(*node)) how = access::row;
        if (node && is_partial(*node)) {
            call.foreign |= bindings::partial_sums;
            if (memory < call.array_count && finalizes(call, *node)) how = access::parts;
        }
        set_class(call, memory, how);
        contiguous = contiguous && how == access::contiguous;
        call.wide_index = call.wide_index || needs_wide_index(call, of);
        if (how == access::row) look_at_rows(call, of, multiples);
        if (node && node->owned != ownership::position && (how == access::row || how == access::contiguous))
            call.addresses |= std::bit_cast<std::uintptr_t>(node->data);
    }
    call.row_multiple = 1 << std::countr_zero(multiples);
    call.long_rows = call.rank > 1 && call.extents[call.rank - 1] >= long_row;
    call.short_rows = device == frame::host && call.rank > 1 && call.extents[call.rank - 1] <= longest_short_row;
    if (call.short_rows && !call.reduces && call.extents[call.rank - 1] <= longest_known_row)
        call.known_row = static_cast<int>(call.extents[call.rank - 1]);
    if (contiguous && !call.reduces) {
        call.all_contiguous = true;
        call.rank = 1;
        call.extents[0] = call.element_count;
        call.row_multiple = 16;
        call.long_rows = false;
        call.short_rows = false;
        call.known_row = 0;
        return next;
    }
    next = make_room(call, next, 8);
    *next++ = static_cast<std::uint8_t>(call.rank);
    *next++ = static_cast<std::uint8_t>(call.row_multiple | call.short_rows << 6 | call.long_rows << 7);
    if (call.short_rows) *next++ = static_cast<std::uint8_t>(call.known_row);
    if (call.reduces) {
        const reduction_sizes& sizes = call.sizes;
        *next++ = static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(sizes.lanes)) | sizes.run << 4 |
                                            (sizes.splits > 1) << 7);
        *next++ = static_cast<std::uint8_t>(sizes.owners - 1);
        *next++ = static_cast<std::uint8_t>(sizes.together | ends_in_partial_sums(sizes) << 3 |
                                            (call.keeps_rows ? sizes.rounds() << 4 : 0));
        *next++ = collapsed_reduced_axes(call);
    }
    for (int memory = 0; memory < call.memory_count(); ++memory) {
        reach of;
        find_reach(call, memory, of);
        next = write_structure(call, memory, of, next);
    }
    return next;
}

std::uint8_t collapsed_reduced_axes(const bindings& call) {
    std::uint8_t out = 0;
    for (int axis = 0; axis < call.rank; ++axis)
        if (const int inner = call.inner_axis[axis]; inner >= 0 && (call.reduced_axes >> inner & 1))
            out = static_cast<std::uint8_t>(out | 1 << axis);
    return out;
}

}  // namespace kiln::plan
