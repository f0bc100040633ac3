// kiln/device/cuda/cuda_memory: taking from the lists and the pool, and giving back.
#include <device/cuda/cuda_memory.hpp>

#if KILN_HAS_CUDA

#include <kiln/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace kiln::backend {

namespace {

// Bounds of all lists of a device together. The second keeps emptying them short: about 0.3 us per block.
constexpr std::size_t most_listed_bytes = std::size_t{256} << 20;
constexpr std::size_t most_listed_blocks = 4096;

constexpr std::size_t blocks_of_slab = 32;

constexpr bool is_small(size_class size) { return size.index < small_class_count; }

constexpr std::uint64_t bit(int stream) { return std::uint64_t{1} << stream; }

std::byte* as_pointer(CUdeviceptr memory) { return reinterpret_cast<std::byte*>(memory); }

/// What is really taken.
std::size_t rounded(std::size_t bytes) { return bytes <= largest_listed_bytes ? class_of(bytes).bytes : bytes; }

}  // namespace

cuda_memory::cuda_memory(const driver& api, CUcontext context, CUdevice device, cuda_streams& streams)
    : api_(api), context_(context), streams_(streams) {
    check(api_, api_.cuDeviceGetDefaultMemPool(&pool_, device), "kiln: device: get the default memory pool");
    // Keep what is freed: without this every wait gives the pool's memory back to the driver, and the next allocation
    // maps it again.
    cuuint64_t threshold = UINT64_MAX;
    check(api_, api_.cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
          "kiln: device: set the memory pool's release threshold");
}

cuda_memory::~cuda_memory() {
    const context_scope current(api_, context_);
    after_capture();
    empty_lists();
    free_unused_slabs();
}

void cuda_memory::open_to(CUdevice other) noexcept {
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = other;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    api_.cuMemPoolSetAccess(pool_, &access, 1);  // refused where the two GPUs have no way between them
}

std::byte* cuda_memory::allocate(std::size_t bytes, int stream) {
    const std::size_t size = rounded(bytes);
    const bool captured = stream != 0 && streams_.capturing(stream);
    if (!captured && bytes <= largest_listed_bytes)
        if (const CUdeviceptr found = take(class_of(bytes), stream)) return allocated(found, size, false);

    const context_scope current(api_, context_);
    if (!captured) after_capture();
    const CUdeviceptr memory = !captured && is_small(class_of(bytes)) ? cut_slab(class_of(bytes), stream, bytes)
                                                                      : taken_from_pool(size, stream, bytes, captured);
    return allocated(memory, size, captured);
}

CUdeviceptr cuda_memory::taken_from_pool(std::size_t bytes, int stream, std::size_t asked, bool captured) {
    CUdeviceptr memory = 0;
    CUresult result = api_.cuMemAllocAsync(&memory, bytes, streams_.handle(stream));
    // Waiting would end the capture, and a captured allocation takes no memory yet.
    if (result == CUDA_ERROR_OUT_OF_MEMORY && !captured) {
        trim();
        result = api_.cuMemAllocAsync(&memory, bytes, streams_.handle(stream));
    }
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw_out_of_memory(asked);
    if (result != CUDA_SUCCESS)
        throw_device_error(api_, result, "kiln: device: allocate memory", " (" + std::to_string(asked) + " bytes)");
    return memory;
}

/// The first block of a new slab; the others wait in the list.
CUdeviceptr cuda_memory::cut_slab(size_class size, int stream, std::size_t asked) {
    const CUdeviceptr first = taken_from_pool(blocks_of_slab * size.bytes, stream, asked, /*captured=*/false);
    {
        const std::lock_guard lock(mutex_);
        slabs_.push_back(first);
    }
    for (std::size_t i = blocks_of_slab; --i > 0;) keep(first + i * size.bytes, size, stream);
    return first;
}

std::byte* cuda_memory::allocated(CUdeviceptr memory, std::size_t bytes, bool captured) {
    if (captured) [[unlikely]] {
        const std::lock_guard lock(mutex_);
        captured_.insert(memory);
        captured_count_.store(captured_.size(), std::memory_order_relaxed);
    }
    live_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    return as_pointer(memory);
}

void cuda_memory::deallocate(std::byte* memory, std::size_t bytes, std::uint64_t used_by) noexcept {
    const std::size_t size = rounded(bytes);
    live_bytes_.fetch_sub(size, std::memory_order_relaxed);
    // Nothing uses it: whichever stream takes it next may have it at once, and the caller's is the likely one.
    release({reinterpret_cast<CUdeviceptr>(memory), size, used_by ? used_by : bit(streams_.current())});
}

