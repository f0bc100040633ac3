// tests/functions/loops: each float32 function as a loop, which the compiler vectorises; compiled once per instruction
// set, its name in KILN_LOOPS.
#include "loops.hpp"
#include "texts.hpp"

#include <device/cpu/float32_pairs.hpp>
#include <device/cpu/lgamma_blocks.hpp>
#if defined(__AVX512F__)
#include <device/cpu/erf_blocks.hpp>
#endif

#define KILN_JOINED_(a, b) a##_##b
#define KILN_JOINED(a, b) KILN_JOINED_(a, b)

// Functions, not lambdas, so that check_vectorised.py finds them by name.
#define KILN_LOOP(name)                                                                                      \
    extern "C" void KILN_JOINED(loop_##name, KILN_LOOPS)(const float* a, float* out, std::ptrdiff_t count) { \
        _Pragma("GCC ivdep") for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = nearest_##name(a[i]);       \
    }
#define KILN_FLOAT32_FUNCTION(name, reference, mpfr, symmetry, from, to) KILN_LOOP(name)
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION
KILN_LOOP(sin_near)
KILN_LOOP(cos_near)
KILN_LOOP(tan_near)
// nearest_lgamma looks at each element for itself; its block computes this in vectors.
extern "C" void KILN_JOINED(loop_lgamma_apart, KILN_LOOPS)(const float* a, float* out, std::ptrdiff_t count) {
    _Pragma("GCC ivdep") for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = lgamma_apart(a[i]);
}

// As a kernel would call them.
#define KILN_STRIPS(name)                                                                                      \
    extern "C" void KILN_JOINED(strips_##name, KILN_LOOPS)(const float* a, float* out, std::ptrdiff_t count) { \
        constexpr std::ptrdiff_t strip = 256;                                                                  \
        for (std::ptrdiff_t from = 0; from < count; from += strip) {                                           \
            const std::ptrdiff_t length = count - from < strip ? count - from : strip;                         \
            int far = 0;                                                                                       \
            for (std::ptrdiff_t i = 0; i < length; ++i) far |= !(magnitude_of(a[from + i]) < 262144.0f);       \
            (far ? KILN_JOINED(loop_##name, KILN_LOOPS) : KILN_JOINED(loop_##name##_near, KILN_LOOPS))(        \
                a + from, out + from, length);                                                                 \
        }                                                                                                      \
    }
KILN_STRIPS(sin)
KILN_STRIPS(cos)
KILN_STRIPS(tan)
extern "C" void KILN_JOINED(strips_lgamma, KILN_LOOPS)(const float* a, float* out, std::ptrdiff_t count) {
    kiln::backend::lgamma_of_block(a, out, count, KILN_JOINED(loop_lgamma_apart, KILN_LOOPS));
}
extern "C" void KILN_JOINED(strips_erf, KILN_LOOPS)(const float* a, float* out, std::ptrdiff_t count) {
#if defined(__AVX512F__)
    kiln::backend::erf_of_block(a, out, count);
#else
    KILN_JOINED(loop_erf, KILN_LOOPS)(a, out, count);
#endif
}

#define KILN_LOOP_OF_PAIRS(name, function)                                                             \
    extern "C" void KILN_JOINED(loop_##name, KILN_LOOPS)(const float* a, const float* b, float* out,   \
                                                         std::ptrdiff_t count) {                       \
        _Pragma("GCC ivdep") for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = function(a[i], b[i]); \
    }
KILN_LOOP_OF_PAIRS(hypot, nearest_hypot)
#define KILN_ROUNDED_TWICE(name, type) KILN_LOOP_OF_PAIRS(name##_for_##type, name##_for_##type)
#include <device/cpu/rounded_twice.def>
#undef KILN_ROUNDED_TWICE
// nearest_pow and nearest_atan2 look at each element for themselves; their blocks compute these in vectors.
#define KILN_NEAREST_PAIRS(name, of)                                                                               \
    extern "C" void KILN_JOINED(loop_##name##_in_doubles, KILN_LOOPS)(const float* a, const float* b, double* out, \
                                                                      std::ptrdiff_t count) {                      \
        kiln::backend::in_doubles<kiln::backend::of>(a, b, out, count);                                            \
    }                                                                                                              \
    extern "C" bool KILN_JOINED(loop_##name##_as_floats, KILN_LOOPS)(                                              \
        const float* a, const float* b, const double* in_double, float* out, std::ptrdiff_t count) {               \
        return kiln::backend::as_floats<kiln::backend::of>(a, b, in_double, out, count);                           \
    }                                                                                                              \
    extern "C" void KILN_JOINED(block_##name, KILN_LOOPS)(const float* a, const float* b, float* out,              \
                                                          std::ptrdiff_t count) {                                  \
        kiln::backend::name##_of_block(a, b, out, count);                                                          \
    }
KILN_NEAREST_PAIRS(pow, powers)
KILN_NEAREST_PAIRS(atan2, angles)

static constexpr loop_set made() {
    loop_set out = {
        {
#define KILN_FLOAT32_FUNCTION(name, reference, mpfr, symmetry, from, to) KILN_JOINED(loop_##name, KILN_LOOPS),
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION
        },
        {KILN_JOINED(strips_sin, KILN_LOOPS), KILN_JOINED(strips_cos, KILN_LOOPS), KILN_JOINED(strips_tan, KILN_LOOPS),
         KILN_JOINED(strips_lgamma, KILN_LOOPS), KILN_JOINED(strips_erf, KILN_LOOPS)},
        {KILN_JOINED(loop_hypot, KILN_LOOPS), KILN_JOINED(block_pow, KILN_LOOPS), KILN_JOINED(block_atan2, KILN_LOOPS)},
        {},
        {}};
#define KILN_ROUNDED_TWICE(name, type) \
    out.for_##type[function_##name] = KILN_JOINED(loop_##name##_for_##type, KILN_LOOPS);
#include <device/cpu/rounded_twice.def>
#undef KILN_ROUNDED_TWICE
    return out;
}

const loop_set KILN_JOINED(loops, KILN_LOOPS) = made();
