// A profile as text: its totals. No moment of a thread is counted twice, so shares of one column add up to 100%.
#include <api/profile/advice.hpp>
#include <api/profile/columns.hpp>
#include <api/profile/kinds.hpp>
#include <api/profile/nesting.hpp>
#include <api/profile/pipelines.hpp>
#include <record/profile.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

using namespace detail;

struct total {
    std::string name;
    std::int64_t count = 0;
    std::int64_t run_ns = 0;
    std::int64_t host_ns = 0;
    std::int64_t bytes = 0;

    void add(const profile_event& each, std::int64_t own_ns) {
        count += each.what == profiled::replay ? each.kernel_count : 1;
        run_ns += each.run_ns;
        host_ns += own_ns;
        bytes += each.bytes();
    }
    [[nodiscard]] std::int64_t weight() const { return std::max(run_ns, host_ns); }
};

using totals = std::map<std::string, total>;

total& find(totals& in, const std::string& key, const std::string& name) {
    const auto [place, is_new] = in.try_emplace(key);
    if (is_new) place->second.name = name;
    return place->second;
}

std::string totals_text(const char* title, const totals& of, const total& all) {
    if (of.empty()) return {};
    std::vector<total> sorted;
    for (const auto& [key, one] : of) sorted.push_back(one);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const total& a, const total& b) { return a.weight() > b.weight(); });
    std::vector<std::vector<std::string>> rows{
        {"times", "host", "of host", "device", "of device", "bytes", "GB/s", title}};
    for (const total& one : sorted)
        rows.push_back({text::format("{}", one.count), time_cell(one.host_ns), percent_cell(one.host_ns, all.host_ns),
                        time_cell(one.run_ns), percent_cell(one.run_ns, all.run_ns), bytes_cell(one.bytes),
                        one.run_ns > 0 && one.bytes > 0
                            ? text::format("{:.0f}", static_cast<double>(one.bytes) / static_cast<double>(one.run_ns))
                            : std::string(),
                        one.name});
    return laid_out(rows) + "\n";
}

std::string phases_text(const std::vector<profile_event>& events) {
    std::vector<std::pair<std::int64_t, std::string>> phases;
    std::int64_t all = 0;
#define KILN_PHASE(name, what)                                               \
    {                                                                        \
        std::int64_t ns = 0;                                                 \
        for (const profile_event& each : events) ns += each.host.name;       \
        all += ns;                                                           \
        if (ns > 0) phases.emplace_back(ns, std::string(#name ": ") + what); \
    }
#include <kiln/phase_table.def>
    if (phases.empty()) return {};
    std::sort(phases.begin(), phases.end(), std::greater<>());
    std::vector<std::vector<std::string>> rows{
        {"host", "of phases", "phase of kernels and prepare, with the compiles and reads listed above"}};
    for (const auto& [ns, what] : phases) rows.push_back({time_cell(ns), percent_cell(ns, all), what});
    return laid_out(rows) + "\n";
}

std::string all_text(const total& all, std::size_t event_count, std::int64_t wall_ns, bool runs_on_host) {
    const auto time = [](std::int64_t ns) { return ns > 0 ? time_cell(ns) : "0"; };
    std::string out = laid_out({{"events", "host", "device", "wall"},
                                {text::format("{}", event_count), time(all.host_ns), time(all.run_ns), time(wall_ns)}});
    out += "host: of all threads; an event's without what the events inside it took, which have rows of their own.\n";
    if (runs_on_host) out += "device: kernels of the CPU run on the host, and are in its time as well.\n";
    return out + "of host, of device: shares of these totals.\n\n";
}

}  // namespace

std::string profile::summary() const {
    const std::vector<profile_event>& seen = events();
    if (seen.empty()) return "nothing was evaluated\n";
    const std::vector<std::int64_t> own_ns = own_host_ns(seen);
    total whole;
    totals by_kernel;
    totals by_place;
    totals others;
    bool runs_on_host = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const profile_event& each = seen[i];
        whole.add(each, own_ns[i]);
        if (is_launch(each)) {
            const std::string place = text::format("{}\n{}:{}", each.label, each.where.file, each.where.line);
            const std::string name = place_cell(each);
            find(by_kernel, each.name, shown(each.name, widest_text)).add(each, own_ns[i]);
            find(by_place, place, name.empty() ? "(no label or line)" : name).add(each, own_ns[i]);
            runs_on_host |= each.run_ns > 0 && each.device.starts_with("cpu");
        } else {
            const bool is_copy = each.what == profiled::copy;
            const std::string name =
                text::format("{}{}{}", to_string(each.what), is_copy ? ": " : "", is_copy ? each.name : "");
            find(others, name, shown(name, widest_text)).add(each, own_ns[i]);
        }
    }
    std::string out = all_text(whole, seen.size(), data_->wall_ns(), runs_on_host) +
                      totals_text("kernel", by_kernel, whole) + totals_text("label, line", by_place, whole) +
                      totals_text("beside kernels", others, whole) + pipelines_text(seen) + phases_text(seen);
    if (const std::string todo = advice_on(seen, whole.host_ns); !todo.empty()) out += "To do:\n" + todo;
    return out;
}

}  // namespace kiln::inline v0_1
