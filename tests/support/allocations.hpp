// tests/support/allocations: how often the calling thread asked operator new for memory.
#pragma once

#include <cstdint>

namespace tests {

/// Of this thread, since its start.
[[nodiscard]] std::int64_t allocation_count() noexcept;

}  // namespace tests
