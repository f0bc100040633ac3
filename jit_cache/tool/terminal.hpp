// kiln-cache/terminal: how wide lines may be, and text cut to that.
// in: stdout, UTF-8   out: columns, shorter text   knows nothing of: what the text says
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln_cache {

/// COLUMNS where it is set; else the terminal's width, or 200 where stdout is none. Asked once.
[[nodiscard]] std::size_t terminal_columns();

/// Columns that printable UTF-8 takes on a terminal: two for wide East Asian characters and emoji, none for combining
/// marks. An approximation of Unicode's East Asian Width without its tables.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// The text, or its beginning with an ellipsis, in at most so many columns.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);

/// printable(), cut: as fast for a text of 1 MB as for a short one.
[[nodiscard]] std::string cut_printable(std::string_view raw, std::size_t columns);

}  // namespace kiln_cache
