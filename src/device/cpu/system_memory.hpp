// kiln/device/cpu/system_memory: pages from the system, and how many are left.
// in: sizes   out: memory   knows nothing of: reuse
#pragma once

#include <cstddef>

namespace kiln::backend {

/// 256-byte aligned; nullptr when there is none. From 4 MiB on in huge pages where the system has them: a 2 MiB page is
/// one fault instead of 512.
std::byte* system_allocate(std::size_t bytes) noexcept;
void system_deallocate(std::byte* memory, std::size_t bytes) noexcept;

/// The same, but what has pages of its own begins at another place of the first one than what was asked for before. Where the last 12 bits of
/// two addresses agree, a core takes a load for one of what a store under way writes, and arrays whose rows are whole pages agree all along:
/// ten steps of the wave equation on 1024 x 1024 floats take two cores of a Xeon (Emerald Rapids, 2026-11) 2.4 times as long so.
std::byte* system_allocate_staggered(std::size_t bytes) noexcept;
void system_deallocate_staggered(std::byte* memory, std::size_t bytes) noexcept;

/// What can still be touched before something is killed for it: the machine's own figure, or what is left of the
/// container's limit. 0 when the system does not say.
std::size_t available_memory() noexcept;
/// All that this process may ever have, likewise.
std::size_t total_memory() noexcept;

}  // namespace kiln::backend
