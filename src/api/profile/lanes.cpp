#include <api/profile/lanes.hpp>

#include <api/profile/kinds.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

struct filling {
    std::int64_t end_ns = 0;
    std::vector<std::size_t> events;
};

}  // namespace

std::vector<lane> lanes_of(const std::vector<profile_event>& events) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i].run_ns > 0 && is_launch(events[i])) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return events[a].run_begin_ns < events[b].run_begin_ns; });
    std::map<std::pair<std::string, int>, std::vector<filling>> streams;
    for (const std::size_t i : order) {
        const profile_event& each = events[i];
        std::vector<filling>& of = streams[{each.device, each.stream}];
        auto free =
            std::find_if(of.begin(), of.end(), [&](const filling& one) { return one.end_ns <= each.run_begin_ns; });
        if (free == of.end()) free = of.insert(of.end(), filling());
        free->end_ns = each.run_begin_ns + each.run_ns;
        free->events.push_back(i);
    }
    std::vector<lane> out;
    for (auto& [stream, of] : streams)
        for (std::size_t i = 0; i < of.size(); ++i)
            out.push_back({text::format("{} stream {}", stream.first, stream.second) +
                               (i > 0 ? text::format(" ({})", i + 1) : std::string()),
                           std::move(of[i].events)});
    return out;
}

}  // namespace kiln::inline v0_1::detail
