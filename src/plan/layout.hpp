// kiln/plan/layout: what a strided kernel is told of one call, as 64-bit words behind one pointer (CPU) or in one
// by-value parameter (CUDA):
//   [0]               element count
//   [1 .. r]          extents of the collapsed axes, outermost first
//   [1+r .. 2r]       what divides by each extent without a division: multiplier | shift << 32 (extents below 2^31)
//   [1+2r ..]         for each strided operand, outputs first: r strides, in elements
#pragma once

#include <bit>
#include <cstdint>

namespace kiln::plan {

constexpr int layout_words(int rank, int strided_operands) { return 1 + 2 * rank + strided_operands * rank; }
constexpr int layout_extent(int axis) { return 1 + axis; }
constexpr int layout_divisor(int rank, int axis) { return 1 + rank + axis; }
constexpr int layout_stride(int rank, int strided_operand, int axis) {
    return 1 + 2 * rank + strided_operand * rank + axis;
}

/// For x and divisor in [0, 2^31): x / divisor == (umulhi(x, multiplier) + x) >> shift.
/// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994.
constexpr std::uint64_t fast_divisor(std::uint32_t divisor) {
    const int shift = divisor <= 1 ? 0 : std::bit_width(divisor - 1);
    const std::uint64_t multiplier = ((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - divisor)) / divisor + 1;
    return (multiplier & 0xffffffffu) | (static_cast<std::uint64_t>(shift) << 32);
}

}  // namespace kiln::plan
