// Coupled differential equations whose right side depends on a sum over the whole grid.
//
//     coupled_odes [points per side [steps]]
//
//     dF/dt = -2i F - i d (2 G - 1)        dG/dt = -i (conj(d) F - d conj(F))        d = sum(F), anew after each step
//
// Runge and Kutta's method of fourth order. On a GPU a step is one kernel, which stores F and G and adds up F. The sum stays
// on the device: the next step reads it there, nobody waits, and the history is copied once, at the end. Beside it, the same
// with the steps recorded and replayed, which launches many of them at once; and with a copy of the sum to the host in each
// step, as one writes it who does not know that a number can be an array.
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>
#include <vector>

namespace k = kiln;

namespace {

using complex = std::complex<float>;

constexpr complex i{0.0f, 1.0f};
constexpr float dt = 1e-4f;

constexpr auto slope_f = [](const auto& f, const auto& g, const auto& d) {
    return complex(0.0f, -2.0f) * f - i * d * (2.0f * g - 1.0f);
};
constexpr auto slope_g = [](const auto& f, const auto&, const auto& d) {
    return complex(0.0f, -1.0f) * (k::conj(d) * f - d * k::conj(f));
};

/// F and G a step later, and the sum of F. The function is looked at once, what stands in several results is computed once.
const auto step = k::fuse([](auto f, auto g, auto d) {
    const k::expr<complex> f1 = slope_f(f, g, d), g1 = slope_g(f, g, d);
    const k::expr<complex> f_half = f + dt / 2 * f1, g_half = g + dt / 2 * g1;
    const k::expr<complex> f2 = slope_f(f_half, g_half, d), g2 = slope_g(f_half, g_half, d);
    const k::expr<complex> f_again = f + dt / 2 * f2, g_again = g + dt / 2 * g2;
    const k::expr<complex> f3 = slope_f(f_again, g_again, d), g3 = slope_g(f_again, g_again, d);
    const k::expr<complex> f_end = f + dt * f3, g_end = g + dt * g3;
    const k::expr<complex> f4 = slope_f(f_end, g_end, d), g4 = slope_g(f_end, g_end, d);
    const k::expr<complex> next = f + dt / 6 * (f1 + 2.0f * f2 + 2.0f * f3 + f4);
    return std::tuple(next, g + dt / 6 * (g1 + 2.0f * g2 + 2.0f * g3 + g4), k::sum(next));
});

struct run {
    double us_per_step;
    double launches_per_step;
    std::vector<complex> sums;
};

run on_the_device(std::int64_t n, int steps) {
    k::array<complex> f = k::ones<complex>({n, n}), g = f;
    k::array<complex> d = k::ones<complex>({});
    std::vector<k::array<complex>> history;
    const k::counters before = k::counters::now();
    const double ms = milliseconds([&] {
        for (int each = 0; each < steps; ++each) {
            std::tie(f, g, d) = step(f, g, d);
            history.push_back(d);
        }
        k::synchronize();
    });
    run out{ms * 1e3 / steps, static_cast<double>((k::counters::now() - before).launches) / steps, {}};
    for (const k::array<complex>& each : history) out.sums.push_back(each.item());
    return out;
}

/// The sum after the last step alone: nobody looks at the others.
run replayed(std::int64_t n, int steps) {
    k::array<complex> f, g, d;
    const auto start = [&] {
        g = f = k::ones<complex>({n, n});
        d = k::ones<complex>({});
    };
    start();
    k::graph all({&f, &g, &d}, [&] { std::tie(f, g, d) = step(f, g, d); });
    all.replay(steps);  // hands the graphs to the device
    start();
    const k::counters before = k::counters::now();
    const double ms = milliseconds([&] {
        all.replay(steps);
        k::synchronize();
    });
    return {ms * 1e3 / steps, static_cast<double>((k::counters::now() - before).graph_launches) / steps, {d.item()}};
}

run by_the_host(std::int64_t n, int steps) {
    k::array<complex> f = k::ones<complex>({n, n}), g = f;
    complex d = 1.0f;
    run out{};
    const k::counters before = k::counters::now();
    const double ms = milliseconds([&] {
        for (int each = 0; each < steps; ++each) {
            k::array<complex> sum;
            std::tie(f, g, sum) = step(f, g, k::array<complex>(k::full<complex>({}, d)));
            d = sum.item();  // waits
            out.sums.push_back(d);
        }
    });
    out.us_per_step = ms * 1e3 / steps;
    out.launches_per_step = static_cast<double>((k::counters::now() - before).launches) / steps;
    return out;
}

void compare(std::int64_t n, int steps) {
    fmt::print("F and G of {} x {} complex floats, {} steps, on {}\n\n", n, n, steps, device_text());
    const k::counters start = k::counters::now();
    const double first_ms = milliseconds([&] { on_the_device(n, 2); });
    const k::counters compiled = k::counters::now() - start;
    fmt::print("first two steps       {:>10.3f} ms, {:.1f} of them compiling {} kernels\n", first_ms,
               static_cast<double>(compiled.compile_ns) * 1e-6, compiled.compiles);
    by_the_host(n, 2);
    replayed(n, 2);
    on_the_device(n, steps);  // takes the memory of the history, which kiln then has
    const run device = on_the_device(n, steps);
    const run graph = replayed(n, steps);
    const run host = by_the_host(n, steps);
    const run contracted = [&] {
        const k::scoped_options rounded_once({.fma = true});  // a product and the sum that it goes into
        return replayed(n, steps);
    }();
    fmt::print("a step                {:>10.2f} us, {:.0f} launches\n", device.us_per_step, device.launches_per_step);
    fmt::print("a step, replayed      {:>10.2f} us, {:.2f} launches of a graph\n", graph.us_per_step,
               graph.launches_per_step);
    fmt::print("the same with .fma    {:>10.2f} us\n", contracted.us_per_step);
    fmt::print("a step, copying d     {:>10.2f} us\n\n", host.us_per_step);

    const double points = static_cast<double>(n * n);
    const complex first = device.sums.front();
    fmt::print("d after a step: {:.2f} {:+.3f}i\n", first.real(), first.imag());
    // After one step from F = G = d = 1: F = 1 - 3i dt, and terms of dt^2.
    check(std::abs(first.real() / points - 1) < 1e-6 && std::abs(first.imag() / points + 3 * dt) < 1e-7,
          "which is 1 - 3i dt at every point");
    // The equations run away within some steps, with the sum of so many points: NaN is NaN then.
    const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
    check(std::equal(device.sums.begin(), device.sums.end(), host.sums.begin(),
                     [&](complex a, complex b) { return same(a.real(), b.real()) && same(a.imag(), b.imag()); }),
          "the same history, to the bit, with and without the host");
    check(
        same(graph.sums[0].real(), device.sums.back().real()) && same(graph.sums[0].imag(), device.sums.back().imag()),
        "the same last sum, to the bit, replayed");
    if (k::current_device().is_cuda()) check(device.launches_per_step == 1, "one launch a step");
}

}  // namespace

int main(int argc, char** argv) try {
    compare(argc > 1 ? std::atoll(argv[1]) : 512, argc > 2 ? std::max(2, std::atoi(argv[2])) : 100);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "coupled_odes: {}\n", trouble.what());
    return 1;
}
