// When has fusing paid for itself?
//
// x + x + ... + x, of 1 to 32 additions, on a thousand to a thousand million floats: what a call costs fused and one kernel
// per addition, what the first call costs where the kernel has to be compiled and where it is on disk, and after how many
// calls the compile is paid for by what fusing saves.
//     break_even [LARGEST] [--json FILE] [--svg FILE]    LARGEST: 9 is a thousand million floats
//     break_even --from FILE [--svg FILE]                what --json wrote, on whatever machine
// Uses a cache folder of its own.
#include "line_plot.hpp"

#include <kiln/kiln.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace k = kiln;

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

k::expr<float> chain(const k::array<float>& x, int additions) {
    k::expr<float> e = x;
    for (int i = 0; i < additions; ++i) e = e + x;
    return e;
}

/// Of a call whose result is waited for: the median of as many as take a fifth of a second, of 3 to 1,000.
double call_us(const k::array<float>& x, k::array<float>& y, int additions) {
    const auto once = [&] {
        const double start = seconds();
        y = chain(x, additions);
        k::synchronize();
        return (seconds() - start) * 1e6;
    };
    once();
    std::vector<double> us{once()};
    const auto rounds = static_cast<std::size_t>(std::clamp(2e5 / us[0], 3.0, 1000.0));
    while (us.size() < rounds) us.push_back(once());
    std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
    return us[us.size() / 2];
}

/// Of a new process, which has this cache folder: the first call of the chain.
double first_us(int additions) {
    const k::array<float> x = k::from_host<float>(std::vector<float>(1000, 1.0f));
    k::synchronize();
    const double start = seconds();
    const k::array<float> y = chain(x, additions);
    k::synchronize();
    return (seconds() - start) * 1e6;
}

double first_us_of_new_process(const char* program, int additions) {
    std::FILE* const child = ::popen(fmt::format("'{}' --first {}", program, additions).c_str(), "r");
    if (!child) return -1;
    double us = -1;
    const bool has_said = std::fscanf(child, "%lf", &us) == 1;
    return ::pclose(child) == 0 && has_said ? us : -1;
}

struct row {
    int additions = 0;
    std::int64_t floats = 0;
    double fused_us = 0;
    double unfused_us = 0;
    double cold_us = 0;
    double disk_us = 0;
    std::int64_t launches_unfused = 0;
    std::int64_t bytes_fused = 0;
    std::int64_t bytes_unfused = 0;

    /// Calls after which what fusing saved is what compiling cost; -1: never.
    [[nodiscard]] double calls_to_pay() const {
        return unfused_us > fused_us ? std::ceil(cold_us / (unfused_us - fused_us)) : -1;
    }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(row, additions, floats, fused_us, unfused_us, cold_us, disk_us, launches_unfused,
                                   bytes_fused, bytes_unfused)

struct study {
    std::string date;
    std::string machine;
    std::string target;
    std::vector<row> rows;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(study, date, machine, target, rows)

row measure(const k::array<float>& x, int additions, double cold_us, double disk_us) {
    k::array<float> y = k::zeros<float>({x.size()});
    row out{.additions = additions, .floats = x.size(), .cold_us = cold_us, .disk_us = disk_us};
    out.fused_us = call_us(x, y, additions);
    const auto counted = [&] {
        const k::counters before = k::counters::now();
        y = chain(x, additions);
        return k::counters::now() - before;
    };
    const k::counters fused = counted();
    out.bytes_fused = fused.bytes_read + fused.bytes_written;
    const float last = y(k::range(x.size() - 1, x.size())).item();
    const k::scoped_options off({.fuse = false});
    out.unfused_us = call_us(x, y, additions);
    const k::counters unfused = counted();
    out.launches_unfused = unfused.launches;
    out.bytes_unfused = unfused.bytes_read + unfused.bytes_written;
    if (y(k::range(x.size() - 1, x.size())).item() != last || last != static_cast<float>(additions + 1)) {
        fmt::print("wrong: {} additions of 1 are {}\n", additions, last);
        std::exit(1);
    }
    return out;
}

void print(const study& of) {
    fmt::print("{}, {}, {}\n", of.machine, of.target, of.date);
    fmt::print("{:>9} {:>11} {:>8} {:>12} {:>12} {:>7} {:>12} {:>12} {:>14}\n", "additions", "floats", "launches",
               "fused us", "unfused us", "ratio", "cold us", "disk us", "pays after");
    for (const row& each : of.rows)
        fmt::print("{:>9} {:>11} {:>8} {:>12.2f} {:>12.2f} {:>7.2f} {:>12.0f} {:>12.0f} {:>14}\n", each.additions,
                   each.floats, fmt::format("1 / {}", each.launches_unfused), each.fused_us, each.unfused_us,
                   each.unfused_us / each.fused_us, each.cold_us, each.disk_us,
                   each.calls_to_pay() < 0 ? "never" : fmt::format("{:.0f} calls", each.calls_to_pay()));
}

void write(const std::string& path, const std::string& text) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fclose(file) != 0) {
        std::perror(path.c_str());
        std::exit(1);
    }
}

