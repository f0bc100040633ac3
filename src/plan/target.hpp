// kiln/plan/target: what planning and emission must know of a device.
#pragma once

#include <cstdint>

namespace kiln::plan {

enum class frame : std::uint8_t { cuda, host };

struct target {
    frame kind = frame::host;
    int vector_bytes = 0;  // widest access of one thread; 0: the host compiler vectorises by itself
    int threads_per_block = 0;
    int max_parameters = 0;  // of one kernel, in pointers' worth
    int shared_bytes = 0;    // for tiles: of a block's shared memory; of a core's first cache
    /// Kernels reduce by themselves: they may store elements beside, and keep rows in a block's registers.
    bool reduces = false;
};

/// The CUDA target of every architecture that kiln runs on; tests plan for it where no GPU is.
inline constexpr target cuda_target{frame::cuda, 16, 256, 448, 48 * 1024, true};
inline constexpr target host_target{frame::host, 0, 0, 448, 16 * 1024, false};

}  // namespace kiln::plan
