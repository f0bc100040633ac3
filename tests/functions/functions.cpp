#include "functions.hpp"

#include "mpfr_made.hpp"

#include <mpfr.h>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

// A thread's own, since MPFR's numbers have memory.
struct number {
    mpfr_t value;
    explicit number(mpfr_prec_t bits) { mpfr_init2(value, bits); }
    ~number() { mpfr_clear(value); }
    number(const number&) = delete;
    number& operator=(const number&) = delete;
};

/// C's writes the sign to a global.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

/// Two of Halley's steps from 0.2 %: the first leaves 2^-27, the second what long double has.
double erfinv_by_steps(double x) {
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
int mpfr_erfinv(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding) {
    thread_local number off(240), slope(240), y(240);
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

template <class Function>
float by_mpfr(Function function, float a) {
    thread_local number argument(24), result(200);
    mpfr_set_flt(argument.value, a, MPFR_RNDN);
    function(result.value, argument.value, MPFR_RNDN);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

}  // namespace

const function_facts facts[function_count] = {
#define KILN_FLOAT32_FUNCTION(name, reference, by, kind, from, to)               \
    {#name,                                                                      \
     [](double x) -> double { return reference; },                               \
     [](float a) { return by_mpfr([](auto... all) { return by(all...); }, a); }, \
     symmetry::kind,                                                             \
     from,                                                                       \
     to},
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION
};

float nearest(const function_facts& of, float a) {
    const double y = of.near(a);
    if (y != y) return float_with(0x7fc00000u);
    if (static_cast<float>(y * (1 - 0x1p-44)) == static_cast<float>(y * (1 + 0x1p-44))) return static_cast<float>(y);
    return of.nearest(a);
}

const pair_facts pairs[pair_function_count] = {
    {"hypot", [](long double a, long double b) { return std::hypot(a, b); }, true},
    {"pow", [](long double a, long double b) { return std::pow(a, b); }, false},
    {"atan2", [](long double a, long double b) { return std::atan2(a, b); }, false},
};

bool is_right(const pair_facts& of, float a, float b, float y, bool& is_nearest) {
    const long double good = of.near(a, b);
    float nearest = static_cast<float>(good);
    if (of.is_proven && nearest == nearest &&
        static_cast<float>(good * (1 - 0x1p-60L)) != static_cast<float>(good * (1 + 0x1p-60L))) {
        thread_local number first(24), second(24), result(200);
        mpfr_set_flt(first.value, a, MPFR_RNDN);
        mpfr_set_flt(second.value, b, MPFR_RNDN);
        mpfr_hypot(result.value, first.value, second.value, MPFR_RNDN);
        nearest = mpfr_get_flt(result.value, MPFR_RNDN);
    }
    is_nearest = bits(y) == bits(nearest) || (y != y && nearest != nearest);
    if (is_nearest || of.is_proven) return is_nearest;
    const float other = std::nextafter(nearest, y);
    return bits(other) == bits(y) && std::fabs(y - good) < 0.500001L * std::fabs(static_cast<long double>(y) - nearest);
}

std::string hexadecimal(float a) {
    char text[40];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(a));
    return text;
}

unsigned bits(float a) {
    unsigned out;
    std::memcpy(&out, &a, sizeof out);
    return out;
}

float float_with(unsigned bits) {
    float out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}
