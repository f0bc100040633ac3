// The manual, "Rates, predictions, advice" and "Progress".
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace k = kiln;

int main() {
    const std::int64_t count = 10'000;
    const std::vector<float> samples(static_cast<std::size_t>(count), 0.5f);
    const k::array<float> x = k::arange<float>(count);
    const k::array<float> y = k::ones<float>({count});

    const k::device_rates rates = k::measure(k::current_device());
    std::fputs(k::to_string(rates).c_str(), stdout);
    const k::explanation plan = k::explain(k::exp(x) * y);
    for (const k::kernel_explanation& each : plan.kernels)
        std::printf("%.1f us, held up by %s; the last run took %.1f us\n", each.predicted.ns * 1e-3,
                    k::to_string(each.predicted.by), each.measured_ns * 1e-3);
    REQUIRE(plan.kernels.size() == 1);
    REQUIRE(plan.kernels[0].predicted.ns > 0);

    std::fputs(k::to_string(k::advise(k::exp(k::wrap(samples.data(), {count})) * 2.0f)).c_str(), stdout);

    k::on_compile_progress([](const k::compile_progress& now) {
        if (!now.name.empty())
            std::printf("%d of %d: %s\n", static_cast<int>(now.done) + 1, static_cast<int>(now.total),
                        now.expression.c_str());
    });
    k::prepare(k::label("square", x * x));
    k::on_compile_progress({});
}
