#include <plan/reach.hpp>

#include <plan/split_axes.hpp>

namespace kiln::plan {

void find_reach(const call_values& call, int memory, reach& out) {
    if (const detail::array_node* const node = call.node(memory)) {
        out.extents = &node->extents;
        out.strides = node->strides;
        out.map = node->map && detail::moves(*node->map) ? node->map.get() : nullptr;
        out.free_axis = node->free_axis;
        if (call.axes_are_cut && out.map) take_quotients(call, out);
        return;
    }
    out.extents = &call.output_shape(memory - call.array_count);
    std::int64_t stride = 1;
    for (int axis = out.extents->rank(); axis-- > 0;) {
        out.own_strides[axis] = stride;
        stride *= (*out.extents)[axis];
    }
    out.strides = out.own_strides;
}

std::int64_t touched_elements(const call_values& call, int array) {
    reach of;
    find_reach(call, array, of);
    if (of.map && of.map->lookup_count > 0) return call.element_count;
    std::uint8_t axes = 0;
    each_form(of, [&](const std::int64_t* by_axis, const detail::linear_form*) {
        axes = static_cast<std::uint8_t>(axes | axes_in(call, of, by_axis));
    });
    std::int64_t count = 1;
    for (int axis = 0; axis < call.rank; ++axis)
        if (axes >> axis & 1) count *= call.extents[axis];
    return count;
}

std::int8_t unit_axis_of(const call_values& call, const reach& of, access how) {
    constexpr std::int64_t least_extent = 32;
    const int inner = call.rank - 1;
    if (how != access::strided || of.map || call.extents[inner] < least_extent) return -1;
    for (int axis = 0; axis < inner; ++axis)
        if (merged_coefficient(call, of, of.strides, axis) == 1 && call.extents[axis] >= least_extent)
            return static_cast<std::int8_t>(axis);
    return -1;
}

}  // namespace kiln::plan
