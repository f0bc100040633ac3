// kiln/api/number_text: how NumPy writes the elements of one array: all with as many digits as the longest of them needs, and
// all as wide. The rules are FloatingFormat's and its siblings' in numpy/core/arrayprint.py (NumPy 2).
// in: elements   out: a word for each   knows nothing of: arrays, lines
#pragma once

#include <kiln/element_type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

/// The element alone, as str() of a NumPy scalar: "0.1", "True", "(1+2j)".
std::string scalar_text(element_type type, const std::byte* element);

/// One word for each, of one width, with up to `precision` digits behind the point.
std::vector<std::string> aligned_words(element_type type, const std::byte* elements, std::int64_t count, int precision);

}  // namespace kiln::inline v0_1::detail
