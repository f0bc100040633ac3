// tests/bench/hand_written_loops: CUDA kernels of loops as one would write them without kiln, one of each form that kiln's kernels
// have: the measure for how long NVRTC takes over those. They compute the same, of any sizes that a comment at the kernel does not rule out;
// none is promised to be the fastest.
#pragma once

#include <vector>

namespace kiln::bench {

struct hand_written_loop {
    const char* name;  // of the kernel
    const char* source;
};

// All of float32 unless said otherwise.

/// Accelerations of all bodies by all others: four bodies a lane, whose others the warps of a block share out.
extern const hand_written_loop bodies_by_hand;
/// softmax of (planes, rows, columns) over the rows: a block has 32 columns, held in registers and shared memory.
extern const hand_written_loop middle_softmax_by_hand;
/// Which of some centres of 8 coordinates is the nearest to each point; two points a thread, centres in shared memory.
extern const hand_written_loop nearest_by_hand;
/// Matrices' product, in tiles of 64 x 64 that are copied ahead in the background.
extern const hand_written_loop product_by_hand;
/// Variance of all elements in one pass, in double, of differences from the first of each thread's.
extern const hand_written_loop variance_by_hand;
/// The weighted sum of each pixel's three bytes; four pixels a thread.
extern const hand_written_loop gray_by_hand;
/// Cumulative sums down the columns, in one pass: blocks publish what their rows come to.
extern const hand_written_loop column_sums_by_hand;
/// How many bytes have which value, in 32 tables of shared memory a block.
extern const hand_written_loop byte_counts_by_hand;

}  // namespace kiln::bench
