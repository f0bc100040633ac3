// kiln/device/cuda/cuda_memory: the device's stream-ordered pool, with a short memory of small blocks in front of it.
// in: sizes, stream numbers   out: device memory   knows nothing of: arrays, kernels
//
// cuMemAllocAsync and cuMemFreeAsync together cost 0.59 us (H200), more than a warm call may take for a new output. So
// a freed block of up to 8 MiB waits in a list of its stream and size, where work of the same stream finds it without
// the driver: what that stream did with it earlier comes first anyway. The smallest, of 4.5 KiB at most, are cut from slabs
// and stay in the lists until memory is short: a sum in each step of a loop, kept for later, costs no call of the driver's
// that would stand between two kernels.
//
// While a stream is captured its blocks are the graph's: they come from cuMemAllocAsync and go to cuMemFreeAsync, never
// through the lists. A block from outside the capture that is freed by a thread on a captured stream waits until the
// capture is over (a graph may free only what it allocated); that no graph still uses it when it is replayed is the
// caller's care.
#pragma once

#include <device/cuda/cuda_streams.hpp>
#include <device/memory_held.hpp>

#if KILN_HAS_CUDA

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace kiln::backend {

inline constexpr std::size_t largest_listed_bytes = std::size_t{8} << 20;

/// Sizes up to 2 KiB go in steps of 256 bytes, larger ones in eighths of a power of two: at most 12.5% more than asked.
struct size_class {
    int index;
    std::size_t bytes;
};
constexpr size_class class_of(std::size_t bytes) {
    if (bytes <= 2048) {
        const std::size_t steps = bytes == 0 ? 1 : (bytes + 255) / 256;
        return {static_cast<int>(steps) - 1, steps * 256};
    }
    const int octave = static_cast<int>(std::bit_width(bytes - 1)) - 1;  // 11: (2048, 4096]
    const std::size_t step = std::size_t{1} << (octave - 3);
    const std::size_t steps = (bytes + step - 1) / step;  // 9 to 16
    return {(octave - 10) * 8 + static_cast<int>(steps) - 9, steps * step};
}
constexpr std::size_t class_bytes(int index) {
    const auto number = static_cast<std::size_t>(index);
    return number < 8 ? (number + 1) * 256 : (number % 8 + 9) << (number / 8 + 7);
}
inline constexpr int small_class_count = class_of(4608).index + 1;  // 512 parts of a sum have room, of 8 bytes
inline constexpr int class_count = class_of(largest_listed_bytes).index + 1;
static_assert(class_of(256).index == 0 && class_of(2049).index == 8 && class_bytes(8) == 2304 && class_count == 104 &&
              class_of(1'000'000).bytes == class_bytes(class_of(1'000'000).index));

/// Thread-safe. One lock, held for a few loads and stores and never around a call of the driver's.
class cuda_memory {
public:
    cuda_memory(const driver& api, CUcontext context, CUdevice device, cuda_streams& streams);
    ~cuda_memory();

    /// Ordered on `stream`, which the calling thread is on. When there is no memory left: empties the lists, waits for
    /// the device, returns the pool's spare memory to the driver, tries once more, then throws out_of_memory.
    std::byte* allocate(std::size_t bytes, int stream);

    /// `used_by`: bits of every stream whose work may still use it; of several, one is put after the others.
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t used_by) noexcept;

    /// What waited for the end of a capture; nothing to do, and one load, as a rule.
    void after_capture() noexcept;

    /// Lets another GPU reach the pool's memory, where the machine can do that.
    void open_to(CUdevice other) noexcept;

    /// Returns all spare memory to the driver. Waits for the device.
    void trim() noexcept;

    /// Spare: of the pool's memory what is in no live block.
    [[nodiscard]] memory_held now() const;

private:
    struct block {
        CUdeviceptr memory;
        std::size_t bytes;  // as taken: a class's, or what was asked for
        std::uint64_t used_by;
    };
    using lists_of_stream = std::array<std::vector<CUdeviceptr>, class_count>;

    std::byte* allocated(CUdeviceptr memory, std::size_t bytes, bool captured);
    void release(const block& freed) noexcept;
    bool must_wait(const block& freed) noexcept;
    int last_stream_of(std::uint64_t used_by);
    void give_back(CUdeviceptr memory, int stream);
    CUdeviceptr take(size_class size, int stream);
    CUdeviceptr taken_from_pool(std::size_t bytes, int stream, std::size_t asked, bool captured);
    CUdeviceptr cut_slab(size_class size, int stream, std::size_t asked);
    void free_unused_slabs() noexcept;
    bool keep(CUdeviceptr memory, size_class size, int stream);
    void empty_lists() noexcept;
    bool forget_captured(CUdeviceptr memory) noexcept;
    [[noreturn]] void throw_out_of_memory(std::size_t bytes) const;

    const driver& api_;
    const CUcontext context_;
    cuda_streams& streams_;
    CUmemoryPool pool_ = nullptr;
    std::atomic<std::size_t> live_bytes_{0};

    std::mutex mutex_;  // of all that follows
    std::array<std::unique_ptr<lists_of_stream>, stream_count> lists_;
    std::size_t listed_bytes_ = 0;  // of blocks that are no part of a slab
    std::size_t listed_blocks_ = 0;
    std::vector<CUdeviceptr> slabs_;
    std::unordered_set<CUdeviceptr> captured_;  // live blocks that belong to a graph
    std::vector<block> waiting_;
    std::atomic<std::size_t> captured_count_{0};
    std::atomic<std::size_t> waiting_count_{0};
};

}  // namespace kiln::backend

#endif
