#include <api/carried_array.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>

#include <kiln/array.hpp>

#include <mutex>
#include <unordered_map>

namespace kiln::inline v0_1::detail {

constinit std::atomic<std::uint64_t> carried_slots{0};

namespace {

int bit_of(const void* slot) noexcept { return static_cast<int>(reinterpret_cast<std::uintptr_t>(slot) >> 3 & 63); }

}  // namespace

class watched_arrays {
public:
    void add(watched_array& one) {
        const std::lock_guard lock(mutex_);
        by_slot_.emplace(one.slot_, &one);
        const int bit = bit_of(one.slot_);
        if (with_bit_[bit]++ == 0) carried_slots.fetch_or(std::uint64_t{1} << bit, std::memory_order_relaxed);
    }
    void remove(watched_array& one) noexcept {
        const std::lock_guard lock(mutex_);
        auto [each, end] = by_slot_.equal_range(one.slot_);
        while (each != end && each->second != &one) ++each;
        if (each != end) by_slot_.erase(each);
        const int bit = bit_of(one.slot_);
        if (--with_bit_[bit] == 0) carried_slots.fetch_and(~(std::uint64_t{1} << bit), std::memory_order_relaxed);
    }
    void mark_gone(const handle<array_node>* slot) noexcept {
        const std::lock_guard lock(mutex_);
        for (auto [each, end] = by_slot_.equal_range(slot); each != end; ++each)
            each->second->gone_.store(true, std::memory_order_release);
    }

private:
    static void before_fork();
    static void after_fork();

    std::mutex mutex_;
    std::unordered_multimap<const void*, watched_array*> by_slot_;
    int with_bit_[64] = {};  // how many of those

    static const process::fork_participant held;
};

namespace {

constinit process::immortal<watched_arrays> all_watched;

}  // namespace

void watched_arrays::before_fork() { all_watched().mutex_.lock(); }
void watched_arrays::after_fork() { all_watched().mutex_.unlock(); }
const process::fork_participant watched_arrays::held{process::fork_order::tables, before_fork, after_fork};

watched_array::watched_array(const handle<array_node>* slot) : slot_(slot) { all_watched().add(*this); }
watched_array::~watched_array() { all_watched().remove(*this); }

void carried_slot_goes(const handle<array_node>* slot) noexcept {
    if (carried_slots.load(std::memory_order_relaxed) >> bit_of(slot) & 1) all_watched().mark_gone(slot);
}

}  // namespace kiln::inline v0_1::detail
