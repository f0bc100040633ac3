// kiln/device/cpu/exponentials_reducer: logarithms of sums of exponentials on the CPU. Included once by each host_reducer_<instruction set>.cpp.
// in: elements   out: their exponentials' sum (emit/helpers/exponentials.inc), its logarithm   knows nothing of: threads, shapes
#pragma once

#include <device/cpu/choosing.hpp>
#include <device/cpu/combining.hpp>
#include <device/cpu/host_reducer.hpp>
#include <device/cpu/library.hpp>
#include <device/cpu/rows_beside.hpp>

#include <type_traits>

namespace kiln::backend {

namespace {

/// Of logarithms of sums of exponentials (emit/helpers/exponentials.inc) all but the logarithm: a run's largest is found before its sum.
template <class Value>
class exponentials_loops : public host_reducer {
public:
    [[nodiscard]] std::int64_t accumulator_bytes() const override { return sizeof(state); }

    void clear(std::byte* accumulators, std::int64_t count) const override {
        for (std::int64_t i = 0; i < count; ++i) at(accumulators)[i] = exponentials_of_none<Value>();
    }

    void take_run(std::byte* into, const std::byte* values, std::int64_t count, std::int64_t) const override {
        take(into, values, count, 0);
    }

    [[nodiscard]] called_run* run() const override { return take; }

    [[nodiscard]] called_rows* rows() const override { return take_all_rows; }

    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t) const override {
        const auto* value = reinterpret_cast<const Value*>(values);
        state* const into = at(accumulators);
        for (std::int64_t row = 0; row < rows; ++row, value += count)
            for (std::int64_t i = 0; i < count; ++i)
                into[i] = exponentials_next(library(), into[i], state{value[i], 0, 0});
    }

    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        const auto* const other = reinterpret_cast<const state*>(others);
        for (std::int64_t i = 0; i < count; ++i) at(into)[i] = exponentials_of_two(library(), at(into)[i], other[i]);
    }

protected:
    using state = exponentials<Value>;
    static const void* const* library() { return library_table(stores::cached); }

private:
    static void take(void* into, const void* values, long long count, long long) {
        state& before = *static_cast<state*>(into);
        before = exponentials_of_two(library(), before,
                                     exponentials_of_run(library(), static_cast<const Value*>(values), count));
    }
    static void take_all_rows(void* accumulators, const void* values, long long rows, long long extent) {
        auto* const into = static_cast<state*>(accumulators);
        const auto* const value = static_cast<const Value*>(values);
        if constexpr (has_rows_beside) {
            if (extent <= longest_together) {
                const long long at_once = block / extent;
                for (long long row = 0; row < rows; row += at_once)
                    take_together(into + row, value + row * extent, rows - row < at_once ? rows - row : at_once,
                                  extent);
                return;
            }
        }
        for (long long row = 0; row < rows; ++row) take(into + row, value + row * extent, extent, 0);
    }

    static constexpr int block = 1024;            // elements whose exponentials are made by one call
    static constexpr int longest_together = 256;  // of longer rows a call is worth its time

    /// As exponentials_of_run does one after the other. A sum that begins with -0 has the same bits as one that begins with 0, for exponentials
    /// have no sign; and which of two zeros is the largest nobody sees, for the logarithm of their sum is above 0.
    static void take_together(state* into, const Value* value, long long rows, long long extent) {
        constexpr int type = std::is_same_v<Value, float> ? number_float32 : number_float64;
        alignas(64) Value above[block];
        Value best[block];
        combined_rows<choosing<type, true>, Value>(value, rows, extent).each([&](std::int64_t row, Value made) {
            best[row] = made;
        });
        for (long long row = 0; row < rows; ++row) {
            const Value anchor = anchor_of(best[row]);
            for (long long i = row * extent; i < (row + 1) * extent; ++i) above[i] = above_anchor(value[i], anchor);
        }
        BLOCK_exp(library(), above, rows * extent);
        combined_rows<adding<type>, Value>(above, rows, extent).each([&](std::int64_t row, Value sum) {
            // Beside NaN the largest is another.
            if (best[row] != best[row]) return take(into + row, value + row * extent, extent, 0);
            into[row] = exponentials_of_two(library(), into[row], state{best[row], anchor_of(best[row]), sum});
        });
    }
    static state* at(std::byte* accumulators) { return reinterpret_cast<state*>(accumulators); }
};

template <class Value, class Result>
class exponentials_reducer final : public exponentials_loops<Value> {
    using state = exponentials<Value>;

public:
    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t, std::byte* results) const override {
        const auto* const from = reinterpret_cast<const state*>(accumulators);
        auto* const to = reinterpret_cast<Result*>(results);
        for (std::int64_t i = 0; i < count; ++i) {
            const Value made = log_of_exponentials(this->library(), from[i]);
            if constexpr (is_small_float<Result>) to[i] = small_float_from<Result>(made);
            else to[i] = made;
        }
    }
};

}  // namespace
}  // namespace kiln::backend
