// tests/support/far_device: a device whose kernels do not reach the host's memory, computed by the CPU: what is streamed to a GPU is to it.
// Its kernels run when somebody waits for them, and copies beside them when they must, or as soon as they may (queued_work.hpp).
#pragma once

#include <support/queued_work.hpp>

#include <kiln/device.hpp>

#include <cstddef>
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

/// Of lanes that are made while it lives; `late` before and after.
class scoped_pace {
public:
    explicit scoped_pace(pace copies);
    scoped_pace(const scoped_pace&) = delete;
    scoped_pace& operator=(const scoped_pace&) = delete;
    ~scoped_pace();
};

/// While it lives, the far device fails: to give more bytes at once, or to launch more kernels than so many.
class failing_far_device {
public:
    failing_far_device(std::size_t most_bytes, std::int64_t most_launches);
    failing_far_device(const failing_far_device&) = delete;
    failing_far_device& operator=(const failing_far_device&) = delete;
    ~failing_far_device();
};

}  // namespace tests
