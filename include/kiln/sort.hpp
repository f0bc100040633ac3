// kiln/sort: rows in order, and what is read off rows in order: k::sort(x, k::axis(0)), argsort, topk, quantile, median. They
// are expressions; the result stays on the device.
// knows nothing of: how anything runs
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/generators.hpp>
#include <kiln/operations.hpp>
#include <kiln/reduction.hpp>
#include <kiln/view_functions.hpp>

#include <cmath>
#include <vector>

namespace kiln::inline v0_1 {

/// k::sort(x, k::axis(0), {.descending = true})
struct sort_options {
    bool descending = false;
};

/// k::topk(x, 10, {.largest = false})
struct topk_options {
    bool largest = true;
};

/// Evaluated together, k::eval(best) or k::eval(best.values, best.indices), they take one sort.
template <element T>
struct topk_result {
    expr<T> values;
    expr<std::int64_t> indices;
};

namespace detail {

/// What is taken for an option of a sort: true, and, behind the axis, a second one.
template <class O>
concept no_sort_option = std::same_as<O, bool> || std::same_as<O, axis> || std::same_as<O, axis_list>;

/// Of rows along one axis: their elements in order, and where each was.
struct sorted_terms {
    handle<term> values;
    handle<term> positions;
};
/// Throws shape_error, on behalf of `who`, for an axis that is not there.
KILN_API sorted_terms make_sorted_terms(handle<term> of, axis along, bool descending, const char* who);
/// The first `count` of them. Throws shape_error, too, where a row has not as many.
KILN_API sorted_terms make_topk_terms(handle<term> of, std::int64_t count, axis along, bool descending);

/// A view of which the axes in a list are one, the last, and the results' shapes.
struct merged_axes {
    view_spec order;     // the other axes, then these
    view_spec merged;    // these as one
    std::int64_t count;  // its extent
    shape kept;          // with extent 1 in place of each of them
};
KILN_API merged_axes merge_axes(const shape& of, const axis_list& over, const char* who);

/// Where quantile q of `count` elements in order is: between one and the next, at `part` of the way.
struct quantile_place {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double part = 0;
};
/// Throws shape_error for no elements and for a q that is not from 0 to 1, on behalf of `who` of an expression of shape `of`.
KILN_API quantile_place place_of_quantile(double q, std::int64_t count, const char* who, const shape& of);

template <expression E>
handle<term> sortable(E&& e) {
    static_assert(kind_of(type_of<value_t<E>>) != element_kind::complex,
                  "kiln: complex numbers have no order; take real(), imag() or abs() first");
    return as_collectable(std::forward<E>(e)).erase();
}

template <expression E>
sorted_terms sorted(E&& e, axis along, bool descending, const char* who) {
    return make_sorted_terms(sortable(std::forward<E>(e)), along, descending, who);
}

/// What quantiles are computed in: double of integers, float of 16-bit floats.
template <element T>
using quantile_computed = std::conditional_t<kind_of(type_of<T>) != element_kind::floating, double,
                                             std::conditional_t<small_float<T>, float, T>>;
template <element T>
using quantile_value = std::conditional_t<kind_of(type_of<T>) != element_kind::floating, double, T>;

/// Rows in order, on the last axis.
template <element T>
struct rows_in_order {
    expr<T> all;
    merged_axes axes;

