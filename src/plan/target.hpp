// kiln/plan/target: what planning and emission must know of a device.
#pragma once

#include <cstdint>

namespace kiln::plan {

enum class frame : std::uint8_t { cuda, host };

/// Threads whose parts of a reduction are combined in pairs, before groups of so many are: an order that results' bits depend on, and so
/// the same on every device, whatever its wave_width.
inline constexpr int warp = 32;

/// What a GPU's memory reads and writes at least.
inline constexpr int sector_bytes = 32;

struct target {
    frame kind = frame::host;
    int vector_bytes = 0;  // widest access of one thread; 0: the host compiler vectorises by itself
    int threads_per_block = 0;
    int max_parameters = 0;  // of one kernel, in pointers' worth
    int max_scalars = 448;   // among them
    int shared_bytes = 0;    // for tiles: of a block's shared memory; of a core's first cache
    /// Kernels reduce by themselves, and may store elements beside.
    bool reduces = false;
    /// Kernels may have persistent rows, held in a block's registers or a core's caches between reductions and what is made of them.
    bool persistent_rows = false;

    /// Of shifted arrays kernels may have the distances in their text, in place of words in the layout (stencil.hpp).
    bool known_shifts = false;

    // What a kernel's threads can do together (nest/check.hpp).
    int wave_width = 1;          // threads that exchange through shuffles; 1: none
    int most_threads = 1;        // of a block
    int block_shared_bytes = 0;  // of a block that asks for no more
    int most_shared_bytes = 0;  // of a block that asks at launch for more (nest/dynamic_shared.hpp), all of it together
    int shared_bytes_at_once = 0;  // of all blocks that are on a multiprocessor
    int thread_registers = 0;      // of 4 bytes, at most
    int parameter_bytes = 0;       // of a kernel
    int multiprocessors = 0;       // 0: as many as there are blocks
    bool atomics = false;          // in the device's memory
    bool async_copies = false;     // to shared memory, in the background
    int most_cluster = 1;          // blocks that see each other's shared memory
    bool tiles = false;            // tensor cores with the shapes of nest/tile.hpp
    bool group_tiles = false;      // and products that four warps make of shared memory in the background
};

/// What kernels are planned for on every CUDA architecture that kiln runs on; tests plan for it where no GPU is.
inline constexpr target cuda_target{.kind = frame::cuda,
                                    .vector_bytes = 16,
                                    .threads_per_block = 256,
                                    .max_parameters = 448,
                                    .shared_bytes = 48 * 1024,
                                    .reduces = true,
                                    .persistent_rows = true,
                                    .known_shifts = true,
                                    .wave_width = 32,
                                    .most_threads = 1024,
                                    .block_shared_bytes = 48 * 1024,
                                    .most_shared_bytes = 48 * 1024,
                                    .shared_bytes_at_once = 64 * 1024,
                                    .thread_registers = 255,
                                    .parameter_bytes = 4096,
                                    .atomics = true};
/// Shared memory of a multiprocessor; from Ampere on each of its blocks has 1 KiB less than what it takes of that. Source: CUDA C++
/// programming guide, technical specifications per compute capability.
constexpr int shared_kib_of(int architecture) {
    switch (architecture) {
        case 80:
        case 87: return 164;
        case 86:
        case 88:
        case 89: return 100;
        default: return architecture < 80 ? 64 : architecture >= 120 ? 100 : 228;
    }
}
/// And what one of them has beside. `architecture`: 90 for sm_90.
constexpr target cuda_target_of(int architecture) {
    target out = cuda_target;
    out.shared_bytes_at_once = shared_kib_of(architecture) * 1024;
    if (architecture >= 75) out.most_shared_bytes = out.shared_bytes_at_once - (architecture >= 80 ? 1024 : 0);
    out.async_copies = architecture >= 80;
    out.tiles = architecture >= 80;
    out.group_tiles = architecture == 90;  // of this architecture alone: sm_90a
    out.most_cluster = architecture >= 90 ? 8 : 1;
    return out;
}
/// As many scalars as g++ still finds registers for in a fraction of a second: 250 choices of 500 of them took it 4 times as long in one
/// kernel as they take in two.
inline constexpr target host_target{
    .kind = frame::host, .max_parameters = 448, .max_scalars = 224, .shared_bytes = 16 * 1024, .persistent_rows = true};
/// Of the interpreter, whose tapes end where a reduction's result is needed.
inline constexpr target interpreting_target{.kind = frame::host, .max_parameters = 448, .shared_bytes = 16 * 1024};

/// A bit of the key of a host's calls (bind.hpp): short rows are classes of their own there.
inline constexpr std::uint16_t calls_of_host = 1 << 11;

}  // namespace kiln::plan
