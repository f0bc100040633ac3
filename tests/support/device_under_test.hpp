// tests/support/device_under_test: what tests may expect of the device that they run on.
#pragma once

#include <support/oracle.hpp>

namespace tests {

struct device_under_test {
    bool is_cuda = false;          // a GPU computes
    bool compiles = false;         // kernels have source text and are compiled
    bool plans_cuda = false;       // plans and sources are CUDA's, wherever they are computed
    bool persistent_rows = false;  // kernels hold rows on chip between reductions and what is made of them
};

[[nodiscard]] device_under_test device();

/// The largest error of a library function on this device, in units in the last place.
/// From library_bounds.def.
[[nodiscard]] double library_bound_ulps(oracle::op code, oracle::type of);

/// Evaluates library functions on the device and checks them against long double; what oracle::evaluate() takes, so
/// that everything after them can be compared to the bit.
[[nodiscard]] oracle::library measured_library();

}  // namespace tests
