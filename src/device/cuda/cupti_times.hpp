// kiln/device/cuda/cupti_times: when kernels ran, by CUPTI, NVIDIA's own library for profilers: exact for short kernels and for a
// stream that waits for the host, where events of the driver are not, and cheaper for who launches.
// in: launches, marked   out: times on the host's clock   knows nothing of: kernels, who asks
#pragma once

#include <record/profile.hpp>

#include <cstdint>

namespace kiln::backend {

/// The process's; KILN_CUPTI says which: 0 for none, a file, else the toolkit's or a wheel's. begin() says false where there is none,
/// where another tool looks at the process, or where it refuses.
class cupti_times {
public:
    /// Begins to record, once for all devices. Calls count.
    static bool begin();
    static void end();

    /// CUPTI's number of the launch that the calling thread made last.
    static std::uint32_t last_launch() noexcept;

    /// Of a launch that is done and whose record came in. False: it did not.
    static bool read(std::uint32_t launch, record::run_time& into);
    /// What was recorded up to now comes in.
    static void flush();
    /// Nobody asks for it any more.
    static void forget(std::uint32_t launch) noexcept;
};

}  // namespace kiln::backend
