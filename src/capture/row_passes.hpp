// kiln/capture/row_passes: reductions with a state of rows and columns short enough to stay on chip, as reductions one after the
// other: the second pass is over what is there already. A variance is the mean and then the mean of the squares of what is left, in
// float, which takes less than one pass in double; a logsumexp the largest and then a sum. A rule of shape and axes alone, so that no
// bit depends on what is fused.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Whether a reduction of such a shape over these axes is of such rows or columns.
bool is_read_twice(reduction_kind what, const shape& of, std::uint8_t axes);

/// The same graphs, with two reductions in place of each such one that has a state.
std::vector<handle<term>> with_row_passes(const std::vector<handle<term>>& roots);

}  // namespace kiln::inline v0_1::detail
