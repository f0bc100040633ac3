// tests/functions/tried_pairs: what the functions of two arguments are checked with.
// in: a function, a seed   out: pairs   knows nothing of: results
#pragma once

#include "functions.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

/// A float next to x: of 5, where it is one.
inline float around(double x, unsigned which) {
    const auto near = static_cast<float>(x);
    return near == 0 || !std::isfinite(near) ? near : float_with(bits(near) + which % 5 - 2);
}

/// Any midpoint between two floats: of numbers like 1, of any size, of denormals, or where results begin to be 0 or infinite.
inline double any_midpoint(std::uint64_t r) {
    const auto fraction = static_cast<unsigned>(r) & 0x7fffffu;
    const int exponent = static_cast<int>(r >> 32 & 0xff);
    switch (r >> 60) {
        case 0: return 0x1p-150;
        case 1: return 0x1.ffffffp127;
        case 2: return std::ldexp(static_cast<double>(r >> 40 & 0x7f) + 0.5, -149);
        case 3: return std::ldexp(static_cast<double>(fraction) + 0.5, -149);
        case 4:
        case 5:
        case 6: return std::ldexp(1.0 + (fraction * 2 + 1) * 0x1p-24, exponent % 250 - 126);
        default: return std::ldexp(1.0 + (fraction * 2 + 1) * 0x1p-24, exponent % 8 - 5);
    }
}

/// Two floats whose quotient is next to x: a convergent of its continued fraction, 2^-48 away, with exponents of their own.
inline void fill_quotient(long double x, float& a, float& b) {
    const int places = std::ilogb(x);
    long double rest = std::scalbn(x, -places);
    long double above = 1, above_before = 0, below = 0, below_before = 1;
    for (int step = 0; step < 40; ++step) {
        const long double whole = std::floor(rest);
        const long double next_above = whole * above + above_before, next_below = whole * below + below_before;
        if (next_above >= 0x1p24L || next_below >= 0x1p24L) break;
        above_before = above, above = next_above, below_before = below, below = next_below;
        if (rest == whole) break;
        rest = 1 / (rest - whole);
    }
    const int place_of_b = -places / 2;
    a = static_cast<float>(std::scalbn(above, places + place_of_b));
    b = static_cast<float>(std::scalbn(below, place_of_b));
}

/// Angles next to a midpoint between two floats; of denormals the quotient often is one.
inline void fill_hard_angle(std::mt19937_64& random, float& a, float& b) {
    const std::uint64_t r = random(), q = random();
    double midpoint = any_midpoint(r);
    if (midpoint > 3.141592) midpoint = std::ldexp(midpoint, -std::ilogb(midpoint));
    const long double tangent = std::tan(static_cast<long double>(midpoint));
    fill_quotient(std::fabs(tangent), a, b);
    if (q % 16 == 0) {
        b = std::ldexp(static_cast<float>(q >> 40), static_cast<int>(q >> 32 & 31) - 31);
        a = static_cast<float>(b * midpoint);
    }
    a = std::copysign(a, q >> 63 != 0 ? -1.0f : 1.0f);
    b = std::copysign(b, static_cast<float>(tangent));
}

/// Powers next to a midpoint between two floats.
inline void fill_hard_power(std::mt19937_64& random, float& a, float& b) {
    const std::uint64_t r = random();
    const auto low = static_cast<unsigned>(r), high = static_cast<unsigned>(r >> 32);
    const double midpoint = any_midpoint(random());
    switch (low % 5) {
        case 0: {  // of few bits, to few halves: often the midpoint
            const int halves = 2 + static_cast<int>(high % 40);
            const double whole = std::floor(std::exp2(50.0 / halves) * (0.5 + (low >> 8) * 0x1p-25));
            const int places = static_cast<int>(high >> 8 & 63) - 40;
            a = static_cast<float>(halves % 2 == 1 ? std::ldexp(whole * whole, places * 2) : std::ldexp(whole, places));
            b = static_cast<float>(halves) / 2;
            break;
        }
        case 1: {  // of 2
            const int exponent = static_cast<int>(high % 276) - 149;
            a = std::ldexp(1.0f, exponent);
            b = exponent == 0 ? 150.0f : around((high & 0x10000u ? -150.0 : 128.0) / exponent, high >> 20);
            break;
        }
        case 2:  // of what is next to 1
            a = float_with(0x3f800000u + (high >> 8) % 4096 - 2048);
            b = a == 1 ? 3.0f : around(std::log(midpoint) / std::log(static_cast<double>(a)), high);
            break;
        case 3:  // next to 1, of any number
            a = float_with(high >> 1);
            b = around(
                std::log1p((static_cast<int>(low >> 8 & 0xff) - 128.5) * 0x1p-24) / std::log(static_cast<double>(a)),
                low >> 16);
            break;
        default:  // to any power, of which half are whole
            b = std::ldexp(1.0f + static_cast<float>(high & 0x7fffffu) * 0x1p-23f,
                           static_cast<int>(high >> 23 & 7) - 4);
            if (low & 64) b = std::rint(b) + 1;
            if (low & 128) b = -b;
            a = around(std::pow(midpoint, 1.0 / b), low >> 8);
    }
    if (low >> 31 != 0) a = -a;
}

