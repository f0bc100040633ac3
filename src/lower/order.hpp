// kiln/lower/order: in which order a program's steps stand.
#pragma once

#include <lower/program.hpp>

namespace kiln::lower {

/// Values come shortly before they are used, those that take the longest way first: few are underway at a time, in registers or,
/// where a program is cut into kernels, in memory. Of 250 choices in a row all 250 conditions stood before the first of them.
/// O(n).
void put_values_near_their_uses(program& of);

}  // namespace kiln::lower
