// kiln/plan/layout: what a kernel whose operands are not all contiguous is told of one call, as 64-bit words behind one
// pointer (CPU) or in one by-value parameter (CUDA):
//   [0]              element count
//   [1 .. r]         extents of the collapsed axes, outermost first
//   [1+r .. 2r]      what divides by each extent without a division: multiplier | shift << 32 (extents below 2^31)
//   [1+2r ..]        of rows and tiles the numbers of blocks and their divisors (schedule.hpp), then the numbers of each operand's linear forms and steps, where its plan says
#pragma once

#include <plan/call_values.hpp>

#include <bit>
#include <cstdint>

namespace kiln::plan {

constexpr int layout_extent(int axis) { return 1 + axis; }
constexpr int layout_divisor(int rank, int axis) { return 1 + rank + axis; }

/// Gives every number of the operands' plans its word, and the kernel their count; 0 if every operand is contiguous.
void assign_words(kernel& of);

/// Blocks of a launch; 0 on devices without blocks.
std::int64_t block_count(const kernel& of, const call_values& call);

/// Writes kernel.layout_words words.
void fill_layout(const kernel& of, const call_values& call, std::int64_t* words);

/// For x and divisor in [0, 2^31): x / divisor == (umulhi(x, multiplier) + x) >> shift.
/// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994.
constexpr std::uint64_t fast_divisor(std::uint32_t divisor) {
    const int shift = divisor <= 1 ? 0 : std::bit_width(divisor - 1);
    const std::uint64_t multiplier = ((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - divisor)) / divisor + 1;
    return (multiplier & 0xffffffffu) | (static_cast<std::uint64_t>(shift) << 32);
}

}  // namespace kiln::plan
