// kiln/plan/repeated_conditions: conditions that several kernels of one expression need, and each can work out for itself. A kernel that
// leaves one for the next in memory, a byte an element beside its floating numbers, takes g++ ten times as long to compile: 40 choices
// of doubles 6.3 s, in place of 0.5.
// in: a program, and where it is cut   out: the same, longer   knows nothing of: operands' places, text
#pragma once

#include <lower/program.hpp>

#include <vector>

namespace kiln::plan {

/// `ends`: of each kernel, past its last step.
void repeat_conditions(lower::program& of, std::vector<int>& ends);

}  // namespace kiln::plan
