// The manual, "Types, views, selection, user code": a user's function beside a shift, a transpose, a new axis.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

int main() {
    k::array<float> x = k::arange<float>(100'000) * 1e-5f;
    k::array<float> m = k::reshape(k::arange<float>(300 * 300), {300, 300});
    k::array<float> z = k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(100'000)) * 1e-5f);
    const k::counters before = k::counters::now();

    auto logaddexp =
        k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));");
    k::array<float> w = logaddexp(x, z) - k::shift(z, {1});
    k::array<float> t = m + k::transpose(m);      // no temporary: the transpose is an index
    k::array<float> head = x(k::range(0, 1000));  // views are lazy too; x(k::all, k::newaxis) adds an axis
    k::array<float> column = x(k::all, k::newaxis);

    REQUIRE((k::counters::now() - before).launches == 4);
    REQUIRE((column.shape() == k::shape{100'000, 1}));
    REQUIRE(head.size() == 1000);
    const auto xs = x.to_host();
    const auto zs = z.to_host();
    const auto ws = w.to_host();
    for (std::size_t i = 0; i < ws.size(); ++i) {
        const float both = std::fmax(xs[i], zs[i]) + std::log1p(std::exp(-std::fabs(xs[i] - zs[i])));
        REQUIRE(std::fabs(ws[i] - (both - (i > 0 ? zs[i - 1] : 0.0f))) <= 1e-5f);
    }
    const auto ts = t.to_host();
    for (std::size_t row = 0; row < 300; ++row)
        for (std::size_t at = 0; at < 300; ++at)
            REQUIRE(ts[row * 300 + at] == static_cast<float>(row * 300 + at) + static_cast<float>(at * 300 + row));
    REQUIRE(column.to_host() == xs);
}
