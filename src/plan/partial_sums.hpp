// kiln/plan/partial_sums: a sum may end in the partial sums of its kernel's blocks. Its memory then has the place of the sum, and
// behind it the partial sums; kernels that read it finalize it, each in its blocks, and for all others the sum is put in its place
// (run/partial_sums.hpp). Which sums end so, who finalizes them, and in which of these states a buffer is.
// knows nothing of: text
#pragma once

#include <capture/array_node.hpp>
#include <plan/reduction.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::plan {

/// Bytes from the place of the sum to its partial sums, which stay as they are once the sum is there.
inline constexpr std::size_t partial_sums_offset = 256;
/// Of one sum: the threads that finalize it, and the most partial sums that it has.
inline constexpr int partial_sum_lanes = 256;
inline constexpr int most_partial_sums = 512;

/// Whether a sum of so many elements ends in partial sums, which are added up in the order in which its kernel's last block
/// would have. That block is 1.3 us of an H200's time, of the 5.3 that an RK4 step of 512 x 512 points takes; the partial sums,
/// read by each block of the step after it, take a tenth of that.
bool ends_in_partial_sums(const reduction_sizes& sizes);

/// Whether a kernel that computes so many elements finalizes a sum in each of its blocks. If not, a kernel of one block does it
/// once.
bool each_block_finalizes(std::int64_t element_count, std::int64_t partial_count, int bytes_of_sum);

/// Whether the sum in the node's buffer is not in its place yet.
inline bool is_partial(const detail::array_node& of) noexcept {
    return of.storage().buffer.partial_count.load(std::memory_order_acquire) > 0;
}
/// Of a buffer that was, or is, partial.
inline std::int32_t partial_count(const detail::array_node& of) noexcept {
    const std::int32_t count = of.storage().buffer.partial_count.load(std::memory_order_relaxed);
    return count < 0 ? -count : count;
}
/// `owner` is about to be written by a kernel that leaves so many; 0: the sum. Not while others can see it.
inline void set_partial(detail::array_node& owner, std::int32_t count) noexcept {
    owner.contiguous = count == 0;
    owner.buffer.partial_count.store(count, std::memory_order_release);
}
/// The sum is in its place, too.
inline void set_finalized(const detail::array_node& of) noexcept {
    const detail::array_node& owner = of.storage();
    owner.buffer.partial_count.store(-partial_count(owner), std::memory_order_release);
}

}  // namespace kiln::plan
