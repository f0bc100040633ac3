// kiln/device/cuda/cuda_device: one GPU, through the driver, in its primary context: the one that the CUDA runtime, Thrust
// and cuBLAS use.
// in: an ordinal   out: a device   knows nothing of: expressions, the cache
#pragma once

#include <device/device.hpp>

#include <memory>

namespace kiln::backend {

/// GPUs that the driver sees. Opens and starts the driver; never throws: 0 without one.
int gpu_count() noexcept;
/// Throws device_error for a GPU that is not there, naming those that are, or what was looked for where: no driver, a
/// driver without a GPU, a build without CUDA.
[[noreturn]] void throw_no_gpu(int index);

/// Whose memory that is, as the driver knows it.
struct gpu_memory {
    int gpu = -1;             // the host's, or managed
    bool is_managed = false;  // the host reaches it, and every GPU
    bool is_pinned = false;   // the host's, page-locked
};
/// The host's where this process has no driver yet: none is opened for the question. Throws device_error for a CUDA
/// array, and for memory of another context than the primary one.
gpu_memory gpu_memory_at(const void* pointer);

/// Throws what throw_no_gpu does, and device_error for a GPU without memory pools. Costs what the driver takes to make
/// a context.
std::unique_ptr<device> make_cuda_device(int ordinal);

}  // namespace kiln::backend
