// tests/language/noise: floats of many sizes, whose sums depend on their order.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace tests {

inline std::vector<float> noise(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> out;
    for (std::int64_t i = 0; i < count; ++i)
        out.push_back((static_cast<float>(random()) / 4294967296.0f - 0.5f) *
                      std::exp2(static_cast<float>(random() % 20)));
    return out;
}

}  // namespace tests
