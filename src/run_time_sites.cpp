#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <run_time_sites.hpp>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace kiln::detail {

namespace {

struct site_table {
    /// The last is in use. A lock of this kind knows its writer by a thread's number, and a child of fork() has another: it
    /// takes a new one, and leaves its parent's as it was, held.
    std::vector<std::unique_ptr<std::shared_mutex>> locks;
    std::unordered_multimap<std::size_t, std::unique_ptr<run_time_site>> sites;

    site_table() { add_lock(); }
    void add_lock() { locks.push_back(std::make_unique<std::shared_mutex>()); }
    [[nodiscard]] std::shared_mutex& mutex() const noexcept { return *locks.back(); }

    run_time_site* find(std::size_t hash, const graph& described) {
        const auto [first, last] = sites.equal_range(hash);
        for (auto each = first; each != last; ++each)
            if (each->second->described == described) return each->second.get();
        return nullptr;
    }
};

constinit process::immortal<site_table> all_sites;

const process::fork_participant held{process::fork_order::tables, [] { all_sites().mutex().lock(); },
                                     [] { all_sites().mutex().unlock(); }, [] { all_sites().add_lock(); }};

}  // namespace

run_time_site& find_run_time_site(const graph& described) {
    site_table& table = all_sites();
    const std::size_t hash = hash_of(described);
    {
        const std::shared_lock lock(table.mutex());
        if (run_time_site* const found = table.find(hash, described)) return *found;
    }
    const std::unique_lock lock(table.mutex());
    if (run_time_site* const found = table.find(hash, described)) return *found;
    auto made = std::make_unique<run_time_site>();
    made->described = described;
    if (described.outputs.size() > 1) made->leaves_of_each = leaves_of_outputs(described);
    return *table.sites.emplace(hash, std::move(made))->second;
}

}  // namespace kiln::detail
