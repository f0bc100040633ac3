// k::advise: copies and kernels on the GPU against kernels on the CPU.
#include <api/amounts.hpp>
#include <api/pipelined.hpp>
#include <text/format.hpp>

#include <kiln/advise.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace kiln::inline v0_1 {

namespace {

using detail::bytes_text;
using detail::copy_ns;
using detail::time_text;

/// One evaluation of a size: `scale` times the operands, the elements and the results that there are.
double kernels_ns(const explanation& of, const device_rates& rates, double scale) {
    const auto scaled = [scale](std::int64_t count) {
        return static_cast<std::int64_t>(std::llround(static_cast<double>(count) * scale));
    };
    double ns = 0;
    for (const kernel_explanation& each : of.kernels)
        ns += std::max(
            rates.evaluation_ns,
            rates.predict(each.work, scaled(each.element_count), scaled(each.bytes_read), scaled(each.bytes_written))
                .ns);
    return ns;
}

/// Both devices on one size.
struct times {
    double cpu_ns;
    double copy_in_ns;
    double kernels_ns;
    double copy_out_ns;
    double hidden_ns;

    [[nodiscard]] bool gpu_wins() const { return copy_in_ns + kernels_ns + copy_out_ns - hidden_ns < cpu_ns; }
};

/// What the host does before the first chunk is copied, which the device waits for: it looks how an expression is cut, and makes its parts
/// (a Xeon: 25 us, and 2.9 for each of 16 to 256 operations).
double cutting_ns(const explanation& of) {
    double operations = 0;
    for (const kernel_explanation& each : of.kernels)
        if (each.element_count > 0)
            operations += static_cast<double>(each.operation_count) / static_cast<double>(each.element_count);
    return 25'000 + 2'900 * operations;
}

}  // namespace

advice advise(const explanation& on_cpu, const device_rates& cpu_rates, const explanation& on_gpu,
              const device_rates& gpu_rates, std::int64_t result_bytes) {
    const auto pinned = static_cast<double>(on_gpu.pinned_bytes);
    const auto pageable = static_cast<double>(on_gpu.operand_bytes) - pinned;
    const bool streams = on_gpu.chunks.count > 0;
    const double bytes_of_chunk = streams ? (pageable + pinned) / static_cast<double>(on_gpu.chunks.count) : 0;
    const double cutting = streams ? cutting_ns(on_gpu) : 0;
    const auto at = [&](double scale) -> times {
        times out{
            kernels_ns(on_cpu, cpu_rates, scale),
            copy_ns(gpu_rates.to_device, pageable * scale) + copy_ns(gpu_rates.to_device_pinned, pinned * scale),
            kernels_ns(on_gpu, gpu_rates, scale),
            copy_ns(streams ? gpu_rates.to_host_pinned : gpu_rates.to_host, static_cast<double>(result_bytes) * scale),
            0};
        // Larger ones have more chunks.
        const double chunks = bytes_of_chunk > 0 ? (pageable + pinned) * scale / bytes_of_chunk : 0;
        if (chunks > 1) out.hidden_ns = detail::hidden_ns(chunks, out.copy_in_ns, out.kernels_ns, out.copy_out_ns);
        out.kernels_ns += cutting;
        return out;
    };
    const times here = at(1);
    advice out{
        here.gpu_wins(), here.cpu_ns, here.copy_in_ns, here.kernels_ns, here.copy_out_ns, here.hidden_ns, 0, false, 0};
    if (here.cpu_ns > here.kernels_ns)
        out.calls_until_gpu_wins = static_cast<std::int64_t>(
            std::ceil((here.copy_in_ns + here.copy_out_ns) / (here.cpu_ns - here.kernels_ns)));

    // Away from this size, one way and then the other, until the winner changes.
    constexpr double step = 1.02;
    const auto look = [&](double factor) {
        for (double scale = factor; scale > 1e-3 && scale < 1e3; scale *= factor)
            if (at(scale).gpu_wins() != out.gpu_wins)
                return std::llround(static_cast<double>(on_gpu.operand_bytes) * scale);
        return 0ll;
    };
    // A GPU that wins is beaten by small operands, one that does not may win with large ones.
    out.other_wins_below = out.gpu_wins;
    out.other_wins_at_bytes = look(out.gpu_wins ? 1 / step : step);
    if (!out.other_wins_at_bytes) {
        out.other_wins_at_bytes = look(out.gpu_wins ? step : 1 / step);
        if (out.other_wins_at_bytes) out.other_wins_below = !out.other_wins_below;
    }
    return out;
}

std::string to_string(const advice& of) {
    if (of.kernels_ns <= 0) return text::format("CPU: {}; there is no GPU\n", time_text(of.cpu_ns));
    const char* const winner = of.gpu_wins ? "GPU" : "CPU";
    const char* const other = of.gpu_wins ? "CPU" : "GPU";
    std::string out =
        text::format("{}: {} on the CPU; {} on the GPU, of them {} to copy in, {} to compute, {} to copy out{}\n",
                     winner, time_text(of.cpu_ns), time_text(of.gpu_ns()), time_text(of.copy_in_ns),
                     time_text(of.kernels_ns), time_text(of.copy_out_ns),
                     of.hidden_ns > 0 ? text::format(", {} of it beside each other", time_text(of.hidden_ns)) : "");
    if (of.other_wins_at_bytes)
        out += text::format("{}: {} {} of operands\n", other, of.other_wins_below ? "up to" : "from",
                            bytes_text(of.other_wins_at_bytes));
    else out += text::format("{}: at no size near this one\n", other);
    if (of.gpu_wins) return out;
    out += of.calls_until_gpu_wins ? text::format("GPU: after {} calls, if operands and results stay there (k::to)\n",
                                                  of.calls_until_gpu_wins)
                                   : "GPU: not even if operands and results stay there\n";
    return out;
}

namespace detail {

advice advise(const std::function<explanation()>& explain, std::int64_t result_bytes) {
    const auto plan_on = [&](const device& each) {
        const scoped_device here(each);
        return explain();
    };
    const device_rates cpu_rates = measure(cpu);
    const explanation on_cpu = plan_on(cpu);
    const std::vector<device> all = devices();
    if (all.size() > 1) {
        const device_rates gpu_rates = measure(all[1]);
        return kiln::advise(on_cpu, cpu_rates, plan_on(all[1]), gpu_rates, result_bytes);
    }
    advice out;
    out.cpu_ns = kernels_ns(on_cpu, cpu_rates, 1);
    return out;
}

}  // namespace detail

}  // namespace kiln::inline v0_1
