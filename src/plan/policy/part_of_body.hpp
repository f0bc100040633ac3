// kiln/plan/policy/part_of_body: a part of what a kernel computes of its elements, as a body of its own.
// in: a planned kernel, values that are wanted   out: the steps to them, and what they start with   knows nothing of: loops
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/schedule.hpp>

#include <string>
#include <vector>

namespace kiln::plan {

/// `given`: a value that is known already, whatever it is made of; -1: none. `wanted` that are leaves, or given, are no outputs.
nest::body part_of_body(const lower::program& program, const kernel& of, std::string name,
                        const std::vector<lower::value_id>& wanted, lower::value_id given = -1);

}  // namespace kiln::plan
