// The manual, "Reductions of your own", "Cumulative sums, products, extremes" and "Histograms and segments".
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

    auto last_known = k::reduction<float>(NAN, "a", "b", "return b == b ? b : a;");  // fills gaps
    k::array<float> filled = k::scan(last_known, m, k::axis(1));
    REQUIRE((filled.to_host() == m.to_host()));
    const k::array<float> gaps = k::from_host<float>({1, NAN, NAN, 4, NAN}, {5});
    REQUIRE((k::array<float>(k::scan(last_known, gaps)).to_host() == std::vector<float>{1, 1, 1, 4, 4}));
}

void segments() {
    const k::array<std::uint8_t> image = k::from_host<std::uint8_t>({7, 255, 7, 0}, {2, 2});
    const k::array<float> m = k::from_host<float>({0.005f, 0.5f, 1.0f, 2.0f, -1.0f, 0.501f});
    const k::array<int> lengths = k::from_host<int>({3, 0, 2, 3});
    const k::array<float> values = k::from_host<float>({1, 2, 4, 8});
    const k::array<int> ids = k::from_host<int>({2, 0, 2, -1});

    k::array<std::int64_t> counts = k::histogram(image, 256);    // of bytes: how many are 0, 1, ... 255
    k::array<std::int64_t> bins = k::histogram(m, 100, 0, 1);    // of numbers from 0 to 1, in 100 bins
    k::array<std::int64_t> degrees = k::bincount(lengths);       // as many values as there are; waits for the largest
    k::array<float> totals = k::segment_sum(values, ids, 1000);  // element s: of the values whose id is s
    k::array<float> lowest = k::segment_min(values, ids, 1000);  // of an empty segment: infinity, or the type's largest

    const std::vector<std::int64_t> of_bytes = counts.to_host();
    REQUIRE(of_bytes[0] == 1);
    REQUIRE(of_bytes[7] == 2);
    REQUIRE(of_bytes[255] == 1);
    const std::vector<std::int64_t> of_bins = bins.to_host();
    REQUIRE(of_bins[0] == 1);
    REQUIRE(of_bins[50] == 2);
    REQUIRE(of_bins[99] == 1);
    REQUIRE((degrees.to_host() == std::vector<std::int64_t>{1, 0, 1, 2}));
    REQUIRE(totals.to_host()[2] == 5);
    REQUIRE(lowest.to_host()[2] == 1);
    REQUIRE(lowest.to_host()[1] == INFINITY);
}

int main() {
    const k::array<float> m = k::reshape(k::arange<float>(6), {2, 3});
    const k::array<float> returns = k::from_host<float>({0.5f, -0.5f, 1.0f}, {3});
    const k::array<int> lengths = k::from_host<int>({3, 0, 2, 5}, {2, 2});

    k::array<float> running = k::cumsum(m, k::axis(1));                // of m's shape
    k::array<float> path = 100 * k::cumprod(1 + returns, k::axis(0));  // an expression like any other
    k::array<std::int64_t> ends = k::cumsum(lengths);                  // of all elements, row-major: one axis
    k::array<float> table = k::cumsum(k::cumsum(m, k::axis(0)), k::axis(1));
    k::array<float> highest = k::cummax(m, k::axis(1));  // so far; k::cummin

    REQUIRE((running.to_host() == std::vector<float>{0, 1, 3, 3, 7, 12}));
    REQUIRE((path.to_host() == std::vector<float>{150, 75, 150}));
    REQUIRE((ends.to_host() == std::vector<std::int64_t>{3, 3, 5, 10}));
    REQUIRE((table.to_host() == std::vector<float>{0, 1, 3, 3, 8, 15}));
    REQUIRE((highest.to_host() == m.to_host()));
    if (k::current_device().describe().compiles) own();
    segments();
}
