// kiln/lower/signs: which values of a program are never -0, by the steps that make them. Of those, equal floats have equal bits.
// in: a program   out: an answer   knows nothing of: ranges, what is made of it
#pragma once

#include <lower/program.hpp>

namespace kiln::lower {

/// Squares, magnitudes, exponentials, what was an integer, and sums of those, of real floats; of others it is not known. O(depth), which is bounded.
bool is_never_negative_zero(const program& of, value_id value);

}  // namespace kiln::lower
