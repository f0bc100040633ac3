// kiln/advise: is the GPU worth it for data that begins on the host? From rates that were measured on this machine.
#pragma once

#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/export.hpp>
#include <kiln/rates.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace kiln::inline v0_1 {

/// What one evaluation would take, from operands on the host to results on the host, in nanoseconds. All of it is predicted.
struct advice {
    bool gpu_wins = false;
    double cpu_ns = 0;
    // On the GPU; 0 where there is none.
    double copy_in_ns = 0;
    double kernels_ns = 0;
    double copy_out_ns = 0;
    double hidden_ns = 0;  // of these, where host arrays are streamed: what is done beside another of them

    /// Of operands, were all of them larger or smaller alike: from here on the other device wins. 0: it never does, from a
    /// thousandth to a thousand times of this size.
    std::int64_t other_wins_at_bytes = 0;
    bool other_wins_below = false;  // up to there, not from there on
    /// Where operands and results stay on the GPU (k::to): after so many calls it has won back the copies. 0: never.
    std::int64_t calls_until_gpu_wins = 0;

    [[nodiscard]] double gpu_ns() const noexcept { return copy_in_ns + kernels_ns + copy_out_ns - hidden_ns; }
};

KILN_API std::string to_string(const advice& of);

/// The same from what is known already: the expression's plans on both devices, and their rates.
[[nodiscard]] KILN_API advice advise(const explanation& on_cpu, const device_rates& cpu_rates,
                                     const explanation& on_gpu, const device_rates& gpu_rates,
                                     std::int64_t result_bytes);

namespace detail {
KILN_API advice advise(const std::function<explanation()>& explain, std::int64_t result_bytes);
}

/// k::advise(k::sqrt(k::wrap(data, {n})))
/// Of expressions whose operands are on the host: k::wrap'ped, page-locked or not, or k::host_array, which are streamed, results
/// too. Against the first GPU; where there is none
/// the CPU wins. Evaluates nothing, but measures both devices where nobody has on this machine (k::measure()). Operands that
/// are arrays of a device count as if they were on the host. Throws shape_error as eval would, and what measure() throws.
template <expression... Es>
advice advise(const Es&... es) {
    const std::int64_t result_bytes = ((es.shape().size() * static_cast<std::int64_t>(sizeof(value_t<Es>))) + ...);
    return detail::advise([&] { return explain(es...); }, result_bytes);
}

}  // namespace kiln::inline v0_1
