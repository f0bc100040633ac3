// kiln/scans: cumulative sums and products. What is summed up is computed by a kernel of its own, unless it is an array
// already; then plan/scan.hpp's steps make the result of it, on the device.
#pragma once

#include <capture/reduction_walk.hpp>

#include <kiln/cost.hpp>
#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

/// `of`: a group of one scan. An array without memory where nothing is launched.
handle<array_node> evaluate_scan(const reduction_group& of, const char* label, purpose why);
explanation explain_scan(const reduction_group& of);

}  // namespace kiln::inline v0_1::detail
