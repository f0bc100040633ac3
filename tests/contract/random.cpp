// The manual, "Random numbers" and "Writing at positions".
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace k = kiln;

int main() {
    k::array<float> x = k::random::uniform<float>({1'000'000}, /*seed=*/7);
    k::array<double> z = k::random::normal<double>({1000, 1000}, 8);
    k::array<float> noise = 0.1f * k::random::normal<float>({1'000'000}, 9) + x;  // one kernel, one load
    k::array<std::int32_t> dice = k::random::integers<std::int32_t>({6000}, 1, 7, 10);
    k::array<float> dropped = k::where(k::random::bernoulli({1'000'000}, 0.9, 11), x, 0.0f);
    k::array<float> last_row = k::slice(k::random::uniform<float>({1000, 1000}, 7), -1);  // made alone

    const std::vector<float> xs = x.to_host();
    const std::vector<float> rows = last_row.to_host();
    for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(rows[i] == xs[999'000 + i]);
    REQUIRE(z.size() == 1'000'000);
    REQUIRE(noise.size() == dropped.size());

    // A histogram's worth: the last write of a position counts.
    k::array<std::int32_t> last_seen = k::full<std::int32_t>({7}, -1);
    k::put(last_seen, dice, k::arange<std::int32_t>(6000));
    const std::vector<std::int32_t> thrown = dice.to_host();
    const std::vector<std::int32_t> seen = last_seen.to_host();
    REQUIRE(seen[0] == -1);
    for (std::size_t face = 1; face < 7; ++face)
        REQUIRE(thrown[static_cast<std::size_t>(seen[face])] == static_cast<std::int32_t>(face));
    k::put(last_seen, k::from_host<int>({0, -1}), 5);  // a number; -1 is the last element
    REQUIRE(last_seen.to_host().back() == 5);
}
