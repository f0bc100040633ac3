// kiln-cache/text: how sizes, times and counts look.
// in: numbers   out: text for people   knows nothing of: entries, folders
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln_cache {

/// "512 B", "1.5 KiB", "3.2 MiB".
[[nodiscard]] std::string human_size(std::uint64_t bytes);

/// "now", "3 min ago", "5 days ago", "in the future".
[[nodiscard]] std::string human_age(std::int64_t unix_s, std::int64_t now_unix_s);

/// "31.2 ms", "12.3 s", "2.5 h".
[[nodiscard]] std::string human_duration(double ms);

/// "2026-01-31T09:05:00Z"; "-" for what no calendar of four digits a year has.
[[nodiscard]] std::string iso_time(std::int64_t unix_s);

/// "1 entry", "2 entries".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// All of the text as a number; nothing else will do. Facts are what somebody wrote: NaN, infinities and negative figures
/// are no figures.
[[nodiscard]] std::optional<double> figure(std::optional<std::string_view> text);
[[nodiscard]] std::optional<std::int64_t> integer(std::optional<std::string_view> text);

/// Whether one holds the other, in whatever case ASCII letters are.
[[nodiscard]] bool holds_ignoring_case(std::string_view text, std::string_view part);

[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace kiln_cache
