// The manual, "Reductions of your own" and "Cumulative sums and products".
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

void own() {
    const k::array<float> m = k::reshape(k::arange<float>(12) - 5.0f, {3, 4});

    auto most = k::reduction<float>(-INFINITY, "a", "b", "return a < b ? b : a;");
    k::array<float> peaks = most(m * m, k::axis(1));
    auto [highest, average] = k::eval(most(m), k::mean(m));  // one pass over m
    auto gcd = k::reduction<std::int64_t>("gcd", 0, "a", "b", "while (b) { auto c = a % b; a = b; b = c; } return a;");

    REQUIRE((peaks.to_host() == std::vector<float>{25, 4, 36}));
    REQUIRE(highest.item() == 6);
    REQUIRE(average.item() == 0.5f);
    const k::array<std::int64_t> n = k::from_host<std::int64_t>({12, 18, 30}, {3});
    REQUIRE(k::array<std::int64_t>(gcd(n)).item() == 6);
}

int main() {
    const k::array<float> m = k::reshape(k::arange<float>(6), {2, 3});
    const k::array<float> returns = k::from_host<float>({0.5f, -0.5f, 1.0f}, {3});
    const k::array<int> lengths = k::from_host<int>({3, 0, 2, 5}, {2, 2});

    k::array<float> running = k::cumsum(m, k::axis(1));                // of m's shape
    k::array<float> path = 100 * k::cumprod(1 + returns, k::axis(0));  // an expression like any other
    k::array<std::int64_t> ends = k::cumsum(lengths);                  // of all elements, row-major: one axis
    k::array<float> table = k::cumsum(k::cumsum(m, k::axis(0)), k::axis(1));

    REQUIRE((running.to_host() == std::vector<float>{0, 1, 3, 3, 7, 12}));
    REQUIRE((path.to_host() == std::vector<float>{150, 75, 150}));
    REQUIRE((ends.to_host() == std::vector<std::int64_t>{3, 3, 5, 10}));
    REQUIRE((table.to_host() == std::vector<float>{0, 1, 3, 3, 8, 15}));
    if (k::current_device().describe().compiles) own();
}
