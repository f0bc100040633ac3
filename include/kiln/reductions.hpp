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
    static_assert(kind_of(of) != element_kind::complex || (info(what).accumulates != accumulation::own),
                  "kiln: complex numbers have no order; take real(), imag() or abs() first");
    static_assert(kind_of(of) == element_kind::floating || info(what).accumulates != accumulation::exponentials,
                  "kiln: logsumexp takes floats; cast to float or double");
    if constexpr (captured_t<E>::dynamic) {
        constexpr element_type result = reduced_type(what, of);
        return access::make<expr<cpp_type<result>>>(
            make_reduction_term(what, result, as_collectable(std::forward<E>(e)).erase(), over, keep));
    } else {
        return reduced_expression<what, captured_t<E>>(as_collectable(std::forward<E>(e)), over, keep);
    }
}

}  // namespace detail

namespace detail {

#define KILN_REDUCTION(name, accumulates, result, combine, identity)         \
    template <expression E>                                                  \
    auto name##_of(E&& e, const axis_list& over, bool keep) {                \
        return reduce<reduction_kind::name>(std::forward<E>(e), over, keep); \
    }
#include <kiln/reduction_table.def>

template <expression E>
auto count_of(E&& e, const axis_list& over, bool keep) {
    return sum_of(cast<bool>(std::forward<E>(e)), over, keep);
}

/// What float holds exactly: their variances are reductions with a state of their own, which read once. Of others they are
/// two passes: the mean first, then the squares of what is left. Both are as exact far from 0 as near it.
template <class T>
inline constexpr bool has_moments =
    std::is_same_v<T, float> || small_float<T> || (kind_of(type_of<T>) < element_kind::floating && sizeof(T) <= 2);
template <>
inline constexpr bool has_moments<std::complex<float>> = true;

inline double divisor_of(const shape& of, const axis_list& over, ddof less) {
    std::int64_t count = over.all() ? of.size() : 1;
    for (const int each : over) count *= of[resolve_axis(each, of.rank(), "var")];
    return static_cast<double>(count > less.less ? count - less.less : 0);
}

/// In double of what has moments, else in the type itself. Of complex numbers the squares of the magnitudes, as in NumPy.
template <expression E>
auto squares_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    constexpr bool is_complex = kind_of(type_of<T>) == element_kind::complex;
    if constexpr (has_moments<T> && is_complex) {
        return squares_about_mean_of(real(e), over, keep) + squares_about_mean_of(imag(e), over, keep);
    } else if constexpr (has_moments<T>) {
        return squares_about_mean_of(e, over, keep);
    } else {
        const auto centred = e - mean_of(e, over, true);
        if constexpr (is_complex) return sum_of(square(real(centred)) + square(imag(centred)), over, keep);
        else return sum_of(square(centred), over, keep);
    }
}

/// The type of a variance.
template <class T>
using var_t = cpp_type<reduced_type(reduction_kind::mean, component_of(type_of<T>))>;

// Divided by 0 where there are as many elements or fewer than `less`, as in NumPy.
template <expression E>
auto var_of(const E& e, const axis_list& over, bool keep, ddof less) {
    return cast<var_t<value_t<E>>>(squares_of(e, over, keep) / divisor_of(shape_of(e), over, less));
}

// Rounded once, at its end: the variance of 16-bit floats is past the largest of them where the root is not.
template <expression E>
auto stddev_of(const E& e, const axis_list& over, bool keep, ddof less) {
    return cast<var_t<value_t<E>>>(sqrt(squares_of(e, over, keep) / divisor_of(shape_of(e), over, less)));
}

template <expression E>
auto var_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    constexpr bool is_complex = kind_of(type_of<T>) == element_kind::complex;
    if constexpr (has_moments<T> && is_complex) {
        return var_of(e, over, keep, ddof(0));
    } else if constexpr (has_moments<T>) {
        return variance_of(e, over, keep);
    } else {
        const auto centred = e - mean_of(e, over, true);
        if constexpr (is_complex) return mean_of(square(real(centred)) + square(imag(centred)), over, keep);
        else return mean_of(square(centred), over, keep);
    }
}

