// The manual, "Sorting".
#include "require.hpp"

#include <kiln/kiln.hpp>

namespace k = kiln;

int main() {
    const k::array<float> m = k::from_host<float>({3, 1, 2, 4, 6, 5}, {2, 3});
    const k::array<float> scores = k::from_host<float>({1, 7, 5, 7}, {4});

    k::array<float> ordered = k::sort(m, k::axis(0));                    // the last axis, if none is named
    k::array<std::int64_t> order = k::argsort(m, {.descending = true});  // where each element was
    auto [values, indices] = k::topk(scores, 2);                         // the largest, the largest first
    auto [best, where] = k::eval(values, indices);                       // together: one sort
    k::array<float> middle = k::median(m, k::axis(1), k::keep_dims);
    k::array<float> spread = k::quantile(m, 0.75, k::axis(1)) - k::quantile(m, 0.25, k::axis(1));
    k::array<float> several = k::quantile(m, {0.05, 0.5, 0.95}, k::axis(1));  // of shape (3, rows)

    REQUIRE((ordered.to_host() == std::vector<float>{3, 1, 2, 4, 6, 5}));
    REQUIRE((order.to_host() == std::vector<std::int64_t>{0, 2, 1, 1, 2, 0}));
    REQUIRE((best.to_host() == std::vector<float>{7, 7}));
    REQUIRE((where.to_host() == std::vector<std::int64_t>{1, 3}));
    REQUIRE((middle.to_host() == std::vector<float>{2, 5}));
    REQUIRE((middle.shape() == k::shape{2, 1}));
    REQUIRE((spread.to_host() == std::vector<float>{1, 1}));
    REQUIRE((several.shape() == k::shape{3, 2}));
    REQUIRE((k::array<float>(several(1)).to_host() == std::vector<float>{2, 5}));
}
