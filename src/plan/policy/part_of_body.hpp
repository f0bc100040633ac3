// kiln/plan/policy/part_of_body: a part of what a kernel computes of its elements, as a body of its own.
// in: a planned kernel, values that are wanted   out: the steps to them, and what they start with   knows nothing of: loops
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/schedule.hpp>

#include <string>
#include <vector>

namespace kiln::plan {

/// `given`: values that are known already, whatever they are made of. `wanted` that are leaves, or given, are no outputs.
nest::body part_of_body(const lower::program& program, const kernel& of, std::string name,
                        const std::vector<lower::value_id>& wanted, const std::vector<lower::value_id>& given = {});

}  // namespace kiln::plan
