// kiln/plan/reach: how far a step along each axis of an iteration moves in one operand's memory, for classes and layouts
// alike.
// in: a call whose shapes are resolved   out: coefficients   knows nothing of: programs, text
#pragma once

#include <plan/call_values.hpp>

namespace kiln::plan {

/// How one operand's memory is reached, before axes are merged.
struct reach {
    const shape* extents = nullptr;
    const std::int64_t* strides = nullptr;
    const detail::index_map* map = nullptr;  // that moves
    std::int8_t free_axis = detail::array_node::no_axis;
    std::int64_t own_strides[max_rank];  // of a fresh output, which has no node: `strides` points here
    bool has_quotients = false;          // the map was one of quotients alone (split_axes.hpp)
    std::int64_t quotients[max_rank];    // then: what the address goes up by for them, of each collapsed axis

    reach() = default;
    reach(const reach&) = delete;
};

/// The memory's reach; of the memories that a call starts with (not temporaries).
void find_reach(const call_values& call, int memory, reach& out);

/// By how much a position on an axis of the iteration moves: `by_axis` has the reach's own axes.
inline std::int64_t coefficient(const call_values& call, const reach& of, const std::int64_t* by_axis, int axis) {
    if (of.free_axis != detail::array_node::no_axis)
        return axis == (of.free_axis < 0 ? of.free_axis + call.iteration->rank() : of.free_axis);
    const int own = axis - (call.iteration->rank() - of.extents->rank());
    return own < 0 || (*of.extents)[own] == 1 ? 0 : by_axis[own];
}

/// The same of a collapsed axis.
inline std::int64_t merged_coefficient(const call_values& call, const reach& of, const std::int64_t* by_axis,
                                       int axis) {
    if (call.inner_axis[axis] < 0) return 0;
    const std::int64_t by = coefficient(call, of, by_axis, call.inner_axis[axis]);
    if (!call.axes_are_cut) return by;
    return by * call.weights[axis] + (of.has_quotients && by_axis == of.strides ? of.quotients[axis] : 0);
}

/// The collapsed axes, as bits, whose coefficients count.
template <class Counts>
std::uint8_t axes_where(const call_values& call, const reach& of, const std::int64_t* by_axis, Counts counts) {
    std::uint8_t out = 0;
    for (int axis = 0; axis < call.rank; ++axis)
        out = static_cast<std::uint8_t>(out | counts(merged_coefficient(call, of, by_axis, axis)) << axis);
    return out;
}

inline std::uint8_t axes_in(const call_values& call, const reach& of, const std::int64_t* by_axis) {
    return axes_where(call, of, by_axis, [](std::int64_t coefficient) { return coefficient != 0; });
}

inline std::uint8_t unit_axes_in(const call_values& call, const reach& of, const std::int64_t* by_axis) {
    return axes_where(call, of, by_axis, [](std::int64_t coefficient) { return coefficient == 1; });
}

/// Calls visit(coefficients by the reach's axes, of the address?) for each linear form.
template <class Visit>
void each_form(const reach& of, Visit visit) {
    visit(of.strides, nullptr);
    if (of.map)
        for (const detail::index_step& step : of.map->steps)
            if (step.how != detail::index_step::kind::lookup) visit(step.input.axis, &step.input);
}

/// The axis beside the innermost along which a strided operand's neighbours are: through a tile in shared memory it moves
/// in whole lines both ways. Not worth it where the tile would be mostly empty.
std::int8_t unit_axis_of(const call_values& call, const reach& of, access how);

}  // namespace kiln::plan
