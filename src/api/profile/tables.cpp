// A profile as text: a row for each event, and totals, with what could be done about them.
#include <api/amounts.hpp>
#include <api/profile/words.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

using text::format;

// Cells: of nothing they are empty.
std::string time_text(std::int64_t ns) { return ns > 0 ? detail::time_text(static_cast<double>(ns)) : std::string(); }
std::string bytes_text(std::int64_t bytes) { return bytes > 0 ? detail::bytes_text(bytes) : std::string(); }

bool runs(const profile_event& each) { return each.what == profiled::kernel || each.what == profiled::replay; }

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What an event is to its reader: its label, else where it was asked for, else nothing.
std::string place_text(const profile_event& of) {
    const std::string line = of.where.line ? format("{}:{}", file_name(of.where.file), of.where.line) : std::string();
    if (of.label.empty() || line.empty()) return of.label + line;
    return of.label + " " + line;
}

/// Columns as wide as they need be; the last as it is.
std::string laid_out(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i) line += format("{:>{}}  ", row[i], widths[i]);
        line += row.back();
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

struct total {
    std::string name;
    std::int64_t count = 0;
    std::int64_t run_ns = 0;
    std::int64_t host_ns = 0;
    std::int64_t bytes = 0;

    void add(const profile_event& each) {
        count += each.what == profiled::replay ? each.kernel_count : 1;
        run_ns += each.run_ns;
        host_ns += each.end_ns - each.begin_ns;
        bytes += each.bytes();
    }
    [[nodiscard]] std::int64_t weight() const { return std::max(run_ns, host_ns); }
};

/// The largest first.
std::vector<total> sorted(const std::map<std::string, total>& totals) {
    std::vector<total> out;
    for (const auto& [name, one] : totals) {
        out.push_back(one);
        out.back().name = name;
    }
    std::sort(out.begin(), out.end(), [](const total& a, const total& b) { return a.weight() > b.weight(); });
    return out;
}

