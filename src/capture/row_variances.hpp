// kiln/capture/row_variances: variances of rows and columns short enough to stay on chip, as the mean and then the mean of the squares of what
// is left: the second pass is over what is there already, in float, which takes less than one pass in double. A rule of shape
// and axes alone, so that no bit depends on what is fused.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Whether a variance of such a shape over these axes is of such rows or columns.
bool has_short_rows(const shape& of, std::uint8_t axes);

/// The same graphs, with two reductions in place of each such variance.
std::vector<handle<term>> with_row_variances(const std::vector<handle<term>>& roots);

}  // namespace kiln::inline v0_1::detail
