// kiln/run/segments: a stage of what elements come to by segments: the steps of plan/segments.hpp, on the device.
// in: arrays   out: another one   knows nothing of: expressions
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>
#include <plan/segments.hpp>
#include <run/call_back.hpp>
#include <stage/stages.hpp>

#include <kiln/options.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// `leaves`: the stage's. What stands for the result where nothing is to be launched. Throws what evaluating throws.
handle<array_node> run_segments(const stage::stage& of, const std::vector<leaf>& leaves, evaluate_function evaluate,
                                const char* label, purpose why);

plan::segment_plan segment_plan_of(const stage::stage& of, const backend::device& on);

/// Nothing of a step's arithmetic may be contracted or approximate: its integers decide.
options exact_options();

}  // namespace kiln::inline v0_1::detail
