// Functions of 16-bit floats on the CPU, of all arguments, held against the C library's long double.
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
    void check(const char* name, Made made, Exact exact) const {
        const std::vector<T> got = k::array<T>(made(x)).to_host();
        double worst = 0;
        float where = 0;
        for (std::size_t i = 0; i < held.size(); ++i) {
            const double off = off_by<T>(static_cast<float>(got[i]), exact(static_cast<long double>(held[i])));
            if (off > worst) worst = off, where = held[i];
        }
        CHECK_MESSAGE(worst <= 0.5001, name, " of ", where, " is off by ", worst);
        CHECK_MESSAGE(worst > 0.49, name, ": nothing was compared");
    }
};

}  // namespace

TEST_CASE_TEMPLATE("functions of 16-bit floats are within 0.5001 of a last place, of any argument", T, k::float16,
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
    KILN_EACH(sqrt)
#undef KILN_EACH
    all.check(
        "sigmoid", [](const auto& x) { return k::sigmoid(x); }, [](long double x) { return 1 / (1 + std::exp(-x)); });
    all.check(
        "rsqrt", [](const auto& x) { return k::rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); });
}
