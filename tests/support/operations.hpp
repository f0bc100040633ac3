// tests/support/operations: kiln's operators and functions as objects, each beside the oracle's name for it. A list of
// the tests' own: an operation that kiln's table loses or renames is missed here.
#pragma once

#include <support/oracle.hpp>

#include <kiln/operations.hpp>

namespace tests {

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
KILN_TEST_UNARY(exp, kiln::exp(a))
KILN_TEST_UNARY(log, kiln::log(a))
KILN_TEST_UNARY(sin, kiln::sin(a))
KILN_TEST_UNARY(cos, kiln::cos(a))
KILN_TEST_UNARY(tanh, kiln::tanh(a))
KILN_TEST_BINARY(pow, kiln::pow(a, b))
}  // namespace op

#undef KILN_TEST_UNARY
#undef KILN_TEST_BINARY
#undef KILN_TEST_TERNARY

}  // namespace tests

/// The element types, for TEST_CASE_TEMPLATE.
#define KILN_TEST_TYPES                                                                                      \
    bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, \
        std::uint64_t, kiln::float16, kiln::bfloat16, float, double
#define KILN_TEST_COMPLEX std::complex<float>, std::complex<double>
