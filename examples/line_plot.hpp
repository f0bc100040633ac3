// Lines in a frame whose two axes are logarithmic, as SVG: enough for a study to show what it measured.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

struct log_axis {
    std::string label;
    std::vector<std::pair<double, std::string>> ticks;  // the least and the greatest are the axis' ends

    [[nodiscard]] double share(double value) const {
        const double low = std::log(ticks.front().first);
        return (std::log(std::clamp(value, ticks.front().first, ticks.back().first)) - low) /
               (std::log(ticks.back().first) - low);
    }
};

struct line {
    std::string name;
    std::vector<std::pair<double, double>> points;
};

/// A <g> of 480 x 360, to be put beside others. Lines are named where they end, on the right.
inline std::string line_plot(const std::string& title, const log_axis& across, const log_axis& up,
                             const std::vector<line>& lines) {
    constexpr double left = 64;
    constexpr double right = 392;
    constexpr double top = 40;
    constexpr double bottom = 304;
    const auto x_of = [&](double value) { return left + across.share(value) * (right - left); };
    const auto y_of = [&](double value) { return bottom - up.share(value) * (bottom - top); };
    std::string out =
        fmt::format("<text x=\"{}\" y=\"24\" font-weight=\"bold\">{}</text>\n", left, title) +
        fmt::format("<text x=\"{}\" y=\"346\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, across.label) +
        fmt::format("<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">{1}</text>\n",
                    (top + bottom) / 2, up.label);
    for (const auto& [value, text] : across.ticks)
        out += fmt::format(
            "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
            "text-anchor=\"middle\">{4}</text>\n",
            x_of(value), top, bottom, bottom + 18, text);
    for (const auto& [value, text] : up.ticks)
        out += fmt::format(
            "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
            "text-anchor=\"end\">{5}</text>\n",
            left, y_of(value), right, left - 8, y_of(value) + 4, text);

    // Names keep a line's height between each other, from the topmost down.
    std::vector<const line*> from_above;
    for (const line& each : lines)
        if (!each.points.empty()) from_above.push_back(&each);
    std::stable_sort(from_above.begin(), from_above.end(),
                     [](const line* a, const line* b) { return a->points.back().second > b->points.back().second; });
    double name_y = 0;
    for (const line* const each : from_above) {
        const auto number = each - lines.data();
        const std::string color = fmt::format("hsl({},65%,38%)", number * 360 / static_cast<long>(lines.size()));
        std::string path;
        for (const auto& [x, y] : each->points)
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(x), y_of(y));
        name_y = std::max(name_y + 14, y_of(each->points.back().second) + 4);
        out += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{:.1f}\" "
            "fill=\"{}\">{}</text>\n",
            path, color, right + 6, name_y, color, each->name);
    }
    return out;
}

/// Plots side by side, on white.
inline std::string svg_of(const std::vector<std::string>& plots, const std::string& caption) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} 384\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"384\" fill=\"white\"/>\n",
        480 * plots.size());
    for (std::size_t i = 0; i < plots.size(); ++i)
        out += fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n", 480 * i, plots[i]);
    return out + fmt::format("<text x=\"64\" y=\"374\" fill=\"#666\">{}</text>\n</svg>\n", caption);
}
