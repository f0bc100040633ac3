// kiln/device/cpu/moments_reducer: variances and their like on the CPU. Included once by each host_reducer_<instruction set>.cpp.
// in: elements as float   out: their moments (emit/helpers/moments.inc), a variance   knows nothing of: threads, shapes
#pragma once

#include <device/cpu/combining.hpp>
#include <device/cpu/host_lanes.hpp>
#include <device/cpu/host_reducer.hpp>

#include <type_traits>

namespace kiln::backend {

namespace {

/// Of variances and their like (emit/helpers/moments.inc) all but what moments come to: a run's sums are in lanes, without a count of each.
class moments_loops : public host_reducer {
public:
    [[nodiscard]] std::int64_t accumulator_bytes() const override { return sizeof(moments); }

    void clear(std::byte* accumulators, std::int64_t count) const override {
        for (std::int64_t i = 0; i < count; ++i) at(accumulators)[i] = moments_of_none();
    }

    void take_run(std::byte* into, const std::byte* values, std::int64_t count, std::int64_t) const override {
        take(into, values, count, 0);
    }

    [[nodiscard]] called_run* run() const override { return take; }

    [[nodiscard]] called_rows* rows() const override { return take_all_rows; }

    [[nodiscard]] std::int64_t rows_at_once() const override { return 8; }

    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t) const override {
        const auto* const value = reinterpret_cast<const float*>(values);
        for (std::int64_t first = 0; first < count; first += side_by_side) {
            const std::int64_t wide = count - first < side_by_side ? count - first : side_by_side;
            if (wide == side_by_side) take_columns<side_by_side>(at(accumulators) + first, value + first, count, rows);
            for (std::int64_t i = first; wide < side_by_side && i < count; ++i)
                take_columns<1>(at(accumulators) + i, value + i, count, rows);
        }
    }

    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        const auto* const other = reinterpret_cast<const moments*>(others);
        for (std::int64_t i = 0; i < count; ++i) at(into)[i] = moments_of_two(at(into)[i], other[i]);
    }

private:
    static moments* at(std::byte* accumulators) { return reinterpret_cast<moments*>(accumulators); }

    static constexpr int side_by_side = 8;

    static void take(void* into, const void* values, long long count, long long) {
        moments& before = *static_cast<moments*>(into);
        before = moments_of_two(before, moments_of_run(static_cast<const float*>(values), count));
    }
    static void take_all_rows(void* accumulators, const void* values, long long rows, long long extent) {
        auto* const into = static_cast<moments*>(accumulators);
        const auto* const value = static_cast<const float*>(values);
        long long row = 0;
        if (extent <= lanes)
            for (; row + rows_together <= rows; row += rows_together)
                take_short_rows(into + row, value + row * extent, extent);
        for (; row < rows; ++row) take(into + row, value + row * extent, extent, 0);
    }

    /// Of neighbours, in lanes. What is behind the last one is as far from the first as that itself, so that its lane stays as it is.
    static moments moments_of_run(const float* values, long long count) {
        double sum[lanes] = {};
        double squares[lanes] = {};
        const double first = count > 0 ? values[0] : 0.0f;
        const auto append = [&](int j, float value) __attribute__((always_inline)) {
            const double off = value - first;
            sum[j] += off;
            squares[j] += off * off;
        };
        long long i = 0;
        for (; i + lanes <= count; i += lanes) {
            KILN_NOT_UNROLLED
            for (int j = 0; j < lanes; ++j) append(j, values[i + j]);
        }
        const long long left = count - i;
        if (has_masks && left > 0) {
            KILN_NOT_UNROLLED
            for (int j = 0; j < lanes; ++j) append(j, j < left ? values[i + j] : values[0]);
        } else {
            for (int j = 0; j < left; ++j) append(j, values[i + j]);
        }
        in_pairs<lanes / 2>([&](int j, int other) {
            sum[j] += sum[other];
            squares[j] += squares[other];
        });
        return with_count(first, sum[0], squares[0], count);
    }

    static constexpr int rows_together = 16;

    /// Rows of an element for each of the first lanes, side by side: the other lanes' nothing changes nothing.
    static void take_short_rows(moments* into, const float* value, long long extent) {
        double sum[lanes][rows_together];
        double squares[lanes][rows_together];
        for (long long j = 0; j < extent; ++j)
            for (int row = 0; row < rows_together; ++row) {
                const double off = double(value[row * extent + j]) - double(value[row * extent]);
                sum[j][row] = 0.0 + off;
                squares[j][row] = off * off;
            }
        for (long long apart = lanes / 2; apart > 0; apart /= 2)
            for (long long j = 0; j < apart && j + apart < extent; ++j)
                for (int row = 0; row < rows_together; ++row) {
                    sum[j][row] += sum[j + apart][row];
                    squares[j][row] += squares[j + apart][row];
                }
        for (int row = 0; row < rows_together; ++row)
            into[row] =
                moments_of_two(into[row], with_count(value[row * extent], sum[0][row], squares[0][row], extent));
    }

    /// As moments_next does one after the other, member by member, which becomes vectors.
    template <int columns>
    static void take_columns(moments* into, const float* value, std::int64_t row_extent, std::int64_t rows) {
        double first[columns], sum[columns], squares[columns];
        for (int i = 0; i < columns; ++i) {
            first[i] = count_of_moments(into[i]) == 0 ? value[i] : into[i].value;
            sum[i] = into[i].sum;
            squares[i] = into[i].squares;
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            const float* const of = value + row * row_extent;
            KILN_NOT_UNROLLED
            for (int i = 0; i < columns; ++i) {
                const double off = of[i] - first[i];
                sum[i] += off;
                squares[i] += off * off;
            }
        }
        for (int i = 0; i < columns; ++i)
            into[i] = with_count(first[i], sum[i], squares[i], count_of_moments(into[i]) + rows);
    }
};

template <class Result, kiln::detail::reduction_kind what>
class moments_reducer final : public moments_loops {
public:
    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t, std::byte* results) const override {
        using kiln::detail::reduction_kind;
        const auto* const from = reinterpret_cast<const moments*>(accumulators);
        auto* const to = reinterpret_cast<Result*>(results);
        for (std::int64_t i = 0; i < count; ++i) {
            const double made = what == reduction_kind::variance    ? variance_of_moments(from[i])
                                : what == reduction_kind::deviation ? deviation_of_moments(from[i])
                                                                    : squares_of_moments(from[i]);
            to[i] = rounded(made);
        }
    }

private:
    static Result rounded(double made) {
        if constexpr (std::is_same_v<Result, f16>) return f16_from_f64(made);
        else if constexpr (std::is_same_v<Result, bf16>) return bf16_from_f64(made);
        else return Result(made);
    }
};

}  // namespace
}  // namespace kiln::backend
