// kiln/plan/policy/policies: the policy for each kind of kernel: who builds its nest.
// in: a planned kernel   out: its nest
#pragma once

#include <plan/loops.hpp>
#include <plan/nest/nest.hpp>

namespace kiln::plan {

/// For CUDA.
nest::tree nest_of(const lower::program& program, const kernel& of);

/// For the host. `calls_library`: its bodies call functions that no vector unit has.
nest::tree host_nest_of(const lower::program& program, const kernel& of, bool calls_library);
/// Whether that nest computes several lines of elements at once, so that the chains of their steps are woven into one another: which its
/// compiler does where it is told to schedule before it has registers.
bool weaves_chains(const lower::program& program, const kernel& of, bool calls_library);
/// The widest where that nest's steps are so many for what it reads that they pay: they are as many elements more on their way, where memory
/// is not what is waited for.
loop_vectors vectors_of(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
