// kiln/record/tally: where counts go. One tally per thread, so that counting is a plain addition and no thread waits for
// another; counters::now() adds them up.
#pragma once

#include <process/thread_state.hpp>

#include <kiln/cost.hpp>

#include <atomic>
#include <cstdint>

namespace kiln::record {

enum class counter : int {
#define KILN_COUNTER(name, unit, what) name,
#include <kiln/counter_table.def>
    count,
};

class tally {
public:
    tally();
    ~tally();
    tally(const tally&) = delete;
    tally& operator=(const tally&) = delete;

    // Only the owning thread writes, so a load and a store do; atomic, because now() reads meanwhile.
    void add(counter which, std::int64_t amount) noexcept {
        std::atomic<std::int64_t>& value = values_[static_cast<int>(which)];
        value.store(value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }
    /// All bits after every second launch, none after the others: a kernel's parameter (plan::kernel::goes_both_ways).
    [[nodiscard]] std::uint32_t* turned() noexcept { return &turned_; }
    void turn() noexcept { turned_ = ~turned_; }
    void add_to(counters& totals) const noexcept;

private:
    std::uint32_t turned_ = 0;  // first: it has the tally's address
    std::atomic<std::int64_t> values_[static_cast<int>(counter::count)] = {};
};

/// The calling thread's.
inline tally& this_thread() { return process::thread_state<tally, tally>(); }

}  // namespace kiln::record
