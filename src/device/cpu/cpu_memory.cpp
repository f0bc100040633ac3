// kiln/device/cpu/cpu_memory: free lists by size class, threaded through the free blocks, and all of them by age.
#include <device/cpu/cpu_memory.hpp>

#include <device/cpu/system_memory.hpp>
#include <kiln/error.hpp>

#include <sched.h>

#include <bit>
#include <mutex>
#include <new>
#include <string>

namespace kiln::backend {

namespace {

// Below this, a request is not held against what is available: asking costs 20 us, touching so little hardly more.
constexpr std::size_t checked_from = std::size_t{64} << 20;  // bytes

// Nothing larger is a size: it is an overflow. Leaves room for rounding up.
constexpr std::size_t largest_bytes = std::size_t{1} << 56;  // bytes

constexpr int last_small_class = 7;  // 2 KiB

struct host_class {
    int number;
    std::size_t bytes;
};

constexpr host_class host_class_of(std::size_t bytes) {
    const std::size_t units = (bytes + small_class_bytes - 1) / small_class_bytes;
    if (units <= 8) return {static_cast<int>(units) - 1, units * small_class_bytes};
    // Eight steps per doubling: keep four significant bits.
    const int shift = static_cast<int>(std::bit_width(units - 1)) - 4;
    const std::size_t steps = ((units - 1) >> shift) + 1;  // 9 .. 16
    return {last_small_class + 8 * shift + static_cast<int>(steps) - 8, (steps << shift) * small_class_bytes};
}
static_assert(host_class_of(2048).number == 7 && host_class_of(2049).number == 8 && host_class_of(2049).bytes == 2304);
static_assert(host_class_of(4096).number == 15 && host_class_of(4097).number == 16 &&
              host_class_of(4097).bytes == 4608);
static_assert(host_class_of(largest_bytes).number < 8 + 8 * 53);

}  // namespace

// Lives in the free memory itself.
struct cpu_memory::free_block {
    free_block* next_in_class;
    free_block* previous_in_class;
    free_block* older;
    free_block* newer;
    host_class class_;
};

void cpu_memory::lock() const noexcept {
    while (locked_.exchange(true, std::memory_order_acquire)) ::sched_yield();
}

cpu_memory::cpu_memory(std::size_t cache_limit) : cache_limit_(cache_limit) {}

cpu_memory::~cpu_memory() { release_cache(); }

std::byte* cpu_memory::allocate(std::size_t bytes) {
    if (bytes <= largest_bytes) [[likely]] {
        const host_class wanted = host_class_of(bytes);
        const std::lock_guard hold(*this);
        if (free_block* block = classes_[wanted.number]) {
            unlink(block);
            live_bytes_ += wanted.bytes;
            return reinterpret_cast<std::byte*>(block);
        }
    }
    return allocate_fresh(bytes, bytes <= largest_bytes ? host_class_of(bytes).bytes : bytes);
}

std::byte* cpu_memory::allocate_fresh(std::size_t bytes, std::size_t rounded) {
    // Linux hands out address space that it has no memory for, and ends the process when it is touched: asked first.
    const auto try_once = [&]() -> std::byte* {
        if (bytes > largest_bytes) return nullptr;
        if (rounded >= checked_from)
            if (const std::size_t available = available_memory(); available != 0 && bytes > available) return nullptr;
        return system_allocate_staggered(rounded);
    };
    std::byte* memory = try_once();
    if (!memory) {
        release_cache();
        memory = try_once();
    }
    if (!memory) {
        throw out_of_memory("kiln: the CPU is out of memory: " + std::to_string(bytes) + " bytes asked for, " +
                            std::to_string(available_memory()) + " available, " + std::to_string(now().live) +
                            " in live arrays; evaluate in parts, or let go of arrays.");
    }
    const std::lock_guard hold(*this);
    live_bytes_ += rounded;
    return memory;
}

void cpu_memory::deallocate(std::byte* memory, std::size_t bytes) noexcept {
    const host_class returned = host_class_of(bytes);
    free_block* surplus = nullptr;
    {
        const std::lock_guard hold(*this);
        auto* block = new (memory) free_block{classes_[returned.number], nullptr, newest_, nullptr, returned};
        if (block->next_in_class) block->next_in_class->previous_in_class = block;
        classes_[returned.number] = block;
        (newest_ ? newest_->newer : oldest_) = block;
        newest_ = block;
        cached_bytes_ += returned.bytes;
        live_bytes_ -= returned.bytes;
        if (cached_bytes_ > cache_limit_) {
            // One that is too large by itself must not push all others out first.
            if (returned.bytes > cache_limit_) unlink(surplus = block), block->newer = nullptr;
            else surplus = detach_oldest_beyond(cache_limit_);
        }
    }
    while (surplus) {  // outside the lock: munmap of a large block takes milliseconds
        free_block* const block = surplus;
        surplus = block->newer;
        system_deallocate_staggered(reinterpret_cast<std::byte*>(block), block->class_.bytes);
    }
}

void cpu_memory::unlink(free_block* block) noexcept {
    (block->previous_in_class ? block->previous_in_class->next_in_class : classes_[block->class_.number]) =
        block->next_in_class;
    if (block->next_in_class) block->next_in_class->previous_in_class = block->previous_in_class;
    (block->older ? block->older->newer : oldest_) = block->newer;
    (block->newer ? block->newer->older : newest_) = block->older;
    cached_bytes_ -= block->class_.bytes;
}

/// A list linked by `newer`.
cpu_memory::free_block* cpu_memory::detach_oldest_beyond(std::size_t limit) noexcept {
    free_block* detached = nullptr;
    while (oldest_ && cached_bytes_ > limit) {
        free_block* const block = oldest_;
        unlink(block);
        block->newer = detached;
        detached = block;
    }
    return detached;
}

void cpu_memory::release_cache() noexcept {
    free_block* released = nullptr;
    {
        const std::lock_guard hold(*this);
        released = detach_oldest_beyond(0);
    }
    while (released) {
        free_block* const block = released;
        released = block->newer;
        system_deallocate_staggered(reinterpret_cast<std::byte*>(block), block->class_.bytes);
    }
}

cpu_memory::totals cpu_memory::now() const noexcept {
    const std::lock_guard hold(*this);
    return {live_bytes_, cached_bytes_};
}

std::size_t cpu_memory::default_cache_limit() {
    const std::size_t total = total_memory();
    return total == 0 ? std::size_t{1} << 30 : total / 4;
}

}  // namespace kiln::backend
