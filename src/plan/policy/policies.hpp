// kiln/plan/policy/policies: the policy for each kind of kernel: who builds its nest.
// in: a planned kernel for CUDA   out: its nest
#pragma once

#include <plan/nest/nest.hpp>

namespace kiln::plan {

nest::tree nest_of(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
