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

template <class Function>
[[gnu::always_inline]] inline void each_of_block(const float* a, float* out, long long count, Function function) {
    const long long whole = count / together * together;
    KILN_INDEPENDENT_FLOATS
    for (long long i = 0; i < whole; ++i) out[i] = function(a[i]);
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
    KILN_INDEPENDENT_FLOATS
    for (long long i = 0; i < whole; ++i) out[i] = function(a[i], b[i]);
    if (whole == count) return;
    float rest_a[together] = {};
    float rest_b[together] = {};
    for (long long i = whole; i < count; ++i) rest_a[i - whole] = a[i], rest_b[i - whole] = b[i];
    for (long long i = 0; i < together; ++i) rest_a[i] = function(rest_a[i], rest_b[i]);
    for (long long i = whole; i < count; ++i) out[i] = rest_a[i - whole];
}

}  // namespace
}  // namespace kiln::backend
