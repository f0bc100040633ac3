// kiln/plan/shared_rows: which reductions are of what every value has an element of its own for, and all values share a row: the forces
// of all bodies on each, a density's kernels around each point. A thread then takes what it reads of the row for several values.
// in: a planned kernel that reduces rows   out: values of a thread   knows nothing of: sizes, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// By its sizes alone.
bool may_share_rows(const reduction_sizes& of);

/// Values of each lane, where it may have its own: rows are longer than first caches hold for all values one after the other, and values
/// are as many as blocks of them need. 0: it may not.
int values_of_lane(const reduction_sizes& of);

/// Neighbouring values for each thread, where that leaves enough blocks: to the bit as one by one.
void choose_shared_rows(kernel& into, const iteration_class& call);

}  // namespace kiln::plan
