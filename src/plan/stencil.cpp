#include <plan/stencil.hpp>

#include <plan/reach.hpp>

#include <algorithm>
#include <cstdlib>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::index_step;
using detail::ownership;

constexpr std::uint8_t stencils_mark = 0x42;
constexpr std::int64_t farthest = 31;  // elements along an axis
constexpr int least_shifted = 5;  // arrays: with four, the neighbours in a plane, vectors and their lanes are as good
constexpr int most_memories = 15;

/// Whether elements of the memory follow each other in the order of the iteration, where nothing is shifted: along an axis that is, the
/// step has the stride.
bool is_in_order(const call_values& call, const reach& of, const std::int64_t* steps_at) {
    std::int64_t expected = 1;
    for (int axis = call.rank; axis-- > 0;) {
        if (merged_coefficient(call, of, of.strides, axis) + steps_at[axis] != expected) return false;
        expected *= call.extents[axis];
    }
    return true;
}

/// Which collapsed axis a step is a position of, shifted; -1: it is no such step.
int axis_of(const call_values& call, const reach& of, const index_step& step) {
    int found = -1;
    for (int axis = 0; axis < call.rank; ++axis) {
        const std::int64_t by = merged_coefficient(call, of, step.input.axis, axis);
        if (by == 0) continue;
        if (by != 1 || found >= 0) return -1;
        found = axis;
    }
    const auto is_zero = [](std::int64_t each) { return each == 0; };
    const bool is_alone = std::all_of(step.input.steps.begin(), step.input.steps.end(), is_zero);
    const bool is_near = step.input.offset != 0 && std::abs(step.input.offset) <= farthest;
    return found >= 0 && is_alone && is_near && step.extent == call.extents[found] ? found : -1;
}

/// How far each element is from the iteration's, by collapsed axes; false: that is not constant.
bool find_distances(const call_values& call, int memory, std::int8_t* distances) {
    const array_node& node = *call.node(memory);
    const bool is_position = node.owned == ownership::position;
    if (node.free_axis != array_node::no_axis) return false;
    reach of;
    find_reach(call, memory, of);
    std::int64_t steps_at[max_rank] = {};
    std::fill(distances, distances + call.rank, std::int8_t{0});
    const std::size_t steps = of.map ? of.map->steps.size() : 0;
    for (std::size_t i = 0; i < steps; ++i) {
        const index_step& step = of.map->steps[i];
        const int axis = step.how == (is_position ? index_step::kind::outside : index_step::kind::clamp)
                             ? axis_of(call, of, step)
                             : -1;
        if (axis < 0 || distances[axis] != 0) return false;
        distances[axis] = static_cast<std::int8_t>(step.input.offset);
        steps_at[axis] = of.map->address[i];
    }
    if (!is_position) return is_in_order(call, of, steps_at);
    bool counts = node.data == nullptr && steps > 0;
    for (int axis = 0; axis < call.rank; ++axis)
        counts = counts && merged_coefficient(call, of, of.strides, axis) == 0 &&
                 steps_at[axis] == (distances[axis] != 0 ? 1 : 0);
    return counts;
}

}  // namespace

