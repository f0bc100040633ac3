// kiln/device/cpu/streaming_store: stores that go past the caches. A core that stores to memory it has not read first reads
// it, whole lines for nothing: of a load and a store per element, a third of the traffic.
// in: a block of results   out: the same in memory   knows nothing of: kernels
#pragma once

#include <cstdint>

namespace kiln::backend {

enum class stores : std::uint8_t {
    cached,    // the output is small enough to be found in a cache again
    streamed,  // past the caches
};

/// Copies `bytes` from a block that is in the first cache. Whole aligned cache lines stream, others are plain stores.
using store_function = void (*)(void* to, const void* from, long long bytes);

/// nullptr where the processor's kind has no such stores.
store_function streaming_store() noexcept;

/// Makes streamed stores visible to other threads before whatever the calling thread says next.
void finish_streaming() noexcept;

/// Bytes that all last-level caches of so many threads' processors hold; 0: unknown.
std::int64_t last_cache_bytes(int thread_count);

/// Bytes that a launch must touch before streaming pays: half of what the last-level caches of `thread_count` cores hold, or less where each has
/// more of one than it fills. Of a cache of
/// 32 MiB a x + b of float32 took, streamed and not, one core of an EPYC (Zen 4) 0.15 and 0.11 ns an element of 8 MiB, 0.14 and 0.14 of
/// 16 MiB, 0.14 and 0.22 of 24 MiB, 0.15 and 0.27 of 32 MiB; of two arrays that become each other's results in
/// turn 0.20 and 0.16 of 16 MiB, 0.23 and 0.25 of 24 MiB.
std::int64_t streaming_threshold(int thread_count);

/// Bytes that launches may touch between two that write the same place: its lines are in a cache still, and a store to them reads nothing.
/// Past the threshold such a launch does not stream. RMS norms of one array of 20, 24 and 32 MiB with its result, again and again, took two
/// cores of an EPYC (Zen 5, 32 MiB) 243, 291 and 405 us streamed, or where the host had placed them apart 207 of 32 MiB, and 122, 156 and
/// 181 not: streams of all cores leave such a cache by one link. One core took 247, 301 and 428, and 245, 330 and 540. Of eight arrays in
/// turns two cores took 168 and 202 us of 16 MiB each, 405 and 457 of 32.
std::int64_t cached_reach(int thread_count);

}  // namespace kiln::backend
