// kiln/device/cpu/float32_blocks: a function of float32 for each element of a block, in vectors.
// in: the function   out: a loop   knows nothing of: which function
#pragma once

// The loop vectorises without asking at run time whether `out` overlaps an argument: element for element it may.
#if defined(__clang__)
#define KILN_INDEPENDENT_FLOATS _Pragma("clang loop vectorize(assume_safety)")
#else
#define KILN_INDEPENDENT_FLOATS _Pragma("GCC ivdep")
#endif

namespace kiln::backend {
namespace {

// What is left of a block goes through whole vectors, too: what comes of single elements takes as long as eight.
constexpr long long together = 16;

// A polynomial by Horner's rule is a chain, each step of which waits for the one before: vectors of so many elements are computed beside
// one another, what they make in memory of its own, so that the compiler may order their steps as it likes (CMakeLists.txt says that
// it does). One core of an EPYC (Zen 4) takes 0.6 to 0.9 of the time that single vectors take it: erf 2.0 ns for 3.0, exp 1.0 for 1.5.
constexpr long long woven = 32;
#if defined(__AVX2__) && !defined(__AVX512F__)
constexpr bool registers_for_woven = true;
#else
constexpr bool registers_for_woven = false;  // too few, or not measured
#endif

/// How many of the block's first elements were computed so.
template <bool weaves, class Element>
[[gnu::always_inline]] inline long long each_of_woven([[maybe_unused]] float* out, [[maybe_unused]] long long count,
                                                      [[maybe_unused]] Element element) {
    long long done = 0;
    if constexpr (weaves && registers_for_woven) {
        for (; count - done >= woven; done += woven) {
            alignas(64) float made[woven];
            KILN_INDEPENDENT_FLOATS
            for (long long i = 0; i < woven; ++i) made[i] = element(done + i);
            __builtin_memcpy(out + done, made, sizeof made);
        }
    }
    return done;
}

template <bool weaves = true, class Function>
[[gnu::always_inline]] inline void each_of_block(const float* a, float* out, long long count, Function function) {
    const long long whole = count / together * together;
    const long long done = each_of_woven<weaves>(
        out, count, [=](long long i) __attribute__((always_inline)) { return function(a[i]); });
    KILN_INDEPENDENT_FLOATS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i]);
    if (whole == count) return;
    float rest[together] = {};
    for (long long i = whole; i < count; ++i) rest[i - whole] = a[i];
    for (float& each : rest) each = function(each);
    for (long long i = whole; i < count; ++i) out[i] = rest[i - whole];
}

template <class Function>
[[gnu::always_inline]] inline void each_of_blocks(const float* a, const float* b, float* out, long long count,
                                                  Function function) {
    const long long whole = count / together * together;
    const long long done = each_of_woven<true>(
        out, count, [=](long long i) __attribute__((always_inline)) { return function(a[i], b[i]); });
    KILN_INDEPENDENT_FLOATS
    for (long long i = done; i < whole; ++i) out[i] = function(a[i], b[i]);
    if (whole == count) return;
    float rest_a[together] = {};
    float rest_b[together] = {};
    for (long long i = whole; i < count; ++i) rest_a[i - whole] = a[i], rest_b[i - whole] = b[i];
    for (long long i = 0; i < together; ++i) rest_a[i] = function(rest_a[i], rest_b[i]);
    for (long long i = whole; i < count; ++i) out[i] = rest_a[i - whole];
}

}  // namespace
}  // namespace kiln::backend
