// Functions of 16-bit floats, most of them on the CPU, of all arguments, held against the C library's long double.
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

/// How far `got` is from `exact`, in units of the last place that T has there; what is past the largest counts as the next number.
template <class T>
double off_by(float got, long double exact) {
    using limits = std::numeric_limits<T>;
    if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) == std::isnan(got) ? 0 : HUGE_VAL;
    const long double past = std::ldexp(1.0L, limits::max_exponent);
    const long double near = std::clamp(exact, -past, past);
    const long double made = std::isinf(got) ? std::copysign(past, static_cast<long double>(got)) : got;
    const int exponent =
        near == 0 ? limits::min_exponent : std::clamp(std::ilogb(near) + 1, limits::min_exponent, limits::max_exponent);
    return static_cast<double>(std::abs(made - near) / std::ldexp(1.0L, exponent - limits::digits));
}

/// Of the nearest, with what a long double is off by; a result that is not the nearest is off by more (the closest, of float32's gelu of a
/// bfloat16, by 0.5 and 2^-27).
constexpr double half = 0.5 + 0x1p-40;

constexpr long double root_of_half = 0.70710678118654752440084436210484904L;

template <class T>
struct every_argument {
    k::array<T> x;
    std::vector<float> held;

    every_argument() {
        std::vector<T> all;
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            all.push_back(T::from_bits(static_cast<std::uint16_t>(bits)));
            held.push_back(static_cast<float>(all.back()));
        }
        x = k::from_host<T>(all);
    }

    template <class Made, class Exact>
    void check(const char* name, Made made, Exact exact, double bound = half) const {
        const std::vector<T> got = k::array<T>(made(x)).to_host();
        double worst = 0;
        float where = 0;
        for (std::size_t i = 0; i < held.size(); ++i) {
            const double off = off_by<T>(static_cast<float>(got[i]), exact(static_cast<long double>(held[i])));
            if (off > worst) worst = off, where = held[i];
        }
        CHECK_MESSAGE(worst <= bound, name, " of ", where, " is off by ", worst);
        CHECK_MESSAGE(worst > 0.49, name, ": nothing was compared");
    }
};

}  // namespace

TEST_CASE_TEMPLATE("functions of 16-bit floats are the nearest 16-bit floats, of any argument", T, k::float16,
                   k::bfloat16) {
    const k::scoped_device here(k::cpu);
    const every_argument<T> all;
#define KILN_EACH(name) \
    all.check(          \
        #name, [](const auto& x) { return k::name(x); }, [](long double x) { return std::name(x); });
    KILN_EACH(exp)
    KILN_EACH(exp2)
    KILN_EACH(expm1)
    KILN_EACH(log)
    KILN_EACH(log2)
    KILN_EACH(log10)
    KILN_EACH(log1p)
    KILN_EACH(sin)
    KILN_EACH(cos)
    KILN_EACH(tan)
    KILN_EACH(asin)
    KILN_EACH(acos)
    KILN_EACH(atan)
    KILN_EACH(sinh)
    KILN_EACH(cosh)
    KILN_EACH(tanh)
    KILN_EACH(asinh)
    KILN_EACH(acosh)
    KILN_EACH(atanh)
    KILN_EACH(cbrt)
    KILN_EACH(erf)
    KILN_EACH(erfc)
    KILN_EACH(tgamma)
    KILN_EACH(lgamma)
    KILN_EACH(sqrt)
#undef KILN_EACH
    all.check(
        "normcdf", [](const auto& x) { return k::normcdf(x); },
        [](long double x) { return std::erfc(-x * root_of_half) / 2; });
    all.check(
        "gelu", [](const auto& x) { return k::gelu(x); },
        [](long double x) { return x * (std::erfc(-x * root_of_half) / 2); });
    all.check(
        "sigmoid", [](const auto& x) { return k::sigmoid(x); }, [](long double x) { return 1 / (1 + std::exp(-x)); });
    all.check(
        "rsqrt", [](const auto& x) { return k::rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); });
}

TEST_CASE_TEMPLATE("sigmoid of 16-bit floats is within 0.51 of a place on any device, of any argument", T, k::float16,
                   k::bfloat16) {
    const every_argument<T> all;
    all.check(
        "sigmoid", [](const auto& x) { return k::sigmoid(x); }, [](long double x) { return 1 / (1 + std::exp(-x)); },
        0.51);
}

