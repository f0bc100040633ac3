// kiln/plan/free_rows: rows of which any order gives the same bits (positions, truths, extremes of integers). They need not be divided among
// threads as plan/reduction.hpp says: each thread takes vectors as wide as memory has them, wherever rows begin, and of many rows so
// much of one that what its threads make of their accumulators is little beside.
// in: a planned kernel that reduces rows   out: its threads   knows nothing of: sizes, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

/// `alignment`: of all arrays' first elements, in bytes.
bool choose_free_rows(kernel& into, const lower::program& program, const iteration_class& call, int alignment,
                      const target& on);

}  // namespace kiln::plan
