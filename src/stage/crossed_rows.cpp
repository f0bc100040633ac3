// What a draft's reductions of rows come to, in the kernel of reductions of the same elements over all other axes: the gradient of a
// regression reads its rows once, where it would read them for their products first.
#include <stage/kernel_sharing.hpp>
#include <stage/reduction_draft.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

std::optional<reduction_group> reduction_walk::crossed(const draft& of, std::vector<const term*>& later) {
    const int rank = of.of.rank();
    if (of.persistent_rows || rank < 2 || of.axes != 1u << (rank - 1) || have_scan(of.reductions)) return {};
    if (!std::all_of(of.reductions.begin(), of.reductions.end(), adds_up)) return {};
    const auto axes = static_cast<std::uint8_t>(of.axes - 1);  // all others
    std::vector<const term*> taken;
    std::vector<const term*> rest;
    std::vector<handle<term>> computed;
    std::unordered_map<const term*, handle<term>> made;
    std::vector<draft> only{of};
    for (const term* const each : later) {
        const below found = look_below(*each);
        const bool reads = !found.reductions.empty() && !found.needs_cut && found.only_operations &&
                           draft_that_has(only, found) && may_be_persistent(each) && !each->scans &&
                           each->arg_count == 1 && meets_elements(found.reductions, of.axes) &&
                           broadcast_leaves(each->args[0]) == of.of && axes_of(*each, of.of) == axes;
        if (!reads) {
            rest.push_back(each);
            continue;
        }
        taken.push_back(each);
        computed.push_back(with_results(each->args[0], made));
    }
    constexpr std::size_t most_readers = 2;
    if (taken.empty() || taken.size() > most_readers || !needed_outside(of, rest, taken).empty()) return {};
    if (!kernels_.crosses(of.of, axes, computed)) return {};
    reduction_group out{.of = of.of, .axes = axes, .crossed = true};
    for (std::size_t i = 0; i < taken.size(); ++i)
        out.results.push_back({taken[i], std::move(computed[i]), true, taken[i]->keeps_axes, {}});
    later = std::move(rest);
    return out;
}

}  // namespace kiln::inline v0_1::detail
