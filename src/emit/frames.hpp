// kiln/emit/frames: what stands around the body on each device: how elements are found, loaded and stored.
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

std::string cuda_frame(const lower::program& program, const plan::kernel& kernel, const body& inside,
                       const std::string& name);
std::string host_frame(const lower::program& program, const plan::kernel& kernel, const body& inside,
                       const std::string& name);

/// A CUDA kernel and what it begins with: it may start while the kernel before it ends, and waits for it here.
std::string kernel_text(const std::string& name, int threads, const std::string& parameters, const std::string& lines);

/// The first lines of every kernel: what it computes.
std::string heading(const lower::program& program, const plan::kernel& kernel);

}  // namespace kiln::emit
