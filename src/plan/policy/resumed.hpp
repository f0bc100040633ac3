// kiln/plan/policy/resumed: a step of a reduction whose elements come in chunks (plan/resumed.hpp), as a nest.
// in: a step   out: a nest
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/resumed.hpp>

#include <string>

namespace kiln::plan {

/// "kiln_sum_f32_row256_taken": whatever a step's extents are.
std::string resumed_name(const resumed_step& of);

/// "sum of float32, of a chunk"
std::string resumed_text(const resumed_step& of);

nest::tree resumed_nest(const resumed_step& of);

}  // namespace kiln::plan
