#include <plan/layout.hpp>

#include <plan/iteration.hpp>

#include <bit>

namespace kiln::plan {

namespace {

void assign(linear_plan& to, int& next) {
    to.axis_word = next;
    next += std::popcount(to.axes);
    for (linear_plan::step_word& each : to.steps) each.word = next++;
}

void assign(operand& to, bool wide_index, int& next) {
    if (to.how == access::contiguous) return;
    for (step_plan& step : to.steps) {
        step.extent_word = next++;
        if (step.how == detail::index_step::kind::lookup) continue;
        if (step.how == detail::index_step::kind::divide && !wide_index) step.divisor_word = next++;
        step.input.offset_word = next++;
        assign(step.input, next);
    }
    assign(to.address, next);
}

void fill(const linear_plan& plan, const bindings& call, const reach& of, const std::int64_t* by_axis,
          const std::vector<std::int64_t>* by_step, std::int64_t* words) {
    int word = plan.axis_word;
    for (int axis = 0; axis < call.rank; ++axis)
        if (plan.axes >> axis & 1) words[word++] = coefficient(call, of, by_axis, call.inner_axis[axis]);
    for (const linear_plan::step_word& each : plan.steps)
        words[each.word] = (*by_step)[static_cast<std::size_t>(each.step)];
}

void fill(const operand& plan, const bindings& call, std::int64_t* words) {
    if (plan.how == access::contiguous) return;
    reach of;
    find_reach(call, plan.memory, of);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const step_plan& step = plan.steps[i];
        const detail::index_step& source = of.map->steps[i];
        words[step.extent_word] = source.extent;
        if (step.how == detail::index_step::kind::lookup) continue;
        if (step.divisor_word >= 0)
            words[step.divisor_word] =
                static_cast<std::int64_t>(fast_divisor(static_cast<std::uint32_t>(source.extent)));
        words[step.input.offset_word] = source.input.offset;
        fill(step.input, call, of, source.input.axis, &source.input.steps, words);
    }
    fill(plan.address, call, of, of.strides, of.map ? &of.map->address : nullptr, words);
}

}  // namespace

void assign_words(kernel& of) {
    bool all_contiguous = true;
    for (const auto* operands : {&of.outputs, &of.inputs})
        for (const operand& each : *operands) all_contiguous = all_contiguous && each.how == access::contiguous;
    if (all_contiguous) return;
    int next = layout_divisor(of.rank, of.rank);
    for (auto* operands : {&of.outputs, &of.inputs})
        for (operand& each : *operands) assign(each, of.wide_index, next);
    of.layout_words = next;
}

void fill_layout(const kernel& of, const bindings& call, std::int64_t* words) {
    words[0] = call.element_count;
    for (int axis = 0; axis < of.rank; ++axis) {
        words[layout_extent(axis)] = call.extents[axis];
        words[layout_divisor(of.rank, axis)] =
            of.wide_index ? 0 : static_cast<std::int64_t>(fast_divisor(static_cast<std::uint32_t>(call.extents[axis])));
    }
    for (const auto* operands : {&of.outputs, &of.inputs})
        for (const operand& each : *operands) fill(each, call, words);
}

}  // namespace kiln::plan
