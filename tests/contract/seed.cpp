// The manual, "The seed": one kernel, one load of x, one store of y.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

int main() {
    k::array<float> x = k::random::uniform<float>({1'000'000}, /*seed=*/7);
    const k::counters before = k::counters::now();

    auto e = x + x + x + x + x;  // lazy: nothing allocated, nothing launched
    REQUIRE(k::counters::now().launches == before.launches);
    k::array<float> y = e;               // one fused kernel, asynchronous
    std::vector<float> h = y.to_host();  // waits

    const k::counters spent = k::counters::now() - before;
    REQUIRE(spent.launches == 1);
    REQUIRE(spent.bytes_read == 4'000'000);
    REQUIRE(spent.bytes_written == 4'000'000);
    REQUIRE(h.size() == 1'000'000);
    const std::vector<float> drawn = x.to_host();
    for (std::size_t i = 0; i < h.size(); ++i) {
        const float at = drawn[i];
        REQUIRE(at >= 0 && at < 1);
        REQUIRE(h[i] == at + at + at + at + at);
    }
}
