// kiln/operations: the operators and functions of expressions. All launch nothing; all operands have one shape, or are
// C++ numbers. Types and values: the rules in operation_table.def.
#pragma once

#include <kiln/expression.hpp>

namespace kiln::inline v0_1 {

namespace detail {

/// Worse a fit than whatever else a function of that name takes: not one of std's that a program has brought in beside kiln's.
struct plain_number {
    template <class S>
        requires(std::is_arithmetic_v<S> || kind_of(scalar_type<S>()) == element_kind::complex)
    plain_number(const S&) {}
};
template <class A, class... Rest>
void say_which_is_no_operand() {
    if constexpr (no_operand<A>) say_what_operands_are<A>();
    else say_which_is_no_operand<Rest...>();
}
template <int numbers>
void say_that_numbers_are_for_std() {
    static_assert(numbers > 0,
                  "kiln: this function is of arrays and expressions; of plain numbers alone std::sqrt, std::max and "
                  "their like are");
}

}  // namespace detail

// Beside each that takes two, one that says in a line what is no operand, instead of why no operator takes it.
#define KILN_NO_OPERANDS(function)                \
    template <expression A, detail::no_operand B> \
    A function(A&& a, B&&) {                      \
        detail::say_what_operands_are<B>();       \
        return std::forward<A>(a);                \
    }                                             \
    template <detail::no_operand A, expression B> \
    B function(A&&, B&& b) {                      \
        detail::say_what_operands_are<A>();       \
        return std::forward<B>(b);                \
    }
#define KILN_OPERATOR_1(name, symbol)                              \
    template <expression A>                                        \
    auto operator symbol(A&& a) {                                  \
        return detail::apply<operation::name>(std::forward<A>(a)); \
    }
#define KILN_OPERATOR_2(name, symbol)                                                  \
    template <operand A, operand B>                                                    \
        requires(expression<A> || expression<B>)                                       \
    auto operator symbol(A&& a, B&& b) {                                               \
        return detail::apply<operation::name>(std::forward<A>(a), std::forward<B>(b)); \
    }                                                                                  \
    KILN_NO_OPERANDS(operator symbol)
#define KILN_FUNCTION_1(name)                                      \
    template <expression A>                                        \
    auto name(A&& a) {                                             \
        return detail::apply<operation::name>(std::forward<A>(a)); \
    }                                                              \
    template <detail::no_operand A>                                \
    const A& name(const A& a) {                                    \
        detail::say_what_operands_are<A>();                        \
        return a;                                                  \
    }                                                              \
    KILN_NO_NUMBERS(name, detail::plain_number)
#define KILN_FUNCTION_2(name)                                                          \
    template <operand A, operand B>                                                    \
        requires(expression<A> || expression<B>)                                       \
    auto name(A&& a, B&& b) {                                                          \
        return detail::apply<operation::name>(std::forward<A>(a), std::forward<B>(b)); \
    }                                                                                  \
    KILN_NO_OPERANDS(name)                                                             \
    KILN_NO_NUMBERS(name, detail::plain_number, detail::plain_number)
#define KILN_FUNCTION_3(name)                                                                              \
    template <operand A, operand B, operand C>                                                             \
        requires(expression<A> || expression<B> || expression<C>)                                          \
    auto name(A&& a, B&& b, C&& c) {                                                                       \
        return detail::apply<operation::name>(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c)); \
    }                                                                                                      \
    template <class A, class B, class C>                                                                   \
        requires((expression<A> || expression<B> || expression<C>) &&                                      \
                 (detail::no_operand<A> || detail::no_operand<B> || detail::no_operand<C>))                \
    auto name(A&&, B&&, C&&) {                                                                             \
        detail::say_which_is_no_operand<A, B, C>();                                                        \
        return 0;                                                                                          \
    }                                                                                                      \
    KILN_NO_NUMBERS(name, detail::plain_number, detail::plain_number, detail::plain_number)
// k::sqrt(2.0)
#define KILN_NO_NUMBERS(name, ...)                       \
    template <int numbers = 0>                           \
    double name(__VA_ARGS__) {                           \
        detail::say_that_numbers_are_for_std<numbers>(); \
        return 0;                                        \
    }

#define KILN_OPERATOR(name, symbol, arity, rule, complex_, floating, integer, logical) \
    KILN_OPERATOR_##arity(name, symbol)
#define KILN_FUNCTION(name, arity, rule, complex_, floating, integer, logical) KILN_FUNCTION_##arity(name)
#include <kiln/operation_table.def>
#undef KILN_NO_OPERANDS
#undef KILN_OPERATOR_1
#undef KILN_OPERATOR_2
#undef KILN_FUNCTION_1
#undef KILN_FUNCTION_2
#undef KILN_FUNCTION_3
#undef KILN_NO_NUMBERS