template <expression E>
auto stddev_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    if constexpr (!has_moments<T>) return sqrt(var_of(e, over, keep));
    else if constexpr (kind_of(type_of<T>) == element_kind::complex) return stddev_of(e, over, keep, ddof(0));
    else return deviation_of(e, over, keep);
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

}  // namespace detail

namespace detail {

/// The elements, with a number in the place of each NaN.
template <class E, class S>
auto known_of(const E& e, S instead) {
    static_assert(kind_of(type_of<value_t<E>>) == element_kind::floating,
                  "kiln: nansum and its like take floats; integers are never NaN");
    return where(isnan(e), instead, e);
}
template <class E>
auto nansum_of(const E& e, const axis_list& over, bool keep) {
    return sum_of(known_of(e, constant<0>), over, keep);
}
template <class E>
auto nanmean_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    if constexpr (small_float<T>) return cast<T>(nanmean_of(cast<float>(e), over, keep));
    else return nansum_of(e, over, keep) / cast<T>(count_of(!isnan(e), over, keep));
}
// An infinity stands for what is unknown, unless nothing is known.
template <class E>
auto nanmin_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    constexpr auto none = std::numeric_limits<float>::infinity();
    return where(every_of(isnan(e), over, keep), T(std::numeric_limits<float>::quiet_NaN()),
                 min_of(known_of(e, T(none)), over, keep));
}
template <class E>
auto nanmax_of(const E& e, const axis_list& over, bool keep) {
    using T = value_t<E>;
    constexpr auto none = std::numeric_limits<float>::infinity();
    return where(every_of(isnan(e), over, keep), T(std::numeric_limits<float>::quiet_NaN()),
                 max_of(known_of(e, T(-none)), over, keep));
}

}  // namespace detail

