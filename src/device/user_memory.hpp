// kiln/device/user_memory: blocks that a device takes from an allocator of the user's.
// in: an allocator, or none   out: blocks, which go back where they came from   knows nothing of: the device's own pool
#pragma once

#include <kiln/allocator.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace kiln::backend {

class device;

/// Thread-safe.
class user_memory {
public:
    /// nullptr: none from now on.
    void use(std::shared_ptr<allocator> next);
    /// False until the first allocator came, and then never again: blocks of it may be anywhere.
    [[nodiscard]] bool is_used() const noexcept { return is_used_.load(std::memory_order_relaxed); }

    /// nullptr: the device's own pool is to serve. Throws out_of_memory, device_error for a block that is not aligned.
    std::byte* allocate(device& on, std::size_t bytes);
    /// False: it is none of these blocks.
    bool deallocate(device& on, std::byte* memory, std::uint64_t streams) noexcept;
    [[nodiscard]] std::size_t live_bytes() const noexcept { return live_bytes_.load(std::memory_order_relaxed); }

    // Around a fork().
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

private:
    struct block {
        std::shared_ptr<allocator> from;
        std::size_t bytes;
    };
    struct freed_block {
        std::byte* memory;
        block of;
        std::uint64_t streams;
    };

    void give_back(device& on, const freed_block& freed);
    void give_back_waiting(device& on);

    std::atomic<bool> is_used_{false};
    std::atomic<std::size_t> live_bytes_{0};
    std::mutex mutex_;
    std::shared_ptr<allocator> current_;
    std::unordered_map<std::byte*, block> blocks_;
    std::vector<freed_block> waiting_;  // freed while a stream was captured
};

}  // namespace kiln::backend
