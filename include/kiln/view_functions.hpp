// kiln/view_functions: views of arrays and of expressions. Lazy: they say where elements are found and launch nothing; a
// kernel that uses them computes positions, never a temporary. Names and rules are NumPy's where NumPy has them.
#pragma once

#include <kiln/export.hpp>
#include <kiln/generators.hpp>
#include <kiln/views.hpp>

#include <array>
#include <initializer_list>

namespace kiln::inline v0_1 {

namespace detail {

template <class E>
auto viewed_as(E&& e, const view_spec& by) {
    const auto& stored = as_gatherable(std::forward<E>(e));
    return stored.kiln_viewed(by);
}

inline std::span<const int> list_of(const std::initializer_list<int>& of) { return {of.begin(), of.size()}; }

}  // namespace detail

template <class I>
auto position_leaf::kiln_taken(const detail::view_spec& by, const I& index) const {
    return taken_leaf<position_leaf, I>{kiln_viewed(by), {index}};
}

/// Of any expression what operator() is of an array: slice(e, k::range(0, 10), 3, k::newaxis).
template <expression E, class... Items>
    requires(std::constructible_from<index_item, Items> && ...)
auto slice(E&& e, Items... items) {
    const index_item list[sizeof...(Items) + 1] = {items..., all};
    return detail::viewed_as(std::forward<E>(e), detail::sliced(shape_of(e), {list, sizeof...(Items)}));
}

/// Axes in reverse order.
template <expression E>
auto transpose(E&& e) {
    return detail::viewed_as(std::forward<E>(e), detail::reversed_axes(shape_of(e)));
}
/// Axis i of the result is axis order[i] of e.
template <expression E>
auto transpose(E&& e, std::initializer_list<int> order) {
    return detail::viewed_as(std::forward<E>(e), detail::permuted(shape_of(e), detail::list_of(order)));
}
template <expression E>
auto permute(E&& e, std::initializer_list<int> order) {
    return transpose(std::forward<E>(e), order);
}

/// The same elements, row-major, in another shape; one extent may be -1.
template <expression E>
auto reshape(E&& e, std::initializer_list<std::int64_t> extents) {
    const shape from = shape_of(e);
    const shape to = detail::resolve_reshape(from, {extents.begin(), extents.size()});
    return detail::viewed_as(std::forward<E>(e), detail::reshaped(from, to));
}
template <expression E>
auto reshape(E&& e, const shape& to) {
    const shape from = shape_of(e);
    return detail::viewed_as(std::forward<E>(e),
                             detail::reshaped(from, detail::resolve_reshape(from, {to.begin(), to.end()})));
}
/// One axis.
template <expression E>
auto flatten(E&& e) {
    return reshape(std::forward<E>(e), {-1});
}

template <expression E>
auto broadcast_to(E&& e, const shape& to) {
    return detail::viewed_as(std::forward<E>(e), detail::broadcast(shape_of(e), to));
}

/// In reverse along every axis, or along one.
template <expression E>
auto flip(E&& e) {
    return detail::viewed_as(std::forward<E>(e), detail::flipped(shape_of(e), {}));
}
template <expression E>
auto flip(E&& e, axis along) {
    const int axes[] = {along.number};
    return detail::viewed_as(std::forward<E>(e), detail::flipped(shape_of(e), axes));
}

/// The elements whose positions on two axes differ by `offset`, as the last axis.
template <expression E>
auto diagonal(E&& e, std::int64_t offset = 0, axis axis1 = axis(0), axis axis2 = axis(1)) {
    return detail::viewed_as(std::forward<E>(e), detail::diagonal_of(shape_of(e), offset, axis1.number, axis2.number));
}

/// Element i of the result is element i - by, counted around the end.
template <expression E>
auto roll(E&& e, std::int64_t by, axis along) {
    const shape from = shape_of(e);
    const int resolved = detail::resolve_axis(along.number, from.rank(), "roll");
    return detail::viewed_as(std::forward<E>(e), detail::rolled(from, by, resolved));
}
/// Over all elements in row-major order.
template <expression E>
auto roll(E&& e, std::int64_t by) {
    const shape from = shape_of(e);
    return reshape(roll(flatten(std::forward<E>(e)), by, axis(0)), from);
}

/// What lies past the ends: shift(x, {1}, k::boundary::clamp).
namespace boundary {
struct clamp_t {};
struct wrap_t {};
struct mirror_t {};
template <class S>
struct constant_t {
    S value;
};
inline constexpr clamp_t clamp{};    // the last element: a a | a b c | c c
inline constexpr wrap_t wrap{};      // around the end:   b c | a b c | a b
inline constexpr mirror_t mirror{};  // reflected about the last element, which stands once: c b | a b c | b a
template <scalar S>
constexpr constant_t<S> constant(S value) {
    return {value};
}
}  // namespace boundary

namespace detail {

inline std::span<const std::int64_t> distances(const std::initializer_list<std::int64_t>& by) {
    return {by.begin(), by.size()};
}

/// Of each position, on how many axes `position - by` is past the ends.
KILN_API handle<array_node> make_outside(const shape& extents, std::span<const std::int64_t> by);

}  // namespace detail

/// Element i of the result is element i - by of e, per axis: shift(u, {1, 0}) gives each element its upper neighbour.
/// What comes from past the ends: see boundary; zeros when none is given. Throws shape_error unless there is one distance
/// per axis.
template <expression E>
auto shift(E&& e, std::initializer_list<std::int64_t> by, boundary::clamp_t) {
    return detail::viewed_as(std::forward<E>(e),
                             detail::shifted(detail::view_spec::kind::clamped, shape_of(e), detail::distances(by)));
}
template <expression E>
auto shift(E&& e, std::initializer_list<std::int64_t> by, boundary::wrap_t) {
    return detail::viewed_as(std::forward<E>(e),
                             detail::shifted(detail::view_spec::kind::wrapped, shape_of(e), detail::distances(by)));
}
template <expression E>
auto shift(E&& e, std::initializer_list<std::int64_t> by, boundary::mirror_t) {
    return detail::viewed_as(std::forward<E>(e),
                             detail::shifted(detail::view_spec::kind::mirrored, shape_of(e), detail::distances(by)));
}
template <expression E, class S>
auto shift(E&& e, std::initializer_list<std::int64_t> by, boundary::constant_t<S> outside) {
    auto moved = shift(e, by, boundary::clamp);
    const position_leaf past{detail::make_outside(shape_of(e), detail::distances(by))};
    return where(past == 0, std::move(moved), outside.value);
}
template <expression E>
auto shift(E&& e, std::initializer_list<std::int64_t> by) {
    return shift(std::forward<E>(e), by, boundary::constant_t<value_t<E>>{});
}

/// The elements of e, along one axis, where an integer expression says: its axes stand in place of that axis. Negative
/// positions count from the end; what is still outside is clamped into it (a kernel cannot throw).
template <expression E, expression I>
    requires(kind_of(type_of<value_t<I>>) == element_kind::integer)
auto take(E&& e, I&& index, axis along) {
    const shape from = shape_of(e);
    const shape wanted = shape_of(index);
    const detail::view_spec by = detail::taken(from, wanted, detail::resolve_axis(along.number, from.rank(), "take"));
    const auto whole = cast<std::int64_t>(std::forward<I>(index));
    const auto& stored = detail::as_gatherable(std::forward<E>(e));
    return stored.kiln_taken(by, whole.kiln_viewed(detail::index_of_taken(by, wanted)));
}
/// Of all elements, in row-major order.
template <expression E, expression I>
auto take(E&& e, I&& index) {
    return take(flatten(std::forward<E>(e)), std::forward<I>(index), axis(0));
}

namespace detail {

/// The shapes of what is put together, and where each begins on the axis.
template <std::size_t count>
struct joined {
    std::array<shape, count> parts;
    std::array<std::int64_t, count> begin{};
    shape whole;
    int along = 0;
};
/// Throws shape_error where they differ.
KILN_API void check_stacked(const shape* parts, int count);
KILN_API shape join_shapes(const shape* parts, std::int64_t* begin, int count, int along, int& resolved);

template <std::size_t i, std::size_t count, class E, class... Rest>
auto join(const joined<count>& of, const position_leaf& at, E&& e, Rest&&... rest) {
    const std::int64_t extent = of.whole[of.along];
    auto part = viewed_as(std::forward<E>(e), placed(of.parts[i], of.begin[i], of.along, extent));
    if constexpr (sizeof...(Rest) == 0) return part;
    else return where(at < of.begin[i + 1], std::move(part), join<i + 1>(of, at, std::forward<Rest>(rest)...));
}

}  // namespace detail

/// One after the other along an axis that they have; the other extents agree. The types promote.
template <expression... Es>
    requires(sizeof...(Es) > 1)
auto concatenate(axis along, Es&&... es) {
    detail::joined<sizeof...(Es)> of{{shape_of(es)...}, {}, {}, 0};
    of.whole =
        detail::join_shapes(of.parts.data(), of.begin.data(), static_cast<int>(sizeof...(Es)), along.number, of.along);
    const position_leaf at{detail::make_position(of.whole, of.along)};
    return detail::join<0>(of, at, std::forward<Es>(es)...);
}

/// One after the other along a new axis; the shapes agree.
template <expression... Es>
    requires(sizeof...(Es) > 1)
auto stack(axis along, Es&&... es) {
    const auto with_axis = [&]<class E>(E&& e) {
        const shape from = shape_of(e);
        const int resolved = detail::resolve_axis(along.number, from.rank() + 1, "stack");
        index_item items[max_rank + 1] = {all, all, all, all, all, all, all, all, all};
        items[resolved] = newaxis;
        return detail::viewed_as(std::forward<E>(e),
                                 detail::sliced(from, {items, static_cast<std::size_t>(from.rank() + 1)}));
    };
    const shape parts[] = {shape_of(es)...};
    detail::check_stacked(parts, static_cast<int>(sizeof...(Es)));
    return concatenate(along, with_axis(std::forward<Es>(es))...);
}

}  // namespace kiln::inline v0_1
