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
    /// Kernels reduce by themselves, and may store elements beside.
    bool reduces = false;
    /// Kernels may have persistent rows, held in a block's registers or a core's caches between reductions and what is made of them.
    bool persistent_rows = false;
};

/// The CUDA target of every architecture that kiln runs on; tests plan for it where no GPU is.
inline constexpr target cuda_target{frame::cuda, 16, 256, 448, 48 * 1024, true, true};
inline constexpr target host_target{frame::host, 0, 0, 448, 16 * 1024, false, true};
/// Of the interpreter, whose tapes end where a reduction's result is needed.
inline constexpr target interpreting_target{frame::host, 0, 0, 448, 16 * 1024, false, false};

/// A bit of the key of a host's calls (bind.hpp): short rows are classes of their own there.
inline constexpr std::uint16_t calls_of_host = 1 << 11;

}  // namespace kiln::plan
