// kiln/plan/reduction: how the elements of a reduction are divided among a GPU's threads. A function of shape and axes
// alone, never of what computes the elements: whatever feeds a sum, its order is the same, and so are its bits.
// in: a shape and which of its axes go   out: sizes   knows nothing of: programs, text
#pragma once

#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::plan {

struct kernel;

/// Values are numbered row-major by their kept positions, the elements of one by their reduced ones. A value has `threads_per_output`
/// threads of a block, each of which takes `vector_width` neighbours, then threads_per_output * vector_width further on; then the threads' results are combined
/// in pairs. Where values are few, each is cut into `splits` parts for blocks of their own, whose results the last of them
/// puts together in their order.
struct reduction_sizes {
    static constexpr int widest = 4;  // neighbouring values of a thread, where they are neighbours in memory

    std::int64_t kept = 1;
    std::int64_t reduced = 1;
    std::int64_t part = 1;  // elements of a split, all but the last
    std::int64_t splits = 1;
    int threads_per_output = 1;   // a power of two
    int outputs_per_block = 256;  // of a block: threads that have different values
    int vector_width = 1;         // 4 along rows, 1 where neighbours belong to different values
    int loads_in_flight = 1;      // rounds of a thread whose elements are asked for before the first is needed

    /// Blocks where a thread has `width` neighbouring values: what operands allow, and no order depends on.
    [[nodiscard]] std::int64_t groups(int width) const noexcept {
        const std::int64_t of_block = std::int64_t{outputs_per_block} * width;
        return (kept + of_block - 1) / of_block;
    }
    [[nodiscard]] std::int64_t blocks(int width) const noexcept { return groups(width) * splits; }
    /// Of a thread whose value is not split, rounded up to a power of two; 16 stands for more.
    [[nodiscard]] int items_per_thread() const noexcept;
};

/// `axes`: bits of those that go.
reduction_sizes sizes_of_reduction(const shape& whole, std::uint8_t axes);

/// Whether a row, of which `bytes` an element are to be kept, has room in the registers of its threads.
bool row_fits(const reduction_sizes& sizes, int bytes);

/// What the blocks of a split reduction leave for the last one: a part for each output, 256-byte aligned.
std::int64_t workspace_bytes(const kernel& of, const reduction_sizes& sizes);

/// A kernel that computes the elements that another reduces: its outputs have the iteration's shape, and the elements' types.
kernel elements_of(const kernel& of);

}  // namespace kiln::plan
