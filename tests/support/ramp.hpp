// tests/support/ramp: an array whose elements go up by 1/8, which floats add up exactly, and begin anew after 101.
#pragma once

#include <kiln/kiln.hpp>

#include <cstdint>
#include <vector>

namespace tests {

inline kiln::array<float> ramp(const kiln::shape& extents, float from) {
    std::vector<float> host;
    for (std::int64_t i = 0; i < extents.size(); ++i) host.push_back(from + static_cast<float>(i % 101) / 8);
    return kiln::from_host<float>(host, extents);
}

}  // namespace tests
