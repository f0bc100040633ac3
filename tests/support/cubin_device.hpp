// tests/support/cubin_device: a device that plans, emits and compiles as for a GPU (sm_90) and computes with the CPU's
// interpreter. The whole suite then meets CUDA's plans, sources and NVRTC where no GPU is.
// knows nothing of: the driver
#pragma once

#include <string>

namespace tests {

/// Whether KILN_TEST_CUBINS asks for it.
[[nodiscard]] bool cubins_wanted();

/// Makes it the device that threads begin with, before any other is chosen. Returns why that cannot be; empty when it
/// is done.
std::string install_cubin_device();

/// While one lives, the cubin device (if it is installed) plans and compiles all that a GPU would, kernels that only a GPU
/// can run among them; k::prepare alone is then allowed.
class compiling_only {
public:
    compiling_only();
    ~compiling_only();
    compiling_only(const compiling_only&) = delete;
    compiling_only& operator=(const compiling_only&) = delete;
};

/// "12 distinct CUDA sources compiled by NVRTC, 40 cubins loaded".
[[nodiscard]] std::string cubin_report();

}  // namespace tests
