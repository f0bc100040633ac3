#include <streamed/locked_memory.hpp>

#include <device/cpu/system_memory.hpp>
#include <device/devices.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <streamed/host_threads.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

namespace kiln::streamed {

namespace {

// Smaller memory is the heap's: its pages are not one array's alone.
constexpr std::size_t least_locked = std::size_t{1} << 20;
constexpr std::size_t small_page = 4096;

/// In eighths of a power of two, 64 MiB at most, so that a block of nearly the size will do.
std::size_t rounded(std::size_t bytes) {
    if (bytes <= least_locked) return least_locked;
    const std::size_t step = std::min(std::bit_floor(bytes - 1) / 8, std::size_t{64} << 20);
    return (bytes + step - 1) / step * step;
}

struct block {
    std::byte* data;
    std::size_t bytes;
    known_device* made_for;
    bool is_locked;
};

struct pool {
    std::mutex mutex;
    std::vector<block> spare;  // that which came back last is last
    std::unordered_map<const known_device*, std::size_t> live_bytes;
};
constinit process::immortal<pool> the_pool;
const process::fork_participant held{process::fork_order::memory, [] { the_pool().mutex.lock(); },
                                     [] { the_pool().mutex.unlock(); }};

/// Of the machine's memory, an eighth may wait for who asks next; 8 GiB at most.
std::size_t most_spare() {
    static const std::size_t bytes = std::min(backend::total_memory() / 8, std::size_t{8} << 30);
    return bytes;
}

/// Pages that are touched from now on come from that node while there are some.
void prefer_node(std::byte* memory, std::size_t bytes, int node) {
#ifdef SYS_mbind
    constexpr int preferred = 1;  // MPOL_PREFERRED
    constexpr int bits = 64;
    if (node < 0 || node >= bits) return;
    const unsigned long nodes = 1UL << node;
    ::syscall(SYS_mbind, memory, bytes, preferred, &nodes, bits + 1UL,
              0U);  // a refusal leaves them where they are touched
#endif
}

/// Locking also brings pages in, one after the other: threads are faster.
void touch(std::byte* memory, std::size_t bytes) {
    host_threads().parallel_for(static_cast<std::int64_t>(bytes / small_page), std::int64_t{1} << 10,
                                [memory](std::int64_t begin, std::int64_t end) {
                                    for (std::int64_t at = begin; at < end; ++at)
                                        *reinterpret_cast<volatile std::byte*>(memory + at * small_page) = std::byte{0};
                                });
}

void give_to_system(const block& of) noexcept {
    if (of.is_locked)
        if (backend::device* const on = backend::device_if_started(*of.made_for)) on->unlock_pages(of.data);
    backend::system_deallocate(of.data, of.bytes);
}

/// The smallest that is large enough, and not much larger.
block taken(std::vector<block>& spare, std::size_t bytes, const known_device* on) {
    auto best = spare.end();
    for (auto each = spare.begin(); each != spare.end(); ++each)
        if (each->made_for == on && each->bytes >= bytes && each->bytes <= bytes + bytes / 4 &&
            (best == spare.end() || each->bytes <= best->bytes))
            best = each;
    if (best == spare.end()) return {};
    const block out = *best;
    spare.erase(best);
    return out;
}

block made(backend::device& on, std::size_t bytes) {
    std::byte* const data = backend::system_allocate(bytes);
    if (!data) return {};
    prefer_node(data, bytes, on.host_node());
    touch(data, bytes);
    return {data, bytes, on.known(), on.lock_pages(data, bytes)};
}

void require(const void* data, std::size_t bytes) {
    if (!data) throw out_of_memory(text::format("kiln: the system has no {} bytes of memory for a host array", bytes));
}

}  // namespace

locked_memory::locked_memory(backend::device& on, std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    pool& of = the_pool();
    block found{};
    {
        const std::lock_guard lock(of.mutex);
        found = taken(of.spare, size, on.known());
    }
    if (!found.data) found = made(on, size);
    if (!found.data) {
        trim_locked(*on.known());
        found = made(on, size);
    }
    require(found.data, bytes);
    data_ = found.data;
    bytes_ = found.bytes;
    made_for_ = found.made_for;
    is_locked_ = found.is_locked;
    const std::lock_guard lock(of.mutex);
    of.live_bytes[made_for_] += bytes_;
}

locked_memory locked_memory::not_locked(std::size_t bytes) {
    locked_memory out;
    out.data_ = backend::system_allocate(bytes);
    out.bytes_ = bytes;
    require(out.data_, bytes);
    return out;
}

locked_memory::~locked_memory() {
    if (!data_) return;
    const block mine{data_, bytes_, made_for_, is_locked_};
    if (!made_for_) {
        give_to_system(mine);
        return;
    }
    std::vector<block> too_many;
    {
        pool& of = the_pool();
        const std::lock_guard lock(of.mutex);
        of.live_bytes.at(made_for_) -= bytes_;
        try {
            of.spare.push_back(mine);
            std::size_t bytes = 0;
            for (const block& each : of.spare) bytes += each.bytes;
            while (bytes > most_spare()) {  // those that nobody asked for longest
                bytes -= of.spare.front().bytes;
                too_many.push_back(of.spare.front());
                of.spare.erase(of.spare.begin());
            }
        } catch (const std::bad_alloc&) {  // some block stays nobody's
        }
    }
    for (const block& each : too_many) give_to_system(each);
}

backend::memory_held locked_for(const known_device& on) noexcept {
    pool& of = the_pool();
    const std::lock_guard lock(of.mutex);
    backend::memory_held out;
    if (const auto live = of.live_bytes.find(&on); live != of.live_bytes.end()) out.live_bytes = live->second;
    for (const block& each : of.spare)
        if (each.made_for == &on) out.spare_bytes += each.bytes;
    return out;
}

void trim_locked(const known_device& on) noexcept {
    std::vector<block> spare;
    {
        pool& of = the_pool();
        const std::lock_guard lock(of.mutex);
        const auto mine = std::stable_partition(of.spare.begin(), of.spare.end(),
                                                [&on](const block& each) { return each.made_for != &on; });
        try {
            spare.assign(mine, of.spare.end());
        } catch (const std::bad_alloc&) {
            return;
        }
        of.spare.erase(mine, of.spare.end());
    }
    for (const block& each : spare) give_to_system(each);
}

}  // namespace kiln::streamed