// NumPy's names. An operand is made something else for them, so that a function of yours is a better fit.
namespace detail {
struct taken_for_numpy {
    template <operand A>
    taken_for_numpy(const A&);
};
}  // namespace detail
void maximum(detail::taken_for_numpy, detail::taken_for_numpy) = delete;                        // it is k::max(a, b)
void minimum(detail::taken_for_numpy, detail::taken_for_numpy) = delete;                        // it is k::min(a, b)
void power(detail::taken_for_numpy, detail::taken_for_numpy) = delete;                          // it is k::pow(a, b)
void absolute(detail::taken_for_numpy) = delete;                                                // it is k::abs(a)
void clip(detail::taken_for_numpy, detail::taken_for_numpy, detail::taken_for_numpy) = delete;  // k::clamp(a, b, c)
void where(detail::taken_for_numpy, detail::taken_for_numpy) = delete;  // where not, which? k::where(c, a, b)

// auto y = k::zeros<float>({4}); y += 1;
#define KILN_COMPOUND_SLIP(symbol)                                                                      \
    template <expression E, operand B>                                                                  \
        requires(std::derived_from<std::remove_cvref_t<E>, expression_members<std::remove_cvref_t<E>>>) \
    void operator symbol(E&&, const B&) {                                                               \
        detail::say_what_targets_are<E>();                                                              \
    }
KILN_COMPOUND_SLIP(+=)
KILN_COMPOUND_SLIP(-=)
KILN_COMPOUND_SLIP(*=)
KILN_COMPOUND_SLIP(/=)
#undef KILN_COMPOUND_SLIP

/// The values as they are; not of bool, as -a is not. Source: NumPy.
template <expression A>
auto operator+(A&& a) {
    static_assert(type_of<value_t<A>> != element_type::boolean, "kiln: + takes numbers; cast a bool to one");
    return detail::capture<type_of<value_t<A>>>(std::forward<A>(a));
}

namespace detail {
/// A number is asked whether it is 0 here.
template <class A>
auto capture_condition(A&& condition) {
    if constexpr (expression<A>) return capture<element_type::boolean>(std::forward<A>(condition));
    else if constexpr (is_constant<std::remove_cvref_t<A>>) return capture_condition(condition.value);
    else return scalar_leaf<bool>{condition != std::remove_cvref_t<A>()};
}
}  // namespace detail

/// b where the condition holds (is not 0), else c. b and c meet in one type; both are computed. A number as the condition chooses one of
/// them whole.
template <operand A, operand B, operand C>
    requires(expression<A> || expression<B> || expression<C>)
auto where(A&& condition, B&& b, C&& c) {
    constexpr element_type met = detail::met_type<B, C>();
    constexpr element_type result = promote(detail::captured_type<met, B>(), detail::captured_type<met, C>());
    return applied<operation::where, result, decltype(detail::capture_condition(std::forward<A>(condition))),
                   decltype(detail::capture<met>(std::forward<B>(b))),
                   decltype(detail::capture<met>(std::forward<C>(c)))>{
        {},
        detail::capture_condition(std::forward<A>(condition)),
        detail::capture<met>(std::forward<B>(b)),
        detail::capture<met>(std::forward<C>(c))};
}
template <int numbers = 0>
double where(bool, detail::plain_number, detail::plain_number) {
    detail::say_that_numbers_are_for_std<numbers>();
    return 0;
}

template <operand A, class B, class C>
    requires(detail::no_operand<B> || detail::no_operand<C>)
auto where(A&&, const B&, const C&) {
    detail::say_which_is_no_operand<B, C>();
    return 0;
}

/// The values as another type. Float to integer truncates and saturates, NaN is 0; integer to integer wraps; anything to
/// bool is "is not 0"; complex to another real type does not compile: take real(), imag() or abs().
template <element To, expression A>
auto cast(A&& a) {
    constexpr element_type met = type_of<value_t<A>>;
    static_assert(kind_of(met) != element_kind::complex || kind_of(type_of<To>) == element_kind::complex ||
                      type_of<To> == element_type::boolean,
                  "kiln: a cast from complex to real would drop the imaginary part; say real(), imag() or abs()");
    return applied<operation::cast, type_of<To>, decltype(detail::capture<met>(std::forward<A>(a)))>{
        {}, detail::capture<met>(std::forward<A>(a))};
}

template <element To, scalar S>
To cast(S) {
    static_assert(sizeof(S) == 0, "kiln: cast is of arrays and expressions; of a number it is static_cast<T>(number)");
    return To();
}
template <class To, expression A>
    requires(!element<To>)
A cast(A&& a) {
    static_assert(detail::is_element<To>, "kiln: cast to a type that arrays can have");
    return std::forward<A>(a);
}

}  // namespace kiln::inline v0_1
