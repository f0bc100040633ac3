#include <plan/reduction_set.hpp>

#include <plan/row_phases.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::plan {

bool reduction_set::is_light() const {
    return std::all_of(members.begin(), members.end(), [](const member& each) {
        constexpr int most_bytes = 8;
        return !each.of.appends_apart() && bytes_of(each.of.accumulated) <= most_bytes;
    });
}

bool reduction_set::is_narrow() const {
    constexpr int bytes_of_register = 4;
    return std::any_of(members.begin(), members.end(),
                       [](const member& each) { return bytes_of(each.of.accumulated) < bytes_of_register; });
}

reduction_set reductions_of_outputs(const kernel& of) {
    reduction_set out{.members = {}, .finishes = !of.ends_in_partial_sums};
    for (std::size_t i = 0; i < of.reduced.size(); ++i)
        if (!of.stores_elements(i)) out.members.push_back({i, of.reduced[i]});
    return out;
}

std::vector<reduction_set> reductions_of_rows(const lower::program& of, std::size_t first_number) {
    const row_phases phases = phases_of(of);
    std::vector<reduction_set> out;
    std::size_t number = first_number;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const lower::step& each = of.steps[i];
        if (each.code != operation::reduce) continue;
        const auto phase =
            static_cast<std::size_t>(phases.phase[static_cast<std::size_t>(of.step_value(static_cast<int>(i)))] - 1);
        if (each.scans) continue;
        while (out.size() <= phase) out.push_back({{}, text::format("_{}", out.size())});
        out[phase].members.push_back({number++, {each.reduces, each.operands, each.result}});
    }
    return out;
}

}  // namespace kiln::plan
