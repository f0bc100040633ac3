// tests/functions/functions: what each float32 function has to be, from elsewhere: a double good to 2^-44 (glibc), and
// MPFR.
#pragma once

#include "loops.hpp"

#include <string>

enum class symmetry { none, odd, even };

struct function_facts {
    const char* name;
    double (*near)(double x);       // off by less than 2^-44 of itself
    float (*nearest)(float a);      // by MPFR: slow
    int (*side)(float a, float y);  // by MPFR: whether the true result is more than y (1), less (-1), or y (0)
    symmetry kind;
    double bench_from, bench_to;
};

extern const function_facts facts[function_count];

/// The float nearest to the true result: by `near` where that says it, by MPFR where a midpoint between two floats is too near.
/// Any NaN is 0x7fc00000.
float nearest(const function_facts& of, float a);

struct pair_facts {
    const char* name;
    long double (*near)(long double a, long double b);  // off by less than 2^-60 of itself
    float (*nearest)(float a, float b);                 // by MPFR: slow
};

extern const pair_facts pairs[pair_function_count];

/// As that of one argument.
float nearest(const pair_facts& of, float a, float b);

/// 0x1.8p+3
std::string hexadecimal(float a);

unsigned bits(float a);
float float_with(unsigned bits);
