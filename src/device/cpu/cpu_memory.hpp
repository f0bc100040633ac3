// kiln/device/cpu/cpu_memory: the CPU's array memory: 256-byte aligned blocks, kept for reuse when freed.
// in: sizes   out: memory   knows nothing of: arrays, threads that compute
//
// Fresh pages cost more than what is computed into them: writing 256 MiB for the first time took 53 to 840 ms, in huge
// pages or small, and 14 the second time (one core of an EPYC under KVM). So a freed block waits for the next request
// of its size class, and goes back to the system only when too many wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kiln::backend {

/// Sizes are rounded up to classes: multiples of 256 bytes to 2 KiB, then eight per doubling, so at most 1/8 is lost.
constexpr std::size_t small_class_bytes = 256;

class cpu_memory {
public:
    static constexpr std::size_t alignment = 256;  // bytes

    struct totals {
        std::size_t live = 0;    // bytes handed out
        std::size_t cached = 0;  // bytes waiting for reuse
    };

    /// `cache_limit`: the most bytes that wait for reuse.
    explicit cpu_memory(std::size_t cache_limit = default_cache_limit());
    ~cpu_memory();
    cpu_memory(const cpu_memory&) = delete;
    cpu_memory& operator=(const cpu_memory&) = delete;

    /// At least `bytes` (not 0). Throws out_of_memory naming bytes asked for, free and live.
    std::byte* allocate(std::size_t bytes);
    /// `bytes`: as asked for.
    void deallocate(std::byte* memory, std::size_t bytes) noexcept;
    /// Gives all that waits for reuse back to the system.
    void release_cache() noexcept;
    [[nodiscard]] totals now() const noexcept;

    /// For a fork(): nobody changes the lists in between.
    void lock() const noexcept;
    void unlock() const noexcept { locked_.store(false, std::memory_order_release); }

    /// A quarter of the memory of this machine or of its container, whichever is less.
    static std::size_t default_cache_limit();

private:
    struct free_block;
    static constexpr int class_count = 8 + 8 * 53;

    std::byte* allocate_fresh(std::size_t bytes, std::size_t rounded);
    void unlink(free_block* block) noexcept;
    free_block* detach_oldest_beyond(std::size_t limit) noexcept;

    mutable std::atomic<bool> locked_{false};  // held for tens of instructions, so nobody sleeps on it
    free_block* classes_[class_count] = {};
    free_block* oldest_ = nullptr;
    free_block* newest_ = nullptr;
    std::size_t cached_bytes_ = 0;
    std::size_t live_bytes_ = 0;
    const std::size_t cache_limit_;
};

}  // namespace kiln::backend
