// kiln-cache/text: how sizes and times look, and columns.
// in: numbers, cells   out: text for people   knows nothing of: entries, folders
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln_cache {

/// "512 B", "1.5 KiB", "3.2 MiB".
[[nodiscard]] std::string human_size(std::uint64_t bytes);

/// "now", "3 min ago", "5 days ago", "in the future".
[[nodiscard]] std::string human_age(std::int64_t unix_s, std::int64_t now_unix_s);

/// "2026-01-31T09:05:00Z".
[[nodiscard]] std::string iso_time(std::int64_t unix_s);

enum class align : std::uint8_t { left, right };

/// Columns as wide as their widest cell, two spaces between, nothing behind the last.
class table {
public:
    void column(std::string title, align side = align::left);
    void row(std::vector<std::string> cells);
    [[nodiscard]] std::string text() const;

private:
    std::vector<align> sides_;
    std::vector<std::vector<std::string>> rows_{1};  // the titles first
};

}  // namespace kiln_cache
