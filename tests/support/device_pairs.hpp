// tests/support/device_pairs: two devices of one process, whatever the machine has.
#pragma once

#include <kiln/device.hpp>

#include <vector>

namespace tests {

struct device_pair {
    kiln::device one;  // the tests' own device
    kiln::device other;
};

/// On the CPU: it and a second device object on it. On a GPU: it and the CPU, and where there is a second GPU, it and
/// that.
[[nodiscard]] std::vector<device_pair> device_pairs();

}  // namespace tests
