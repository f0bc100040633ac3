// kiln/device/cpu/host_reducer: the reductions of reduction_table.def on values in memory.
// knows nothing of: threads, shapes
#pragma once

#include <plan/schedule.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::backend {

/// Elements of up to two arrays that are to be read next. A run asks memory for as many of each as it takes values, so that they are on their
/// way while it adds up what the first cache has. By 16 threads of a Xeon, of 128M floats: a sum reads 117 GB/s for 96, a sum of squares, which
/// come from a buffer, 92 for 79; asked for all at once before a run they gain half of that.
struct wanted_elements {
    struct array {
        const std::byte* first;
        std::int64_t bytes;  // of an element; 0: there is no such array
    };
    array of[2];
};

/// Accumulators are of as many bytes as plan::accumulator_bytes says. What has code is not inline: compiled with AVX-512, it could be
/// the copy that the linker keeps for the whole program.
class host_reducer {
public:
    // constexpr: those of the table are constants, which nothing destroys.
    constexpr virtual ~host_reducer() = default;
    [[nodiscard]] virtual std::int64_t accumulator_bytes() const = 0;
    /// To what is known of no element.
    virtual void clear(std::byte* accumulators, std::int64_t count) const = 0;
    /// One accumulator takes `count` values, in 16 lanes that are combined in pairs; the first is element `first`.
    virtual void take_run(std::byte* accumulator, const std::byte* values, std::int64_t count,
                          std::int64_t first) const = 0;
    /// The same; asks for `next` on the way where it can.
    virtual void take_run_asking(std::byte* accumulator, const std::byte* values, std::int64_t count,
                                 std::int64_t first, const wanted_elements& next) const;
    /// take_run as a function that kernels call; nullptr of one that none calls.
    using called_run = void(void* accumulator, const void* values, long long count, long long first);
    [[nodiscard]] virtual called_run* run() const;
    /// Each accumulator takes a row of `extent` values from its first element on, as take_run does: rows follow each other.
    virtual void take_rows(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                           std::int64_t extent) const;
    /// The same of rows whose first elements are element `first` of what their accumulators take.
    virtual void take_rows_from(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                                std::int64_t extent, std::int64_t first) const;
    /// Floats of rows of so many are put together rows side by side: longer ones have vectors enough that do not wait for one another.
    static constexpr std::int64_t longest_row_beside = 128;
    /// take_rows as a function that kernels call; nullptr of one that none calls, which has a take_rows of its own.
    using called_rows = void(void* accumulators, const void* values, long long rows, long long extent);
    [[nodiscard]] virtual called_rows* rows() const;
    /// How many rows take_each had better be given at once.
    [[nodiscard]] virtual std::int64_t rows_at_once() const;
    /// Each accumulator takes the value beside it, then that of the next row: elements `number`, `number` + 1, ...
    virtual void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                           std::int64_t number) const = 0;
    virtual void merge(std::byte* into, const std::byte* others, std::int64_t count) const = 0;
    /// `of`: how many elements each is of.
    virtual void finish(const std::byte* accumulators, std::int64_t count, std::int64_t of,
                        std::byte* results) const = 0;
};

/// For this processor.
const host_reducer& reducer_for(const plan::reduced_output& of);

using reducer_table = const host_reducer&(const plan::reduced_output& of);
// nullptr: this build was not compiled for it.
extern reducer_table* const reducers_baseline;
extern reducer_table* const reducers_avx2;
extern reducer_table* const reducers_avx512;

/// Those of one instruction set, as instruction_sets.hpp names it; nullptr where the processor or the build has none.
reducer_table* reducers_named(const char* name);

/// What the partial sums of a GPU's kernel come to, in the order in which its blocks would have added them up.
void add_up_partial_sums(element_type type, const std::byte* partial_sums, int count, void* to);

}  // namespace kiln::backend
