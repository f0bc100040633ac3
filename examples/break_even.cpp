// When has fusing paid for itself?
//
// x + x + ... + x, of 1 to 32 additions, on a thousand to a thousand million floats: what a call costs fused and one kernel
// per addition, what the first call costs where the kernel has to be compiled and where it is on disk, and after how many
// calls the compile is paid for by what fusing saves.
//     break_even [LARGEST] [--json FILE] [--svg FILE]    LARGEST: 9 is a thousand million floats
// Uses a cache folder of its own.
#include <kiln/kiln.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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
    int additions;
    std::int64_t size;
    double fused_us;
    double unfused_us;
    double cold_us;
    double disk_us;
    std::int64_t launches_unfused;
    std::int64_t bytes_fused;
    std::int64_t bytes_unfused;

    /// Calls after which what fusing saved is what compiling cost; -1: never.
    [[nodiscard]] double calls_to_pay() const {
        return unfused_us > fused_us ? std::ceil(cold_us / (unfused_us - fused_us)) : -1;
    }
};

row measure(const k::array<float>& x, int additions, double cold_us, double disk_us) {
    k::array<float> y = k::zeros<float>({x.size()});
    row out{additions, x.size(), 0, 0, cold_us, disk_us, 0, 0, 0};
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

void print(const std::vector<row>& rows) {
    fmt::print("{:>9} {:>11} {:>8} {:>12} {:>12} {:>7} {:>12} {:>12} {:>14}\n", "additions", "floats", "launches",
               "fused us", "unfused us", "ratio", "cold us", "disk us", "pays after");
    for (const row& each : rows)
        fmt::print("{:>9} {:>11} {:>8} {:>12.2f} {:>12.2f} {:>7.2f} {:>12.0f} {:>12.0f} {:>14}\n", each.additions,
                   each.size, fmt::format("1 / {}", each.launches_unfused), each.fused_us, each.unfused_us,
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

std::string json(const std::vector<row>& rows) {
    const k::device_info on = k::current_device().describe();
    std::string out = fmt::format("{{\"machine\": \"{}\", \"target\": \"{}\", \"rows\": [", on.name, on.target);
    for (const row& each : rows)
        out += fmt::format(
            "{}\n{{\"additions\": {}, \"floats\": {}, \"fused_us\": {:.3f}, \"unfused_us\": {:.3f}, \"cold_us\": "
            "{:.0f}, "
            "\"disk_us\": {:.0f}, \"launches_unfused\": {}, \"bytes_fused\": {}, \"bytes_unfused\": {}}}",
            &each == &rows.front() ? "" : ",", each.additions, each.size, each.fused_us, each.unfused_us, each.cold_us,
            each.disk_us, each.launches_unfused, each.bytes_fused, each.bytes_unfused);
    return out + "\n]}\n";
}

/// Unfused over fused by the number of additions, a line for each size; both axes in powers of two.
std::string svg(const std::vector<row>& rows) {
    constexpr double width = 640;
    constexpr double height = 400;
    constexpr double margin = 56;
    const auto x_of = [&](int additions) { return margin + std::log2(additions) / 5 * (width - 2 * margin); };
    const auto y_of = [&](double ratio) {
        return height - margin - std::log2(std::clamp(ratio, 0.5, 64.0) * 2) / 7 * (height - 2 * margin);
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{}\" y=\"24\">one kernel per addition, over one kernel for all: {}</text>\n",
        width, height, margin, k::current_device().describe().name);
    for (const int additions : {1, 2, 4, 8, 16, 32})
        out += fmt::format("<text x=\"{0:.1f}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>\n", x_of(additions),
                           height - margin + 20, additions);
    for (const int ratio : {1, 2, 4, 8, 16, 32, 64})
        out += fmt::format(
            "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
            "text-anchor=\"end\">{5}x</text>\n",
            margin, y_of(ratio), width - margin, margin - 8, y_of(ratio) + 4, ratio);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">additions</text>\n", width / 2, height - 12);
    int line = 0;
    for (std::size_t i = 0; i < rows.size(); ++line) {
        const std::int64_t size = rows[i].size;
        const std::string color = fmt::format("hsl({},70%,40%)", line * 47);
        std::string path;
        for (; i < rows.size() && rows[i].size == size; ++i)
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(rows[i].additions),
                                y_of(rows[i].unfused_us / rows[i].fused_us));
        out += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\" "
            "fill=\"{}\">10^{:.0f} floats</text>\n",
            path, color, margin + 12, margin + 14 + 16 * line, color, std::log10(static_cast<double>(size)));
    }
    return out + "</svg>\n";
}

}  // namespace

int main(int count, char** values) {
    int largest = k::current_device().is_cuda() ? 9 : 7;
    std::string json_file;
    std::string svg_file;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = values[i];
        const bool has_next = i + 1 < count;
        if (word == "--first" && has_next) {
            fmt::print("{}\n", first_us(std::atoi(values[i + 1])));
            return 0;
        }
        if (word == "--json" && has_next) json_file = values[++i];
        else if (word == "--svg" && has_next) svg_file = values[++i];
        else largest = std::clamp(std::atoi(values[i]), 3, 9);
    }
    std::string folder = (std::filesystem::temp_directory_path() / "kiln-break-even-XXXXXX").string();
    if (!::mkdtemp(folder.data())) return std::perror(folder.c_str()), 1;
    ::setenv("KILN_CACHE_DIR", folder.c_str(), 1);

    std::vector<row> rows;
    std::vector<std::pair<double, double>> firsts;
    for (int additions = 1; additions <= 32; additions *= 2) {
        const double cold = first_us_of_new_process(values[0], additions);
        firsts.emplace_back(cold, first_us_of_new_process(values[0], additions));
    }
    for (int power = 3; power <= largest; ++power) {
        const k::array<float> x = k::ones<float>({static_cast<std::int64_t>(std::pow(10, power))});
        for (std::size_t i = 0; i < firsts.size(); ++i)
            rows.push_back(measure(x, 1 << i, firsts[i].first, firsts[i].second));
    }
    std::filesystem::remove_all(folder);
    fmt::print("{}\n", k::current_device().describe().name);
    print(rows);
    if (!json_file.empty()) write(json_file, json(rows));
    if (!svg_file.empty()) write(svg_file, svg(rows));
    return 0;
}