std::string totals_text(const char* title, const std::map<std::string, total>& totals) {
    if (totals.empty()) return {};
    std::int64_t all = 0;
    for (const auto& [name, one] : totals) all += one.weight();
    std::vector<std::vector<std::string>> rows{{"share", "times", "device", "host", "bytes", "GB/s", title}};
    for (const total& one : sorted(totals))
        rows.push_back(
            {format("{:.1f}%", all ? 100.0 * static_cast<double>(one.weight()) / static_cast<double>(all) : 0),
             format("{}", one.count), time_text(one.run_ns), time_text(one.host_ns), bytes_text(one.bytes),
             one.run_ns > 0 && one.bytes > 0
                 ? format("{:.0f}", static_cast<double>(one.bytes) / static_cast<double>(one.run_ns))
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
    std::vector<std::vector<std::string>> rows{{"share", "host", "phase"}};
    for (const auto& [ns, what] : phases)
        rows.push_back(
            {format("{:.1f}%", 100.0 * static_cast<double>(ns) / static_cast<double>(all)), time_text(ns), what});
    return laid_out(rows) + "\n";
}

/// Expressions that differ in numbers alone are the same here.
std::string without_numbers(std::string_view expression) {
    std::string out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const auto is_word = [&](std::size_t at) {
            return std::isalnum(static_cast<unsigned char>(expression[at])) || expression[at] == '_';
        };
        const bool begins_number =
            std::isdigit(static_cast<unsigned char>(expression[i])) && (i == 0 || !is_word(i - 1));
        out += begins_number ? '#' : expression[i];
        if (begins_number)
            while (i + 1 < expression.size() && (is_word(i + 1) || expression[i + 1] == '.')) ++i;
    }
    return out;
}

std::string advice(const std::vector<profile_event>& events) {
    std::string out;
    std::map<std::string, int> alike;
    std::int64_t compile_ns = 0;
    std::int64_t host_ns = 0;
    std::int64_t copy_ns = 0;
    std::int64_t run_ns = 0;
    std::int64_t short_launches = 0;
    int compiles = 0;
    for (const profile_event& each : events) {
        if (each.what == profiled::compile) {
            ++alike[without_numbers(each.expression)];
            compile_ns += each.end_ns - each.begin_ns;
            ++compiles;
        }
        if (each.what == profiled::copy) copy_ns += each.end_ns - each.begin_ns;
        if (!runs(each) && each.what != profiled::prepare) continue;
        host_ns += each.end_ns - each.begin_ns;
        run_ns += each.run_ns;
        if (each.what == profiled::kernel && each.run_ns > 0 && each.run_ns < 5'000) ++short_launches;
    }
    for (const auto& [expression, count] : alike)
        if (count >= 3)
            out += format("- {} kernels differ only in a constant ({}): pass it as a scalar, and they are one.\n",
                          count, expression);
    if (compiles > 0 && compile_ns * 2 > host_ns)
        out += format(
            "- {} compiles are {:.0f}% of the host's time: they are paid once a store (KILN_CACHE_DIR); "
            "k::prepare() pays them when you choose.\n",
            compiles,
            100.0 * static_cast<double>(compile_ns) / static_cast<double>(std::max<std::int64_t>(host_ns, 1)));
    if (short_launches >= 100)
        out += format(
            "- {} launches ran for less than 5 us each: a loop of them is faster as a k::graph, several results "
            "of one shape as one k::eval(a, b).\n",
            short_launches);
    if (copy_ns > run_ns && copy_ns > 1'000'000)
        out += format(
            "- Copies to and from the host take {}, kernels {}: keep arrays on the device, or stay on the "
            "CPU.\n",
            time_text(copy_ns), time_text(run_ns));
    return out;
}

}  // namespace

namespace {

/// "87% memory"; empty where nothing is known.
std::string limit_text(const profile_event& of) {
    const double share = of.share_of_limit();
    return share > 0 ? format("{:.0f}% {}", share * 100, to_string(of.predicted.by)) : std::string();
}

}  // namespace

std::string profile::table() const {
    std::vector<std::vector<std::string>> rows{{"begin", "host", "device", "bytes", "GB/s", "of limit", "grid x block",
                                                "registers", "shared", "occupancy", "where", "from", "what"}};
    std::vector<profile_event> in_order = events();
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const profile_event& a, const profile_event& b) { return a.begin_ns < b.begin_ns; });
    for (const profile_event& each : in_order) {
        const bool is_kernel = each.what == profiled::kernel;
        const double rate = each.gigabytes_per_second();
        std::string what =
            each.what == profiled::kernel ? each.name : format("[{}] {}", to_string(each.what), each.name);
        if (each.what == profiled::replay) what += format(" ({} launches)", each.kernel_count);
        if (is_kernel && !each.expression.empty()) what += "  " + each.expression;
        if (const std::string place = place_text(each); runs(each) && !place.empty()) what += "  (" + place + ")";
        if (!is_kernel && !each.why.empty()) what += ": " + each.why;
        rows.push_back(
            {format("{:.3f} ms", static_cast<double>(each.begin_ns) * 1e-6), time_text(each.end_ns - each.begin_ns),
             time_text(each.run_ns), bytes_text(each.bytes()),
             rate > 0 && each.bytes() > 0 ? format("{:.0f}", rate) : std::string(), limit_text(each),
             is_kernel && each.block_count ? format("{} x {}", each.block_count, each.threads_per_block)
                                           : std::string(),
             each.registers ? format("{}", each.registers) : std::string(),
             each.registers ? bytes_text(each.static_shared_bytes + each.dynamic_shared_bytes) : std::string(),
             each.occupancy > 0 ? format("{:.0f}%", each.occupancy * 100) : std::string(),
             each.device.empty() ? std::string() : format("{} {}", each.device, each.stream),
             is_kernel ? detail::word_of(each.origin) : "", what});
    }
    return laid_out(rows);
}

std::string profile::summary() const {
    const std::vector<profile_event>& seen = events();
    std::map<std::string, total> by_kernel;
    std::map<std::string, total> by_label;
    std::map<std::string, total> others;
    for (const profile_event& each : seen) {
        if (runs(each)) {
            by_kernel[each.name].add(each);
            if (const std::string place = place_text(each); !place.empty()) by_label[place].add(each);
        } else {
            others[format("{}{}", to_string(each.what), each.what == profiled::copy ? ": " + each.name : "")].add(each);
        }
    }
    std::string out = totals_text("kernel", by_kernel) + totals_text("label, line", by_label) +
                      totals_text("beside kernels", others) + phases_text(seen);
    if (const std::string todo = advice(seen); !todo.empty()) out += "To do:\n" + todo;
    return out.empty() ? "nothing was evaluated\n" : out;
}

}  // namespace kiln::inline v0_1
