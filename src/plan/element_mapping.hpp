// kiln/plan/element_mapping: which elements the threads of a kernel of elements take, and how wide their accesses are; on the host,
// where rows or squares pay.
// in: a kernel, its call's class   out: the kernel's mapping   knows nothing of: nests, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

void map_elements(kernel& into, const lower::program& program, const call_class& call, const iteration_class& iteration,
                  const target& on);

}  // namespace kiln::plan
