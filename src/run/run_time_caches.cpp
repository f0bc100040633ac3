#include <run/run_time_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace kiln::inline v0_1::detail {

namespace {

struct entry {
    std::size_t hash = 0;
    run_time_cache cache;
    entry* next = nullptr;
};

/// Entries are added and never removed, so readers need no lock, and a child of fork() finds none held.
constexpr std::size_t list_count = 4096;
constinit std::array<std::atomic<entry*>, list_count> lists{};

/// From `first` up to `end`, which is not looked at.
entry* find(entry* first, const entry* end, std::size_t hash, const graph& described) {
    for (entry* each = first; each != end; each = each->next)
        if (each->hash == hash && each->cache.described == described) return each;
    return nullptr;
}

}  // namespace

run_time_cache& find_run_time_cache(const graph& described) {
    const std::size_t hash = hash_of(described);
    std::atomic<entry*>& list = lists[hash % list_count];
    entry* first = list.load(std::memory_order_acquire);
    if (entry* const found = find(first, nullptr, hash, described)) return found->cache;

    auto made = std::make_unique<entry>();
    made->hash = hash;
    made->cache.described = described;
    if (described.outputs.size() > 1) made->cache.leaves_of_each = leaves_of_outputs(described);
    for (;;) {
        made->next = first;
        if (list.compare_exchange_weak(first, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
            return made.release()->cache;
        // Others came first, perhaps with the same.
        if (entry* const found = find(first, made->next, hash, described)) return found->cache;
    }
}

}  // namespace kiln::inline v0_1::detail
