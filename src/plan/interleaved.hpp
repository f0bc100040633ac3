// kiln/plan/interleaved: rows of few elements side by side in memory, as the colours of pixels or the coordinates of points, that
// are reduced, or computed with what each row has one of. A thread takes several rows, whose elements are whole vectors together.
// in: a planned kernel of rows   out: rows of a thread   knows nothing of: sizes, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// By its sizes alone.
bool may_be_interleaved(const reduction_sizes& of);

/// Makes a kernel that reduces rows, or keeps them, one of interleaved rows, where it is: to the bit as before. `alignment`: of what is contiguous.
bool choose_interleaved(kernel& into, const lower::program& program, const iteration_class& call, int alignment);

/// Of elements, by the rows' extent alone: no vector divides them.
bool may_be_interleaved(int rank, std::int64_t inner);

/// The same of a kernel that reduces nothing.
bool choose_interleaved_elements(kernel& into, const lower::program& program, const iteration_class& call,
                                 int alignment);

}  // namespace kiln::plan
