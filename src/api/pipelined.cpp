#include <api/pipelined.hpp>

#include <algorithm>
#include <cmath>

namespace kiln::inline v0_1::detail {

double copy_ns(const std::vector<rate_point>& rates, double bytes) {
    return bytes >= 1 ? nanoseconds(rates, std::llround(bytes)) : 0;
}

double hidden_ns(double chunks, double in_ns, double kernels_ns, double out_ns) {
    // Both ways at once each copy goes at so much of its rate (an H100 of PCIe 5: 4.88 ms one way, 5.74 both).
    constexpr double of_rate = 0.85;
    const double both_ways = std::max(in_ns, out_ns) + (1 / of_rate - 1) * std::min(in_ns, out_ns);
    const double all = in_ns + kernels_ns + out_ns;
    const double of_first_and_last = (all - std::max({in_ns, kernels_ns, out_ns})) / chunks;
    return std::max(0.0, all - std::max(both_ways, kernels_ns) - of_first_and_last);
}

void predict_pipeline(explanation& of, const device_rates* rates) {
    chunk_explanation& chunks = of.chunks;
    if (chunks.count == 0 || !rates || rates->to_device_pinned.empty()) return;
    const auto bytes_in = static_cast<double>(chunks.bytes_in);
    const double pinned =
        of.operand_bytes > 0 ? static_cast<double>(of.pinned_bytes) / static_cast<double>(of.operand_bytes) : 1;
    chunks.copy_in_ns =
        copy_ns(rates->to_device_pinned, bytes_in * pinned) + copy_ns(rates->to_device, bytes_in * (1 - pinned));
    chunks.copy_out_ns = copy_ns(rates->to_host_pinned, static_cast<double>(chunks.bytes_out));
    chunks.kernels_ns = 0;
    for (const kernel_explanation& each : of.kernels) chunks.kernels_ns += each.predicted.ns;
    if (chunks.count > 1)
        chunks.hidden_ns =
            hidden_ns(static_cast<double>(chunks.count), chunks.copy_in_ns, chunks.kernels_ns, chunks.copy_out_ns);
}

}  // namespace kiln::inline v0_1::detail
