// tests/support/far_device: a device whose kernels do not reach the host's memory, computed by the CPU: what is streamed to a GPU is to it.
#pragma once

#include <kiln/device.hpp>

#include <cstdint>

namespace tests {

/// Added to the process's devices when it is first asked for; its kernels are interpreted.
[[nodiscard]] kiln::device far_device();

/// The most bytes that arrays held there at once since the last call.
[[nodiscard]] std::int64_t most_bytes_on_far_device();
/// Copied there, and back, since the last call of each.
[[nodiscard]] std::int64_t bytes_to_far_device();
[[nodiscard]] std::int64_t bytes_from_far_device();
/// Kernels that were made for it, since the process began.
[[nodiscard]] std::int64_t kernels_of_far_device();

}  // namespace tests
