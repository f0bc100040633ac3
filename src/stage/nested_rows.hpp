// kiln/stage/nested_rows: a graph of what reductions of short rows come to (the distances of points from centres), as one whose
// iteration has the rows as its last axis, so that the kernel that reads it makes each row where it needs it.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

namespace kiln::inline v0_1::detail {

/// `root`, of shape `outer`, with a last axis more: its reductions, which go over the last axis of what they are made of, keep
/// it; what is beside them is the same all along it. None where something else than operations, arrays and numbers is beside.
handle<term> with_row_axis(const handle<term>& root, const shape& outer);

}  // namespace kiln::inline v0_1::detail
