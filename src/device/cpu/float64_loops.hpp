// kiln/device/cpu/float64_loops: the float64 functions as functions of one element, and as loops over blocks that the compiler
// vectorises. Included once by each float64_<instruction set>.cpp.
// in: their texts   out: `made_float64`   knows nothing of: other instruction sets
//
// Nothing is fused, and the build has this file say so to the compiler: a product and a sum are two roundings with every instruction set.
#pragma once

#include <device/cpu/float64_functions.hpp>
#include <device/cpu/float64_texts.hpp>
#include <device/cpu/function_blocks.hpp>
#include <device/cpu/lgamma_blocks.hpp>

namespace kiln::backend {
namespace {

// Of AVX-512's 32 registers some functions have more values at once with four vectors than with two: normcdf 6.3 ns for 4.9, erf 4.9 for
// 4.4, pow 5.5 for 5.1. Of the others four take 0.85 to 1 of the time: exp 0.86 ns for 0.97 (one core of an EPYC, Zen 4).
constexpr bool has_many_values(std::string_view name) {
    for (const std::string_view each :
         {"atan", "atan2", "erf", "erfc", "normcdf", "gelu", "tgamma", "lgamma", "pow", "hypot"})
        if (each == name) return true;
    return false;
}

constexpr long long woven_of(std::string_view name) {
    return has_many_values(name) && woven<double> > 16 ? 16 : woven<double>;
}

/// sin, cos and tan of |a| < 2^20 are computed in vectors, as if all were; the few beyond are computed again, one at a time.
constexpr double least_far = 0x1p20;
[[maybe_unused]] bool is_far_angle(double a) {
    const double m = magnitude_of(a);
    return (m >= least_far) & (m < infinite_double());
}

template <class Near, class Far>
[[gnu::always_inline]] inline void each_angle(const double* a, double* out, long long count, Near near, Far far) {
    constexpr long long strip = 256;
    for (long long from = 0; from < count; from += strip) {
        const long long length = count - from < strip ? count - from : strip;
        // The highest bit of a difference says which is larger: SSE2 compares no 64-bit integers.
        unsigned long long far_bits = 0;
        for (long long i = 0; i < length; ++i) far_bits |= bits_of(least_far) - 1 - bits_of(magnitude_of(a[from + i]));
        // Where `out` is a, its elements are kept before they are written over.
        double kept[strip];
        const bool any_far = far_bits >> 63 != 0;
        if (any_far) __builtin_memcpy(kept, a + from, static_cast<unsigned long long>(length) * sizeof(double));
        each_of_block<woven<double>>(a + from, out + from, length, near);
        if (!any_far) continue;
        for (long long i = 0; i < length; ++i)
            if (is_far_angle(kept[i])) out[from + i] = far(kept[i]);
    }
}

#define KILN_ANGLES(name)                                                                                            \
    double angle_##name(double a) { return is_far_angle(a) ? accurate_##name##_far(a) : accurate_##name##_near(a); } \
    void angles_##name(const double* a, double* out, long long count) {                                              \
        each_angle(                                                                                                  \
            a, out, count, [](double x) __attribute__((always_inline)) { return accurate_##name##_near(x); },        \
            accurate_##name##_far);                                                                                  \
    }
KILN_ANGLES(sin)
KILN_ANGLES(cos)
KILN_ANGLES(tan)

// By the words of emit/library.hpp: what one is, and whether a block of it is computed in vectors.
#define KILN_FLOAT64_accurate(arity, name) KILN_ROW_##arity(name, accurate_##name)
#define KILN_FLOAT64_guarded(arity, name)                                                              \
    double one_##name(double a) { return accurate_##name(a); }                                         \
    void block_##name(const double* a, double* out, long long count) {                                 \
        each_of_usual<woven_of(#name)>(                                                                \
            a, out, count, [](double x) __attribute__((always_inline)) { return accurate_##name(x); }, \
            [](double x) __attribute__((always_inline)) { return usual_##name(x); },                   \
            [](double x) __attribute__((always_inline)) { return unusual_##name(x); });                \
    }                                                                                                  \
    constexpr float64_function row_##name() { return {one_##name, nullptr, block_##name, nullptr}; }
#define KILN_FLOAT64_angle(arity, name) \
    constexpr float64_function row_##name() { return {angle_##name, nullptr, angles_##name, nullptr}; }
#define KILN_FLOAT64_zeros(arity, name)                                                                                \
    double one_##name(double a) { return accurate_##name(a); }                                                         \
    void apart_##name(const double* a, double* out, long long count) {                                                 \
        each_of_usual<woven_of(#name)>(                                                                                \
            a, out, count, [](double x) __attribute__((always_inline)) { return name##_apart(x); },                    \
            [](double x) __attribute__((always_inline)) { return usual_##name(x); },                                   \
            [](double x) __attribute__((always_inline)) { return unusual_##name(x); });                                \
    }                                                                                                                  \
    void block_##name(const double* a, double* out, long long count) { name##_of_block(a, out, count, apart_##name); } \
    constexpr float64_function row_##name() { return {one_##name, nullptr, block_##name, nullptr}; }

#define KILN_ROW_1(name, function)                                                               \
    double one_##name(double a) { return function(a); }                                          \
    void block_##name(const double* a, double* out, long long count) {                           \
        each_of_block<woven_of(#name)>(                                                          \
            a, out, count, [](double x) __attribute__((always_inline)) { return function(x); }); \
    }                                                                                            \
    constexpr float64_function row_##name() { return {one_##name, nullptr, block_##name, nullptr}; }
#define KILN_ROW_2(name, function)                                                                               \
    double one_##name(double a, double b) { return function(a, b); }                                             \
    void block_##name(const double* a, const double* b, double* out, long long count) {                          \
        each_of_blocks<woven_of(#name)>(                                                                         \
            a, b, out, count, [](double x, double y) __attribute__((always_inline)) { return function(x, y); }); \
    }                                                                                                            \
    constexpr float64_function row_##name() { return {nullptr, one_##name, nullptr, block_##name}; }
#define KILN_EACH(name, arity, in_double) KILN_FLOAT64_##in_double(arity, name)
KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH

constexpr float64_functions made_float64(const char* instruction_set) {
    float64_functions out{instruction_set, {}};
    int row = 0;
#define KILN_EACH(name, arity, in_double) out.rows[row++] = row_##name();
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    return out;
}

}  // namespace
}  // namespace kiln::backend
