// kiln/plan/planes: results of several rows that are made of the same operands, as the planes of a picture of another's colours are, or
// components of a field, stacked. What is read for one is read for all: a thread makes an element of each.
// in: a call whose axes are merged   out: how many planes   knows nothing of: programs
#pragma once

#include <plan/call_values.hpp>

namespace kiln::plan {

inline constexpr int most_planes = 7;

/// How many there are: the extent of the axis beside the innermost, up to most_planes, where a position says which one an element is in
/// and no array that is read along the rows changes from one to the next. 0 elsewhere.
int planes_of(const call_values& call);

}  // namespace kiln::plan
