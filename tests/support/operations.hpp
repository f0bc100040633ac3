// tests/support/operations: kiln's operators and functions as objects, each beside the oracle's name for it. A list of
// the tests' own: an operation that kiln's table loses or renames is missed here.
#pragma once

#include <support/oracle.hpp>

#include <kiln/operations.hpp>

namespace tests {

/// The inexact functions, of one operand and of two.
// clang-format off
#define KILN_TEST_LIBRARY(one, two) \
    one(exp) one(exp2) one(expm1) one(log) one(log2) one(log10) one(log1p) one(sin) one(cos) one(tan) \
    one(asin) one(acos) one(atan) one(sinh) one(cosh) one(tanh) one(asinh) one(acosh) one(atanh) \
    one(cbrt) one(erf) one(erfc) one(erfinv) one(normcdf) one(lgamma) one(tgamma) one(sigmoid) one(gelu) \
    two(atan2) two(pow) two(hypot)
// clang-format on

#define KILN_TEST_UNARY(name, expression_of_a)               \
    struct name {                                            \
        static constexpr oracle::op code = oracle::op::name; \
        template <class A>                                   \
        auto operator()(const A& a) const {                  \
            return expression_of_a;                          \
        }                                                    \
    };
#define KILN_TEST_BINARY(name, expression_of_a_b)            \
    struct name {                                            \
        static constexpr oracle::op code = oracle::op::name; \
        template <class A, class B>                          \
        auto operator()(const A& a, const B& b) const {      \
            return expression_of_a_b;                        \
        }                                                    \
    };
#define KILN_TEST_TERNARY(name, expression_of_a_b_c)                \
    struct name {                                                   \
        static constexpr oracle::op code = oracle::op::name;        \
        template <class A, class B, class C>                        \
        auto operator()(const A& a, const B& b, const C& c) const { \
            return expression_of_a_b_c;                             \
        }                                                           \
    };

namespace op {
KILN_TEST_BINARY(add, a + b)
KILN_TEST_BINARY(sub, a - b)
KILN_TEST_BINARY(mul, a* b)
KILN_TEST_BINARY(div, a / b)
KILN_TEST_BINARY(rem, a % b)
KILN_TEST_UNARY(neg, -a)
KILN_TEST_UNARY(abs, kiln::abs(a))
KILN_TEST_UNARY(real, kiln::real(a))
KILN_TEST_UNARY(imag, kiln::imag(a))
KILN_TEST_UNARY(conj, kiln::conj(a))
KILN_TEST_BINARY(eq, a == b)
KILN_TEST_BINARY(ne, a != b)
KILN_TEST_BINARY(lt, a < b)
KILN_TEST_BINARY(le, a <= b)
KILN_TEST_BINARY(gt, a > b)
KILN_TEST_BINARY(ge, a >= b)
KILN_TEST_BINARY(logical_and, a&& b)
KILN_TEST_BINARY(logical_or, a || b)
KILN_TEST_UNARY(logical_not, !a)
KILN_TEST_BINARY(min, kiln::min(a, b))
KILN_TEST_BINARY(max, kiln::max(a, b))
KILN_TEST_TERNARY(where, kiln::where(a, b, c))
KILN_TEST_UNARY(sqrt, kiln::sqrt(a))
KILN_TEST_TERNARY(fma, kiln::fma(a, b, c))
KILN_TEST_BINARY(bit_and, a& b)
KILN_TEST_BINARY(bit_or, a | b)
KILN_TEST_BINARY(bit_xor, a ^ b)
KILN_TEST_UNARY(bit_not, ~a)
KILN_TEST_BINARY(shift_left, a << b)
KILN_TEST_BINARY(shift_right, a >> b)
KILN_TEST_UNARY(popcount, kiln::popcount(a))
KILN_TEST_UNARY(clz, kiln::clz(a))
KILN_TEST_UNARY(ctz, kiln::ctz(a))
KILN_TEST_UNARY(isnan, kiln::isnan(a))
KILN_TEST_UNARY(isinf, kiln::isinf(a))
KILN_TEST_UNARY(isfinite, kiln::isfinite(a))
KILN_TEST_UNARY(sign, kiln::sign(a))
KILN_TEST_UNARY(square, kiln::square(a))
KILN_TEST_UNARY(relu, kiln::relu(a))
KILN_TEST_UNARY(floor, kiln::floor(a))
KILN_TEST_UNARY(ceil, kiln::ceil(a))
KILN_TEST_UNARY(trunc, kiln::trunc(a))
KILN_TEST_UNARY(round, kiln::round(a))
KILN_TEST_UNARY(rint, kiln::rint(a))
KILN_TEST_UNARY(reciprocal, kiln::reciprocal(a))
KILN_TEST_UNARY(rsqrt, kiln::rsqrt(a))
KILN_TEST_BINARY(floor_divide, kiln::floor_divide(a, b))
KILN_TEST_BINARY(floor_mod, kiln::floor_mod(a, b))
KILN_TEST_BINARY(trunc_divide, kiln::trunc_divide(a, b))
KILN_TEST_BINARY(copysign, kiln::copysign(a, b))
KILN_TEST_BINARY(nextafter, kiln::nextafter(a, b))
KILN_TEST_TERNARY(clamp, kiln::clamp(a, b, c))
KILN_TEST_TERNARY(lerp, kiln::lerp(a, b, c))
#define KILN_TEST_LIBRARY_1(name) KILN_TEST_UNARY(name, kiln::name(a))
#define KILN_TEST_LIBRARY_2(name) KILN_TEST_BINARY(name, kiln::name(a, b))
KILN_TEST_LIBRARY(KILN_TEST_LIBRARY_1, KILN_TEST_LIBRARY_2)
#undef KILN_TEST_LIBRARY_1
#undef KILN_TEST_LIBRARY_2
}  // namespace op

#undef KILN_TEST_UNARY
#undef KILN_TEST_BINARY
#undef KILN_TEST_TERNARY

}  // namespace tests

/// The element types, for TEST_CASE_TEMPLATE.
#define KILN_TEST_TYPES                                                                                      \
    bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, \
        std::uint64_t, kiln::float16, kiln::bfloat16, float, double
#define KILN_TEST_INTEGERS                                                                                   \
    bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, \
        std::uint64_t
#define KILN_TEST_COMPLEX std::complex<float>, std::complex<double>
