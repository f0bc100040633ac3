#include <device/device.hpp>
#include <device/stream_order.hpp>
#include <device/user_memory.hpp>
#include <device/user_streams.hpp>

#include <kiln/error.hpp>

#include <bit>
#include <exception>
#include <string>
#include <utility>

namespace kiln::backend {

namespace {

constexpr std::size_t alignment = 256;

bool is_captured(device& on) {
    user_streams* const streams = on.streams();
    return streams && streams->is_captured();
}

void* native_stream(device& on) {
    user_streams* const streams = on.streams();
    return streams ? streams->current() : nullptr;
}

struct answer {
    void* memory = nullptr;
    std::string trouble = "it gave none";
};

answer ask(allocator& from, std::size_t bytes, void* stream) {
    try {
        return {from.allocate(bytes, stream)};
    } catch (const std::exception& thrown) {
        return {nullptr, thrown.what()};
    } catch (...) {
        return {nullptr, "it threw what is no std::exception"};
    }
}

}  // namespace

void user_memory::use(std::shared_ptr<allocator> next) {
    const std::lock_guard held(mutex_);
    if (next) is_used_.store(true, std::memory_order_relaxed);
    current_.swap(next);
}  // the one before goes here, if nothing of it lives

std::byte* user_memory::allocate(device& on, std::size_t bytes) {
    if (is_captured(on)) return nullptr;
    std::shared_ptr<allocator> from;
    {
        const std::lock_guard held(mutex_);
        from = current_;
    }
    give_back_waiting(on);
    if (!from) return nullptr;
    void* const stream = native_stream(on);
    answer given = ask(*from, bytes, stream);
    if (!given.memory) {
        on.trim_memory();
        given = ask(*from, bytes, stream);
    }
    if (!given.memory)
        throw out_of_memory("kiln: device: out of memory: " + std::to_string(bytes) +
                            " bytes asked for of the allocator in use (k::use_allocator): " + given.trouble + "; " +
                            std::to_string(live_bytes()) + " of its bytes in live arrays.");
    if (std::bit_cast<std::uintptr_t>(given.memory) % alignment != 0) {
        from->deallocate(given.memory, bytes, stream);
        throw device_error(
            "kiln: device: the allocator in use (k::use_allocator) gave memory that is not aligned to 256 "
            "bytes");
    }
    auto* const memory = static_cast<std::byte*>(given.memory);
    try {
        const std::lock_guard held(mutex_);
        blocks_.emplace(memory, block{from, bytes});
    } catch (...) {
        from->deallocate(memory, bytes, stream);
        throw;
    }
    live_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    return memory;
}

bool user_memory::deallocate(device& on, std::byte* memory, std::uint64_t streams) noexcept {
    freed_block freed{memory, {}, streams};
    {
        const std::lock_guard held(mutex_);
        const auto found = blocks_.find(memory);
        if (found == blocks_.end()) return false;
        freed.of = std::move(found->second);
        blocks_.erase(found);
    }
    live_bytes_.fetch_sub(freed.of.bytes, std::memory_order_relaxed);
    try {
        if (is_captured(on)) {
            const std::lock_guard held(mutex_);
            waiting_.push_back(std::move(freed));
        } else {
            give_back(on, freed);
        }
    } catch (...) {
        // No stream could be put after the others, or there is no room for a note: it may be in use still, and stays taken.
    }
    return true;
}

/// On the calling thread's stream, put after all that used it.
void user_memory::give_back(device& on, const freed_block& freed) {
    const int mine = on.current_stream();
    for (std::uint64_t others = freed.streams & ~stream_bit(mine); others; others &= others - 1)
        on.order_after(mine, std::countr_zero(others));
    freed.of.from->deallocate(freed.memory, freed.of.bytes, native_stream(on));
}

void user_memory::give_back_waiting(device& on) {
    std::vector<freed_block> freed;
    {
        const std::lock_guard held(mutex_);
        freed.swap(waiting_);
    }
    for (const freed_block& each : freed) give_back(on, each);
}

}  // namespace kiln::backend
