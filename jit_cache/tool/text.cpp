// kiln-cache/text: escaping, sizes, times and columns.
// in: numbers and bytes   out: text that is safe on a terminal   knows nothing of: entries, folders
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace kiln_cache {

namespace {

struct code_point {
    char32_t value = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

// Strict: no overlong forms, no surrogates, nothing beyond U+10FFFF (Unicode 15, table 3-7).
code_point first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {.value = lead, .bytes = 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
    char32_t value = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return {};
        value = (value << 6) | (byte(i) & 0x3fU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return {};
    return {.value = value, .bytes = length};
}

bool is_harmless(char32_t value, lines kept) {
    if (value == '\n' || value == '\t') return kept == lines::many;
    if (value < 0x20 || (value >= 0x7f && value < 0xa0)) return false;  // C0, DEL, C1
    if (value == 0x2028 || value == 0x2029) return false;               // line and paragraph separators
    if (value == 0x200e || value == 0x200f || value == 0x61c) return false;
    return !(value >= 0x202a && value <= 0x202e) && !(value >= 0x2066 && value <= 0x2069);  // direction overrides
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string plural(std::int64_t count, std::string_view unit) {
    return fmt::format("{} {}{} ago", count, unit, count == 1 ? "" : "s");
}

}  // namespace

std::string escaped(std::string_view bytes, lines kept) {
    std::string text;
    while (!bytes.empty()) {
        const code_point next = first_code_point(bytes);
        const std::size_t taken = std::max<std::size_t>(next.bytes, 1);
        if (next.bytes > 0 && is_harmless(next.value, kept)) {
            text.append(bytes.substr(0, taken));
        } else {
            for (const char c : bytes.substr(0, taken)) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
        bytes.remove_prefix(taken);
    }
    return text;
}

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
