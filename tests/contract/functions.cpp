// The manual, "user code": a function of the user's beside kiln's own, and a constant.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

int main() {
    k::array<float> x = k::arange<float>(1000) * 1e-2f;
    k::array<float> z = k::where(x > 0.5f, k::sqrt(x), x);
    auto logaddexp =
        k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));");
    k::array<float> w = logaddexp(x, z) - z * k::constant<2>;

    const auto xs = x.to_host();
    const auto zs = z.to_host();
    const auto ws = w.to_host();
    for (std::size_t i = 0; i < ws.size(); ++i) {
        const float expected = std::fmax(xs[i], zs[i]) + std::log1p(std::exp(-std::fabs(xs[i] - zs[i]))) - zs[i] * 2.0f;
        REQUIRE(std::fabs(ws[i] - expected) <= 1e-5f * (1.0f + std::fabs(expected)));
    }
}
