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

// A polynomial by Horner's rule is a chain, each step of which waits for the one before: four vectors (of AVX-512 two) are computed beside
// one another, what they make in memory of its own, so that the compiler may order their steps as it likes (CMakeLists.txt says that
// it does). One core of an EPYC (Zen 4) takes 0.6 to 0.9 of the time that single vectors take it: erf 2.0 ns for 3.0, exp 1.0 for 1.5,
// of float64 exp 1.7 for 2.3, pow 10.7 for 14.6.
template <class T>
constexpr long long woven = 128 / sizeof(T);
#if defined(__AVX512F__)
template <class T>
constexpr bool registers_for_woven =
    sizeof(T) == sizeof(double);  // exp of float64 1.6 ns for 1.7, pow 7.1 for 8.7 (Xeon); float32 not measured
#elif defined(__AVX2__)
template <class T>
constexpr bool registers_for_woven = true;
#else
template <class T>
constexpr bool registers_for_woven = false;  // too few
#endif

/// How many of the block's first elements were computed so.
template <bool weaves, class T, class Element>
[[gnu::always_inline]] inline long long each_of_woven([[maybe_unused]] T* out, [[maybe_unused]] long long count,
                                                      [[maybe_unused]] Element element) {
    long long done = 0;
    if constexpr (weaves && registers_for_woven<T>) {
        for (; count - done >= woven<T>; done += woven<T>) {
            alignas(64) T made[woven<T>];
            KILN_INDEPENDENT_ELEMENTS
            for (long long i = 0; i < woven<T>; ++i) made[i] = element(done + i);
            __builtin_memcpy(out + done, made, sizeof made);
        }
    }
    return done;
}

template <bool weaves = true, class T, class Function>
[[gnu::always_inline]] inline void each_of_block(const T* a, T* out, long long count, Function function) {
    const long long whole = count / together<T> * together<T>;
    const long long done = each_of_woven<weaves>(
        out, count, [=](long long i) __attribute__((always_inline)) { return function(a[i]); });
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i]);
    if (whole == count) return;
    T rest[together<T>] = {};
    for (long long i = whole; i < count; ++i) rest[i - whole] = a[i];
    for (T& each : rest) each = function(each);
    for (long long i = whole; i < count; ++i) out[i] = rest[i - whole];
}

template <bool weaves = true, class T, class Function>
[[gnu::always_inline]] inline void each_of_blocks(const T* a, const T* b, T* out, long long count, Function function) {
    const long long whole = count / together<T> * together<T>;
    const long long done = each_of_woven<weaves>(
        out, count, [=](long long i) __attribute__((always_inline)) { return function(a[i], b[i]); });
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i], b[i]);
    if (whole == count) return;
    T rest_a[together<T>] = {};
    T rest_b[together<T>] = {};
    for (long long i = whole; i < count; ++i) rest_a[i - whole] = a[i], rest_b[i - whole] = b[i];
    for (long long i = 0; i < together<T>; ++i) rest_a[i] = function(rest_a[i], rest_b[i]);
    for (long long i = whole; i < count; ++i) out[i] = rest_a[i - whole];
}

}  // namespace
}  // namespace kiln::backend
