// kiln/device/cuda/cuda_device: one GPU, through the driver, in its primary context: the one that the CUDA runtime, Thrust
// and cuBLAS use.
// in: an ordinal   out: a device   knows nothing of: expressions, the cache
#pragma once

#include <device/device.hpp>

#include <memory>

namespace kiln::backend {

/// Whether there is a driver with at least one GPU. Opens and starts the driver; never throws.
bool cuda_available() noexcept;

/// Throws device_error, naming what was looked for where: no driver, a driver without a GPU, an ordinal past the last
/// GPU, a GPU without memory pools, a build without CUDA. Costs what the driver takes to make a context.
std::unique_ptr<device> make_cuda_device(int ordinal);

struct kernel_resources {
    int registers = 0;            // of one thread
    int local_bytes = 0;          // of one thread: spills and arrays
    int static_shared_bytes = 0;  // of one block
};

/// Asks the driver. `kernel` is one that a CUDA device loaded.
kernel_resources resources_of(const loaded_kernel& kernel);

}  // namespace kiln::backend
