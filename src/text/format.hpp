// kiln/text/format: text by fmt, whose code is compiled once. Header-only fmt takes each file that calls it 4 s (g++ 12,
// -O2).
// knows nothing of: the rooms
#pragma once

#include <fmt/format.h>

#include <string>

namespace kiln::text {

std::string format_arguments(fmt::string_view pattern, fmt::format_args values);

/// As fmt::format.
template <class... Values>
std::string format(fmt::format_string<Values...> pattern, Values&&... values) {
    return format_arguments(pattern, fmt::make_format_args(values...));
}

}  // namespace kiln::text
