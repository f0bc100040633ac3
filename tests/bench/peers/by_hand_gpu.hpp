// tests/bench/peers/by_hand_gpu: the CUDA kernels; without CUDA's headers, errors.
#pragma once

#include "by_hand.hpp"

namespace kiln::bench {

hand_written hand_written_on_gpu(const std::string& name, const inputs& on);
program copy_on_gpu(std::int64_t bytes);

}  // namespace kiln::bench
