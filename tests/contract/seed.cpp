// The manual, "The seed": one kernel, one load of x, one store of y.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

int main() {
    k::array<float> x = k::arange<float>(1'000'000) * 1e-6f;
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
    for (std::size_t i = 0; i < h.size(); ++i) {
        const float at = static_cast<float>(i) * 1e-6f;
        REQUIRE(h[i] == at + at + at + at + at);
    }
}
