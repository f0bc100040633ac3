// kiln/allocator: memory of the user's for arrays and for what kernels keep between them.
// in: a pool of the user's   out: a device that asks there   knows nothing of: arrays, streams that kiln orders
#pragma once

#include <kiln/device.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>

namespace kiln::inline v0_1 {

/// What a device may take its memory from instead of kiln's own pool, so that several libraries share one. Its functions are called by
/// any thread, by several at once, and must not call kiln. Which GPU is CUDA's current one is then whatever the thread has set.
class KILN_API allocator {
public:
    allocator() = default;
    allocator(const allocator&) = delete;
    allocator& operator=(const allocator&) = delete;
    virtual ~allocator();

    /// `bytes` (never 0) of the device's memory, aligned to 256, which work on `stream` (a cudaStream_t; on the CPU nullptr) may use.
    /// nullptr, or anything thrown: there is none. kiln then gives its own spare memory back to the device, asks once more, and throws
    /// out_of_memory.
    virtual void* allocate(std::size_t bytes, void* stream) = 0;

    /// What allocate() gave for as many bytes. Work that `stream` holds now may use it still (on the CPU none does): whoever gets it
    /// next must come after that, as with cudaFreeAsync.
    virtual void deallocate(void* memory, std::size_t bytes, void* stream) noexcept = 0;
};

/// k::use_allocator(std::make_shared<my_pool>(), k::cuda(0));
/// From now on the device asks there; nullptr: kiln's own pool again. Each block goes back where it came from, and an allocator lives
/// as long as blocks of it do. While the calling thread's stream is captured by the user into a CUDA graph, kiln's own pool serves it.
/// Throws device_error.
KILN_API void use_allocator(std::shared_ptr<allocator> from, const device& on = current_device());

}  // namespace kiln::inline v0_1
