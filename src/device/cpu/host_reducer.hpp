// kiln/device/cpu/host_reducer: the reductions of reduction_table.def on values in memory.
// knows nothing of: threads, shapes
#pragma once

#include <plan/schedule.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::backend {

/// Accumulators are of as many bytes as plan::accumulator_bytes says.
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
    /// Each accumulator takes a row of `extent` values from its first element on, as take_run does: rows follow each other.
    virtual void take_rows(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                           std::int64_t extent) const = 0;
    /// How many rows take_each had better be given at once.
    [[nodiscard]] virtual std::int64_t rows_at_once() const { return 1; }
    /// Each accumulator takes the value beside it, then that of the next row: elements `number`, `number` + 1, ...
    virtual void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                           std::int64_t number) const = 0;
    virtual void merge(std::byte* into, const std::byte* others, std::int64_t count) const = 0;
    /// `of`: how many elements each is of.
    virtual void finish(const std::byte* accumulators, std::int64_t count, std::int64_t of,
                        std::byte* results) const = 0;
};

const host_reducer& reducer_for(const plan::reduced_output& of);

/// What the partial sums of a GPU's kernel come to, in the order in which its blocks would have added them up.
void add_up_partial_sums(element_type type, const std::byte* partial_sums, int count, void* to);

}  // namespace kiln::backend
