// kiln/emit/nontemporal: results of host kernels stored past the caches, whole lines at a time. A core that stores to memory
// it has not read first reads it: of a load and a store per element, a third of the traffic.
// The caller says per launch whether to: device/cpu/library.hpp, the slot after the functions.
#pragma once

#include <plan/schedule.hpp>

namespace kiln::emit {

constexpr int line_bytes = 64;  // what a core moves at once: not less on any processor that has such stores

/// Each line of a block on its own: blocks of 1 KiB, computed and then copied, save nothing. On two cores of an EPYC
/// (Zen 4) x + y of 3 x 128 MiB took 8.7 ms so, 11 with blocks, 10.8 through the caches.
inline constexpr const char* store_nontemporal_text =
    R"(typedef long long part_of_line __attribute__((vector_size(16), may_alias));
static inline void store_nontemporal(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
)";

/// Elements that are whole lines of every output; 0 of kernels that gain nothing.
int elements_per_line(const plan::kernel& of, bool calls_library);

}  // namespace kiln::emit