void cuda_memory::release(const block& freed) noexcept {
    try {
        const bool of_graph = captured_count_.load(std::memory_order_relaxed) != 0 && forget_captured(freed.memory);
        if (!of_graph && must_wait(freed)) return;
        const bool listed = freed.bytes <= largest_listed_bytes && !of_graph;
        // The common case: one stream, still in use. No call of the driver's, so no context is asked for.
        if (listed && std::has_single_bit(freed.used_by)) {
            const int only = std::countr_zero(freed.used_by);
            if (streams_.usable(only) && keep(freed.memory, class_of(freed.bytes), only)) return;
        }
        const context_scope current(api_, context_);
        const int stream = last_stream_of(freed.used_by);
        if (listed) {
            if (keep(freed.memory, class_of(freed.bytes), stream)) return;
            // Full of sizes that nobody asks for now: the lists start anew with this block.
            empty_lists();
            if (keep(freed.memory, class_of(freed.bytes), stream)) return;
        }
        give_back(freed.memory, stream);
    } catch (...) {
        // No stream could be put after the others: the context is lost, or the driver gone at process exit. The block
        // stays where it is, for it may still be in use.
    }
}

/// A captured stream may free only what its graph allocated, and its thread may not touch the default stream. What is
/// freed there is noted until the capture is over.
bool cuda_memory::must_wait(const block& freed) noexcept {
    bool captured = false;
    std::uint64_t involved = (freed.used_by | bit(streams_.current())) & ~bit(0);
    for (; involved && !captured; involved &= involved - 1) captured = streams_.capturing(std::countr_zero(involved));
    if (!captured) [[likely]]
        return false;
    try {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(freed);
        waiting_count_.store(waiting_.size(), std::memory_order_relaxed);
    } catch (...) {
        // No host memory for the note: the block stays taken.
    }
    return true;
}

/// The stream that used it; of several, or of one that was left, the caller's, put after all of them.
int cuda_memory::last_stream_of(std::uint64_t used_by) {
    if (std::has_single_bit(used_by) && streams_.usable(std::countr_zero(used_by))) return std::countr_zero(used_by);
    const int mine = streams_.current();
    for (std::uint64_t others = used_by & ~bit(mine); others; others &= others - 1)
        streams_.order_after(mine, std::countr_zero(others));
    return mine;
}

void cuda_memory::give_back(CUdeviceptr memory, int stream) {
    const int mine = streams_.current();
    if (stream != 0 && stream != mine) {
        // Another thread's: held, since that thread might leave it and its owner destroy it between question and use.
        const std::unique_lock<std::mutex> held = streams_.hold();
        if (streams_.usable(stream)) {
            api_.cuMemFreeAsync(memory, streams_.handle(stream));
            return;
        }
    }
    if (stream != mine && stream != 0) {
        streams_.order_after(mine, stream);
        stream = mine;
    }
    api_.cuMemFreeAsync(memory, streams_.handle(stream));
}

CUdeviceptr cuda_memory::take(size_class size, int stream) {
    const std::lock_guard lock(mutex_);
    const std::unique_ptr<lists_of_stream>& lists = lists_[static_cast<std::size_t>(stream)];
    if (!lists) return 0;
    std::vector<CUdeviceptr>& list = (*lists)[static_cast<std::size_t>(size.index)];
    if (list.empty()) return 0;
    const CUdeviceptr found = list.back();  // the one used last: the likeliest to be in the device's cache still
    list.pop_back();
    if (!is_small(size)) {
        listed_bytes_ -= size.bytes;
        --listed_blocks_;
    }
    return found;
}

bool cuda_memory::keep(CUdeviceptr memory, size_class size, int stream) {
    const std::lock_guard lock(mutex_);
    const bool is_full = listed_bytes_ + size.bytes > most_listed_bytes || listed_blocks_ == most_listed_blocks;
    if (is_full && !is_small(size)) return false;
    std::unique_ptr<lists_of_stream>& lists = lists_[static_cast<std::size_t>(stream)];
    if (!lists) lists = std::make_unique<lists_of_stream>();
    (*lists)[static_cast<std::size_t>(size.index)].push_back(memory);
    if (!is_small(size)) {
        listed_bytes_ += size.bytes;
        ++listed_blocks_;
    }
    return true;
}

