// kiln/streamed/host_threads: threads that move bytes of the host's, beside those of the CPU as a device, which computes meanwhile.
// knows nothing of: what is moved
#pragma once

#include <device/cpu/thread_pool.hpp>

namespace kiln::streamed {

/// As many as this process may use, 16 at most: more do not make the memory faster.
backend::thread_pool& host_threads();

}  // namespace kiln::streamed
