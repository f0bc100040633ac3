// kiln/device/cpu/erf_blocks: the error function of a block of float32, with AVX-512: the same floats as nearest_erf's
// (emit/helpers/float32/erf.inc), of sixteen short polynomials instead of one long one.
// in: erf_pieces.inc   out: `erf_of_block`   knows nothing of: the other functions
//
// A register holds a coefficient of all sixteen intervals, and one permutation gives each element that of its own: 12 steps for 28, six of
// them of floats, sixteen at a time. With AVX2 sixteen doubles are four registers, and it does not pay.
// One core of an EPYC (Zen 4): 0.72 ns an element for 1.21. Permutations and fused operations have three ports between them there: 18 and
// 24 of sixteen elements take 28 cycles, of 42 measured; the long polynomial's 56 took 70.
// That each float is the nearest is known as for the other form, by trying all: tests/functions.
#pragma once

#include <device/cpu/function_blocks.hpp>

// g++ 12 takes what its own header leaves undefined on purpose for a mistake.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace kiln::backend {
namespace {

#include "erf_pieces.inc"

/// Of each element its interval's. A permutation looks at the index's lowest four bits.
[[gnu::always_inline]] inline __m512d of_interval(const double* coefficients, __m512i interval) {
    return _mm512_permutex2var_pd(_mm512_load_pd(coefficients), interval, _mm512_load_pd(coefficients + 8));
}
[[gnu::always_inline]] inline __m512 of_interval(const float* coefficients, __m512i interval) {
    return _mm512_permutexvar_ps(interval, _mm512_load_ps(coefficients));
}

[[gnu::always_inline]] inline __m512d lower_doubles(__m512 a) { return _mm512_cvtps_pd(_mm512_castps512_ps256(a)); }
[[gnu::always_inline]] inline __m512d upper_doubles(__m512 a) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)); }

/// Of `vectors` times sixteen elements: they are computed beside one another, and a coefficient is loaded once. `out` may be a.
template <int vectors>
[[gnu::always_inline]] inline void erf_of_vectors(const float* a, float* out) {
    // From 3.92 on erf is 1 as a float. Between 2^21 and 2^22 floats are multiples of 1/4: what is added to it is rounded to the
    // nearest centre, whose number is in the sum's lowest bits. What is left of x then is exact. A NaN is the second operand of `min`, which it
    // gives back.
    const __m512 last = _mm512_set1_ps(3.92f);
    const __m512 whole = _mm512_set1_ps(0x1.8p21f);
    const __m512 last_centre = _mm512_set1_ps(0x1.8p21f + 3.75f);
    const __m512i upper_halves = _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
    __m512 x[vectors], t[vectors], above[vectors];
    __m512i interval[vectors];
    for (int v = 0; v < vectors; ++v) {
        x[v] = _mm512_loadu_ps(a + 16 * v);
        const __m512 m = _mm512_min_ps(last, _mm512_abs_ps(x[v]));
        const __m512 centre = _mm512_min_ps(_mm512_add_ps(m, whole), last_centre);
        interval[v] = _mm512_castps_si512(centre);
        t[v] = _mm512_sub_ps(m, _mm512_sub_ps(centre, whole));
        above[v] = of_interval(erf_floats[5], interval[v]);
    }
    for (int k = 4; k >= 0; --k)
        for (int v = 0; v < vectors; ++v)
            above[v] = _mm512_fmadd_ps(above[v], t[v], of_interval(erf_floats[k], interval[v]));

    __m512d p[2 * vectors], t_double[2 * vectors];
    __m512i interval_of_double[2 * vectors];
    for (int v = 0; v < vectors; ++v) {
        t_double[2 * v] = lower_doubles(t[v]);
        t_double[2 * v + 1] = upper_doubles(t[v]);
        p[2 * v] = lower_doubles(above[v]);
        p[2 * v + 1] = upper_doubles(above[v]);
        interval_of_double[2 * v] = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(interval[v]));
        interval_of_double[2 * v + 1] = _mm512_permutexvar_epi32(upper_halves, interval[v]);
    }
    for (int k = 5; k >= 0; --k)
        for (int v = 0; v < 2 * vectors; ++v)
            p[v] = _mm512_fmadd_pd(p[v], t_double[v], of_interval(erf_doubles[k], interval_of_double[v]));

    const __m512 sign = _mm512_set1_ps(-0.0f);
    for (int v = 0; v < vectors; ++v) {
        const __m512 y =
            _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(p[2 * v])), _mm512_cvtpd_ps(p[2 * v + 1]), 1);
        _mm512_storeu_ps(out + 16 * v, _mm512_or_ps(y, _mm512_and_ps(x[v], sign)));
    }
}

/// `out` may be a.
void erf_of_block(const float* a, float* out, long long count) {
    long long from = 0;
    for (; count - from >= 32; from += 32) erf_of_vectors<2>(a + from, out + from);
    for (; count - from >= 16; from += 16) erf_of_vectors<1>(a + from, out + from);
    if (from == count) return;
    const __mmask16 rest = static_cast<__mmask16>((1u << (count - from)) - 1);
    alignas(64) float last[16];
    _mm512_store_ps(last, _mm512_maskz_loadu_ps(rest, a + from));
    erf_of_vectors<1>(last, last);
    _mm512_mask_storeu_ps(out + from, rest, _mm512_load_ps(last));
}

}  // namespace
}  // namespace kiln::backend
