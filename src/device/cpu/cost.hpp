// kiln/device/cpu/cost: a rough guess of what one element costs on a CPU, to decide how many threads a launch is worth.
// in: program and kernel   out: a count   knows nothing of: sizes, threads
#pragma once

#include <plan/schedule.hpp>

#include <cstdint>

namespace kiln::backend {

enum class gear : std::uint8_t { compiled, interpreted };

/// The least count of elements that a thread's waking pays for.
std::int64_t grain_for(const lower::program& program, const plan::kernel& kernel, gear how);

}  // namespace kiln::backend
