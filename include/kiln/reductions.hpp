// kiln/reductions: one value of many, over all axes or some: k::sum((x - y) * (x - y)), k::max(m, k::axis(1), k::keep_dims).
// They are expressions: what feeds them is computed as it is read, in the same kernel, and the result stays on the device.
// knows nothing of: how anything runs
#pragma once

#include <kiln/array.hpp>
#include <kiln/constant.hpp>
#include <kiln/expr.hpp>
#include <kiln/reduced.hpp>
#include <kiln/reduction.hpp>
#include <kiln/view_functions.hpp>

#include <concepts>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {

template <reduction_kind what, expression E>
auto reduce(E&& e, const axis_list& over, bool keep) {
    constexpr element_type of = type_of<value_t<E>>;
    static_assert(
        kind_of(of) != element_kind::complex || (reductions[static_cast<int>(what)].accumulates != accumulation::own),
        "kiln: complex numbers have no order; take real(), imag() or abs() first");
    if constexpr (captured_t<E>::dynamic) {
        constexpr element_type result = reduced_type(what, of);
        return expr<cpp_type<result>>(
            make_reduction_term(what, result, as_gatherable(std::forward<E>(e)).erase(), over, keep));
    } else {
        return reduced_expression<what, captured_t<E>>(as_gatherable(std::forward<E>(e)), over, keep);
    }
}

}  // namespace detail

namespace detail {

#define KILN_REDUCTION(name, accumulates, result, combine)                   \
    template <expression E>                                                  \
    auto name##_of(E&& e, const axis_list& over, bool keep) {                \
        return reduce<reduction_kind::name>(std::forward<E>(e), over, keep); \
    }
#include <kiln/reduction_table.def>

template <expression E>
auto count_of(E&& e, const axis_list& over, bool keep) {
    return sum_of(cast<bool>(std::forward<E>(e)), over, keep);
}

// Two passes: the mean first, then the squares of what is left, which is as exact far from 0 as near it. Of complex
// numbers the squares of the magnitudes, as in NumPy.
template <expression E>
auto var_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    if constexpr (small_float<T>) {
        return cast<T>(var_of(cast<float>(e), over, keep));
    } else if constexpr (kind_of(type_of<T>) == element_kind::complex) {
        const auto centred = e - mean_of(e, over, true);
        return mean_of(square(real(centred)) + square(imag(centred)), over, keep);
    } else {
        return mean_of(square(e - mean_of(e, over, true)), over, keep);
    }
}

template <expression E>
auto stddev_of(const E& e, const axis_list& over, bool keep) {
    // Rounded once, at its end: the variance of 16-bit floats is past the largest of them where the root is not.
    if constexpr (small_float<value_t<E>>) return cast<value_t<E>>(sqrt(var_of(cast<float>(e), over, keep)));
    else return sqrt(var_of(e, over, keep));
}

template <expression E>
auto norm_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    if constexpr (kind_of(type_of<T>) == element_kind::complex)
        return sqrt(sum_of(square(real(e)) + square(imag(e)), over, keep));
    else if constexpr (kind_of(type_of<T>) != element_kind::floating)
        return sqrt(sum_of(square(cast<double>(e)), over, keep));
    else if constexpr (small_float<T>) return cast<T>(sqrt(sum_of(square(cast<float>(e)), over, keep)));
    else return sqrt(sum_of(square(e), over, keep));
}

// The largest is taken out first, so that nothing overflows, unless it is infinite. A constant, because numbers that are
// captured apart are apart: of the same elements this is the same sum however often it is written.
template <expression E>
auto logsumexp_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    static_assert(kind_of(type_of<T>) == element_kind::floating,
                  "kiln: logsumexp takes floats; cast to float or double");
    if constexpr (small_float<T>) {
        return cast<T>(logsumexp_of(cast<float>(e), over, keep));
    } else {
        const auto most = [&](bool kept) {
            const auto largest = max_of(e, over, kept);
            return where(isfinite(largest), largest, constant<0>);
        };
        return log(sum_of(exp(e - most(true)), over, keep)) + most(keep);
    }
}

}  // namespace detail

