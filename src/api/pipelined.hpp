// kiln/api/pipelined: what copies and kernels of chunks are to take beside each other, by a device's rates.
#pragma once

#include <kiln/cost.hpp>
#include <kiln/rates.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

double copy_ns(const std::vector<rate_point>& rates, double bytes);

/// Of copies and kernels in so many chunks, what is done beside other chunks': all but one chunk's of what takes the longest, and of the
/// rest one chunk's.
double hidden_ns(double chunks, double in_ns, double kernels_ns, double out_ns);

/// Of an expression that comes in chunks, its times. Nothing where the device copies nothing, or its rates are not known (nullptr).
void predict_pipeline(explanation& of, const device_rates* rates);

}  // namespace kiln::inline v0_1::detail
