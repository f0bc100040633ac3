// kiln/device/cpu/reuse_distance: how much launches touched since one of them wrote a place, which says whether it is in a cache still.
// in: places, bytes   out: bytes   knows nothing of: kernels, caches
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

namespace kiln::backend {

class reuse_distance {
public:
    static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

    /// A launch touches so many bytes. Returns when it began, in bytes that launches had touched by then.
    std::int64_t begin(std::int64_t bytes) noexcept { return touched_.fetch_add(bytes, std::memory_order_relaxed); }

    /// That launch writes at `place`: bytes that have been touched since another one began that did. A guess: threads that launch at once
    /// may see each other's, and of places that meet in the table the last is known.
    std::int64_t write(const void* place, std::int64_t began) noexcept {
        entry& known = entry_of(place);
        const bool is_it = known.place.exchange(place, std::memory_order_relaxed) == place;
        const std::int64_t before = known.began.exchange(began, std::memory_order_relaxed);
        return is_it ? began - before : unknown;
    }

private:
    struct entry {
        std::atomic<const void*> place{nullptr};
        std::atomic<std::int64_t> began{0};
    };
    static constexpr int index_bits = 8;

    entry& entry_of(const void* place) noexcept {
        // Large arrays begin at different lines of a page, and pages apart.
        const std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(place) >> 6) * 0x9e3779b97f4a7c15U;
        return entries_[mixed >> (64 - index_bits)];
    }

    std::atomic<std::int64_t> touched_{0};
    std::array<entry, std::size_t{1} << index_bits> entries_;
};

}  // namespace kiln::backend
