// kiln/emit/frames: what stands around the body on each device: how elements are found, loaded and stored.
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

std::string cuda_frame(const lower::program& program, const plan::kernel& kernel, const body& inside,
                       const std::string& name);
std::string host_frame(const lower::program& program, const plan::kernel& kernel, const body& inside,
                       const std::string& name);

/// The first lines of every kernel: what it computes.
std::string heading(const lower::program& program, const plan::kernel& kernel);

/// Numbers the strided operands, outputs first, as layout.hpp does; -1 for a contiguous one.
struct strided_numbers {
    explicit strided_numbers(const plan::kernel& kernel);
    std::vector<int> outputs;
    std::vector<int> inputs;
    int count = 0;
};

}  // namespace kiln::emit