void cuda_memory::empty_lists() noexcept {
    for (int stream = 0; stream < stream_count; ++stream) {
        // A captured stream frees nothing of ours; its lists stay until the capture is over.
        if (streams_.capturing(stream)) continue;
        try {
            std::vector<CUdeviceptr> blocks;
            {
                const std::lock_guard lock(mutex_);
                const std::unique_ptr<lists_of_stream>& lists = lists_[static_cast<std::size_t>(stream)];
                if (!lists) continue;
                for (int index = small_class_count; index < class_count; ++index) {
                    std::vector<CUdeviceptr>& list = (*lists)[static_cast<std::size_t>(index)];
                    listed_blocks_ -= list.size();
                    listed_bytes_ -= list.size() * class_bytes(index);
                    blocks.insert(blocks.end(), list.begin(), list.end());
                    list.clear();
                }
            }
            const int last = last_stream_of(bit(stream));
            for (const CUdeviceptr memory : blocks) give_back(memory, last);
        } catch (...) {
            // As in release(): what cannot be put in order is not given back.
        }
    }
}

void cuda_memory::trim() noexcept {
    const context_scope current(api_, context_);
    after_capture();
    empty_lists();
    free_unused_slabs();
    api_.cuCtxSynchronize();
    api_.cuMemPoolTrimTo(pool_, 0);
}

/// Those of which no block is in use. Waits for the device: any stream may have used them.
void cuda_memory::free_unused_slabs() noexcept {
    if (api_.cuCtxSynchronize() != CUDA_SUCCESS) return;  // while a stream is captured: not now
    std::vector<CUdeviceptr> unused;
    try {
        const std::lock_guard lock(mutex_);
        std::sort(slabs_.begin(), slabs_.end());
        std::vector<std::size_t> listed(slabs_.size());  // blocks of each
        const auto count_of = [&](CUdeviceptr memory) -> std::size_t& {
            const auto after = std::upper_bound(slabs_.begin(), slabs_.end(), memory);
            return listed[static_cast<std::size_t>(after - slabs_.begin()) - 1];
        };
        const auto each_list = [&](auto visit) {
            for (const std::unique_ptr<lists_of_stream>& lists : lists_)
                for (int index = 0; lists && index < small_class_count; ++index)
                    visit((*lists)[static_cast<std::size_t>(index)]);
        };
        each_list([&](const std::vector<CUdeviceptr>& list) {
            for (const CUdeviceptr memory : list) ++count_of(memory);
        });
        for (std::size_t i = 0; i < slabs_.size(); ++i)
            if (listed[i] == blocks_of_slab) unused.push_back(slabs_[i]);
        each_list([&](std::vector<CUdeviceptr>& list) {
            std::erase_if(list, [&](CUdeviceptr memory) { return count_of(memory) == blocks_of_slab; });
        });
        std::erase_if(slabs_, [&](CUdeviceptr each) { return std::binary_search(unused.begin(), unused.end(), each); });
    } catch (...) {
        return;  // no host memory to count with: they stay, in the lists or out of use
    }
    // What other threads launched with their blocks before these were out of reach.
    if (unused.empty() || api_.cuCtxSynchronize() != CUDA_SUCCESS) return;
    for (const CUdeviceptr each : unused) api_.cuMemFreeAsync(each, streams_.handle(0));
}

bool cuda_memory::forget_captured(CUdeviceptr memory) noexcept {
    const std::lock_guard lock(mutex_);
    const bool known = captured_.erase(memory) != 0;
    captured_count_.store(captured_.size(), std::memory_order_relaxed);
    return known;
}

void cuda_memory::after_capture() noexcept {
    if (waiting_count_.load(std::memory_order_relaxed) == 0) [[likely]]
        return;
    std::vector<block> blocks;
    {
        const std::lock_guard lock(mutex_);
        blocks.swap(waiting_);
        waiting_count_.store(0, std::memory_order_relaxed);
    }
    for (const block& each : blocks) release(each);
}

memory_held cuda_memory::now() const {
    const context_scope current(api_, context_);
    std::uint64_t reserved = 0;
    check(api_, api_.cuMemPoolGetAttribute(pool_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved),
          "kiln: device: ask how much memory is kept");
    const std::size_t live = live_bytes_.load(std::memory_order_relaxed);
    return {live, reserved > live ? static_cast<std::size_t>(reserved) - live : 0};
}

void cuda_memory::throw_out_of_memory(std::size_t bytes) const {
    std::size_t free = 0;
    std::size_t total = 0;
    api_.cuMemGetInfo(&free, &total);
    throw out_of_memory("kiln: device: out of memory: " + std::to_string(bytes) + " bytes asked for, " +
                        std::to_string(free) + " of " + std::to_string(total) + " free, " +
                        std::to_string(live_bytes_.load(std::memory_order_relaxed)) +
                        " in live arrays. Free arrays, or work on smaller parts.");
}

}  // namespace kiln::backend

#endif
