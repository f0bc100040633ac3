#include <plan/narrow_elements.hpp>

#include <plan/row_slots.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::program;
using lower::step;
using lower::value_id;

constexpr value_id none = -1;

std::size_t at(value_id value) { return static_cast<std::size_t>(value); }

/// Arrays that threads hold, and what steps make of elements.
bool is_held(const program& all, const kernel& of, value_id value) {
    if (const step* const made = all.step_of(value)) return !made->scans;
    const auto found =
        std::find_if(of.inputs.begin(), of.inputs.end(), [value](const operand& each) { return each.value == value; });
    return found != of.inputs.end() && !found->gathered && !found->is_partial && !read_in_place(of, *found);
}

bool is_conversion(const program& all, const step& of) {
    return of.code == operation::cast && of.result == element_type::float32 && is_narrow(all.type_of(of.args[0]));
}

bool is_sum_or_product(const step& of) {
    return of.code == operation::add || of.code == operation::sub || of.code == operation::mul;
}

/// The element that a value is cheap to make again of: that it is converted from, or that it differs from by what is one for the row (a
/// layer norm's element without the mean).
value_id cheap_source(const program& all, const kernel& of, const row_phases& phases, const step& made) {
    if (is_conversion(all, made)) return is_held(all, of, made.args[0]) ? made.args[0] : none;
    if (!is_sum_or_product(made)) return none;
    for (int arg = 0; arg < 2; ++arg) {
        const step* const from = all.step_of(made.args[arg]);
        if (from && is_conversion(all, *from) && is_held(all, of, from->args[0]) &&
            phases.of_row[at(made.args[1 - arg])])
            return made.args[arg];
    }
    return none;
}

}  // namespace

row_phases narrow_phases_of(const program& all, const kernel& of) {
    const row_phases wide = phases_of(all);
    row_phases out = wide;
    for (value_id value = all.first_step_value(); at(value) < out.phase.size(); ++value) {
        if (!out.kept[at(value)]) continue;
        value_id kept = value;
        for (const step* made = all.step_of(value); made && !out.of_row[at(kept)]; made = all.step_of(kept)) {
            const value_id from = cheap_source(all, of, out, *made);
            if (from == none) break;
            out.made_again[at(kept)] = true;
            kept = from;
        }
        out.kept[at(kept)] = true;
    }
    // Exponentials of float32 may take the place of the float32 that they are made of.
    const auto bytes = [&](const row_phases& phases) { return slots_of(all, of, phases, false).bytes(); };
    return bytes(out) < bytes(wide) ? out : wide;
}

bool makes_again(const row_phases& phases) {
    return std::find(phases.made_again.begin(), phases.made_again.end(), true) != phases.made_again.end();
}

}  // namespace kiln::plan
