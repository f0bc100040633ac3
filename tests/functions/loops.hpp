// tests/functions/loops: the float32 functions over arrays, per instruction set.
#pragma once

#include <cstddef>

using loop = void (*)(const float* a, float* out, std::ptrdiff_t count);

enum function_number : int {
#define KILN_FLOAT32_FUNCTION(name, reference, mpfr, symmetry, from, to) function_##name,
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION
    function_count
};

using loop_of_pairs = void (*)(const float* a, const float* b, float* out, std::ptrdiff_t count);

enum pair_function : int { pair_hypot, pair_pow, pair_atan2, pair_function_count };

enum strip_function : int {
    strips_of_sin,
    strips_of_cos,
    strips_of_tan,
    strips_of_lgamma,
    strips_of_erf,
    strip_function_count
};

/// That of a function; strip_function_count: it has none.
constexpr int strips_of(int function) {
    const int with_strips[] = {function_sin, function_cos, function_tan, function_lgamma, function_erf};
    int found = 0;
    while (found < strip_function_count && with_strips[found] != function) ++found;
    return found;
}

struct loop_set {
    loop functions[function_count];
    loop in_strips[strip_function_count];  // sin, cos, tan by the form for |a| < 2^18 or by that for all; lgamma; erf
    loop_of_pairs pairs[pair_function_count];
    loop_of_pairs for_f16[function_count];  // of an argument and its result; nullptr where that is as it should be
    loop_of_pairs for_bf16[function_count];
};

extern const loop_set loops_sse2;
extern const loop_set loops_avx2;
extern const loop_set loops_avx512;
