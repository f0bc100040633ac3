// tests/functions/mpfr_made: functions of kiln's that MPFR has none of, made of those that it has, rounded to the precision of `out`
// at each step. One is returned as MPFR's functions return theirs: the sign of what the last step rounded away.
#pragma once

#include <mpfr.h>

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