// Over all axes, or those that are listed, which go, or stay with extent 1 if keep_dims is said. An axis that is not
// there, or listed twice, throws shape_error. All launch nothing.
#define KILN_REDUCTION_FUNCTION(name)                                    \
    template <expression E>                                              \
    auto name(E&& e, const axis_list& over = {}) {                       \
        return detail::name##_of(std::forward<E>(e), over, false);       \
    }                                                                    \
    template <expression E>                                              \
    auto name(E&& e, const axis_list& over, keep_dims_tag) {             \
        return detail::name##_of(std::forward<E>(e), over, true);        \
    }                                                                    \
    template <expression E>                                              \
    auto name(E&& e, keep_dims_tag) {                                    \
        return detail::name##_of(std::forward<E>(e), axis_list(), true); \
    }

namespace detail {
template <class>
inline constexpr bool is_axis = false;
}  // namespace detail

// Of names that mean nothing else, k::sum(m, 1) is a slip of the pen; k::max(m, 1) is the larger of each element and 1.
#define KILN_REDUCTION_OR_SLIP(name)                                                                    \
    KILN_REDUCTION_FUNCTION(name)                                                                       \
    template <expression E, std::integral I, class... Rest>                                             \
    void name(E&&, I, Rest...) {                                                                        \
        static_assert(detail::is_axis<I>, "kiln: an axis is said as k::axis(1), two as k::axes(0, 1)"); \
    }

/// Of integers and bool as int64 (uint64), of 16-bit floats added up in float. Of nothing 0.
KILN_REDUCTION_OR_SLIP(sum)
/// In the types of sum. Of nothing 1.
KILN_REDUCTION_OR_SLIP(prod)
/// Of integers and bool as double. Of nothing NaN.
KILN_REDUCTION_OR_SLIP(mean)
/// NaN if one is NaN. Of nothing: throws shape_error.
KILN_REDUCTION_FUNCTION(min)
/// NaN if one is NaN. Of nothing: throws shape_error.
KILN_REDUCTION_FUNCTION(max)
/// Whether one is not 0 (NaN is not). Whether all are not: k::all(e, axes).
KILN_REDUCTION_OR_SLIP(any)
/// Where the smallest is, int64: along the axis, or of several the position in row-major order of them. The first of equal
/// ones; the first NaN if there is one. Of nothing: throws shape_error.
KILN_REDUCTION_OR_SLIP(argmin)
/// The same of the largest.
KILN_REDUCTION_OR_SLIP(argmax)
/// How many are not 0, as int64.
KILN_REDUCTION_OR_SLIP(count)
/// The mean of the squared distances from the mean, in two passes: as exact far from 0 as near it.
KILN_REDUCTION_OR_SLIP(var)
/// The square root of var.
KILN_REDUCTION_OR_SLIP(stddev)
/// The square root of the sum of the squared magnitudes.
KILN_REDUCTION_OR_SLIP(norm)
/// log(sum(exp(e))), which does not overflow.
KILN_REDUCTION_OR_SLIP(logsumexp)
#undef KILN_REDUCTION_OR_SLIP
#undef KILN_REDUCTION_FUNCTION

/// sum(a * b).
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto dot(A&& a, B&& b) {
    return sum(std::forward<A>(a) * std::forward<B>(b));
}

template <class E, class... Over>
    requires expression<E>
auto range::operator()(E&& e, const Over&... over) const {
    constexpr bool keep = (std::is_same_v<Over, keep_dims_tag> || ...);
    const auto axes_in = []<class First, class... Rest>(const First& first, const Rest&...) {
        if constexpr (std::is_same_v<First, keep_dims_tag>) return axis_list();
        else return axis_list(first);
    };
    return detail::every_of(std::forward<E>(e), axes_in(over..., keep_dims), keep);
}

}  // namespace kiln::inline v0_1
