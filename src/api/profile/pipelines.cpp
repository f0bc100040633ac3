#include <api/profile/columns.hpp>
#include <api/profile/kinds.hpp>
#include <api/profile/pipelines.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

std::string rate_cell(std::int64_t bytes, std::int64_t ns) {
    return ns > 0 && bytes > 0 ? text::format("{:.1f}", static_cast<double>(bytes) / static_cast<double>(ns)) : "";
}

/// On the device, or, of what ran while the host waited, on its clock.
std::pair<std::int64_t, std::int64_t> run_of(const profile_event& each) {
    if (each.run_ns > 0) return {each.run_begin_ns, each.run_begin_ns + each.run_ns};
    return {each.begin_ns, each.end_ns};
}

pipeline_times sum_of(const pipeline_times& a, const pipeline_times& b) {
    return {a.in_ns + b.in_ns,     a.kernels_ns + b.kernels_ns, a.out_ns + b.out_ns,      a.host_ns + b.host_ns,
            a.wall_ns + b.wall_ns, a.bytes_in + b.bytes_in,     a.bytes_out + b.bytes_out};
}

}  // namespace

std::int64_t pipeline_times::longest_ns() const noexcept { return std::max({in_ns, kernels_ns, out_ns, host_ns}); }

double pipeline_times::hidden() const noexcept {
    const std::int64_t all = in_ns + kernels_ns + out_ns + host_ns;
    const std::int64_t others = all - longest_ns();
    if (others <= 0) return 0;
    return std::clamp(static_cast<double>(all - wall_ns) / static_cast<double>(others), 0.0, 1.0);
}

const char* pipeline_times::bound_by() const noexcept {
    const std::int64_t longest = longest_ns();
    if (2 * longest < wall_ns) return "the host, which gives work";
    if (longest == in_ns) return "the link in";
    if (longest == out_ns) return "the link out";
    return longest == kernels_ns ? "kernels" : "copies of the host";
}

pipeline_times times_of_pipeline(const std::vector<const profile_event*>& events) {
    pipeline_times out;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const profile_event* const each : events) {
        const auto [begin, end] = run_of(*each);
        first = std::min({first, begin, each->begin_ns});
        last = std::max({last, end, each->end_ns});
        if (is_launch(*each)) {
            out.kernels_ns += each->run_ns;
        } else if (each->what == profiled::copy) {
            const bool comes = each->bytes_written > 0;
            const bool goes = each->bytes_read > 0;
            (comes && goes ? out.host_ns : comes ? out.in_ns : out.out_ns) += end - begin;
            if (comes && !goes) out.bytes_in += each->bytes_written;
            if (goes && !comes) out.bytes_out += each->bytes_read;
        }
    }
    out.wall_ns = events.empty() ? 0 : last - first;
    return out;
}

std::string pipelines_text(const std::vector<profile_event>& events) {
    std::map<int, std::vector<const profile_event*>> pipelines;
    for (const profile_event& each : events)
        if (each.pipeline) pipelines[each.pipeline].push_back(&each);
    struct row {
        std::int64_t count = 0;
        pipeline_times times;
    };
    std::vector<std::pair<std::string, row>> rows;  // in the order in which they came first
    for (const auto& [number, of] : pipelines) {
        std::string place;
        for (const profile_event* const each : of)
            if (place.empty()) place = place_cell(*each);
        if (place.empty()) place = "(no label or line)";
        auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.first == place; });
        if (found == rows.end()) found = rows.insert(rows.end(), {place, {}});
        ++found->second.count;
        found->second.times = sum_of(found->second.times, times_of_pipeline(of));
    }
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> cells{{"times", "wall", "in", "GB/s", "kernels", "out", "GB/s", "host copies",
                                                 "hidden", "bound by", "host arrays, in chunks"}};
    for (const auto& [place, of] : rows) {
        const pipeline_times& t = of.times;
        cells.push_back({text::format("{}", of.count), time_cell(t.wall_ns), time_cell(t.in_ns),
                         rate_cell(t.bytes_in, t.in_ns), time_cell(t.kernels_ns), time_cell(t.out_ns),
                         rate_cell(t.bytes_out, t.out_ns), time_cell(t.host_ns),
                         text::format("{:.0f}%", 100 * t.hidden()), t.bound_by(), place});
    }
    return laid_out(cells) + "hidden: of all parts but the longest, what took no time of its own.\n\n";
}

}  // namespace kiln::inline v0_1::detail
