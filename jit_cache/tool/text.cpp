// kiln-cache/text: sizes, times and counts; and figures out of text.
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

namespace kiln_cache {

namespace {

// Sums of figures up to this stay exact enough, and no compile took 30 years.
constexpr double largest_figure = 1e12;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Number>
std::optional<Number> parsed(std::optional<std::string_view> text) {
    if (!text) return std::nullopt;
    Number value{};
    const auto result = std::from_chars(text->data(), text->data() + text->size(), value);
    if (result.ec != std::errc{} || result.ptr != text->data() + text->size()) return std::nullopt;
    return value;
}

/// "31.2": as "{:.1f}" of fmt, which takes ten times as long.
std::string with_tenths(double value) {
    std::array<char, 32> text;
    const std::to_chars_result end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
    return std::string(text.data(), end.ptr);
}

}  // namespace

std::string human_size(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes) / 1024;
    for (const std::string_view unit : {"KiB", "MiB", "GiB"}) {
        if (value < 1023.95) return with_tenths(value).append(" ").append(unit);
        value /= 1024;
    }
    return with_tenths(value) + " TiB";
}

std::string human_age(std::int64_t unix_s, std::int64_t now_unix_s) {
    // Unsigned: the distance between two absurd times does not fit a signed number.
    const auto seconds_between = [](std::int64_t early, std::int64_t late) {
        return late <= early ? 0 : static_cast<std::uint64_t>(late) - static_cast<std::uint64_t>(early);
    };
    if (seconds_between(now_unix_s, unix_s) > 60) return "in the future";
    const std::uint64_t age_s = seconds_between(unix_s, now_unix_s);
    if (age_s < 5) return "now";
    if (age_s < 60) return fmt::format("{} s ago", age_s);
    if (age_s < 3'600) return fmt::format("{} min ago", age_s / 60);
    if (age_s < 86'400) return fmt::format("{} h ago", age_s / 3'600);
    if (age_s < 60 * 86'400) return counted(age_s / 86'400, "day", "days") + " ago";
    if (age_s < 730 * 86'400) return counted(age_s / (30 * 86'400), "month", "months") + " ago";
    return counted(age_s / (365 * 86'400), "year", "years") + " ago";
}

std::string human_duration(double ms) {
    if (ms < 10'000) return with_tenths(ms) + " ms";
    if (ms < 600'000) return with_tenths(ms / 1'000) + " s";
    if (ms < 36'000'000) return with_tenths(ms / 60'000) + " min";
    return with_tenths(ms / 3'600'000) + " h";
}

std::string iso_time(std::int64_t unix_s) {
    constexpr std::int64_t begin_of_year_0 = -62'167'219'200;
    constexpr std::int64_t end_of_year_9999 = 253'402'300'799;
    if (unix_s < begin_of_year_0 || unix_s > end_of_year_9999) return "-";
    const auto time = static_cast<std::time_t>(unix_s);
    std::tm parts{};
    if (::gmtime_r(&time, &parts) == nullptr) return "-";
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::optional<double> figure(std::optional<std::string_view> text) {
    const std::optional<double> value = parsed<double>(text);
    return value && *value >= 0 && *value <= largest_figure ? value : std::nullopt;
}

std::optional<std::int64_t> integer(std::optional<std::string_view> text) { return parsed<std::int64_t>(text); }

bool holds_ignoring_case(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end() ||
           part.empty();
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

}  // namespace kiln_cache
