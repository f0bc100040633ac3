// kiln/emit/partial_sums: what a CUDA kernel begins with that reads a sum which an earlier one has left as partial sums
// (plan/partial_sums.hpp): each block finalizes it, and goes on as if there had been a number.
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

/// Of the kernel's inputs that are partial, by type: the function that finalizes them. Empty where there are none.
std::string partial_sum_functions(const plan::kernel& of);

/// The name of the parameter whose partial sums become the operand.
std::string partial_sums_name(const std::string& operand);

/// The kernel's first lines: each sum, under the name that the operand has.
std::string partial_sum_lines(const value_names& names, const plan::kernel& of);

}  // namespace kiln::emit
