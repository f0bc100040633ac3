#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <run_time_sites.hpp>

#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace kiln::detail {

namespace {

struct site_table {
    std::shared_mutex mutex;
    std::unordered_multimap<std::size_t, std::unique_ptr<run_time_site>> sites;

    run_time_site* find(std::size_t hash, const graph& described) {
        const auto [first, last] = sites.equal_range(hash);
        for (auto each = first; each != last; ++each)
            if (each->second->described == described) return each->second.get();
        return nullptr;
    }
};

constinit process::immortal<site_table> all_sites;

// A lock of this kind knows its writer by a thread's number, and a child's thread has another: a new one there.
void replace_lock() {
    std::shared_mutex& lock = all_sites().mutex;
#ifdef __SANITIZE_THREAD__
    // It would take the new one for the old one, still held.
    __tsan_mutex_pre_unlock(&lock, 0);
    __tsan_mutex_post_unlock(&lock, 0);
#endif
    new (&lock) std::shared_mutex;
}

const process::fork_participant held{process::fork_order::tables, [] { all_sites().mutex.lock(); },
                                     [] { all_sites().mutex.unlock(); }, replace_lock};

}  // namespace

run_time_site& find_run_time_site(const graph& described) {
    site_table& table = all_sites();
    const std::size_t hash = hash_of(described);
    {
        const std::shared_lock lock(table.mutex);
        if (run_time_site* const found = table.find(hash, described)) return *found;
    }
    const std::unique_lock lock(table.mutex);
    if (run_time_site* const found = table.find(hash, described)) return *found;
    auto made = std::make_unique<run_time_site>();
    made->described = described;
    if (described.outputs.size() > 1) made->leaves_of_each = leaves_of_outputs(described);
    return *table.sites.emplace(hash, std::move(made))->second;
}

}  // namespace kiln::detail
