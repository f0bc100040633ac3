// tests/bench/peers/by_hand: workloads without kiln, as the measure of what the machine gives: kernels for a GPU, loops
// on as many threads as kiln's for a CPU.
#pragma once

#include "kiln_side.hpp"

namespace kiln::bench {

struct hand_written {
    program how;
    std::string what;  // which of several ways it is
};

/// Throws std::runtime_error where nobody wrote one, or not for such sizes.
hand_written find_hand_written(const std::string& name, const inputs& on);

/// Reads and writes `bytes` together, from device to device or with memcpy on all threads.
program copy_program(std::int64_t bytes);

}  // namespace kiln::bench