std::string power_of_ten(double value) { return fmt::format("10^{:.0f}", std::log10(value)); }

/// Unfused over fused by the number of additions, a line for each size; and calls until the compile is paid for by size, a line
/// for each number of additions.
std::string svg(const study& of) {
    std::map<std::int64_t, line> ratios;
    std::map<int, line> calls;
    for (const row& each : of.rows) {
        const auto size = static_cast<double>(each.floats);
        line& ratio = ratios[each.floats];
        ratio.name = power_of_ten(size) + " floats";
        ratio.points.emplace_back(each.additions, each.unfused_us / each.fused_us);
        line& call = calls[each.additions];
        call.name = fmt::format("{} additions", each.additions);
        if (each.calls_to_pay() > 0 && each.additions > 1) call.points.emplace_back(size, each.calls_to_pay());
    }
    const auto lines_of = [](const auto& of_each) {
        std::vector<line> out;
        for (const auto& [key, one] : of_each) out.push_back(one);
        return out;
    };
    log_axis additions{"additions", {}};
    log_axis ratio{"unfused / fused", {}};
    log_axis floats{"floats", {}};
    log_axis until{"calls", {}};
    for (const int count : {1, 2, 4, 8, 16, 32}) additions.ticks.emplace_back(count, fmt::format("{}", count));
    for (const double times : {0.5, 1., 2., 4., 8., 16., 32., 64.})
        ratio.ticks.emplace_back(times, fmt::format("{}x", times));
    for (const auto& [size, one] : ratios) floats.ticks.emplace_back(size, power_of_ten(static_cast<double>(size)));
    for (double count = 1; count < 2e5; count *= 10) until.ticks.emplace_back(count, fmt::format("{}", count));
    return svg_of({line_plot("one kernel for each addition, over one for all", additions, ratio, lines_of(ratios)),
                   line_plot("calls until fusing has paid for the compile", floats, until, lines_of(calls))},
                  fmt::format("{}, {}", of.machine, of.date));
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now))};
}

study measure_all(const char* program, int largest) {
    const k::device_info on = k::current_device().describe();
    study out{today(), on.name, on.target, {}};
    std::vector<std::pair<double, double>> firsts;
    for (int additions = 1; additions <= 32; additions *= 2) {
        const double cold = first_us_of_new_process(program, additions);
        firsts.emplace_back(cold, first_us_of_new_process(program, additions));
    }
    for (int power = 3; power <= largest; ++power) {
        const k::array<float> x = k::ones<float>({static_cast<std::int64_t>(std::pow(10, power))});
        for (std::size_t i = 0; i < firsts.size(); ++i)
            out.rows.push_back(measure(x, 1 << i, firsts[i].first, firsts[i].second));
    }
    return out;
}

}  // namespace

int main(int count, char** values) try {
    int largest = k::current_device().is_cuda() ? 9 : 7;
    std::string json_file;
    std::string svg_file;
    std::string from;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = values[i];
        const bool has_next = i + 1 < count;
        if (word == "--first" && has_next) {
            fmt::print("{}\n", first_us(std::atoi(values[i + 1])));
            return 0;
        }
        if (word == "--json" && has_next) json_file = values[++i];
        else if (word == "--svg" && has_next) svg_file = values[++i];
        else if (word == "--from" && has_next) from = values[++i];
        else largest = std::clamp(std::atoi(values[i]), 3, 9);
    }
    study all;
    if (!from.empty()) {
        all = nlohmann::json::parse(std::ifstream(from)).get<study>();
    } else {
        std::string folder = (std::filesystem::temp_directory_path() / "kiln-break-even-XXXXXX").string();
        if (!::mkdtemp(folder.data())) return std::perror(folder.c_str()), 1;
        ::setenv("KILN_CACHE_DIR", folder.c_str(), 1);
        all = measure_all(values[0], largest);
        std::filesystem::remove_all(folder);
    }
    print(all);
    if (!json_file.empty()) write(json_file, nlohmann::json(all).dump(1) + "\n");
    if (!svg_file.empty()) write(svg_file, svg(all));
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "break_even: {}\n", trouble.what());
    return 1;
}
