// tests/support/cubin_device: a device that plans, emits and compiles as for a GPU (sm_90) and computes with the CPU's
// interpreter. The whole suite then meets CUDA's plans, sources and NVRTC where no GPU is.
// knows nothing of: the driver
#pragma once

#include <string>

namespace tests {

/// Whether KILN_TEST_CUBINS asks for it: 1, each kernel compiled before it is launched; together, many in one program; hurried,
/// that by an NVRTC that optimises less. (It is told so as an option: 13.0.88 reads NVRTC_APPEND_FLAGS, and does nothing of it.)
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

/// With KILN_TEST_CUBINS=together: compiles what no batch has yet been made of (cubin_batches.hpp). What is wrong with which kernels, and in which test cases they were first met;
/// empty when nothing is.
[[nodiscard]] std::string finish_cubins();

/// "12 distinct CUDA sources compiled by NVRTC, 40 cubins loaded".
[[nodiscard]] std::string cubin_report();

}  // namespace tests