std::uint8_t* write_stencils(bindings& call, std::uint8_t* next) {
    if (call.aliased || call.has_partial_sums() || call.rank < 2) return next;
    int shifted = 0;
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& node = *call.arrays[static_cast<std::size_t>(i)];
        shifted += node.map && node.owned != ownership::position;
    }
    if (shifted < least_shifted) return next;
    const std::size_t written_for_each = 1 + static_cast<std::size_t>(call.rank);
    next = call.kind.make_room(next, 1 + written_for_each * static_cast<std::size_t>(call.array_count));
    std::uint8_t* to = next;
    *to++ = stencils_mark;
    const array_node* memories[most_memories];
    int count = 0;
    shifted = 0;
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& node = *call.arrays[static_cast<std::size_t>(i)];
        std::int8_t distances[max_rank];
        if (!find_distances(call, i, distances)) {
            *to++ = 0;
            continue;
        }
        int memory = 0;
        if (node.owned != ownership::position) {
            const auto is_it = [&](const array_node* each) {
                return each->data == node.data && each->type == node.type;
            };
            memory = static_cast<int>(std::find_if(memories, memories + count, is_it) - memories);
            if (memory == most_memories) {
                *to++ = 0;
                continue;
            }
            if (memory == count) memories[count++] = &node;
            shifted += node.map != nullptr;
        }
        *to++ = static_cast<std::uint8_t>(memory + 1);
        for (int axis = 0; axis < call.rank; ++axis) *to++ = static_cast<std::uint8_t>(distances[axis]);
    }
    return shifted < least_shifted ? next : to;
}

const std::uint8_t* read_stencils(const std::uint8_t* from, int rank, const std::vector<operand*>& arrays) {
    if (*from != stencils_mark) return from;
    ++from;
    for (operand* const each : arrays) {
        each->stencil = static_cast<std::int8_t>(*from++);
        if (each->stencil == 0) continue;
        for (int axis = 0; axis < rank; ++axis) each->shifted.push_back(static_cast<std::int8_t>(*from++));
    }
    return from;
}

std::vector<stencil_column> stencil_columns_of(const kernel& of) {
    std::vector<stencil_column> out;
    const auto rows = static_cast<std::size_t>(of.rank - 2);
    for (std::size_t i = 0; i < of.inputs.size(); ++i) {
        const operand& each = of.inputs[i];
        if (each.stencil == 0 || each.is_position) continue;
        const std::size_t at = column_of(out, each);
        if (at == out.size()) {
            out.push_back({each.stencil, each.shifted, each.shifted[rows], i});
            continue;
        }
        out[at].last = std::max<int>(out[at].last, each.shifted[rows]);
        out[at].distances[rows] = std::min(out[at].distances[rows], each.shifted[rows]);
    }
    return out;
}

std::size_t column_of(const std::vector<stencil_column>& columns, const operand& input) {
    const auto rows = input.shifted.size() - 2;
    const auto has_it = [&](const stencil_column& each) {
        bool is_one = each.stencil == input.stencil;
        for (std::size_t axis = 0; axis < input.shifted.size(); ++axis)
            is_one = is_one && (axis == rows || each.distances[axis] == input.shifted[axis]);
        return is_one;
    };
    return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), has_it) - columns.begin());
}

bool choose_stencil(kernel& into) {
    // Of all neighbours of a thread's rows, in 4 bytes each, though the compiler holds fewer at once: with half as many rows, and so more
    // loads an element, a mean of 7 x 7 takes an H100 110 us for 98.
    constexpr int most_words = 112;
    // The body stands in the kernel once for each row: long ones get fewer, or they take long to compile.
    constexpr int most_steps_of_rows = 1600;
    int shifted = 0;
    for (const operand& each : into.inputs) shifted += each.stencil > 0 && !each.is_position && !each.steps.empty();
    bool whole = !into.aliased && !into.gathers() && shifted >= least_shifted;
    for (const operand& each : into.outputs) whole = whole && each.how == access::contiguous;
    if (!whole) return false;
    const std::vector<stencil_column> columns = stencil_columns_of(into);
    const auto needs_too_much = [&] {
        int words = 0;
        for (const stencil_column& each : columns) {
            const int rows = each.last - each.distances[static_cast<std::size_t>(into.rank - 2)];
            words += (into.elements_per_thread + rows) * std::max(1, bytes_of(into.inputs[each.memory].type) / 4);
        }
        return words > most_words || (into.last_step - into.first_step) * into.elements_per_thread > most_steps_of_rows;
    };
    while (into.elements_per_thread > 1 && needs_too_much()) into.elements_per_thread /= 2;
    into.is_stencil = true;
    return true;
}

}  // namespace kiln::plan
