// The manual, "user code": a function of the user's beside kiln's own, one with a header, and a constant.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>
#include <string>

namespace k = kiln;

int main() {
    k::array<float> x = k::arange<float>(1000) * 1e-2f;
    k::array<float> z = k::where(x > 0.5f, k::sqrt(x), x);
    auto logaddexp =
        k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));");
    k::array<float> w = logaddexp(x, z) - z * k::constant<2>;

    const std::string kernels_h = R"(
#pragma once
namespace sph {
__device__ inline float cubed(float a) { return a * a * a; }
__device__ inline float poly6(float r, float h) { return r < h ? cubed(h * h - r * r) : 0.0f; }
}  // namespace sph
)";
    auto weight = k::function<float(float, float)>("weight", {"r", "h"},
                                                   "#include \"kernels.h\"\n"
                                                   "return 315 / (64 * float(M_PI) * powf(h, 9)) * sph::poly6(r, h);",
                                                   {{"kernels.h", kernels_h}});
    k::array<float> near = weight(x, 2.0f);

    const auto nears = near.to_host();
    const auto xs = x.to_host();
    const auto zs = z.to_host();
    const auto ws = w.to_host();
    for (std::size_t i = 0; i < ws.size(); ++i) {
        const float expected = std::fmax(xs[i], zs[i]) + std::log1p(std::exp(-std::fabs(xs[i] - zs[i]))) - zs[i] * 2.0f;
        REQUIRE(std::fabs(ws[i] - expected) <= 1e-5f * (1.0f + std::fabs(expected)));
        const float apart = std::fmax(4.0f - xs[i] * xs[i], 0.0f);
        const float weighted = 315.0f / (64 * 3.14159265f * 512) * apart * apart * apart;
        REQUIRE(std::fabs(nears[i] - weighted) <= 1e-5f);
    }
}
