// kiln/device/cpu/float32_loops: the float32 functions as functions of one element, and as loops over blocks that the compiler
// vectorises. Included once by each float32_<instruction set>.cpp.
// in: their texts   out: `made_float32`   knows nothing of: other instruction sets
//
// Blocks are called, never pasted into kernels: where those are compiled with options.fast_math, g++ 12's vectoriser would drop the
// barriers between roundings; and each text would take 24 to 68 ms to compile, once per kernel.
#pragma once

#include <device/cpu/float32_functions.hpp>
#include <device/cpu/float32_pairs.hpp>
#include <device/cpu/float32_texts.hpp>
#include <device/cpu/function_blocks.hpp>
#include <device/cpu/lgamma_blocks.hpp>
#if defined(__AVX512F__)
#include <device/cpu/erf_blocks.hpp>
#endif

namespace kiln::backend {
namespace {

// tgamma has more values at once than registers: 14.9 ns woven, 12.1 else (one core of an EPYC, Zen 4).
constexpr long long woven_of(std::string_view name) { return name == "tgamma" ? 0 : woven<float>; }

#define KILN_BLOCK_1(name, function)                                                            \
    float one_##name(float a) { return function(a); }                                           \
    void block_##name(const float* a, float* out, long long count) {                            \
        each_of_block<woven_of(#name)>(                                                         \
            a, out, count, [](float x) __attribute__((always_inline)) { return function(x); }); \
    }                                                                                           \
    constexpr float32_function row_##name() { return {one_##name, nullptr, block_##name}; }
#define KILN_BLOCK_2(name, function)                                                                           \
    float one_##name(float a, float b) { return function(a, b); }                                              \
    void block_##name(const float* a, const float* b, float* out, long long count) {                           \
        each_of_blocks<woven<float>>(                                                                          \
            a, b, out, count, [](float x, float y) __attribute__((always_inline)) { return function(x, y); }); \
    }                                                                                                          \
    constexpr float32_function row_##name() { return {nullptr, one_##name, nullptr, block_##name}; }
#define KILN_EACH(name, arity, in_double) KILN_BLOCK_##arity(name, nearest_##name)
KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH

/// Angles: a form for |a| < 2^18 is three times as fast as the one for all. Looked for in strips, so that one large element among
/// millions costs 256 slow ones.
template <class Near, class Any>
[[gnu::always_inline]] inline void by_strips(const float* a, float* out, long long count, Near near, Any any) {
    constexpr long long strip = 256;
    for (long long from = 0; from < count; from += strip) {
        const long long length = count - from < strip ? count - from : strip;
        int far = 0;
        for (long long i = 0; i < length; ++i) far |= !(magnitude_of(a[from + i]) < 262144.0f);
        if (far) any(a + from, out + from, length);
        else near(a + from, out + from, length);
    }
}

#define KILN_ANGLES(name)                                                                                    \
    void block_##name##_near(const float* a, float* out, long long count) {                                  \
        each_of_block<woven<float>>(                                                                         \
            a, out, count, [](float x) __attribute__((always_inline)) { return nearest_##name##_near(x); }); \
    }                                                                                                        \
    void strips_##name(const float* a, float* out, long long count) {                                        \
        by_strips(a, out, count, block_##name##_near, block_##name);                                         \
    }                                                                                                        \
    float one_##name##_of_any(float a) {                                                                     \
        return magnitude_of(a) < 262144.0f ? nearest_##name##_near(a) : nearest_##name(a);                   \
    }
KILN_ANGLES(sin)
KILN_ANGLES(cos)
KILN_ANGLES(tan)

void lgamma_of_most(const float* a, float* out, long long count) {
    each_of_block<woven<float>>(
        a, out, count, [](float x) __attribute__((always_inline)) { return lgamma_apart(x); });
}

void strips_lgamma(const float* a, float* out, long long count) { lgamma_of_block(a, out, count, lgamma_of_most); }

#define KILN_ROUNDED_TWICE(name, type)                                                             \
    void name##_for_##type##_of_block(const float* a, const float*, float* out, long long count) { \
        KILN_INDEPENDENT_ELEMENTS                                                                  \
        for (long long i = 0; i < count; ++i) out[i] = name##_for_##type(a[i], out[i]);            \
    }
#include <device/cpu/rounded_twice.def>
#undef KILN_ROUNDED_TWICE

/// Few of a block lie midway, most often none.
template <class Midway, class Odd>
[[gnu::always_inline]] inline void midway_anew(const float* a, const float* b, float* out, long long count,
                                               Midway midway, Odd odd) {
    int any = 0;
    for (long long i = 0; i < count; ++i) any |= midway(out[i]);
    if (any == 0) return;
    for (long long i = 0; i < count; ++i)
        if (midway(out[i])) out[i] = odd(a[i], b[i], out[i]);
}

#define KILN_ROUNDED_PAIRS(name, type)                                                               \
    void name##_for_##type##_of_block(const float* a, const float* b, float* out, long long count) { \
        midway_anew(a, b, out, count, is_midway_##type, odd_##name);                                 \
    }
#define KILN_ROUNDED_PAIR(name) KILN_ROUNDED_PAIRS(name, f16) KILN_ROUNDED_PAIRS(name, bf16)
KILN_ROUNDED_PAIR(hypot)
KILN_ROUNDED_PAIR(pow)
KILN_ROUNDED_PAIR(atan2)
#undef KILN_ROUNDED_PAIR

constexpr float32_functions made_float32(const char* instruction_set) {
    float32_functions out{instruction_set, {}};
    int row = 0;
#define KILN_EACH(name, arity, in_double) out.rows[row++] = row_##name();
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    out.rows[emit::row_of("sin")] = {one_sin_of_any, nullptr, strips_sin};
    out.rows[emit::row_of("cos")] = {one_cos_of_any, nullptr, strips_cos};
    out.rows[emit::row_of("tan")] = {one_tan_of_any, nullptr, strips_tan};
    out.rows[emit::row_of("lgamma")].block_of_one = strips_lgamma;
#if defined(__AVX512F__)
    out.rows[emit::row_of("erf")].block_of_one = erf_of_block;
#endif
    out.rows[emit::row_of("pow")].block_of_two = pow_of_block;
    out.rows[emit::row_of("atan2")].block_of_two = atan2_of_block;
#define KILN_ROUNDED_TWICE(name, type) out.rows[emit::row_of(#name)].for_##type = name##_for_##type##_of_block;
#include <device/cpu/rounded_twice.def>
#undef KILN_ROUNDED_TWICE
#define KILN_ROUNDED_PAIR(name)                                      \
    out.rows[emit::row_of(#name)].for_f16 = name##_for_f16_of_block; \
    out.rows[emit::row_of(#name)].for_bf16 = name##_for_bf16_of_block;
    KILN_ROUNDED_PAIR(hypot)
    KILN_ROUNDED_PAIR(pow)
    KILN_ROUNDED_PAIR(atan2)
#undef KILN_ROUNDED_PAIR
    return out;
}

}  // namespace
}  // namespace kiln::backend
