// kiln/device/cuda/cupti_times: when kernels ran, by CUPTI, NVIDIA's own library for profilers: exact for short kernels and for a
// stream that waits for the host, where events of the driver are not, and cheaper for who launches.
// in: launches, marked   out: times on the host's clock   knows nothing of: kernels, who asks
#pragma once

#include <record/profile.hpp>

#include <cstdint>

namespace kiln::backend {

/// The process's. Nothing of it is used where KILN_CUPTI=0, where there is none (KILN_CUPTI=<file>, else beside the toolkit, else where
/// the loader finds it), where another tool uses it already, or where it refuses: false.
class cupti_times {
public:
    /// Begins to record, once for all devices. Calls count.
    static bool begin();
    static void end();

    /// Around a launch, by the thread that makes it. Nothing is allocated and no lock taken but CUPTI's.
    static std::uint64_t push();
    static void pop();

    /// Whose work is done, and who gave its records: looks for them. False: there are none.
    static bool read(std::uint64_t mark, record::run_time& into);
    /// What was recorded up to now comes in.
    static void flush();
    /// Nobody asks for it any more.
    static void forget(std::uint64_t mark) noexcept;
};

}  // namespace kiln::backend
