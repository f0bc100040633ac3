// kiln/plan/compile_weight: how long a body takes NVRTC, as planning sees it, and what follows from that.
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

#include <vector>

namespace kiln::plan {

/// Of one step: additions of float32 that take NVRTC about as long. Functions of the library count as one.
int compile_weight(const lower::step& of);

/// Whether it is a function of the library, whose text is long in itself (function_costs.def).
bool is_function(operation of);

/// Of a kernel's body written once, with functions of the library for what they are.
int weight_once(const lower::program& program, const kernel& of);
/// The same of these of its steps.
int weight_once(const lower::program& program, const kernel& of, const std::vector<int>& steps);

/// Whether the body stands in a vectorised kernel once, in a loop over the elements of a vector, and not once for each of
/// them: where quotients, complex products and their like would make more than they gain.
bool rolls_lanes(const lower::program& program, const kernel& kernel);

}  // namespace kiln::plan