TEST_CASE_TEMPLATE("functions of two 16-bit floats are the nearest 16-bit floats", T, k::float16, k::bfloat16) {
    const k::scoped_device here(k::cpu);
    // Every 2503rd pair of bits, and all pairs of few places, whose powers and roots lie midway between two numbers or are numbers.
    std::vector<T> a, b;
    for (std::uint64_t pair = 0; pair < std::uint64_t{1} << 32; pair += 2503) {
        a.push_back(T::from_bits(static_cast<std::uint16_t>(pair >> 16)));
        b.push_back(T::from_bits(static_cast<std::uint16_t>(pair)));
    }
    for (int x = -130; x <= 130; ++x)
        for (int y = -130; y <= 130; ++y) {
            a.push_back(T(static_cast<float>(x) / 8));
            b.push_back(T(static_cast<float>(y) / 4));
        }
    const k::array<T> x = k::from_host<T>(a);
    const k::array<T> y = k::from_host<T>(b);
    const auto check = [&](const char* name, const k::array<T>& made, auto exact) {
        const std::vector<T> got = made.to_host();
        double worst = 0;
        std::size_t where = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double off =
                off_by<T>(static_cast<float>(got[i]), exact(static_cast<float>(a[i]), static_cast<float>(b[i])));
            if (off > worst) worst = off, where = i;
        }
        CHECK_MESSAGE(worst <= half, name, " of ", static_cast<float>(a[where]), " and ", static_cast<float>(b[where]),
                      " is off by ", worst);
        CHECK_MESSAGE(worst > 0.49, name, ": nothing was compared");
    };
    using wide = long double;
    check("hypot", k::hypot(x, y), [](wide p, wide q) { return std::hypot(p, q); });
    check("pow", k::pow(x, y), [](wide p, wide q) { return std::pow(p, q); });
    check("atan2", k::atan2(x, y), [](wide p, wide q) { return std::atan2(p, q); });
}

TEST_CASE("a function of a number of 16 bits is the one that a block of them has") {
    const k::scoped_device here(k::cpu);
    const every_argument<k::float16> all;
    const std::vector<k::float16> roots = k::array<k::float16>(k::cbrt(all.x)).to_host();
    const k::array<k::float16> ones = k::full({300}, k::float16(1.0f));
    // 2.658203125, among others, whose float is rounded twice (tests/functions/rounded_twice.txt).
    for (std::uint32_t bits = 12; bits < 0x7c00; bits += 31) {
        const k::array<k::float16> number = k::full({}, k::float16::from_bits(static_cast<std::uint16_t>(bits)));
        const std::vector<k::float16> made = k::array<k::float16>(ones * k::cbrt(number)).to_host();
        CHECK(made[299].bits == roots[bits].bits);
    }
}

TEST_CASE_TEMPLATE("powers midway between two 16-bit floats are the even one", T, k::float16, k::bfloat16) {
    const k::scoped_device here(k::cpu);
    std::vector<T> a;
    std::vector<T> squares;
    int midway = 0;
    for (int i = 1; i < 256; ++i) {
        a.push_back(T(static_cast<float>(i)));
        const auto square = static_cast<float>(i * i);
        squares.push_back(T(square));
        midway += std::abs(static_cast<float>(squares.back()) - square) * 2 ==
                  std::ldexp(1.0f, std::ilogb(square) + 1 - std::numeric_limits<T>::digits);
    }
    CHECK(midway > 0);
    const std::vector<T> got = k::array<T>(k::pow(k::from_host<T>(a), T(2.0f))).to_host();
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(got[i].bits == squares[i].bits);
}

TEST_CASE("an angle whose quotient lies midway between two denormal bfloat16 is less than that") {
    const k::scoped_device here(k::cpu);
    std::vector<k::bfloat16> a;
    std::vector<std::uint16_t> halves;
    for (std::uint16_t bits = 1; bits < 0x100; bits += 2) {
        a.push_back(k::bfloat16::from_bits(bits));
        halves.push_back(static_cast<std::uint16_t>(bits / 2));
    }
    const k::array<k::bfloat16> y = k::from_host<k::bfloat16>(a);
    const std::vector<k::bfloat16> of_two = k::array<k::bfloat16>(k::atan2(y, k::bfloat16(2.0f))).to_host();
    const std::vector<k::bfloat16> mirrored = k::array<k::bfloat16>(k::atan2(-y, k::bfloat16(2.0f))).to_host();
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(of_two[i].bits == halves[i]);
        CHECK(mirrored[i].bits == (halves[i] | 0x8000));
    }
}
