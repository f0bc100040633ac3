// tests/functions/mpfr_made: functions of kiln's that MPFR has none of, made of those that it has, rounded to the precision of `out`
// at each step. One is returned as MPFR's functions return theirs: the sign of what the last step rounded away.
#pragma once

#include <mpfr.h>

#include <cmath>

inline int mpfr_sigmoid(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    mpfr_neg(out, a, rounding);
    mpfr_exp(out, out, rounding);
    mpfr_add_ui(out, out, 1, rounding);
    return mpfr_ui_div(out, 1, out, rounding);
}

inline int mpfr_normcdf(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    mpfr_sqrt_ui(out, 2, rounding);
    mpfr_div(out, a, out, rounding);
    mpfr_neg(out, out, rounding);
    mpfr_erfc(out, out, rounding);
    return mpfr_div_2ui(out, out, 1, rounding);
}

inline int mpfr_log_gamma(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    int sign = 0;
    return mpfr_lgamma(out, &sign, a, rounding);
}

inline int mpfr_gelu(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    mpfr_normcdf(out, a, rounding);
    return mpfr_mul(out, out, a, rounding);
}

struct mpfr_number {
    mpfr_t value;
    explicit mpfr_number(mpfr_prec_t bits) { mpfr_init2(value, bits); }
    ~mpfr_number() { mpfr_clear(value); }
    mpfr_number(const mpfr_number&) = delete;
    mpfr_number& operator=(const mpfr_number&) = delete;
};

/// Two of Halley's steps from 0.2 %: the first leaves 2^-27, the second what long double has.
inline double erfinv_by_steps(double x) {
    const long double m = std::fabs(x);
    if (!(m < 1) || m == 0) return m == 1 ? std::copysign(INFINITY, x) : m == 0 ? x : NAN;
    const long double root_of_pi = 1.772453850905516027298L;
    long double y = m * root_of_pi / 2 * (1 + 0.2618L * m * m);
    if (m > 0.2L) {  // S. Winitzki, A handy approximation for the error function and its inverse, 2008
        const long double l = std::log1p(-m * m), t = 4.33074L + l / 2;
        y = std::sqrt(std::sqrt(t * t - l / 0.147L) - t);
    }
    for (int step = 0; step < 2; ++step) {
        const long double off = m > 0.5L ? std::erfc(y) - (1 - m) : m - std::erf(y);
        const long double slope = off * root_of_pi / 2 * std::exp(y * y);
        y += slope / (1 - y * slope);
    }
    return static_cast<double>(std::copysign(y, static_cast<long double>(x)));
}

/// Newton's steps from the double.
inline int mpfr_erfinv(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    thread_local mpfr_number off(240), slope(240), y(240);
    mpfr_set_d(y.value, erfinv_by_steps(mpfr_get_d(a, rounding)), rounding);
    if (mpfr_number_p(y.value) && !mpfr_zero_p(y.value))
        for (int step = 0; step < 3; ++step) {
            mpfr_erf(off.value, y.value, rounding);
            mpfr_sub(off.value, a, off.value, rounding);
            mpfr_sqr(slope.value, y.value, rounding);
            mpfr_exp(slope.value, slope.value, rounding);
            mpfr_mul(off.value, off.value, slope.value, rounding);
            mpfr_const_pi(slope.value, rounding);
            mpfr_sqrt(slope.value, slope.value, rounding);
            mpfr_mul(off.value, off.value, slope.value, rounding);
            mpfr_div_2ui(off.value, off.value, 1, rounding);
            mpfr_add(y.value, y.value, off.value, rounding);
        }
    return mpfr_set(out, y.value, rounding);
}
