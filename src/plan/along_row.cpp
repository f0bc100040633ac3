#include <plan/along_row.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using step_kind = detail::index_step::kind;

/// Of a linear form of the position and of steps before.
motion motion_of_form(const linear_plan& form, int inner_axis, const std::vector<motion>& steps) {
    int units = 0;  // by which it goes up
    bool jumps = false;
    if (form.axes >> inner_axis & 1) {
        if (!(form.unit_axes >> inner_axis & 1)) return motion::irregular;
        ++units;
    }
    for (const linear_plan::step_word& each : form.steps) {
        const motion how = steps[static_cast<std::size_t>(each.step)];
        const bool by_one = each.word < 0;
        if (how == motion::irregular || (how == motion::moves && !by_one)) return motion::irregular;
        units += how == motion::moves;
        jumps = jumps || how == motion::jumps;
    }
    if (units > 1) return motion::irregular;
    return units ? motion::moves : jumps ? motion::jumps : motion::still;
}

}  // namespace

along_row motion_of(const operand& of, int inner_axis) {
    along_row out;
    for (const step_plan& step : of.steps) {
        motion how =
            step.how == step_kind::lookup ? motion::irregular : motion_of_form(step.input, inner_axis, out.steps);
        out.input_moves.push_back(how == motion::moves);
        if (how == motion::moves && (step.how == step_kind::outside || step.how == step_kind::divide))
            how = motion::jumps;
        out.steps.push_back(how);
    }
    for (const linear_plan::step_word& each : of.address.steps) {
        const motion how = out.steps[static_cast<std::size_t>(each.step)];
        out.still = out.still && how == motion::still;
        out.regular = out.regular && how != motion::irregular;
    }
    return out;
}

int clamped_along_row(const operand& of, int inner_axis) {
    const along_row along = motion_of(of, inner_axis);
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        if (of.steps[i].how == detail::index_step::kind::clamp && along.input_moves[i]) return static_cast<int>(i);
    return -1;
}

}  // namespace kiln::plan
