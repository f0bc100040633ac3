// kiln/device/cpu/rows_beside: what short rows come to, and where their best is, as many of them at once as a vector has lanes: the lanes of two rows meet in one
// vector, of two of those in one, until each lane is a row's. Each row's meet in the order of plan/host_order.hpp. Included once by each
// host_reducer_<instruction set>.cpp.
// in: rows side by side, how two vectors combine   out: a value for each   knows nothing of: threads, which reduction
#pragma once

#include <device/cpu/best_of_run.hpp>
#include <device/cpu/shuffles.hpp>
#include <plan/host_order.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
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
template <int length, class Lanes, class Vector, int width>
[[gnu::always_inline]] inline void put_beside(Vector (&made)[width]) {
    if constexpr (length > 1) {
        constexpr auto lanes_of = std::make_integer_sequence<int, width>();
        for (int k = 0; k < length / 2; ++k)
            made[k] = Lanes::combine(halves<length, false>(made[2 * k], made[2 * k + 1], lanes_of),
                                     halves<length, true>(made[2 * k], made[2 * k + 1], lanes_of));
        put_beside<length / 2, Lanes>(made);
    }
}

/// Lanes for rows_beside: what values come to.
template <class Operation, class T>
struct combined_lanes {
    using vector = numbers<T>;
    [[gnu::always_inline]] vector none() const { return Operation::identity() - vector{}; }  // -0 less 0 is -0
    [[gnu::always_inline]] static vector combine(const vector& a, const vector& b) {
        return Operation::combine_vectors(a, b);
    }
    [[gnu::always_inline]] vector append(const vector& lane, const vector& next, std::int64_t, std::int64_t) const {
        return combine(lane, next);
    }
};

/// The same: the first place in a row of the value that it has come to, or of the first NaN, if that is none.
template <class T>
struct place_lanes {
    using vector = decltype(numbers<T>() < numbers<T>());
    static constexpr int width = vector_bytes / static_cast<int>(sizeof(T));

    const T* best;  // of each row

    [[gnu::always_inline]] vector none() const { return vector{} + width_max; }
    [[gnu::always_inline]] static vector combine(const vector& a, const vector& b) { return b < a ? b : a; }
    [[gnu::always_inline]] vector append(const vector& lane, const numbers<T>& next, std::int64_t place,
                                         std::int64_t row) const {
        vector places;
        for (int j = 0; j < width; ++j) places[j] = j;
        places += static_cast<element>(place);
        return combine(lane, (next == best[row]) | (next != next) ? places : none());
    }

private:
    using element = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    static constexpr element width_max = std::numeric_limits<element>::max();
};

/// Rows that follow each other. `Lanes`: what a row's lanes hold.
template <class T, class Lanes>
class rows_beside {
    using vector = typename Lanes::vector;
    using mask = decltype(vector() < vector());
    static constexpr int width = vector_bytes / static_cast<int>(sizeof(T));
    static constexpr int lanes_of_row = plan::host_order::lanes;
    static constexpr int vectors = lanes_of_row / width;

public:
    [[gnu::always_inline]] rows_beside(const T* values, std::int64_t rows, std::int64_t extent, Lanes of = {})
        : lanes_(of),
          values_(values),
          end_(values + rows * extent),
          rows_(rows),
          extent_(extent),
          left_(extent % lanes_of_row) {
        for (int v = 0; v < vectors; ++v)
            for (int j = 0; j < width; ++j) is_left_[v][j] = v * width + j < left_ ? -1 : 0;
    }

    /// take(row, what it comes to)
    template <class Take>
    [[gnu::always_inline]] void each(Take take) const {
        for (std::int64_t first = 0; first < rows_; first += width) {
            const std::int64_t count = rows_ - first < width ? rows_ - first : width;
            vector made[width];
            made[0] = row(first);
            for (int k = 1; k < width; ++k) made[k] = k < count ? row(first + k) : made[0];
            put_beside<width, Lanes>(made);
            std::remove_cvref_t<decltype(made[0][0])> results[width];
            __builtin_memcpy(results, made, sizeof(vector));
            for (std::int64_t k = 0; k < count; ++k) take(first + k, results[k]);
        }
    }

private:
    [[gnu::always_inline]] vector row(std::int64_t number) const {
        const T* const value = values_ + number * extent_;
        vector lane[vectors];
        for (vector& each : lane) each = lanes_.none();
        std::int64_t i = 0;
        for (; i + lanes_of_row <= extent_; i += lanes_of_row)
            for (int v = 0; v < vectors; ++v) {
                numbers<T> next;
                __builtin_memcpy(&next, value + i + v * width, sizeof next);
                lane[v] = lanes_.append(lane[v], next, i + v * width, number);
            }
        for (int v = 0; v < vectors && v * width < left_; ++v) {
            const numbers<T> next = rest(value + i + v * width, left_ - v * width);
            lane[v] = is_left_[v] ? lanes_.append(lane[v], next, i + v * width, number) : lane[v];
        }
        for (int apart = vectors / 2; apart > 0; apart /= 2)
            for (int v = 0; v < apart; ++v) lane[v] = Lanes::combine(lane[v], lane[v + apart]);
        return lane[0];
    }

    /// With what lies behind the row, where something does.
    [[gnu::always_inline]] numbers<T> rest(const T* value, std::int64_t count) const {
        numbers<T> out = {};
        if (value + width <= end_) __builtin_memcpy(&out, value, sizeof out);
        else
            for (int j = 0; j < width && j < count; ++j) out[j] = value[j];
        return out;
    }

    const Lanes lanes_;
    const T* values_;
    const T* end_;
    std::int64_t rows_, extent_, left_;
    mask is_left_[vectors];  // which lanes the rest of a row fills
};

/// What rows come to by an operation of vectors.
template <class Operation, class T>
using combined_rows = rows_beside<T, combined_lanes<Operation, T>>;
#else
constexpr bool has_rows_beside = false;
template <class Operation, class T>
class combined_rows;  // whoever uses it has asked
#endif

}  // namespace
}  // namespace kiln::backend
