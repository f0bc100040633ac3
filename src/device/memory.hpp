// kiln/device/memory: a device's memory as arrays and calls take it: from its own pool, or from an allocator of the user's.
// in: bytes   out: memory; what holds it, where there is none   knows nothing of: what is kept there
#pragma once

#include <device/device.hpp>

namespace kiln::backend {

/// As device::allocate(); the message of out_of_memory says what arrays hold.
std::byte* allocate(device& on, std::size_t bytes);
void deallocate(device& on, std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept;

}  // namespace kiln::backend
