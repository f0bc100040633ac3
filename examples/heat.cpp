// A stencil over a grid, step after step, at the speed of memory.
//
//     heat [points per side [steps]]
//
// The heat equation on a square plate whose rim is held at 0: each step adds to a point what its four neighbours have
// more than it. A neighbour is k::shift(u, ...), which is no copy but an index; what lies past the rim is 0, shift's
// boundary unless another is given. Checked against the exact solution: a sine mode keeps its form and decays.
#include "measure.hpp"

#include <cmath>
#include <numbers>

namespace k = kiln;

namespace {

constexpr float r = 0.2f;  // time step * conductivity / spacing^2; stable up to 0.25

void run(std::int64_t n, int steps) {
    // n points between the rims, so the spacing is 1 / (n + 1). About 64 points to a wave.
    const double spacing = 1.0 / static_cast<double>(n + 1);
    const double mode = static_cast<double>((n + 31) / 32);
    const double wave = std::numbers::pi * mode * spacing;  // radians per point
    const k::array<float> sine = k::cast<float>(k::sin((k::arange<double>(n) + 1.0) * wave));
    k::array<float> u = sine(k::all, k::newaxis) * sine;
    const k::array<float> start = u;

    auto step = [&] {
        // One kernel. It reads neighbours, so the result has a buffer of its own; the old one is reused a step later.
        u = u + r * (k::shift(u, {1, 0}) + k::shift(u, {-1, 0}) + k::shift(u, {0, 1}) + k::shift(u, {0, -1}) - 4 * u);
    };
    fmt::print("{} x {} floats, {} steps, on {}\n\n", n, n, steps, device_text());
    const k::counters before = k::counters::now();
    const double first_ms = milliseconds(step);
    const double rest_ms = milliseconds([&] {
        for (int i = 1; i < steps; ++i) step();
    });
    const k::counters spent = k::counters::now() - before;
    const double step_ms = rest_ms / (steps - 1);
    fmt::print("first step  {:>10.3f} ms, {:.1f} of them compiling\n", first_ms,
               static_cast<double>(spent.compile_ns) * 1e-6);
    fmt::print("a step      {:>10.3f} ms, {:.0f} GB/s (one read, one write of each point)\n\n", step_ms,
               static_cast<double>(n * n) * 2 * sizeof(float) / step_ms * 1e-6);

    // Of the equation in time and space, exp(-2 wave^2 r steps); of these differences, a power. Source: von Neumann's
    // analysis, e.g. LeVeque, Finite Difference Methods, 9.6.
    const double exact = std::exp(-2 * wave * wave * r * steps);
    const double of_differences = std::pow(1 - 8 * static_cast<double>(r) * std::pow(std::sin(wave / 2), 2), steps);
    const std::vector<float> first = start.to_host(), last = u.to_host();
    double off = 0;
    for (std::size_t i = 0; i < last.size(); ++i) {
        const double error = std::abs(last[i] - of_differences * first[i]);
        off = error <= off ? off : error;  // NaN is larger
    }
    check(spent.launches == steps, "one kernel a step");
    check(off < 1e-5, fmt::format("the mode decayed to {:.5f} everywhere, to {:.1e}", of_differences, off));
    check(std::abs(of_differences - exact) < 0.02 * exact,
          fmt::format("the heat equation's own decay in that time is to {:.5f}", exact));
}

}  // namespace

int main(int argc, char** argv) try {
    const bool gpu = k::current_device().is_cuda();
    run(argc > 1 ? std::atoll(argv[1])
        : gpu    ? 8192
                 : 1024,
        argc > 2 ? std::max(2, std::atoi(argv[2]))
        : gpu    ? 500
                 : 100);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "heat: {}\n", trouble.what());
    return 1;
}
