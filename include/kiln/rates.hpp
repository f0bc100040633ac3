// kiln/rates: how fast a device is, measured on it once and kept with its kernels: what explain() predicts by, what a profile's
// shares are of, what advise() decides by.
#pragma once

#include <kiln/device.hpp>
#include <kiln/export.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::inline v0_1 {

/// Work of one kernel, for one element of its iteration: operations by kind.
struct kernel_work {
#define KILN_WORK(name, what) double name = 0;
#include <kiln/work_table.def>

    friend bool operator==(const kernel_work&, const kernel_work&) = default;
};

/// So many bytes took so many nanoseconds.
struct rate_point {
    std::int64_t bytes = 0;
    double ns = 0;
};

/// What holds a kernel up.
enum class bound : std::uint8_t { unknown, launch, memory, arithmetic };
KILN_API const char* to_string(bound by) noexcept;

/// Of a kernel: the least time that its device can do it in, as far as its rates say.
struct predicted_time {
    double ns = 0;
    bound by = bound::unknown;
};

struct device_rates {
    std::string device;  // "NVIDIA H200"
    std::string target;  // "sm_90"

    // Kernels, by all the bytes that they move. Between points one goes straight; past the last at its rate.
    std::vector<rate_point> copying;  // as many read as written
    std::vector<rate_point> reading;  // next to nothing written
    std::vector<rate_point> writing;  // nothing read
    // Copies from and to memory of the host; none of a CPU. Pinned: page-locked (cudaHostAlloc).
    std::vector<rate_point> to_device;
    std::vector<rate_point> to_host;
    std::vector<rate_point> to_device_pinned;
    std::vector<rate_point> to_host_pinned;
    /// Of the host, for a warm evaluation of one kernel.
    double evaluation_ns = 0;
    /// Nanoseconds for one operation, of the whole device at work.
    kernel_work operation_ns;
    /// Of a CPU: threads that are at work there. A kernel of little work wakes fewer.
    int thread_count = 1;

    /// A roofline: the longest of what its launch, its bytes and its operations take.
    [[nodiscard]] KILN_API predicted_time predict(const kernel_work& of_element, std::int64_t element_count,
                                                  std::int64_t bytes_read, std::int64_t bytes_written) const;
};

/// Straight between the points, at the last one's rate behind it; 0 where there are none.
[[nodiscard]] KILN_API double nanoseconds(const std::vector<rate_point>& of, std::int64_t bytes);

/// Whether rates are measured where somebody has.
enum class measuring : std::uint8_t { unless_known, again };

/// Measures the device where nobody has on this machine: about a second on a GPU, some seconds on a CPU whose kernels have
/// to be compiled. The store keeps it beside the kernels (kiln-cache lists it as "rates of a device"). On a machine that is
/// busy with something else rates are low: `again` measures where somebody has, and what it finds is kept instead. Throws
/// device_error, out_of_memory, compile_error.
KILN_API device_rates measure(const device& of, measuring when = measuring::unless_known);

/// What measure() found before, in this process or another. Measures nothing.
[[nodiscard]] KILN_API std::optional<device_rates> known_rates(const device& of);

/// A table of it.
KILN_API std::string to_string(const device_rates& of);

}  // namespace kiln::inline v0_1
