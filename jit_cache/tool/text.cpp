// kiln-cache/text: sizes, times and columns.
// in: numbers   out: text for people   knows nothing of: entries, folders
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace kiln_cache {

namespace {

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string plural(std::int64_t count, std::string_view unit) {
    return fmt::format("{} {}{} ago", count, unit, count == 1 ? "" : "s");
}

}  // namespace

std::string human_size(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes) / 1024;
    for (const std::string_view unit : {"KiB", "MiB", "GiB"}) {
        if (value < 1023.95) return fmt::format("{:.1f} {}", value, unit);
        value /= 1024;
    }
    return fmt::format("{:.1f} TiB", value);
}

std::string human_age(std::int64_t unix_s, std::int64_t now_unix_s) {
    const std::int64_t age_s = now_unix_s - unix_s;
    if (age_s < -60) return "in the future";
    if (age_s < 5) return "now";
    if (age_s < 60) return fmt::format("{} s ago", age_s);
    if (age_s < 3'600) return fmt::format("{} min ago", age_s / 60);
    if (age_s < 86'400) return fmt::format("{} h ago", age_s / 3'600);
    if (age_s < 60 * 86'400) return plural(age_s / 86'400, "day");
    if (age_s < 730 * std::int64_t{86'400}) return plural(age_s / (30 * 86'400), "month");
    return plural(age_s / (365 * 86'400), "year");
}

std::string iso_time(std::int64_t unix_s) {
    const auto time = static_cast<std::time_t>(unix_s);
    std::tm parts{};
    if (::gmtime_r(&time, &parts) == nullptr) return "-";
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void table::column(std::string title, align side) {
    sides_.push_back(side);
    rows_.front().push_back(std::move(title));
}

void table::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string table::text() const {
    std::vector<std::size_t> widths(sides_.size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width_of(row[i]), ' ');
            if (i > 0) line += "  ";
            line += sides_[i] == align::right ? padding + row[i] : row[i] + padding;
        }
        line.resize(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace kiln_cache