/// Pairs whose root of squares lies next to a midpoint between two floats; of like size; of any bits; whole numbers, whose squares,
/// powers and roots are floats or midpoints; powers that are numbers; and such whose power or angle lies next to a midpoint.
inline void fill_pairs(int function, std::uint64_t seed, std::vector<float>& a, std::vector<float>& b) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::uint64_t r = random();
        const auto low = static_cast<unsigned>(r), high = static_cast<unsigned>(r >> 32);
        if (i % 5 == 0 && function == pair_pow) {
            fill_hard_power(random, a[i], b[i]);
        } else if (i % 5 == 0 && function == pair_atan2) {
            fill_hard_angle(random, a[i], b[i]);
        } else if (i % 5 == 0) {
            const double midpoint =
                std::ldexp(1.0 + ((low & 0x7fffffu) * 2 + 1) * 0x1p-24, static_cast<int>(high & 63) - 32);
            a[i] = static_cast<float>(midpoint * std::ldexp(static_cast<double>(random() >> 11), -53));
            b[i] = static_cast<float>(std::sqrt(midpoint * midpoint - static_cast<double>(a[i]) * a[i]));
        } else if (i % 5 == 1) {
            a[i] = float_with(0x3f800000u | (low & 0xffffffu));
            b[i] = float_with(0x3f800000u | (high & 0xffffffu));
        } else if (i % 5 == 2) {
            a[i] = float_with(low);
            b[i] = float_with(high);
        } else if (i % 5 == 3) {
            const int p = static_cast<int>(low & 0xfffu), q = static_cast<int>(high & 0xfffu);
            a[i] = static_cast<float>(p * p - q * q);
            b[i] = static_cast<float>(2 * p * q) * (low & 0x1000u ? 0x1p-20f : 1.0f);
        } else {
            a[i] = float_with(low >> 1);
            b[i] = static_cast<float>(std::ldexp(static_cast<double>(high), -25) * 100.0 /
                                      std::log(static_cast<double>(a[i]))) *
                   (low & 1 ? -1.0f : 1.0f);
        }
    }
}

/// Each of these with each other, and the pairs of hard_pairs.txt.
inline void fill_special_pairs(int function, std::vector<float>& a, std::vector<float>& b) {
    std::vector<float> each;
    for (const float x : {0.0f, 0x1p-149f, 0x1p-126f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 0x1.fffffep-1f, 0x1.000002p0f,
                          8388607.5f, 8388609.0f, 16777215.0f, 16777216.0f, 0x1.fffffep127f, INFINITY, NAN})
        for (const float sign : {1.0f, -1.0f}) each.push_back(std::copysign(x, sign));
    for (const float x : each)
        for (const float y : each) a.push_back(x), b.push_back(y);
    std::FILE* const file = std::fopen(KILN_TEST_FOLDER "/hard_pairs.txt", "r");
    if (file == nullptr) return;
    char line[200], name[40];
    double x, y;
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::sscanf(line, "%39s %la %la", name, &x, &y) == 3 && std::strcmp(name, pairs[function].name) == 0)
            for (const double sign : {1.0, -1.0})
                a.push_back(static_cast<float>(sign * x)), b.push_back(static_cast<float>(y));
    std::fclose(file);
}
