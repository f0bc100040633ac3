// kiln/capture/segments: rows whose values have one number by segments: how many values of one a thread takes, and which rows are put
// in the order of their segments.
// in: rows, segments   out: whether that pays on a GPU   knows nothing of: kernels
#pragma once

#include <kiln/element_type.hpp>

#include <cstdint>

namespace kiln::inline v0_1::detail {

inline constexpr std::int64_t longest_row_of_values = 8;

/// Of rows that are rows of segments (are_rows_of_segments).
bool are_put_in_order(std::int64_t rows, std::int64_t inside, std::int64_t count, element_type values);

}  // namespace kiln::inline v0_1::detail
