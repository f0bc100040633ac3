#include <api/profile/nesting.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace kiln::inline v0_1::detail {

std::vector<nested_interval> nested(const std::vector<interval>& all) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&all](std::size_t a, std::size_t b) {
        const interval& l = all[a];
        const interval& r = all[b];
        return std::tuple(l.thread, l.begin_ns, -l.end_ns, a) < std::tuple(r.thread, r.begin_ns, -r.end_ns, b);
    });
    std::vector<nested_interval> out;
    out.reserve(all.size());
    std::vector<std::size_t> around;  // places in `out`, the innermost last
    for (const std::size_t number : order) {
        const interval& one = all[number];
        while (!around.empty()) {
            nested_interval& last = out[around.back()];
            if (all[last.number].thread == one.thread && last.end_ns >= one.end_ns && last.end_ns > one.begin_ns) break;
            if (all[last.number].thread == one.thread) last.end_ns = std::min(last.end_ns, one.begin_ns);
            around.pop_back();
        }
        const std::size_t innermost = around.empty() ? no_interval : out[around.back()].number;
        around.push_back(out.size());
        out.push_back({.number = number, .around = innermost, .end_ns = one.end_ns});
    }
    return out;
}

std::vector<std::int64_t> own_host_ns(const std::vector<profile_event>& events) {
    std::vector<interval> all;
    all.reserve(events.size());
    for (const profile_event& each : events) all.push_back({each.thread, each.begin_ns, each.end_ns});
    std::vector<std::int64_t> own(events.size());
    for (const nested_interval& each : nested(all)) {
        const std::int64_t whole = each.end_ns - all[each.number].begin_ns;
        own[each.number] += whole;
        if (each.around != no_interval) own[each.around] -= whole;
    }
    return own;
}

}  // namespace kiln::inline v0_1::detail
