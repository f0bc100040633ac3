// kiln/emit/frames: what stands around the body on the host: how elements are found, loaded and stored.
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

std::string host_frame(const lower::program& program, const plan::kernel& kernel, const std::string& name);

/// The first lines of every kernel: what it computes.
std::string heading(const lower::program& program, const plan::kernel& kernel);

}  // namespace kiln::emit
