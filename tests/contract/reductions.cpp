// The manual, "Reductions": fused with what feeds them, their results used on the device.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

int main() {
    const k::array<float> x = k::arange<float>(1000);
    const k::array<float> y = k::ones<float>({1000});
    const k::array<float> a = k::reshape(k::arange<float>(12), {3, 4});
    const k::array<float> b = k::full<float>({3, 4}, 2.0f);
    const k::array<float>& m = a;

    k::array<float> s = k::sum((x - y) * (x - y));  // rank 0
    float now = s.item();                           // waits, copies 4 bytes
    k::array<float> rows = k::sum(a * b, k::axis(1));
    auto q = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    k::array<float> softmax = q / k::sum(q, k::axis(1), k::keep_dims);

    REQUIRE(s.shape() == k::shape{});
    float expected = 0;
    for (int i = 0; i < 1000; ++i) expected += static_cast<float>((i - 1) * (i - 1));
    REQUIRE(std::abs(now / expected - 1) < 1e-5f);
    REQUIRE((rows.to_host() == std::vector<float>{12, 44, 76}));
    const auto p = softmax.to_host();
    for (int row = 0; row < 3; ++row) {
        float sum = 0;
        for (int i = 0; i < 4; ++i) sum += p[static_cast<std::size_t>(4 * row + i)];
        REQUIRE(std::abs(sum - 1) < 1e-6f);
    }
}