    [[nodiscard]] expr<T> at(std::int64_t position) const {
        std::vector<index_item> items(static_cast<std::size_t>(axes.merged.to.rank()), kiln::all);
        items.back() = index_item(position);
        return slice(all, items);
    }
    /// NaN is last of all: where there is one, there is no quantile.
    template <class C>
    [[nodiscard]] auto unless_nan(const expr<C>& value, const expr<C>& last) const {
        using R = quantile_value<T>;
        if constexpr (kind_of(type_of<T>) == element_kind::floating)
            return expr<R>(cast<R>(where(isnan(last), last, value)));
        else return value;
    }
};

template <expression E>
auto put_in_order(const E& e, const axis_list& over, const char* who) {
    using T = value_t<E>;
    merged_axes axes = merge_axes(shape_of(e), over, who);
    const auto rows = viewed_as(viewed_as(e, axes.order), axes.merged);
    return rows_in_order<T>{access::make<expr<T>>(sorted(rows, axis(-1), false, who).values), axes};
}

template <class R>
expr<R> with_kept_axes(const expr<R>& e, const merged_axes& axes, bool keep) {
    return keep ? expr<R>(reshape(e, axes.kept)) : e;
}

/// What is between two elements: of infinities these, whatever the way, and NaN between the two; differences of them would be NaN.
template <class C>
expr<C> unless_infinite(const expr<C>& low, const expr<C>& high, const expr<C>& between) {
    return where(low == high, low, where(isinf(low) || isinf(high), low + high, between));
}

template <expression E>
auto quantile_of(const E& e, double q, const axis_list& over, bool keep) {
    using C = quantile_computed<value_t<E>>;
    const auto rows = put_in_order(e, over, "quantile");
    const quantile_place place = place_of_quantile(q, rows.axes.count, "quantile", rows.axes.order.from);
    const expr<C> low = cast<C>(rows.at(place.low));
    const expr<C> last = cast<C>(rows.at(rows.axes.count - 1));
    if (place.part == 0) return with_kept_axes(rows.template unless_nan<C>(low, last), rows.axes, keep);
    const expr<C> high = cast<C>(rows.at(place.high));
    const C part = static_cast<C>(place.part);
    const expr<C> between =
        place.part < 0.5 ? expr<C>(low + (high - low) * part) : expr<C>(high - (high - low) * (C(1) - part));
    return with_kept_axes(rows.template unless_nan<C>(unless_infinite(low, high, between), last), rows.axes, keep);
}

/// A number of a list at each position of a row, without memory of its own.
template <class C, class R>
expr<C> listed(const std::vector<R>& numbers) {
    const auto position = arange<std::int64_t>(static_cast<std::int64_t>(numbers.size()));
    expr<C> out = cast<C>(position * std::int64_t{0}) + static_cast<C>(numbers[0]);
    for (std::size_t i = 1; i < numbers.size(); ++i)
        out = where(position == static_cast<std::int64_t>(i), static_cast<C>(numbers[i]), out);
    return out;
}

template <expression E>
auto quantiles_of(const E& e, std::span<const double> q, const axis_list& over, bool keep) {
    using T = value_t<E>;
    using C = quantile_computed<T>;
    using R = quantile_value<T>;
    const auto rows = put_in_order(e, over, "quantile");
    if (q.empty()) throw shape_error("kiln: quantile: a list of no quantiles");
    std::vector<std::int64_t> lows;
    std::vector<std::int64_t> highs;
    std::vector<C> parts;
    for (const double each : q) {
        const quantile_place place = place_of_quantile(each, rows.axes.count, "quantile", rows.axes.order.from);
        lows.push_back(place.low);
        highs.push_back(place.high);
        parts.push_back(static_cast<C>(place.part));
    }
    const int rank = rows.axes.merged.to.rank();
    const expr<C> low = cast<C>(take(rows.all, listed<std::int64_t>(lows), axis(-1)));
    const expr<C> high = cast<C>(take(rows.all, listed<std::int64_t>(highs), axis(-1)));
    std::vector<index_item> items(static_cast<std::size_t>(rank), kiln::all);
    items.back() = range(rows.axes.count - 1, rows.axes.count);
    const expr<C> last = cast<C>(broadcast_to(slice(rows.all, items), shape_of(low)));
    const expr<C> part = listed<C>(parts);
    const expr<C> between = where(part < C(0.5), low + (high - low) * part, high - (high - low) * (C(1) - part));
    const expr<C> exact = where(part == C(0), low, unless_infinite(low, high, between));
    std::vector<int> order{rank - 1};
    for (int i = 0; i + 1 < rank; ++i) order.push_back(i);
    const expr<R> turned = transpose(rows.template unless_nan<C>(exact, last), order);
    if (!keep) return turned;
    std::vector<std::int64_t> extents{static_cast<std::int64_t>(q.size())};
    extents.insert(extents.end(), rows.axes.kept.begin(), rows.axes.kept.end());
    return expr<R>(reshape(turned, extents));
}

template <expression E>
auto median_of(const E& e, const axis_list& over, bool keep) {
    using C = quantile_computed<value_t<E>>;
    const auto rows = put_in_order(e, over, "median");
    const std::int64_t count = rows.axes.count;
    place_of_quantile(0.5, count, "median", rows.axes.order.from);  // throws where there are no elements
    const expr<C> low = cast<C>(rows.at((count - 1) / 2));
    const expr<C> last = cast<C>(rows.at(count - 1));
    if (count % 2 == 1) return with_kept_axes(rows.template unless_nan<C>(low, last), rows.axes, keep);
    const expr<C> high = cast<C>(rows.at(count / 2));
    return with_kept_axes(rows.template unless_nan<C>((low + high) / C(2), last), rows.axes, keep);
}

}  // namespace detail

/// The elements of each row along an axis in order, the least first; of e's shape and type. -0 and 0 are equal, and NaN is more
/// than every number: last, or, where descending, first, as in NumPy, PyTorch and JAX. Stable: equal elements (zeros, NaN) stay
/// in the order in which they were, in descending order, too. Not of complex numbers. The operand is an array first, if it
/// is none; another axis than the last costs one transposition more. Rows of up to 4096 elements are read and written once, longer ones once for each byte
/// of an element, and once before. Throws shape_error for an axis that is not there.
/// Source: NumPy, numpy.sort(kind="stable").
template <expression E>
auto sort(E&& e, axis along = axis(-1), sort_options how = {}) {
    using T = value_t<E>;
    return detail::access::make<expr<T>>(detail::sorted(std::forward<E>(e), along, how.descending, "sort").values);
}
template <expression E>
auto sort(E&& e, sort_options how) {
    return sort(std::forward<E>(e), axis(-1), how);
}
template <expression E, detail::whole_number I>
auto sort(E&& e, I, sort_options = {}) {
    detail::say_how_axes_are_said<I>();
    return sort(std::forward<E>(e));
}
// sort(x, true), sort(x, k::axis(0), true), sort(x, k::axis(0), k::axis(1))
template <expression E, detail::no_sort_option O>
auto sort(E&& e, O) {
    detail::say_how_sorts_are_told<O>();
    return sort(std::forward<E>(e));
}
template <expression E, detail::no_sort_option O>
auto sort(E&& e, axis, O) {
    detail::say_how_sorts_are_told<O>();
    return sort(std::forward<E>(e));
}

/// Where, on its axis, each element of sort() comes from: int64, of e's shape. Stable, so that there is one answer.
template <expression E>
auto argsort(E&& e, axis along = axis(-1), sort_options how = {}) {
    return detail::access::make<expr<std::int64_t>>(
        detail::sorted(std::forward<E>(e), along, how.descending, "argsort").positions);
}
template <expression E>
auto argsort(E&& e, sort_options how) {
    return argsort(std::forward<E>(e), axis(-1), how);
}
template <expression E, detail::whole_number I>
auto argsort(E&& e, I, sort_options = {}) {
    detail::say_how_axes_are_said<I>();
    return argsort(std::forward<E>(e));
}
template <expression E, detail::no_sort_option O>
auto argsort(E&& e, O) {
    detail::say_how_sorts_are_told<O>();
    return argsort(std::forward<E>(e));
}
template <expression E, detail::no_sort_option O>
auto argsort(E&& e, axis, O) {
    detail::say_how_sorts_are_told<O>();
    return argsort(std::forward<E>(e));
}

/// The `count` largest elements of each row along an axis, the largest first, and where they are: of equal ones those that come
/// first. NaN is more than every number. {.largest = false}: the least, the least first. Up to 64, and up to 512 of rows that have eight
/// times as many, are selected, which reads the operand twice; more cost a sort. Throws shape_error where the axis is not there or has not as many elements. Source: PyTorch, torch.topk.
template <expression E>
topk_result<value_t<E>> topk(E&& e, std::int64_t count, axis along = axis(-1), topk_options how = {}) {
    const detail::sorted_terms first =
        detail::make_topk_terms(detail::sortable(std::forward<E>(e)), count, along, how.largest);
    return {detail::access::make<expr<value_t<E>>>(first.values),
            detail::access::make<expr<std::int64_t>>(first.positions)};
}
/// auto [values, indices] = k::eval(k::topk(x, 10))
template <element T>
auto eval(const topk_result<T>& best, source_line where = source_line::here()) {
    return eval(best.values, best.indices, where);
}
template <expression E>
topk_result<value_t<E>> topk(E&& e, std::int64_t count, topk_options how) {
    return topk(std::forward<E>(e), count, axis(-1), how);
}
template <expression E, detail::whole_number I>
topk_result<value_t<E>> topk(E&& e, std::int64_t count, I, topk_options = {}) {
    detail::say_how_axes_are_said<I>();
    return topk(std::forward<E>(e), count);
}
template <expression E, detail::no_sort_option O>
topk_result<value_t<E>> topk(E&& e, std::int64_t count, O) {
    detail::say_how_sorts_are_told<O>();
    return topk(std::forward<E>(e), count);
}
template <expression E, detail::no_sort_option O>
topk_result<value_t<E>> topk(E&& e, std::int64_t count, axis, O) {
    detail::say_how_sorts_are_told<O>();
    return topk(std::forward<E>(e), count);
}

/// Below which a share q of the elements lies, over all axes or some: between the two elements in order that are next to q (n - 1),
/// linearly. NaN where a row has one. Of integers and bool in double, of 16-bit floats in float, rounded once. Of several q
/// the result has them as its first axis. Costs a sort. Throws shape_error for a q that is not from 0 to 1, for no elements and for an
/// axis that is not there. Source: NumPy, numpy.quantile(method="linear"); where an
/// infinity is one of the two it is that (NumPy finds NaN from the middle on), and between both infinities NaN.
template <expression E>
auto quantile(const E& e, double q, const axis_list& over = {}) {
    return detail::quantile_of(e, q, over, false);
}
template <expression E>
auto quantile(const E& e, double q, const axis_list& over, keep_dims_tag) {
    return detail::quantile_of(e, q, over, true);
}
template <expression E>
auto quantile(const E& e, std::initializer_list<double> q, const axis_list& over = {}) {
    return detail::quantiles_of(e, {q.begin(), q.size()}, over, false);
}
template <expression E>
auto quantile(const E& e, std::initializer_list<double> q, const axis_list& over, keep_dims_tag) {
    return detail::quantiles_of(e, {q.begin(), q.size()}, over, true);
}
/// Of a std::vector or span of double.
template <expression E, detail::list<double> R>
auto quantile(const E& e, const R& q, const axis_list& over = {}) {
    return detail::quantiles_of(e, {std::data(q), std::size(q)}, over, false);
}
template <expression E, detail::list<double> R>
auto quantile(const E& e, const R& q, const axis_list& over, keep_dims_tag) {
    return detail::quantiles_of(e, {std::data(q), std::size(q)}, over, true);
}
template <expression E, class Q, std::integral I, class... Rest>
auto quantile(const E& e, const Q& q, I, const Rest&...) {
    detail::say_how_axes_are_said<I>();
    return quantile(e, q);
}
template <expression E, class Q, std::same_as<axis>... Others>
    requires(sizeof...(Others) > 0)
auto quantile(const E& e, const Q& q, axis, Others...) {
    detail::say_how_axes_are_said<E>();
    return quantile(e, q);
}

/// The element in the middle of those in order, or the mean of the two; NaN where a row has one. Types, cost and errors are those
/// of quantile. Source: NumPy, numpy.median.
template <expression E>
auto median(const E& e, const axis_list& over = {}) {
    return detail::median_of(e, over, false);
}
template <expression E>
auto median(const E& e, const axis_list& over, keep_dims_tag) {
    return detail::median_of(e, over, true);
}
KILN_AXIS_SLIP(median)
KILN_AXES_SLIP(median)

}  // namespace kiln::inline v0_1
