// kiln/run/scan: a stage of partial results along an axis: the steps of plan/scan.hpp, on the device.
// in: an array   out: another one   knows nothing of: expressions
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>
#include <plan/scan.hpp>
#include <run/call_back.hpp>
#include <stage/stages.hpp>

namespace kiln::inline v0_1::detail {

/// `operand`: the stage's leaf. `combines`: on the host, of a user's reduction, the kernel whose code combines elements. What stands for the result where nothing is to be launched. Throws what evaluating throws.
handle<array_node> run_scan(const stage::stage& of, const leaf& operand, evaluate_function evaluate, const char* label,
                            purpose why, const std::shared_ptr<const backend::loaded_kernel>& combines = {});

plan::scan_plan plan_of(const stage::stage& of, const backend::device& on);
std::int64_t bytes_read(const plan::scan_step& step);
std::int64_t bytes_written(const plan::scan_step& step);

}  // namespace kiln::inline v0_1::detail
