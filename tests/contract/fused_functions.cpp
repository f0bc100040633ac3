// The manual, "Functions that are looked at once" and what it says of rows.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

int main() {
    k::array<float> f = k::ones<float>({40, 30}), g = f;
    k::array<float> d = k::ones<float>({});

    const auto step = k::fuse([](auto f, auto g, auto d, auto dt) {
        const k::expr<float> next = f - dt * d * g;
        return std::tuple(next, g + dt * d * f, k::mean(next));
    });
    for (int i = 0; i < 10; ++i) std::tie(f, g, d) = step(f, g, d, 0.01f);

    double f0 = 1, g0 = 1, d0 = 1;
    for (int i = 0; i < 10; ++i) {
        const double next = f0 - 0.01 * d0 * g0;
        g0 = g0 + 0.01 * d0 * f0;
        d0 = f0 = next;
    }
    REQUIRE(std::abs(d.item() - d0) < 1e-5);
    REQUIRE(std::abs(g.to_host()[7] - g0) < 1e-5);

    const k::array<float> m = k::reshape(k::arange<float>(12), {3, 4});
    auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    k::array<float> softmax = e / k::sum(e, k::axis(1), k::keep_dims);  // one kernel, one read of m
    REQUIRE(std::abs(softmax.to_host()[3] - 0.643914f) < 1e-5f);
}
