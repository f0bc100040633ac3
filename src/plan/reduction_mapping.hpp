// kiln/plan/reduction_mapping: which elements the threads of a kernel take that reduces on CUDA, or keeps rows: the shapes of loops
// that are tried, in order.
// in: a kernel, its call's class   out: the kernel's mapping   knows nothing of: nests, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

void map_reduction(kernel& into, const lower::program& program, const call_class& call,
                   const iteration_class& iteration, const target& on);

}  // namespace kiln::plan
