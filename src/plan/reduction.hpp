// kiln/plan/reduction: how the elements of a reduction are divided among a GPU's threads. A function of shape and axes
// alone, never of what computes the elements: whatever feeds a sum, its order is the same, and so are its bits.
// in: a shape and which of its axes go   out: sizes   knows nothing of: programs, text
#pragma once

#include <plan/ceil_div.hpp>

#include <kiln/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::plan {

struct kernel;
struct target;

/// Items of an output that a thread takes, as far as kernels depend on how many those are. Each that a thread does not have costs about
/// as much as one that it has, and so does to ask for each of those that not all rows have whole.
inline constexpr int items_known[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 16, 20, 25};
/// The same of columns.
inline constexpr int column_items_known[] = {1,  2,  3,  4,  6,  8,  10,  12,  14,  16,  20,  24,  28,  32,  40,  48,
                                             56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 224, 256};

/// Of so many items, one of those that are known, those that every row, or column, has whole: one of fewer would have the number before.
template <std::size_t count>
constexpr int known_before(const int (&known)[count], int items) {
    int out = 0;
    for (const int each : known)
        if (each < items) out = each;
    return out;
}
constexpr int whole_items_of_row(int items) { return known_before(items_known, items); }
constexpr int whole_items_of_column(int items) { return known_before(column_items_known, items); }

/// Threads of this order that may be one of a kernel (kernel::turns): of many rows, whose threads have so few elements that what is made
/// of their accumulators takes as long.
inline constexpr int row_turns = 4;
/// Of a block, of rows that it has several of.
inline constexpr int row_threads = 256;

/// Outputs are numbered row-major by the axes that stay, the elements of one by the axes that go. An output has
/// `threads_per_output` threads of a block. Each takes vector_width neighbouring elements, then those
/// threads_per_output * vector_width further on; then the threads' accumulators are combined in pairs. Where outputs are few,
/// the reduction is split: each output's elements are cut into `splits` parts for blocks of their own, and the last of those
/// blocks to end combines their partial results in the order of the parts.
struct reduction_sizes {
    static constexpr int widest = 4;  // neighbouring outputs of a thread, where they are neighbours in memory

    std::int64_t kept = 1;
    std::int64_t reduced = 1;
    std::int64_t part = 1;  // elements of a split, all but the last
    std::int64_t splits = 1;
    int threads_per_output = 1;   // a power of two
    int outputs_per_block = 256;  // threads of a block that have different outputs
    int vector_width = 1;     // neighbouring elements of an output that a thread takes at once: 4 of rows, 1 of columns
    int loads_in_flight = 1;  // items whose elements a thread asks for before it needs the first

    /// Blocks where a thread has `width` neighbouring outputs: what operands allow, and no order depends on.
    [[nodiscard]] std::int64_t groups(int width) const noexcept {
        return ceil_div(kept, std::int64_t{outputs_per_block} * width);
    }
    [[nodiscard]] std::int64_t blocks(int width) const noexcept { return groups(width) * splits; }
    /// Columns of a block of the kernel whose threads have one each: more than outputs_per_block where these would leave its last block few of
    /// them. No order depends on it.
    [[nodiscard]] int columns_of_block() const noexcept;
    /// Items of vector_width elements that a thread takes of an output, or of a split: rounded up to one of items_known, or of
    /// column_items_known; the last stands for more.
    [[nodiscard]] int items_per_thread() const noexcept;
    /// Of columns so few that not all threads of a block would have some where each has `widest`: those of a lane that have, rounded up to
    /// a power of two; 0 elsewhere.
    [[nodiscard]] int threads_of_few_columns() const noexcept;
};

/// `axes`: bits of those that go; more than there are have no meaning.
reduction_sizes sizes_of_reduction(const shape& whole, std::uint8_t axes);

/// Of products of matrices of floats (kiln/matmul.hpp): each sum by one thread, where there are enough of them.
reduction_sizes sizes_of_products(const shape& whole, std::uint8_t axes);

/// Of nested reductions, that are worth a kernel: a block for each multiprocessor of an H200.
inline constexpr std::int64_t enough_nested_threads = 132 * 256;

/// Of rows of `outer` that one thread each takes, few of them several of a warp, whatever it reduces: what comes of it must not depend
/// on the order.
reduction_sizes sizes_of_nested(const shape& outer, std::uint8_t axes);

/// Whether a row, of which `bytes` an element are to be kept, has room in the registers of its threads and in shared memory.
bool row_fits(const reduction_sizes& sizes, int bytes, const target& on);

/// What the blocks of a split reduction leave for the last one: of each value what each of its blocks knows.
std::int64_t workspace_bytes(const kernel& of, const reduction_sizes& sizes);

/// A kernel that computes the elements that another reduces: its outputs have the iteration's shape, and the elements' types.
kernel elements_of(const kernel& of);

}  // namespace kiln::plan
