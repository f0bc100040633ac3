// The manual, "array<T> is a value": an expression has the values that its arrays had; memory of the user's is read
// when the expression is evaluated.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

int main() {
    k::array<int> x = k::arange<int>(5);
    k::array<int> y;
    auto e = x * x + x;
    x = e;
    y = e;  // sees the old x twice
    REQUIRE(x.to_host() == (std::vector<int>{0, 2, 6, 12, 20}));
    REQUIRE(y.to_host() == x.to_host());

    y(k::range(0, 4)) = y(k::range(1, 5));  // overlapping: reads before it writes
    REQUIRE(y.to_host() == (std::vector<int>{2, 6, 12, 20, 20}));

    std::vector<int> memory = {1, 2, 3, 4};
    auto w = k::wrap(memory.data(), {2, 2});
    w = w * 10;
    k::synchronize();
    REQUIRE(memory == (std::vector<int>{10, 20, 30, 40}));

    k::array<std::uint8_t> small = k::full<std::uint8_t>({2}, std::uint8_t{200});
    REQUIRE(k::array<std::uint8_t>(small + small).to_host()[0] == 144);
    REQUIRE(k::array<double>(k::array<int>(k::arange<int>(3)) * 0.5).to_host()[1] == 0.5);
    try {
        static_cast<void>(small + 300);
        REQUIRE(false);
    } catch (const k::type_error&) {
    }
}
