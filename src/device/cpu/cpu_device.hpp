// kiln/device/cpu/cpu_device: the CPU as a device: compiled kernels where there is a compiler, the interpreter where not.
// in: kernels, memory requests   out: computed elements   knows nothing of: expressions, the cache
#pragma once

#include <device/device.hpp>

#include <memory>

namespace kiln::backend {

/// KILN_CPU=compile (the default) or interpret; KILN_CPU_THREADS: how many threads, else as many as the process may
/// use. Without a compiler it interprets, and says so on stderr once per process. Throws device_error for other values.
std::unique_ptr<device> make_cpu_device();

}  // namespace kiln::backend
