// kiln/run/sort: a stage of rows in order: the steps of plan/sort.hpp, on the device.
// in: an array   out: its elements in order, where they were, or both   knows nothing of: expressions
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>
#include <plan/sort.hpp>
#include <run/call_back.hpp>
#include <stage/stages.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// `operand`: the stage's leaf. Of each result of the stage, what stands for it where nothing is to be launched. Throws what
/// evaluating throws.
std::vector<handle<array_node>> run_sort(const stage::stage& of, const leaf& operand, evaluate_function evaluate,
                                         const char* label, purpose why);

plan::sort_plan sort_plan_of(const stage::stage& of, const backend::device& on);

}  // namespace kiln::inline v0_1::detail
