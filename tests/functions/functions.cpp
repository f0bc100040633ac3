#include "functions.hpp"

#include "mpfr_made.hpp"

#include <mpfr.h>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

// A thread's own, since MPFR's numbers have memory.
/// C's writes the sign to a global.
double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

template <class Function>
mpfr_ptr made_by_mpfr(Function function, float a) {
    thread_local mpfr_number argument(24), result(200);
    mpfr_set_flt(argument.value, a, MPFR_RNDN);
    function(result.value, argument.value, MPFR_RNDN);
    return result.value;
}

template <class Function>
float by_mpfr(Function function, float a) {
    return mpfr_get_flt(made_by_mpfr(function, a), MPFR_RNDN);
}

/// Towards 0, so that what is less than a midpoint by less than 2^-200 of it, as the angle of a tiny quotient, is less than it still.
template <class Function>
float pair_by_mpfr(Function function, float a, float b) {
    thread_local mpfr_number first(24), second(24), result(200);
    mpfr_set_flt(first.value, a, MPFR_RNDN);
    mpfr_set_flt(second.value, b, MPFR_RNDN);
    function(result.value, first.value, second.value, MPFR_RNDZ);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

template <class Function>
int side_by_mpfr(Function function, float a, float y) {
    const int side = mpfr_cmp_d(made_by_mpfr(function, a), static_cast<double>(y));
    return (side > 0) - (side < 0);
}

}  // namespace

const function_facts facts[function_count] = {
#define KILN_FLOAT32_FUNCTION(name, reference, by, kind, from, to)                                \
    {#name,                                                                                       \
     [](double x) -> double { return reference; },                                                \
     [](float a) { return by_mpfr([](auto... all) { return by(all...); }, a); },                  \
     [](float a, float y) { return side_by_mpfr([](auto... all) { return by(all...); }, a, y); }, \
     symmetry::kind,                                                                              \
     from,                                                                                        \
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

#define KILN_PAIRS(name)                                                                                         \
    {                                                                                                            \
        #name, [](long double a, long double b) -> long double { return std::name(a, b); },                      \
            [](float a, float b) { return pair_by_mpfr([](auto... all) { return mpfr_##name(all...); }, a, b); } \
    }
const pair_facts pairs[pair_function_count] = {KILN_PAIRS(hypot), KILN_PAIRS(pow), KILN_PAIRS(atan2)};
#undef KILN_PAIRS

float nearest(const pair_facts& of, float a, float b) {
    const long double y = of.near(a, b);
    if (y != y) return float_with(0x7fc00000u);
    const auto low = static_cast<float>(y * (1 - 0x1p-60L));
    return bits(low) == bits(static_cast<float>(y * (1 + 0x1p-60L))) ? low : of.nearest(a, b);
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
