// tests/bench/count_allocations: how often this process asked for heap memory. A program that links it counts.
#pragma once

#include <cstdint>

namespace kiln::bench {

/// By all threads, through malloc and all that rests on it (operator new does). glibc only: 0 elsewhere.
std::int64_t allocation_count() noexcept;

}  // namespace kiln::bench