namespace detail {
template <class E>
void say_how_dims_are_kept() {
    static_assert(
        is_axis<E>,
        "kiln: behind the array stand the axes, k::axis(1), two as k::axes(0, 1), and behind these k::keep_dims: "
        "k::sum(m, k::axes(0, 1), k::keep_dims)");
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
    }                                                                    \
    /* k::sum(x, k::axis(0), k::axis(1)) */                              \
    template <expression E, class... Rest>                               \
    auto name(E&& e, axis, axis, const Rest&...) {                       \
        detail::say_how_axes_are_said<E>();                              \
        return detail::name##_of(std::forward<E>(e), axis_list(), true); \
    }                                                                    \
    /* k::sum(x, k::keep_dims, k::axis(0)) */                            \
    template <expression E, class Axis>                                  \
        requires std::convertible_to<Axis, axis_list>                    \
    auto name(E&& e, keep_dims_tag, const Axis&) {                       \
        detail::say_how_dims_are_kept<E>();                              \
        return detail::name##_of(std::forward<E>(e), axis_list(), true); \
    }                                                                    \
    /* k::sum(x, k::axis(0), true) */                                    \
    template <expression E, std::same_as<bool> B>                        \
    auto name(E&& e, const axis_list&, B) {                              \
        detail::say_how_dims_are_kept<E>();                              \
        return detail::name##_of(std::forward<E>(e), axis_list(), true); \
    }

// Of names that mean nothing else, k::sum(m, 1) is a slip of the pen; k::max(m, 1) is the larger of each element and 1.
#define KILN_REDUCTION_OR_SLIP(name)                     \
    KILN_REDUCTION_FUNCTION(name)                        \
    KILN_AXIS_SLIP(name)                                 \
    template <detail::no_operand E, class... Rest>       \
    const E& name(const E& e, const Rest&...) {          \
        detail::say_what_operands_are<E>();              \
        return e;                                        \
    }                                                    \
    template <int numbers = 0>                           \
    double name(detail::plain_number) {                  \
        detail::say_that_numbers_are_for_std<numbers>(); \
        return 0;                                        \
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
// k::max(m, 1, k::keep_dims)
template <expression E, std::integral I>
auto min(E&& e, I, keep_dims_tag) {
    detail::say_how_axes_are_said<I>();
    return min(std::forward<E>(e), keep_dims);
}
template <expression E, std::integral I>
auto max(E&& e, I, keep_dims_tag) {
    detail::say_how_axes_are_said<I>();
    return max(std::forward<E>(e), keep_dims);
}
/// Whether one is not 0 (NaN is not). Whether all are not: k::all(e, axes).
KILN_REDUCTION_OR_SLIP(any)
/// Where the smallest is, int64: along the axis, or of several the position in row-major order of them. The first of equal
/// ones; the first NaN if there is one. Of nothing: throws shape_error.
KILN_REDUCTION_OR_SLIP(argmin)
/// The same of the largest.
KILN_REDUCTION_OR_SLIP(argmax)
/// How many are not 0, as int64.
KILN_REDUCTION_OR_SLIP(count)
/// The mean of the squared distances from the mean: as exact far from 0 as near it. Read once where float holds the elements
/// exactly (float, 16-bit floats and integers, bool; complex<float> by its parts), others twice.
KILN_REDUCTION_OR_SLIP(var)
/// The square root of var, taken before it is rounded.
KILN_REDUCTION_OR_SLIP(stddev)
namespace detail {
template <class E>
inline constexpr bool is_last = false;
template <class E>
void say_where_ddof_stands() {
    static_assert(is_last<E>, "kiln: ddof stands behind the axes: k::var(m, k::axis(0), k::ddof(1))");
}
template <class I>
void say_how_ddof_is_said() {
    static_assert(is_last<I>,
                  "kiln: a number behind the axes is said as k::ddof(1): k::var(m, k::axis(0), k::ddof(1))");
}
}  // namespace detail
// Both take a ddof behind the rest, k::var(m, k::axis(1), k::keep_dims, k::ddof(1)), or before k::keep_dims. Divided by 0 or
// less, a sum of squares is infinite, or NaN if it is 0.
#define KILN_WITH_DDOF(name)                                                    \
    template <expression E>                                                     \
    auto name(E&& e, ddof less) {                                               \
        return detail::name##_of(std::forward<E>(e), axis_list(), false, less); \
    }                                                                           \
    template <expression E>                                                     \
    auto name(E&& e, const axis_list& over, ddof less) {                        \
        return detail::name##_of(std::forward<E>(e), over, false, less);        \
    }                                                                           \
    template <expression E>                                                     \
    auto name(E&& e, const axis_list& over, keep_dims_tag, ddof less) {         \
        return detail::name##_of(std::forward<E>(e), over, true, less);         \
    }                                                                           \
    template <expression E>                                                     \
    auto name(E&& e, keep_dims_tag, ddof less) {                                \
        return detail::name##_of(std::forward<E>(e), axis_list(), true, less);  \
    }                                                                           \
    template <expression E>                                                     \
    auto name(E&& e, const axis_list& over, ddof less, keep_dims_tag) {         \
        return detail::name##_of(std::forward<E>(e), over, true, less);         \
    }                                                                           \
    template <expression E>                                                     \
    auto name(E&& e, ddof less, keep_dims_tag) {                                \
        return detail::name##_of(std::forward<E>(e), axis_list(), true, less);  \
    }                                                                           \
    /* k::var(m, k::ddof(1), k::axis(0)) */                                     \
    template <expression E, class Axis, class... Rest>                          \
        requires std::convertible_to<Axis, axis_list>                           \
    auto name(E&& e, ddof less, const Axis& over, const Rest&...) {             \
        detail::say_where_ddof_stands<E>();                                     \
        return name(std::forward<E>(e), over, less);                            \
    }                                                                           \
    /* k::var(m, k::axis(0), 1) */                                              \
    template <expression E, std::integral I, class... Rest>                     \
        requires(!std::same_as<I, bool>)                                        \
    auto name(E&& e, const axis_list& over, I, const Rest&...) {                \
        detail::say_how_ddof_is_said<I>();                                      \
        return name(std::forward<E>(e), over);                                  \
    }
KILN_WITH_DDOF(var)
KILN_WITH_DDOF(stddev)
#undef KILN_WITH_DDOF
/// The square root of the sum of the squared magnitudes.
KILN_REDUCTION_OR_SLIP(norm)
/// log(sum(exp(e))), which does not overflow.
KILN_REDUCTION_OR_SLIP(logsumexp)
/// The sum of those that are no NaN; 0 where all are.
KILN_REDUCTION_OR_SLIP(nansum)
/// The mean of those that are no NaN; NaN where all are.
KILN_REDUCTION_OR_SLIP(nanmean)
/// The smallest, the largest of those that are no NaN; NaN where all are. Of nothing: throws shape_error.
KILN_REDUCTION_OR_SLIP(nanmin)
KILN_REDUCTION_OR_SLIP(nanmax)
#undef KILN_REDUCTION_OR_SLIP
#undef KILN_REDUCTION_FUNCTION

/// Whether each element of a is near b's: |a - b| <= absolute + relative * |b|; an infinity is near itself, NaN nothing.
/// Computed in the type in which a and b meet, of integers in double. Source: NumPy, isclose.
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto isclose(A&& a, B&& b, double relative = 1e-5, double absolute = 1e-8) {
    constexpr element_type met = detail::met_type<A, B>();
    constexpr element_type meeting = promote(detail::captured_type<met, A>(), detail::captured_type<met, B>());
    if constexpr (kind_of(meeting) < element_kind::floating) {
        const auto wide = []<class X>(X&& x) {
            if constexpr (expression<X>) return cast<double>(std::forward<X>(x));
            else return static_cast<double>(x);
        };
        return isclose(wide(std::forward<A>(a)), wide(std::forward<B>(b)), relative, absolute);
    } else {
        const auto size = abs(detail::capture<meeting>(b));
        return (abs(a - b) <= absolute + relative * size && isfinite(size)) || a == b;
    }
}
/// Whether all are; of nothing, yes. Source: NumPy, allclose.
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto allclose(A&& a, B&& b, double relative = 1e-5, double absolute = 1e-8) {
    return all(isclose(std::forward<A>(a), std::forward<B>(b), relative, absolute));
}

/// sum(a * b).
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto dot(A&& a, B&& b) {
    return sum(std::forward<A>(a) * std::forward<B>(b));
}

template <class E>
    requires expression<E>
auto range::operator()(E&& e) const {
    return detail::every_of(std::forward<E>(e), axis_list(), false);
}
template <class E>
    requires expression<E>
auto range::operator()(E&& e, const axis_list& over) const {
    return detail::every_of(std::forward<E>(e), over, false);
}
template <class E>
    requires expression<E>
auto range::operator()(E&& e, const axis_list& over, keep_dims_tag) const {
    return detail::every_of(std::forward<E>(e), over, true);
}
template <class E>
    requires expression<E>
auto range::operator()(E&& e, keep_dims_tag) const {
    return detail::every_of(std::forward<E>(e), axis_list(), true);
}
template <class E, class First, class... Rest>
    requires(expression<E> && !detail::are_axes_said<First, Rest...>)
auto range::operator()(E&& e, const First&, const Rest&...) const {
    detail::say_how_dims_are_kept<E>();
    return detail::every_of(std::forward<E>(e), axis_list(), true);
}

}  // namespace kiln::inline v0_1
