// kiln/plan/interleaved: rows of few elements side by side in memory, as the colours of pixels or the coordinates of points, that
// are reduced. A thread takes several rows, whose elements are whole vectors together.
// in: a planned kernel that reduces rows   out: rows of a thread   knows nothing of: sizes, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// By its sizes alone.
bool may_be_interleaved(const reduction_sizes& of);

/// Makes a kernel that reduces rows, or keeps them, one of interleaved rows, where it is: to the bit as before. `alignment`: of what is contiguous.
bool choose_interleaved(kernel& into, const lower::program& program, const iteration_class& call, int alignment);

}  // namespace kiln::plan
