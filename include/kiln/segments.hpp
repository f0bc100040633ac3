// kiln/segments: what the elements of each segment come to: k::histogram(image, 256), k::segment_sum(values, ids, 1000). They are
// expressions; the result stays on the device.
// knows nothing of: how anything runs
#pragma once

#include <kiln/array.hpp>
#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/reductions.hpp>
#include <kiln/view_functions.hpp>

#include <initializer_list>
#include <string>
#include <utility>

namespace kiln::inline v0_1 {

namespace detail {

/// Of a word each, so many fill 8 TiB.
inline constexpr std::int64_t most_segments = std::int64_t{1} << 40;

/// `of`: which segment each element is of (or numbers, by bins); `values`: the elements; none: they are counted.
/// Throws shape_error where there is no segment, and past most_segments.
KILN_API handle<term> make_segment_term(const segment_call& by, element_type result, handle<term> of,
                                        handle<term> values);
/// Throws shape_error, error.
KILN_API void check_bins(std::int64_t bins, double low, double high);
KILN_API void check_segments(const char* who, const shape& values, const shape& ids, std::int64_t count);
/// How many segments there are with the `inside` elements of each told apart. Throws shape_error where they are too many.
KILN_API std::int64_t segments_in_all(const char* who, std::int64_t count, std::int64_t inside);
/// Whether the rows of `inside` values that have one id are told apart by it, and not each value by a number of its own.
KILN_API bool are_rows_of_segments(std::int64_t rows, std::int64_t inside, std::int64_t count, element_type values);
/// Throws device_error while a graph's body is recorded.
KILN_API void check_bincount_may_wait();
/// Throws shape_error.
KILN_API void check_minlength(std::int64_t minlength);
/// How many values bincount counts; `least`, `most`: of the elements. Throws error, shape_error.
KILN_API std::int64_t bin_count(std::int64_t least, std::uint64_t most, std::int64_t minlength);

template <class E>
constexpr bool counts_by_number = kind_of(type_of<value_t<E>>) <= element_kind::integer;

inline expr<std::int64_t> numbers_of(const segment_call& by, handle<term> of) {
    return access::make<expr<std::int64_t>>(make_segment_term(by, element_type::int64, std::move(of), {}));
}

constexpr element_type segment_result(segment_call::kind what, element_type of) {
    return what == segment_call::kind::sum ? reduced_type(reduction_kind::sum, of) : of;
}

/// The axes of `values` beyond those of `ids` become part of the segment's number.
template <segment_call::kind what, class V, class I>
auto by_segments(const char* who, V&& values, I&& ids, std::int64_t count) {
    static_assert(kind_of(type_of<value_t<I>>) == element_kind::integer,
                  "kiln: segments are numbered by integers; k::cast<std::int64_t>(ids) makes them of numbers");
    static_assert(kind_of(type_of<value_t<V>>) != element_kind::complex,
                  "kiln: of complex numbers, take the segments of real(values) and imag(values) apart");
    constexpr element_type result = segment_result(what, type_of<value_t<V>>);
    using made = expr<cpp_type<result>>;
    const shape of = shape_of(values);
    const shape numbered = shape_of(ids);
    check_segments(who, of, numbered, count);
    const auto term_of = [&](const auto& which, std::int64_t segments) {
        return make_segment_term({what, segments}, result, as_collectable(which).erase(),
                                 as_collectable(std::forward<V>(values)).erase());
    };
    if (of.rank() == numbered.rank() && count > 0) return access::make<made>(term_of(ids, count));
    std::int64_t with_ones[max_rank];
    std::int64_t result_extents[max_rank] = {count};
    std::int64_t inside = 1;
    for (int i = 0; i < of.rank(); ++i) {
        const bool is_inside = i >= numbered.rank();
        with_ones[i] = is_inside ? 1 : of[i];
        if (!is_inside) continue;
        inside *= of[i];
        result_extents[1 + i - numbered.rank()] = of[i];
    }
    if (count == 0 || inside == 0)
        return made(zeros<cpp_type<result>>(shape(result_extents, 1 + of.rank() - numbered.rank())));
    const std::int64_t segments = segments_in_all(who, count, inside);
    if (are_rows_of_segments(numbered.size(), inside, count, type_of<value_t<V>>)) {
        const auto of_rows = reshape(ids, shape(with_ones, of.rank()));
        const made all = access::make<made>(make_segment_term({.what = what, .count = segments, .inside = inside},
                                                              result, as_collectable(of_rows).erase(),
                                                              as_collectable(std::forward<V>(values)).erase()));
        return made(reshape(all, shape(result_extents, 1 + of.rank() - numbered.rank())));
    }
    const auto wide = cast<std::int64_t>(reshape(ids, shape(with_ones, of.rank())));
    std::int64_t inner_extents[max_rank];
    for (int i = 0; i < of.rank(); ++i) inner_extents[i] = i >= numbered.rank() ? of[i] : 1;
    const auto beside = reshape(arange<std::int64_t>(inside), shape(inner_extents, of.rank()));
    const auto flat = where(wide >= 0 && wide < count, wide * inside, -inside) + beside;
    const made all = access::make<made>(term_of(flat, segments));
    return made(reshape(all, shape(result_extents, 1 + of.rank() - numbered.rank())));
}

}  // namespace detail

/// How many elements are 0, 1, ... bins - 1, as int64: of integers and bool, of any shape. Those that are less or more are not
/// counted. One pass over e, whatever is in it; no order of threads changes the result. Throws shape_error where bins < 1.
template <expression E>
expr<std::int64_t> histogram(E&& e, std::int64_t bins) {
    static_assert(detail::counts_by_number<E>, "kiln: of floats say the range: histogram(x, bins, low, high)");
    return detail::numbers_of({.count = bins}, detail::as_collectable(std::forward<E>(e)).erase());
}

/// How many elements are in each of `bins` bins of one width from low to high: bin i has those from low + i w on, w being
/// (high - low) / bins, below the next one's beginning; the last has `high`, too. What is outside, and NaN, is not counted. Elements
/// and edges are compared as doubles. Throws shape_error where bins < 1, error where low is not less than high, or their distance is not finite.
/// Source: NumPy, histogram.
template <expression E>
expr<std::int64_t> histogram(E&& e, std::int64_t bins, double low, double high) {
    static_assert(kind_of(type_of<value_t<E>>) != element_kind::complex, "kiln: a histogram is of real numbers");
    detail::check_bins(bins, low, high);
    return detail::numbers_of({.count = bins, .by_bins = true, .low = low, .high = high},
                              detail::as_collectable(std::forward<E>(e)).erase());
}

// histogram(x, 10, {0, 1})
template <expression E>
expr<std::int64_t> histogram(E&& e, std::int64_t bins, std::initializer_list<double>) {
    static_assert(detail::is_list<E>, "kiln: the range of a histogram is two numbers: histogram(x, bins, low, high)");
    return histogram(std::forward<E>(e), bins, 0, 1);
}

/// How often each value from 0 on stands among integers of any shape: up to the largest one, and of `minlength` values at least.
/// Waits for the least and the largest element, since the result's shape depends on them; k::histogram does not. Throws error
/// for a negative element and one of 2^40 or more, shape_error for a negative minlength, device_error in a graph's body. Source: NumPy, bincount.
template <expression E>
expr<std::int64_t> bincount(E&& e, std::int64_t minlength = 0) {
    using T = value_t<E>;
    static_assert(kind_of(type_of<T>) == element_kind::integer, "kiln: bincount counts integers");
    detail::check_bincount_may_wait();
    const array<T> x(std::forward<E>(e));
    if (x.size() == 0) {
        detail::check_minlength(minlength);
        return expr<std::int64_t>(zeros<std::int64_t>({minlength}));
    }
    T least{};
    if constexpr (std::is_signed_v<T>) least = min(x).item();
    const T most = max(x).item();
    return histogram(x,
                     detail::bin_count(static_cast<std::int64_t>(least), static_cast<std::uint64_t>(most), minlength));
}

/// The sum of the values of each segment, of `count` segments: element s of those whose id is s. The shape of ids is that of
/// values, or what it begins with: the axes that follow stay, after the segments'. Ids below 0 or from `count` on are ignored; an
/// empty segment is 0. Of integers and bool as int64 (uint64), modulo 2^64. Floats are rounded to a multiple of 2^-d of the segment's largest
/// magnitude (d: 61 - log2 of the number of values, rounded up; of doubles 122 - 2 log2), summed up exactly, and the sum is
/// rounded: the result is the same bits on every device, every time, in whatever order the values are, and is no further from the
/// exact sum than the sum of one value after the other may be. Floats take two passes, all else one. Under options.fast_math a GPU adds
/// float and double by thousands of segments as they come, in one pass: sums of any order, which differ from call to call.
/// Of 0 segments the result has no elements; ids then have none, either. Throws shape_error where shapes do not fit, count is
/// negative, or 0 beside ids, or there are more than 2^40 elements in the result. Source: JAX, jax.ops.segment_sum.
template <expression V, expression I>
auto segment_sum(V&& values, I&& ids, std::int64_t count) {
    return detail::by_segments<detail::segment_call::kind::sum>("segment_sum", std::forward<V>(values),
                                                                std::forward<I>(ids), count);
}
/// The least value of each segment; NaN if one is NaN; -0 is less than 0. Of an empty segment the type's largest value, infinity of
/// floats. Shapes, ids and errors are those of segment_sum. Source: JAX, jax.ops.segment_min.
template <expression V, expression I>
auto segment_min(V&& values, I&& ids, std::int64_t count) {
    return detail::by_segments<detail::segment_call::kind::least>("segment_min", std::forward<V>(values),
                                                                  std::forward<I>(ids), count);
}
/// The same of the greatest; of an empty segment the type's smallest value, -infinity of floats.
template <expression V, expression I>
auto segment_max(V&& values, I&& ids, std::int64_t count) {
    return detail::by_segments<detail::segment_call::kind::greatest>("segment_max", std::forward<V>(values),
                                                                     std::forward<I>(ids), count);
}

}  // namespace kiln::inline v0_1
