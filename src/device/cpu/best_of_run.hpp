// kiln/device/cpu/best_of_run: the best of a run's numbers, and where it is, by vectors. Included once by each
// host_reducer_<instruction set>.cpp.
// in: numbers side by side   out: the largest or least of them, its place   knows nothing of: accumulators
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kiln::backend {
namespace {

// As many bytes as a vector of this instruction set has.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

template <class T, int bytes>
struct vector_type {
    typedef T type __attribute__((vector_size(bytes)));
};
template <class T>
using numbers = typename vector_type<T, vector_bytes>::type;

constexpr int woven_vectors = 4;  // whose steps do not wait for one another
template <class T>
constexpr int woven_elements = woven_vectors * vector_bytes / static_cast<int>(sizeof(T));

template <bool largest, class T>
[[gnu::always_inline]] inline void keep_best(T& best, const T& next) {
    best = (largest ? next > best : next < best) ? next : best;
}

template <class T>
struct best_of_run {
    T value;
    bool is_sure;
};

/// Of the numbers of two vectors; the upper halves meet the lower ones.
template <bool largest, class T, int bytes, class Vector>
[[gnu::always_inline]] inline best_of_run<T> best_of_vector(const Vector& best, const Vector& sum) {
    using half = typename vector_type<T, bytes / 2>::type;
    half chosen[2], added[2];
    __builtin_memcpy(chosen, &best, sizeof chosen);
    __builtin_memcpy(added, &sum, sizeof added);
    keep_best<largest>(chosen[0], chosen[1]);
    added[0] += added[1];
    if constexpr (bytes / 2 > sizeof(T)) return best_of_vector<largest, T, bytes / 2>(chosen[0], added[0]);
    else return {chosen[0][0], added[0][0] == added[0][0]};
}

/// The best of a run's numbers, compared in any order; not sure, where NaN may be among them. A sum of all says so: it is NaN then. `count`
/// is at least `woven_elements`.
template <bool largest, class T>
[[gnu::noinline]] best_of_run<T> best_number(const T* value, std::int64_t count) {
    constexpr int width = vector_bytes / sizeof(T);
    numbers<T> best[woven_vectors], sum[woven_vectors] = {};
    __builtin_memcpy(best, value, sizeof best);
    const auto take = [&](const T* from) __attribute__((always_inline)) {
        for (int k = 0; k < woven_vectors; ++k) {
            numbers<T> next;
            __builtin_memcpy(&next, from + k * width, sizeof next);
            keep_best<largest>(best[k], next);
            if constexpr (std::is_floating_point_v<T>) sum[k] += next;
        }
    };
    std::int64_t i = 0;
    for (; i + woven_elements<T> <= count; i += woven_elements<T>) take(value + i);
    // With some that came before: they are not better than themselves.
    if (i < count) take(value + count - woven_elements<T>);
    for (int k = 1; k < woven_vectors; ++k) {
        keep_best<largest>(best[0], best[k]);
        sum[0] += sum[k];
    }
    return best_of_vector<largest, T, vector_bytes>(best[0], sum[0]);
}

/// Where the first of a run's numbers is that equals `wanted`; there is one. `count` is at least `woven_elements`.
template <class T>
[[gnu::noinline]] std::int64_t first_place_of(T wanted, const T* value, std::int64_t count) {
    if constexpr (sizeof(T) == 1) {
        return static_cast<const T*>(
                   __builtin_memchr(value, static_cast<std::uint8_t>(wanted), static_cast<std::size_t>(count))) -
               value;
    } else {
        constexpr int together = woven_elements<T>;
        constexpr int width = vector_bytes / sizeof(T);
        const auto has_it = [&](const T* from) __attribute__((always_inline)) {
            using words = typename vector_type<std::int64_t, vector_bytes>::type;
            words equal = {};
            for (int k = 0; k < woven_vectors; ++k) {
                numbers<T> next;
                __builtin_memcpy(&next, from + k * width, sizeof next);
                equal |= reinterpret_cast<words>(next == wanted);
            }
            std::int64_t any = 0;
            for (int j = 0; j < vector_bytes / 8; ++j) any |= equal[j];
            return any != 0;
        };
        std::int64_t from = 0;
        while (from + together < count && !has_it(value + from)) from += together;
        if (from + together > count) from = count - together;
        // Of all of them without a branch, in numbers as wide as the elements.
        using place = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                         std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;
        place first = together - 1;
        for (int j = 0; j < together; ++j) {
            const place here = value[from + j] == wanted ? place(j) : place(together - 1);
            first = here < first ? here : first;
        }
        return from + first;
    }
}

}  // namespace
}  // namespace kiln::backend
