// The manual, "Types, views, selection": mixed types, a slice that is read, a slice that is written, in place.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

int main() {
    k::array<float> x = k::arange<float>(1'000'000) * 1e-6f;
    k::array<float> y = k::array<float>(x + x + x + x + x);

    k::array<float> z = k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(1'000'000)) * 1e-6f);
    k::array<float> head = x(k::range(0, 1000));  // views are lazy too
    y(k::range(0, 10)) = 0.0f;                    // writes through
    const void* const before = y.data();
    y += 2 * x;  // in place when y is the only owner

    REQUIRE(static_cast<const void*>(y.data()) == before);
    REQUIRE(head.size() == 1000);
    const auto zs = z.to_host();
    const auto ys = y.to_host();
    const auto heads = head.to_host();
    for (std::size_t i = 0; i < zs.size(); ++i) {
        const float at = static_cast<float>(i) * 1e-6f;
        REQUIRE(zs[i] == (at > 0.5f ? std::sqrt(at) : at));
        REQUIRE(ys[i] == (i < 10 ? 0.0f : at + at + at + at + at) + 2.0f * at);
        if (i < heads.size()) REQUIRE(heads[i] == at);
    }
}
