// kiln/device/cpu/function_blocks: a function of float32 or float64 for each element of a block, in vectors.
// in: the function   out: a loop   knows nothing of: which function
#pragma once

// The loop vectorises without asking at run time whether `out` overlaps an argument: element for element it may.
#if defined(__clang__)
#define KILN_INDEPENDENT_ELEMENTS _Pragma("clang loop vectorize(assume_safety)")
#else
#define KILN_INDEPENDENT_ELEMENTS _Pragma("GCC ivdep")
#endif

namespace kiln::backend {
namespace {

// What is left of a block goes through whole vectors, too: what comes of single elements takes as long as eight.
template <class T>
constexpr long long together = 64 / sizeof(T);

/// The last elements of a block that are no whole vectors: with those before them, where there are so many. Results that were stored one by
/// one would be waited for by whoever reads them in vectors (softmax of rows of 33 floats takes 0.67 of its time so, and by masks in sums;
/// Xeon, Emerald Rapids, 2026-11). Read before any is written, which may be in their place.
template <class T>
struct rest_of_block {
    alignas(64) T element[together<T>];

    [[gnu::always_inline]] rest_of_block(const T* a, long long count) {
        if (count >= together<T>) {
            __builtin_memcpy(element, a + count - together<T>, sizeof element);
        } else {
            for (long long i = 0; i < together<T>; ++i) element[i] = i < count ? a[i] : T(0);
        }
    }
};

template <class T>
[[gnu::always_inline]] inline void write_rest(const T* made, T* out, long long count) {
    if (count >= together<T>) __builtin_memcpy(out + count - together<T>, made, sizeof(T) * together<T>);
    else
        for (long long i = 0; i < count; ++i) out[i] = made[i];
}

// What a function computes is a chain of steps that wait for one another: `woven` elements, four vectors of doubles, are computed beside one
// another, what they make in memory of its own, so that the compiler may order their steps as it likes (CMakeLists.txt says that it does).
// AVX2 (one core of an EPYC, Zen 4): erf of float32 2.0 ns for 3.0, exp 1.0 for 1.5, of float64 exp 1.7 for 2.3, pow 10.7 for 14.6.
// AVX-512, the same: 0.6 to 1 of the time that single vectors take, gelu of float32 2.0 ns for 3.2, erfinv 2.4 for 3.5, exp 0.69 for 0.75.
#if defined(__AVX512F__)
template <class T>
constexpr long long woven = 32;
#elif defined(__AVX2__)
template <class T>
constexpr long long woven = 128 / sizeof(T);
#else
template <class T>
constexpr long long woven = 0;  // too few registers
#endif

/// How many of the block's first elements were computed so.
template <long long width, class T, class Element>
[[gnu::always_inline]] inline long long each_of_woven([[maybe_unused]] T* out, [[maybe_unused]] long long count,
                                                      [[maybe_unused]] Element element) {
    long long done = 0;
    if constexpr (width > 0) {
        for (; count - done >= width; done += width) {
            alignas(64) T made[width];
            KILN_INDEPENDENT_ELEMENTS
            for (long long i = 0; i < width; ++i) made[i] = element(done + i);
            __builtin_memcpy(out + done, made, sizeof made);
        }
    }
    return done;
}

template <long long width, class T, class Function>
[[gnu::always_inline]] inline void each_of_block(const T* a, T* out, long long count, Function function) {
    const long long whole = count / together<T> * together<T>;
    const rest_of_block<T> rest(a, whole == count ? 0 : count);
    const long long done = each_of_woven<width>(
        out, whole, [=](long long i) __attribute__((always_inline)) { return function(a[i]); });
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i]);
    if (whole == count) return;
    alignas(64) T made[together<T>];
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = 0; i < together<T>; ++i) made[i] = function(rest.element[i]);
    write_rest(made, out, count);
}

/// A function that has a shorter form, of the same bits, for what `unusual` gives no highest bit: vectors that are woven take it where all
/// their elements are such. e^x of float64 takes 0.85 of the time so (Zen 4), ln x 0.8.
template <long long width, class T, class Function, class Usual, class Unusual>
[[gnu::always_inline]] inline void each_of_usual(const T* a, T* out, long long count, Function function,
                                                 [[maybe_unused]] Usual usual, [[maybe_unused]] Unusual unusual) {
    long long done = 0;
    if constexpr (width > 0) {
        for (; count - done >= width; done += width) {
            unsigned long long any = 0;
            KILN_INDEPENDENT_ELEMENTS
            for (long long i = 0; i < width; ++i) any |= unusual(a[done + i]);
            alignas(64) T made[width];
            if (any >> 63 == 0) [[likely]] {
                KILN_INDEPENDENT_ELEMENTS
                for (long long i = 0; i < width; ++i) made[i] = usual(a[done + i]);
            } else {
                KILN_INDEPENDENT_ELEMENTS
                for (long long i = 0; i < width; ++i) made[i] = function(a[done + i]);
            }
            __builtin_memcpy(out + done, made, sizeof made);
        }
    }
    each_of_block<0>(a + done, out + done, count - done, function);
}

template <long long width, class T, class Function>
[[gnu::always_inline]] inline void each_of_blocks(const T* a, const T* b, T* out, long long count, Function function) {
    const long long whole = count / together<T> * together<T>;
    const rest_of_block<T> rest(a, whole == count ? 0 : count);
    const rest_of_block<T> rest_of_b(b, whole == count ? 0 : count);
    const long long done = each_of_woven<width>(
        out, whole, [=](long long i) __attribute__((always_inline)) { return function(a[i], b[i]); });
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i], b[i]);
    if (whole == count) return;
    alignas(64) T made[together<T>];
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = 0; i < together<T>; ++i) made[i] = function(rest.element[i], rest_of_b.element[i]);
    write_rest(made, out, count);
}

}  // namespace
}  // namespace kiln::backend
