// The manual, "Broadcasting": (4000,5) against (100,4000,5), one kernel, nothing repeated in memory.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

int main() {
    std::vector<double> host_mult(4000 * 5), host_discount(100 * 4000 * 5);
    for (std::size_t i = 0; i < host_mult.size(); ++i) host_mult[i] = static_cast<double>(i % 977);
    for (std::size_t i = 0; i < host_discount.size(); ++i) host_discount[i] = 1.0 / static_cast<double>(1 + i % 1013);

    k::array<double> mult = k::from_host<double>(host_mult, {4000, 5});
    k::array<double> discount = k::from_host<double>(host_discount, {100, 4000, 5});
    const k::counters before = k::counters::now();
    k::array<double> cv = mult * discount;

    const k::counters spent = k::counters::now() - before;
    REQUIRE(spent.launches == 1);
    REQUIRE(spent.bytes_read == static_cast<std::int64_t>(8 * (host_mult.size() + host_discount.size())));
    REQUIRE((cv.shape() == k::shape{100, 4000, 5}));
    const auto got = cv.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(got[i] == host_mult[i % host_mult.size()] * host_discount[i]);
}
