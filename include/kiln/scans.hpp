// kiln/scans: every partial result along an axis: k::cumsum(x, k::axis(0)), k::scan(op, x, k::axis(0)). They are expressions; the result stays on the
// device.
// knows nothing of: how anything runs
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/reduction.hpp>
#include <kiln/user_reduction.hpp>
#include <kiln/view_functions.hpp>

namespace kiln::inline v0_1 {

namespace detail {

/// `what`: sum, prod, min or max; or user: the reduction of that number.
KILN_API handle<term> make_scan_term(reduction_kind what, element_type result, handle<term> of, axis along,
                                     std::uint64_t definition = 0);

template <reduction_kind what, expression E>
auto scanned(E&& e, axis along) {
    constexpr element_type result = accumulated_type(what, type_of<value_t<E>>);
    return access::make<expr<cpp_type<result>>>(
        make_scan_term(what, result, as_collectable(std::forward<E>(e)).erase(), along));
}

// cumsum(x, k::axes(0, 1))
template <class E>
void say_that_scans_have_one_axis() {
    static_assert(
        is_axis<E>,
        "kiln: a scan goes along one axis, k::axis(1), or, without one, along all elements in row-major order; "
        "along one and then another: k::cumsum(k::cumsum(x, k::axis(0)), k::axis(1))");
}

}  // namespace detail

#define KILN_SCAN_SLIP(name)                       \
    KILN_AXIS_SLIP(name)                           \
    template <expression E>                        \
    auto name(E&& e, const axis_list&) {           \
        detail::say_that_scans_have_one_axis<E>(); \
        return name(std::forward<E>(e));           \
    }

/// The sums of the elements up to each, along an axis, each included: of e's shape, in the type that sum adds up in, which is
/// int64 for signed integers and bool, uint64 for unsigned ones, float for 16-bit floats, else e's own. Element k (from 0) is
/// within k u S of the exact sum, where S is the sum of the magnitudes up to it and u is 2^-24 of floats, 2^-53 of doubles,
/// the bound of one addition after the other; the order is a function of shape, axis and device alone, so that the bits are
/// the same every time. Of nothing: nothing. Throws shape_error for an axis that is not there.
template <expression E>
auto cumsum(E&& e, axis along) {
    return detail::scanned<detail::reduction_kind::sum>(std::forward<E>(e), along);
}
/// Of all elements in row-major order: of one axis, as in NumPy.
template <expression E>
auto cumsum(E&& e) {
    return cumsum(flatten(std::forward<E>(e)), axis(0));
}
KILN_SCAN_SLIP(cumsum)

/// The products of the elements up to each, in the types of cumsum. Element k is within k u of the exact product, relatively,
/// where nothing overflows or underflows.
template <expression E>
auto cumprod(E&& e, axis along) {
    return detail::scanned<detail::reduction_kind::prod>(std::forward<E>(e), along);
}
template <expression E>
auto cumprod(E&& e) {
    return cumprod(flatten(std::forward<E>(e)), axis(0));
}
KILN_SCAN_SLIP(cumprod)

/// The largest of the elements up to each, along an axis, each included: of e's shape and type. From the first NaN on, NaN. Of equal
/// elements (-0 and +0) it is one or the other. Throws shape_error for an axis that is not there. Source: NumPy, maximum.accumulate.
template <expression E>
auto cummax(E&& e, axis along) {
    static_assert(kind_of(type_of<value_t<E>>) != element_kind::complex, "kiln: complex numbers have no order");
    return detail::scanned<detail::reduction_kind::max>(std::forward<E>(e), along);
}
/// Of all elements in row-major order.
template <expression E>
auto cummax(E&& e) {
    return cummax(flatten(std::forward<E>(e)), axis(0));
}
KILN_SCAN_SLIP(cummax)
/// The same of the smallest.
template <expression E>
auto cummin(E&& e, axis along) {
    static_assert(kind_of(type_of<value_t<E>>) != element_kind::complex, "kiln: complex numbers have no order");
    return detail::scanned<detail::reduction_kind::min>(std::forward<E>(e), along);
}
template <expression E>
auto cummin(E&& e) {
    return cummin(flatten(std::forward<E>(e)), axis(0));
}
KILN_SCAN_SLIP(cummin)
#undef KILN_SCAN_SLIP

/// What a reduction of the user's makes of the elements up to each, along an axis, each included: of e's shape.
///     auto compose = k::reduction<std::complex<float>>({1, 0}, "a", "b",
///                        "auto c = a; c.re = a.re * b.re; c.im = a.im * b.re + b.im; return c;");
///     y = k::scan(compose, x, k::axis(0));  // x -> a x + b, one after the other
/// Elements meet in their order, each part of a line on the left of what follows: the body must be associative, but need not be
/// commutative; the identity takes part in places. A body that rounds is taken as it is: how parts are cut is a function
/// of shape, axis and device alone. Errors are those of a k::reduction and of cumsum.
template <element T, expression E>
expr<T> scan(const user_reduction<T>& by, E&& e, axis along) {
    static_assert(type_of<value_t<E>> == type_of<T>,
                  "kiln: a reduction<T> scans expressions of T; write k::cast<T>(expression)");
    return detail::access::make<expr<T>>(detail::make_scan_term(detail::reduction_kind::user, type_of<T>,
                                                                detail::as_collectable(std::forward<E>(e)).erase(),
                                                                along, by.kiln_number()));
}
/// Of all elements in row-major order.
template <element T, expression E>
expr<T> scan(const user_reduction<T>& by, E&& e) {
    return scan(by, flatten(std::forward<E>(e)), axis(0));
}
template <element T, expression E, std::integral I>
expr<T> scan(const user_reduction<T>& by, E&& e, I) {
    detail::say_how_axes_are_said<I>();
    return scan(by, std::forward<E>(e));
}

}  // namespace kiln::inline v0_1
