// kiln/plan/skewed_elements: which kernels make vectors of narrow elements that begin anywhere, and how many threads a row has then.
// in: a planned kernel, its call's class   out: whether it is one   knows nothing of: nests
#pragma once

#include <plan/call_class.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// Of elements of one byte or two: whether a row that begins anywhere is worth its ends' threads. bfloat16 of 65000 rows of 517, times a row,
/// take an H200 37.6 us so and 44.3 one by one, of twice as many of 257 41.2 and 44.2; bytes of 517 27.4 and 31.5, of 257 48.3 and 31.5.
constexpr bool is_skewed_row(int bytes, std::int64_t extent, int row_multiple) {
    constexpr int widest = 2, least = 512, vector = 16;
    return bytes <= widest && extent * bytes >= least && row_multiple * bytes < vector;
}

/// Of a row, in whole warps: half of them for elements before the first vector whose operands lie in the row, and half for those after
/// the last. There are fewer than two vectors of either.
constexpr int threads_at_ends(int width) { return 4 * width; }

/// In whole warps, too.
constexpr std::int64_t threads_of_skewed_row(int width, std::int64_t extent) {
    return ceil_div(threads_at_ends(width) + extent / width, std::int64_t{warp}) * warp;
}

/// Whether the kernel, whose elements would move one by one, is one of these: policy/skewed_elements.cpp.
bool choose_skewed_elements(kernel& into, const lower::program& program, const call_class& call,
                            const iteration_class& iteration, const target& on);

}  // namespace kiln::plan
