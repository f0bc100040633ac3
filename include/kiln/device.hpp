// kiln/device: which device runs, and the calling thread's stream on it.
#pragma once

#include <kiln/export.hpp>

#include <string>

namespace kiln::inline v0_1 {

struct device_info {
    std::string name;    // "NVIDIA H200"; for the CPU its model name
    std::string target;  // "sm_90"; "x86-64"
    bool is_cuda = false;
    bool compiles = true;  // false: the interpreter runs the programs
    int unit_count = 0;    // multiprocessors; threads on a CPU
};

/// The device of this process: CUDA where a driver and a GPU are there, else the CPU. KILN_DEVICE=cpu|cuda|cuda:1
/// overrides. Chosen at the first use. Throws device_error when what was asked for is not there.
KILN_API device_info current_device();

/// Waits for everything the calling thread's stream holds; throws device_error for what went wrong there.
KILN_API void synchronize();

/// Makes a cudaStream_t (as void*) the calling thread's stream; nullptr gives the default stream back. The stream must
/// live until another has taken its place. Work on one array from several streams is put in order by kiln. Does nothing
/// on the CPU.
KILN_API void use_stream(void* stream);

}  // namespace kiln::inline v0_1
