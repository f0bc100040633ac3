// kiln/device/cpu/rows_beside: what rows of floats come to, as many of them at once as a vector has lanes: the lanes of two rows meet in one
// vector, of two of those in one, until each lane is a row's. Each row's meet in the order of plan/host_order.hpp. Included once by each
// host_reducer_<instruction set>.cpp.
// in: rows side by side, how two vectors combine   out: a value for each   knows nothing of: threads, which reduction
#pragma once

#include <device/cpu/best_of_run.hpp>
#include <device/cpu/shuffles.hpp>
#include <plan/host_order.hpp>

#include <cstdint>
#include <utility>

namespace kiln::backend {
namespace {

#ifdef KILN_HAS_SHUFFLES
constexpr bool has_rows_beside = true;

/// Of vectors that have `length` lanes of each of some rows: the first or the second halves of those, of `a`'s rows and then of `b`'s.
template <int length, bool second, class Vector, int... lane>
[[gnu::always_inline]] inline Vector halves(const Vector& a, const Vector& b, std::integer_sequence<int, lane...>) {
    constexpr int width = sizeof...(lane), half = length / 2;
    return __builtin_shufflevector(
        a, b,
        ((lane < width / 2 ? 0 : width) + lane % (width / 2) / half * length + lane % half + (second ? half : 0))...);
}

/// The first `length` vectors have so many lanes of each row; afterwards the first has one.
template <class Operation, int length, class Vector, int width>
[[gnu::always_inline]] inline void put_beside(Vector (&made)[width]) {
    if constexpr (length > 1) {
        constexpr auto lanes_of = std::make_integer_sequence<int, width>();
        for (int k = 0; k < length / 2; ++k)
            made[k] = Operation::combine_vectors(halves<length, false>(made[2 * k], made[2 * k + 1], lanes_of),
                                                 halves<length, true>(made[2 * k], made[2 * k + 1], lanes_of));
        put_beside<Operation, length / 2>(made);
    }
}

template <class Operation, class T>
class rows_beside {
    using vector = numbers<T>;
    using mask = decltype(vector() < vector());
    static constexpr int width = vector_bytes / static_cast<int>(sizeof(T));
    static constexpr int lanes_of_row = plan::host_order::lanes;
    static constexpr int vectors = lanes_of_row / width;

public:
    [[gnu::always_inline]] rows_beside(const T* values, std::int64_t rows, std::int64_t extent)
        : values_(values), end_(values + rows * extent), rows_(rows), extent_(extent), left_(extent % lanes_of_row) {
        for (int v = 0; v < vectors; ++v)
            for (int j = 0; j < width; ++j) is_left_[v][j] = v * width + j < left_ ? -1 : 0;
    }

    /// take(row, what it comes to)
    template <class Take>
    [[gnu::always_inline]] void each(Take take) const {
        for (std::int64_t first = 0; first < rows_; first += width) {
            const std::int64_t count = rows_ - first < width ? rows_ - first : width;
            vector made[width];
            made[0] = row(values_ + first * extent_);
            for (int k = 1; k < width; ++k) made[k] = k < count ? row(values_ + (first + k) * extent_) : made[0];
            put_beside<Operation, width>(made);
            T results[width];
            __builtin_memcpy(results, made, sizeof(vector));
            for (std::int64_t k = 0; k < count; ++k) take(first + k, results[k]);
        }
    }

private:
    [[gnu::always_inline]] vector row(const T* value) const {
        vector lane[vectors];
        for (vector& each : lane) each = Operation::identity() - vector{};  // -0 less 0 is -0
        const T* const whole = value + extent_ - left_;
        for (; value < whole; value += lanes_of_row)
            for (int v = 0; v < vectors; ++v) {
                vector next;
                __builtin_memcpy(&next, value + v * width, sizeof next);
                lane[v] = Operation::combine_vectors(lane[v], next);
            }
        for (int v = 0; v < vectors && v * width < left_; ++v)
            lane[v] =
                is_left_[v] ? Operation::combine_vectors(lane[v], rest(value + v * width, left_ - v * width)) : lane[v];
        for (int apart = vectors / 2; apart > 0; apart /= 2)
            for (int v = 0; v < apart; ++v) lane[v] = Operation::combine_vectors(lane[v], lane[v + apart]);
        return lane[0];
    }

    /// With what lies behind the row, where something does.
    [[gnu::always_inline]] vector rest(const T* value, std::int64_t count) const {
        vector out = {};
        if (value + width <= end_) __builtin_memcpy(&out, value, sizeof out);
        else
            for (int j = 0; j < width && j < count; ++j) out[j] = value[j];
        return out;
    }

    const T* values_;
    const T* end_;
    std::int64_t rows_, extent_, left_;
    mask is_left_[vectors];  // which lanes the rest of a row fills
};
#else
constexpr bool has_rows_beside = false;
template <class Operation, class T>
class rows_beside;  // whoever uses it has asked
#endif

}  // namespace
}  // namespace kiln::backend
