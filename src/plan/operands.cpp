#include <plan/operands.hpp>

#include <plan/reach.hpp>

namespace kiln::plan {

using detail::array_node;
using detail::index_step;
using detail::linear_form;
using detail::ownership;

operand describe_operand(const bindings& call, int memory) {
    operand out;
    out.memory = memory;
    out.how = call.class_of(memory);
    out.in_parts = out.how == access::parts;
    if (out.in_parts) {
        out.how = access::uniform;
        return out;
    }
    const array_node* const node = call.node(memory);
    out.is_position = node && node->owned == ownership::position;
    if (out.how == access::contiguous) return out;
    reach of;
    find_reach(call, memory, of);
    out.address.axes = axes_in(call, of, of.strides);
    out.address.unit_axes = unit_axes_in(call, of, of.strides);
    out.unit_axis = unit_axis_of(call, of, out.how);
    if (memory >= call.array_count && !call.reduces)
        for (int axis = 0; axis < call.rank; ++axis)
            if (!(out.address.axes >> axis & 1) && call.extents[axis] > 1)
                out.guarded_axes = static_cast<std::uint8_t>(out.guarded_axes | 1 << axis);
    if (!of.map) return out;
    const auto add_steps = [](linear_plan& to, const std::vector<std::int64_t>& coefficients) {
        for (std::size_t i = 0; i < coefficients.size(); ++i)
            if (coefficients[i] != 0) to.steps.push_back({static_cast<int>(i), coefficients[i] == 1 ? -1 : 0});
    };
    add_steps(out.address, of.map->address);
    for (const index_step& step : of.map->steps) {
        step_plan made;
        made.how = step.how;
        made.lookup = step.lookup;
        if (step.how == index_step::kind::lookup) {
            out.taken = true;
        } else {
            made.input.axes = axes_in(call, of, step.input.axis);
            made.input.unit_axes = unit_axes_in(call, of, step.input.axis);
            add_steps(made.input, step.input.steps);
        }
        out.steps.push_back(std::move(made));
    }
    return out;
}

std::int64_t touched_elements(const bindings& call, int memory) {
    const array_node* const node = call.node(memory);
    if (node && node->owned == ownership::position) return 0;
    if (call.class_of(memory) == access::contiguous) return call.element_count;
    reach of;
    find_reach(call, memory, of);
    std::uint8_t axes = 0;
    bool looks_up = false;
    each_form(of, [&](const std::int64_t* by_axis, const linear_form*) {
        axes = static_cast<std::uint8_t>(axes | axes_in(call, of, by_axis));
    });
    if (of.map) looks_up = of.map->lookup_count > 0;
    if (looks_up) return call.element_count;
    std::int64_t count = 1;
    for (int axis = 0; axis < call.rank; ++axis)
        if (axes >> axis & 1) count *= call.extents[axis];
    return count;
}

}  // namespace kiln::plan
