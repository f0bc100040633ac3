// A profile as text: a row for each event.
#include <api/profile/columns.hpp>
#include <api/profile/kinds.hpp>
#include <api/profile/words.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

using namespace detail;

/// "87% memory"; empty where nothing is known.
std::string limit_cell(const profile_event& of) {
    const double share = of.share_of_limit();
    return share > 0 ? text::format("{:.0f}% {}", share * 100, to_string(of.predicted.by)) : std::string();
}

std::string what_cell(const profile_event& of) {
    const bool is_kernel = of.what == profiled::kernel;
    const std::string name = shown(of.name, widest_text);
    std::string out = is_kernel ? name : text::format("[{}] {}", to_string(of.what), name);
    if (of.what == profiled::replay) out += text::format(" ({} launches)", of.kernel_count);
    if (is_kernel && !of.expression.empty()) out += "  " + shown(of.expression, widest_text);
    if (const std::string place = place_cell(of); is_launch(of) && !place.empty()) out += "  (" + place + ")";
    if (!is_kernel && !of.why.empty()) out += ": " + shown(of.why, widest_text);
    return out;
}

std::vector<std::string> cells_of(const profile_event& each) {
    const bool is_kernel = each.what == profiled::kernel;
    const double rate = each.gigabytes_per_second();
    return {
        text::format("{:.3f} ms", static_cast<double>(each.begin_ns) * 1e-6),
        time_cell(each.end_ns - each.begin_ns),
        time_cell(each.run_ns),
        bytes_cell(each.bytes()),
        rate > 0 && each.bytes() > 0 ? text::format("{:.0f}", rate) : std::string(),
        limit_cell(each),
        is_kernel && each.block_count ? text::format("{} x {}", each.block_count, each.threads_per_block)
                                      : std::string(),
        each.registers ? text::format("{}", each.registers) : std::string(),
        each.registers ? bytes_cell(each.static_shared_bytes + each.dynamic_shared_bytes) : std::string(),
        each.occupancy > 0 ? text::format("{:.0f}%", each.occupancy * 100) : std::string(),
        each.device.empty() ? std::string() : text::format("{} {}", each.device, each.stream),
        is_kernel ? word_of(each.origin) : "",
        what_cell(each),
    };
}

}  // namespace

std::string profile::table() const {
    std::vector<std::vector<std::string>> rows{{"begin", "host", "device", "bytes", "GB/s", "of limit", "grid x block",
                                                "registers", "shared", "occupancy", "where", "from", "what"}};
    std::vector<profile_event> in_order = events();
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const profile_event& a, const profile_event& b) { return a.begin_ns < b.begin_ns; });
    const bool has_threads = std::any_of(in_order.begin(), in_order.end(), [&](const profile_event& each) {
        return each.thread != in_order.front().thread;
    });
    if (has_threads) rows.front().insert(rows.front().begin() + 1, "thread");
    for (const profile_event& each : in_order) {
        std::vector<std::string>& row = rows.emplace_back(cells_of(each));
        if (has_threads) row.insert(row.begin() + 1, text::format("{}", each.thread));
    }
    return laid_out(rows);
}

}  // namespace kiln::inline v0_1
