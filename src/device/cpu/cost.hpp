// kiln/device/cpu/cost: a rough guess of what one element costs on a CPU, to decide how many threads a launch is worth.
// in: program and kernel   out: a count   knows nothing of: sizes, threads
#pragma once

#include <plan/schedule.hpp>

#include <cstdint>

namespace kiln::backend {

enum class gear : std::uint8_t { compiled, interpreted };

/// A thread wakes in about 10 us (futex, two cores of an EPYC under KVM), and is to be worth it.
inline constexpr double least_ns_of_thread = 13'000;
inline constexpr std::int64_t least_elements_of_thread = 1024;

/// The least count of elements that a thread's waking pays for.
std::int64_t grain_for(const lower::program& program, const plan::kernel& kernel, gear how);

}  // namespace kiln::backend
