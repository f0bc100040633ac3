// kiln/api/profile/columns: cells of a profile's tables, and the tables. A label may be any bytes of any length; a terminal gets
// what cannot harm it, and lines that can be read.
#pragma once

#include <kiln/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline v0_1::detail {

inline constexpr std::size_t widest_label = 60;
inline constexpr std::size_t widest_text = 100;

/// Printable, and of at most so many characters: of a longer one the beginning and the end.
std::string shown(std::string_view text, std::size_t most_characters);

// Of nothing they are empty.
std::string time_cell(std::int64_t ns);
std::string bytes_cell(std::int64_t bytes);
std::string percent_cell(std::int64_t part, std::int64_t whole);

/// What an event is to its reader: its label and where it was asked for, as far as they are known.
std::string place_cell(const profile_event& of);

/// Columns as wide as they need be; the last as it is.
std::string laid_out(const std::vector<std::vector<std::string>>& rows);

}  // namespace kiln::inline v0_1::detail
