#include <plan/row_phases.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;

std::size_t at(value_id value) { return static_cast<std::size_t>(value); }

/// The first phase in which each value can be there.
void find_earliest(const lower::program& of, row_phases& out) {
    for (value_id value = static_cast<value_id>(of.arrays.size()); value < of.first_step_value(); ++value)
        out.of_row[at(value)] = true;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& each = of.steps[i];
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        bool of_row = true;
        for (int arg = 0; arg < each.arity; ++arg) {
            out.phase[value] = std::max(out.phase[value], out.phase[at(each.args[arg])]);
            of_row = of_row && out.of_row[at(each.args[arg])];
        }
        const bool reduces = each.code == operation::reduce;
        out.phase[value] += reduces;
        out.of_row[value] = (of_row || reduces) && !each.scans;
    }
}

}  // namespace

row_phases phases_of(const lower::program& of) {
    row_phases out;
    const std::size_t count = at(of.first_step_value()) + of.steps.size();
    out.phase.assign(count, 0);
    out.of_row.assign(count, false);
    out.kept.assign(count, false);
    out.made_again.assign(count, false);
    find_earliest(of, out);

    // Elements' values as late as their first use, so that few are kept.
    std::vector<int> first_use(count, -1);
    const auto use = [&](value_id value, int phase) {
        if (out.of_row[at(value)]) return;
        int& first = first_use[at(value)];
        out.kept[at(value)] = out.kept[at(value)] || (first >= 0 && first != phase);
        first = first < 0 ? phase : std::min(first, phase);
    };
    for (const value_id output : of.outputs) use(output, out.phase[at(output)]);
    for (std::size_t i = of.steps.size(); i-- > 0;) {
        const step& each = of.steps[i];
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        const bool reduces = each.code == operation::reduce;
        if (!reduces && out.of_row[value]) continue;
        if (!reduces) out.phase[value] = first_use[value];
        out.kept[value] = out.kept[value] || each.scans;
        for (int arg = 0; arg < each.arity; ++arg) use(each.args[arg], out.phase[value] - reduces);
    }
    for (std::size_t array = 0; array < of.arrays.size(); ++array) out.phase[array] = std::max(first_use[array], 0);
    for (std::size_t value = 0; value < count; ++value)
        if (!out.of_row[value]) out.count = std::max(out.count, out.phase[value] + 1);
    // Elements that are all the same for a row.
    for (const value_id output : of.outputs) out.count = std::max(out.count, out.phase[at(output)] + 1);
    return out;
}

std::vector<bool> needed_in(int phase, const lower::program& of, const kernel& stores, const row_phases& phases) {
    std::vector<bool> out(phases.phase.size());
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& each = of.steps[i];
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        const bool reduces = each.code == operation::reduce;
        if (phases.phase[value] - reduces != phase || (phases.of_row[value] && !reduces)) continue;
        for (int arg = 0; arg < each.arity; ++arg) out[at(each.args[arg])] = true;
    }
    for (std::size_t i = 0; i < stores.outputs.size(); ++i)
        if (stores.stores_elements(i) && phases.phase[at(stores.outputs[i].value)] == phase)
            out[at(stores.outputs[i].value)] = true;
    for (std::size_t i = of.steps.size(); i-- > 0;) {
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        if (!out[value] || !phases.made_again[value] || phases.phase[value] >= phase) continue;
        for (int arg = 0; arg < of.steps[i].arity; ++arg) out[at(of.steps[i].args[arg])] = true;
    }
    return out;
}

std::vector<bool> needed_from(int phase, const lower::program& of, const kernel& stores, const row_phases& phases) {
    std::vector<bool> out(phases.phase.size());
    for (std::size_t i = 0; i < stores.outputs.size(); ++i)
        if (stores.stores_elements(i) && phases.phase[at(stores.outputs[i].value)] == phase)
            out[at(stores.outputs[i].value)] = true;
    for (std::size_t i = of.steps.size(); i-- > 0;) {
        const step& each = of.steps[i];
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        const bool reduces_here = each.code == operation::reduce && phases.phase[value] == phase + 1;
        if (!reduces_here && (phases.of_row[value] || !out[value])) continue;
        for (int arg = 0; arg < each.arity; ++arg) out[at(each.args[arg])] = true;
    }
    return out;
}

}  // namespace kiln::plan
