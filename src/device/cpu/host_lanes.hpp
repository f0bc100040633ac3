// kiln/device/cpu/host_lanes: the lanes in which a run's values come together, as plan/host_order.hpp says. Included once by each
// host_reducer_<instruction set>.cpp.
// knows nothing of: which reduction
#pragma once

#include <device/cpu/best_of_run.hpp>
#include <plan/host_order.hpp>

namespace kiln::backend {

namespace {

constexpr int lanes = plan::host_order::lanes;
// What is left of a run's vectors is chosen, which is loaded by a mask: one by one, what elements leave in memory is waited for (a sum of 33
// floats 6 ns for 19; Xeon, Emerald Rapids, 2026-11). Not so of halves, which are vectors themselves.
constexpr bool has_masks = vector_bytes > 16;

// Before a loop over lanes: unrolled, comparisons become branches before g++ looks for vectors (emit/host_runs.cpp).
#if defined(__GNUC__) && !defined(__clang__)
#define KILN_NOT_UNROLLED _Pragma("GCC unroll 1")
#else
#define KILN_NOT_UNROLLED
#endif

/// Lanes in pairs, neighbours last; `combine` is given a lane and the other one of its pair.
template <int apart, class Combine>
void in_pairs(Combine combine) {
    KILN_NOT_UNROLLED
    for (int j = 0; j < apart; ++j) combine(j, j + apart);
    if constexpr (apart > 1) in_pairs<apart / 2>(combine);
}

}  // namespace
}  // namespace kiln::backend
