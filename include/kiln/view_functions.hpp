// kiln/view_functions: views of arrays and of expressions. Lazy: they say where elements are found and launch nothing; a
// kernel that uses them computes positions, never a temporary. Names and rules are NumPy's where NumPy has them.
#pragma once

#include <kiln/constant.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/generators.hpp>
#include <kiln/reduction.hpp>
#include <kiln/views.hpp>

#include <array>
#include <initializer_list>
#include <limits>

namespace kiln::inline v0_1 {

namespace detail {

template <class E>
auto viewed_as(E&& e, const view_spec& by) {
    const auto& stored = as_collectable(std::forward<E>(e));
    return stored.kiln_viewed(by);
}

inline std::span<const int> list_of(const std::initializer_list<int>& of) { return {of.begin(), of.size()}; }
inline std::span<const std::int64_t> distances(const std::initializer_list<std::int64_t>& by) {
    return {by.begin(), by.size()};
}

// Each throws shape_error, naming the shape and the argument, when they do not fit.
/// Of one axis that part, or at that position, where the axis goes.
KILN_API view_spec sliced_along(const shape& from, axis along, const index_item& item, const char* who);
KILN_API view_spec with_new_axis(const shape& from, axis at, const char* who);
KILN_API view_spec flipped(const shape& from, const axis_list& over);
/// Without those axes, each of extent 1; of no list without all that are.
KILN_API view_spec squeezed(const shape& from, const axis_list& over);
/// A distance for each axis of the list; those of one axis add up.
KILN_API view_spec rolled(const shape& from, std::span<const std::int64_t> by, std::span<const int> along);

/// What repeats elements, as three views one after the other: axes of extent 1 beside those that are repeated, these made as long as
/// is said, both as one.
struct repeated {
    view_spec apart;
    view_spec longer;
    view_spec together;
};
/// The whole of each axis so many times.
KILN_API repeated tiled(const shape& from, const shape& counts);
/// Each element so many times.
KILN_API repeated repeated_along(const shape& from, std::int64_t count, axis along);

template <class E>
auto repeated_as(E&& e, const repeated& by) {
    return viewed_as(viewed_as(viewed_as(std::forward<E>(e), by.apart), by.longer), by.together);
}

}  // namespace detail

template <class I>
auto position_leaf::kiln_gathered(const detail::view_spec& by, const I& index) const {
    return gather_leaf<position_leaf, I>{{}, kiln_viewed(by), {index}};
}

/// Of any expression what operator() is of an array: slice(e, k::range(0, 10), 3, k::newaxis).
template <expression E, class... Items>
    requires(std::constructible_from<index_item, Items> && ...)
auto slice(E&& e, Items... items) {
    const index_item list[sizeof...(Items) + 1] = {items..., all};
    return detail::viewed_as(std::forward<E>(e), detail::sliced(shape_of(e), {list, sizeof...(Items)}));
}

/// The same of a list that the program makes as it runs: a std::vector or span of index_item or range.
template <expression E, detail::list_of_items R>
auto slice(E&& e, const R& items) {
    const detail::item_list list(items);
    return detail::viewed_as(std::forward<E>(e), detail::sliced(shape_of(e), list.items()));
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
template <expression E, detail::list<int> R>
auto transpose(E&& e, const R& order) {
    return detail::viewed_as(std::forward<E>(e), detail::permuted(shape_of(e), {std::data(order), std::size(order)}));
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 0)
E transpose(E&& e, I...) {
    detail::say_lists_in_braces<E>();
    return std::forward<E>(e);
}
template <expression E>
auto permute(E&& e, std::initializer_list<int> order) {
    return transpose(std::forward<E>(e), order);
}
template <expression E, detail::list<int> R>
auto permute(E&& e, const R& order) {
    return transpose(std::forward<E>(e), order);
}

/// The same elements, row-major, in another shape; one extent may be -1.
template <expression E>
auto reshape(E&& e, std::initializer_list<std::int64_t> extents) {
    const shape from = shape_of(e);
    const shape to = detail::resolve_reshape(from, {extents.begin(), extents.size()});
    return detail::viewed_as(std::forward<E>(e), detail::reshaped(from, to));
}
template <expression E, detail::list<std::int64_t> R>
auto reshape(E&& e, const R& extents) {
    const shape from = shape_of(e);
    const shape to = detail::resolve_reshape(from, {std::data(extents), std::size(extents)});
    return detail::viewed_as(std::forward<E>(e), detail::reshaped(from, to));
}
/// reshape(m, -1): one axis.
template <expression E, detail::whole_number I>
auto reshape(E&& e, I extent) {
    return reshape(std::forward<E>(e), {static_cast<std::int64_t>(extent)});
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 1)
E reshape(E&& e, I...) {
    detail::say_lists_in_braces<E>();
    return std::forward<E>(e);
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

/// One more axis, of extent 1, which is number `at` in the result: what k::newaxis is in an index. Source: NumPy, expand_dims.
template <expression E>
auto expand_dims(E&& e, axis at) {
    return detail::viewed_as(std::forward<E>(e), detail::with_new_axis(shape_of(e), at, "expand_dims"));
}
/// Without axes of extent 1: all of them, or those listed. Throws shape_error where one of these has more. Source: NumPy, squeeze.
template <expression E>
auto squeeze(E&& e, const axis_list& over = {}) {
    return detail::viewed_as(std::forward<E>(e), detail::squeezed(shape_of(e), over));
}
KILN_AXIS_SLIP(squeeze)
KILN_AXES_SLIP(squeeze)

template <expression E>
auto broadcast_to(E&& e, const detail::extents& to) {
    return detail::viewed_as(std::forward<E>(e), detail::broadcast(shape_of(e), to));
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 1)
E broadcast_to(E&& e, I...) {
    detail::say_lists_in_braces<E>();
    return std::forward<E>(e);
}

/// The whole of it again and again, tile(m, {2, 3}): counts align with the axes from the right. Axes and those that are repeated may be
/// 8 together. Source: NumPy, tile.
template <expression E>
auto tile(E&& e, const detail::extents& counts) {
    return detail::repeated_as(std::forward<E>(e), detail::tiled(shape_of(e), counts));
}
/// Each element `count` times, one after the other, along an axis. Source: NumPy, repeat.
template <expression E>
auto repeat(E&& e, std::int64_t count, axis along) {
    return detail::repeated_as(std::forward<E>(e), detail::repeated_along(shape_of(e), count, along));
}
/// Of all elements, in row-major order.
template <expression E>
auto repeat(E&& e, std::int64_t count) {
    return repeat(flatten(std::forward<E>(e)), count, axis(0));
}
template <expression E, std::integral A>
auto repeat(E&& e, std::int64_t count, A) {
    detail::say_how_axes_are_said<A>();
    return repeat(std::forward<E>(e), count);
}

/// In reverse along every axis, or along those listed.
template <expression E>
auto flip(E&& e, const axis_list& over = {}) {
    return detail::viewed_as(std::forward<E>(e), detail::flipped(shape_of(e), over));
}
KILN_AXIS_SLIP(flip)
KILN_AXES_SLIP(flip)

/// The elements whose positions on two axes differ by `offset`, as the last axis.
template <expression E>
auto diagonal(E&& e, std::int64_t offset = 0, axis axis1 = axis(0), axis axis2 = axis(1)) {
    return detail::viewed_as(std::forward<E>(e), detail::diagonal_of(shape_of(e), offset, axis1.number, axis2.number));
}

/// Element i of the result is element i - by, counted around the end.
template <expression E>
auto roll(E&& e, std::int64_t by, axis along) {
    return detail::viewed_as(std::forward<E>(e), detail::rolled(shape_of(e), {&by, 1}, {&along.number, 1}));
}
/// roll(m, {1, 2}, k::axes(0, 1)): along several axes. Throws shape_error unless there is one distance for each.
template <expression E>
auto roll(E&& e, std::initializer_list<std::int64_t> by, const axis_list& along) {
    return detail::viewed_as(std::forward<E>(e),
                             detail::rolled(shape_of(e), detail::distances(by), {along.begin(), along.end()}));
}
/// Over all elements in row-major order.
template <expression E>
auto roll(E&& e, std::int64_t by) {
    const shape from = shape_of(e);
    return reshape(roll(flatten(std::forward<E>(e)), by, axis(0)), from);
}
// roll(x, 1, 0), roll(x, {1, 2})
template <expression E, std::integral A>
auto roll(E&& e, std::int64_t by, A) {
    detail::say_how_axes_are_said<A>();
    return roll(std::forward<E>(e), by);
}
template <expression E>
E roll(E&& e, std::initializer_list<std::int64_t>) {
    static_assert(detail::is_list<E>,
                  "kiln: several distances are along axes that are named: roll(m, {1, 2}, k::axes(0, 1))");
    return std::forward<E>(e);
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

template <class S>
void say_what_boundaries_are() {
    static_assert(is_list<S>,
                  "kiln: what lies past the ends is a k::boundary: k::boundary::constant(5.0f) for a number");
}

/// Of each position in `whole`, on how many axes `position - by` is outside `from`.
KILN_API handle<array_node> make_outside(const shape& whole, const shape& from, std::span<const std::int64_t> by);

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
    const shape from = shape_of(e);
    const position_leaf past{{}, detail::make_outside(from, from, detail::distances(by))};
    return where(past == constant<0>, std::move(moved), outside.value);
}
template <expression E>
auto shift(E&& e, std::initializer_list<std::int64_t> by) {
    return shift(std::forward<E>(e), by, boundary::constant_t<value_t<E>>{});
}
// shift(x, 1), pad(x, 1)
template <expression E, std::integral I, class... Rest>
E shift(E&& e, I, const Rest&...) {
    static_assert(detail::is_list<E>,
                  "kiln: shift has a distance for each axis, in braces: shift(x, {1}), shift(m, {1, 0})");
    return std::forward<E>(e);
}
template <expression E, std::integral I, class... Rest>
E pad(E&& e, I, const Rest&...) {
    static_assert(detail::is_list<E>,
                  "kiln: pad has a pair for each axis, in braces: pad(x, {{1, 1}}), pad(m, {{1, 1}, {0, 2}})");
    return std::forward<E>(e);
}

// pad(m, {{1, 1}}, 5.0f), shift(x, {1}, 5.0f)
template <expression E, scalar S>
E pad(E&& e, std::initializer_list<pad_widths>, S) {
    detail::say_what_boundaries_are<S>();
    return std::forward<E>(e);
}
template <expression E, scalar S>
E shift(E&& e, std::initializer_list<std::int64_t>, S) {
    detail::say_what_boundaries_are<S>();
    return std::forward<E>(e);
}

/// More elements before and behind each axis, pad(m, {{1, 1}, {0, 2}}): zeros, boundary::constant(value), or the outermost
/// elements again (boundary::clamp). Throws shape_error unless there is one pair for each axis, and where there is no
/// outermost element. Source: NumPy, pad (constant, edge).
template <expression E>
auto pad(E&& e, std::initializer_list<pad_widths> widths, boundary::clamp_t) {
    return detail::viewed_as(std::forward<E>(e),
                             detail::padded(shape_of(e), {widths.begin(), widths.size()}, detail::padding::outermost));
}
template <expression E, class S>
auto pad(E&& e, std::initializer_list<pad_widths> widths, boundary::constant_t<S> outside) {
    const shape from = shape_of(e);
    const detail::view_spec by = detail::padded(from, {widths.begin(), widths.size()}, detail::padding::unseen);
    auto whole = detail::viewed_as(std::forward<E>(e), by);
    std::int64_t before[max_rank] = {};
    std::int64_t* next = before;
    for (const pad_widths& each : widths) *next++ = each.before;
    const position_leaf past{{}, detail::make_outside(by.to, from, {before, static_cast<std::size_t>(from.rank())})};
    return where(past == 0, std::move(whole), outside.value);
}
template <expression E>
auto pad(E&& e, std::initializer_list<pad_widths> widths) {
    return pad(std::forward<E>(e), widths, boundary::constant_t<value_t<E>>{});
}

/// Each element less the one before it, along an axis, which is one shorter: of bool, where they differ. Source: NumPy, diff.
template <expression E>
auto diff(E&& e, axis along = axis(-1)) {
    const shape from = shape_of(e);
    auto from_second = detail::viewed_as(e, detail::sliced_along(from, along, range(1, range::open), "diff"));
    auto to_last = detail::viewed_as(e, detail::sliced_along(from, along, range(0, -1), "diff"));
    if constexpr (std::is_same_v<value_t<E>, bool>) return std::move(from_second) != std::move(to_last);
    else return std::move(from_second) - std::move(to_last);
}
/// So many times: diff(x, 2) is diff(diff(x)). Throws shape_error where that is negative.
template <expression E, detail::whole_number I>
expr<value_t<E>> diff(E&& e, I times, axis along = axis(-1)) {
    if (std::cmp_less(times, 0)) throw shape_error("kiln: diff: " + std::to_string(times) + " times");
    expr<value_t<E>> out = std::forward<E>(e);
    for (I i = 0; i < times; ++i) {
        const shape before = shape_of(out);
        out = diff(out, along);
        if (shape_of(out) == before) break;  // of none it stays none
    }
    return out;
}

namespace detail {

/// Unsigned positions that int64 cannot hold stay outside, instead of becoming negative ones.
template <class I>
auto as_position(I&& index) {
    if constexpr (type_of<value_t<I>> == element_type::uint64)
        return cast<std::int64_t>(min(std::forward<I>(index), std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
    else return cast<std::int64_t>(std::forward<I>(index));
}

}  // namespace detail

/// The elements of e, along one axis, where an integer expression says: its axes stand in place of that axis. Negative
/// positions count from the end; what is still outside is clamped into it (a kernel cannot throw).
template <expression E, expression I>
auto take(E&& e, I&& index, axis along) {
    static_assert(kind_of(type_of<value_t<I>>) == element_kind::integer,
                  "kiln: take: positions are integers; where a mask holds, say k::where");
    const shape from = shape_of(e);
    const shape wanted = shape_of(index);
    const detail::view_spec by =
        detail::gather_view(from, wanted, detail::resolve_axis(along.number, from.rank(), "take"));
    const auto whole = detail::as_position(std::forward<I>(index));
    const auto& stored = detail::as_collectable(std::forward<E>(e));
    return stored.kiln_gathered(by, whole.kiln_viewed(detail::index_of_gather(by, wanted)));
}
/// Of all elements, in row-major order.
template <expression E, expression I>
auto take(E&& e, I&& index) {
    return take(flatten(std::forward<E>(e)), std::forward<I>(index), axis(0));
}
/// At one position, as an index has it: take(m, 2, k::axis(1)) is m(k::all, 2). Throws shape_error where there is none.
template <expression E, detail::whole_number I>
auto take(E&& e, I position, axis along) {
    return detail::viewed_as(std::forward<E>(e), detail::sliced_along(shape_of(e), along, position, "take"));
}
template <expression E, detail::whole_number I>
auto take(E&& e, I position) {
    return take(flatten(std::forward<E>(e)), position, axis(0));
}
// take(x, i, 0), take(x, vector), take(x, {1, 2})
template <expression E, class I, std::integral A>
    requires(expression<I> || detail::whole_number<I>)
auto take(E&& e, I&& index, A) {
    detail::say_how_axes_are_said<A>();
    return take(std::forward<E>(e), std::forward<I>(index));
}
namespace detail {
template <class I>
void say_what_takes() {
    static_assert(
        is_list<I>,
        "kiln: take reads at positions that an array has: k::from_host(positions), k::from_host<int>({0, 2})");
}
}  // namespace detail
template <expression E, class I, class... Rest>
    requires(!expression<I> && detail::list_of_integers<I>)
E take(E&& e, const I&, const Rest&...) {
    detail::say_what_takes<I>();
    return std::forward<E>(e);
}
template <expression E, class... Rest>
E take(E&& e, std::initializer_list<std::int64_t>, const Rest&...) {
    detail::say_what_takes<E>();
    return std::forward<E>(e);
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
    requires(sizeof...(Es) > 0)
auto concatenate(axis along, Es&&... es) {
    detail::joined<sizeof...(Es)> of{{shape_of(es)...}, {}, {}, 0};
    of.whole =
        detail::join_shapes(of.parts.data(), of.begin.data(), static_cast<int>(sizeof...(Es)), along.number, of.along);
    const position_leaf at{{}, detail::make_position(of.whole, of.along)};
    return detail::join<0>(of, at, std::forward<Es>(es)...);
}

// Of numbers among the parts, and of parts alone: where they go is said first.
namespace detail {
template <class... Es>
inline constexpr bool are_parts = (expression<Es> && ...);
template <class... Es>
void say_what_parts_are() {
    static_assert(are_parts<Es...>,
                  "kiln: what is put together is arrays and expressions; of a number k::full makes one");
}
/// What takes {x, y} in the place of parts, where it is deleted.
struct part_in_braces {
    template <class E>
    part_in_braces(const E&);
};
template <class E>
inline constexpr bool is_axis_of_parts = false;
template <class E>
void say_where_parts_go() {
    static_assert(is_axis_of_parts<E>,
                  "kiln: the axis along which parts are put together is said first, as k::axis(0), and then the parts, "
                  "without braces: k::concatenate(k::axis(0), x, y)");
}
}  // namespace detail
template <expression E, class... Es>
E concatenate(E&& e, const Es&...) {
    detail::say_where_parts_go<E>();
    return std::forward<E>(e);
}
template <expression E, class... Es>
E stack(E&& e, const Es&...) {
    detail::say_where_parts_go<E>();
    return std::forward<E>(e);
}
template <class S, expression E, class... Es>
    requires(!expression<S> && !std::convertible_to<S, axis>)
void concatenate(S&&, const E&, const Es&...) {
    detail::say_what_parts_are<S, E>();
}
template <class S, expression E, class... Es>
    requires(!expression<S> && !std::convertible_to<S, axis>)
void stack(S&&, const E&, const Es&...) {
    detail::say_what_parts_are<S, E>();
}
// concatenate({x, y}), concatenate({x, y}, k::axis(0)), concatenate(k::axis(0), {x, y})
#define KILN_PARTS_SLIP(name)                                                              \
    template <class... Rest>                                                               \
    expr<bool> name(std::initializer_list<detail::part_in_braces>, const Rest&...) {       \
        detail::say_where_parts_go<void(Rest...)>();                                       \
        return {};                                                                         \
    }                                                                                      \
    template <class... Rest>                                                               \
    expr<bool> name(axis, std::initializer_list<detail::part_in_braces>, const Rest&...) { \
        detail::say_where_parts_go<void(Rest...)>();                                       \
        return {};                                                                         \
    }
KILN_PARTS_SLIP(concatenate)
KILN_PARTS_SLIP(stack)
#undef KILN_PARTS_SLIP
template <operand... Es>
    requires((expression<Es> || ...) && !(expression<Es> && ...))
void concatenate(axis, const Es&...) {
    detail::say_what_parts_are<Es...>();
}
template <operand... Es>
    requires((expression<Es> || ...) && !(expression<Es> && ...))
void stack(axis, const Es&...) {
    detail::say_what_parts_are<Es...>();
}

/// One after the other along a new axis; the shapes agree.
template <expression... Es>
    requires(sizeof...(Es) > 0)
auto stack(axis along, Es&&... es) {
    const auto with_axis = [&]<class E>(E&& e) {
        return detail::viewed_as(std::forward<E>(e), detail::with_new_axis(shape_of(e), along, "stack"));
    };
    const shape parts[] = {shape_of(es)...};
    detail::check_stacked(parts, static_cast<int>(sizeof...(Es)));
    return concatenate(along, with_axis(std::forward<Es>(es))...);
}

// Of as many parts as the program has as it runs: a std::vector or span of arrays, or of expressions of one type, k::expr<T>
// among them. No expression, unlike those above, but an array: each part is computed into its place, one kernel each, so that
// a hundred parts are read once each. Asynchronous. Throws shape_error, also of no parts.

namespace detail {

template <class R>
concept list_of_expressions = requires(const R& of) {
    requires expression<decltype(*std::data(of))>;
    { std::size(of) } -> std::convertible_to<std::size_t>;
};

template <class R>
std::vector<shape> shapes_of(const R& parts, const char* who) {
    if (std::size(parts) == 0) throw shape_error(std::string("kiln: ") + who + ": no parts, so no shape");
    std::vector<shape> shapes;
    for (std::size_t i = 0; i < std::size(parts); ++i) shapes.push_back(shape_of(std::data(parts)[i]));
    return shapes;
}

/// Each part into where `place(i)` says that it belongs. All are on one device, the result's.
template <class R, class Place>
auto put_together(const R& parts, const shape& whole, Place place) {
    using T = value_t<decltype(*std::data(parts))>;
    std::vector<handle<term>> terms;
    for (std::size_t i = 0; i < std::size(parts); ++i) terms.push_back(as_collectable(std::data(parts)[i]).erase());
    const scoped_device here(device_of(terms.data(), static_cast<int>(terms.size())));
    auto made = access::make<array<T>>(make_uninitialised(type_of<T>, whole));
    for (std::size_t i = 0; i < std::size(parts); ++i) made(place(i)) = std::data(parts)[i];
    return made;
}

}  // namespace detail

// concatenate(parts), concatenate(parts, k::axis(0))
template <detail::list_of_expressions R, class... Rest>
expr<bool> concatenate(const R&, const Rest&...) {
    detail::say_where_parts_go<R>();
    return {};
}
template <detail::list_of_expressions R, class... Rest>
expr<bool> stack(const R&, const Rest&...) {
    detail::say_where_parts_go<R>();
    return {};
}

template <detail::list_of_expressions R>
auto concatenate(axis along, const R& parts) {
    const std::vector<shape> shapes = detail::shapes_of(parts, "concatenate");
    std::vector<std::int64_t> begin(shapes.size());
    int resolved = 0;
    const shape whole =
        detail::join_shapes(shapes.data(), begin.data(), static_cast<int>(shapes.size()), along.number, resolved);
    return detail::put_together(parts, whole, [&](std::size_t i) {
        std::vector<range> where(static_cast<std::size_t>(whole.rank()), all);
        where[static_cast<std::size_t>(resolved)] = range(begin[i], begin[i] + shapes[i][resolved]);
        return where;
    });
}

template <detail::list_of_expressions R>
auto stack(axis along, const R& parts) {
    const std::vector<shape> shapes = detail::shapes_of(parts, "stack");
    detail::check_stacked(shapes.data(), static_cast<int>(shapes.size()));
    const int resolved = detail::resolve_axis(along.number, shapes[0].rank() + 1, "stack");
    std::vector<std::int64_t> extents(shapes[0].begin(), shapes[0].end());
    extents.insert(extents.begin() + resolved, static_cast<std::int64_t>(shapes.size()));
    return detail::put_together(parts, shape(extents), [&](std::size_t i) {
        std::vector<index_item> where(extents.size(), all);
        where[static_cast<std::size_t>(resolved)] = index_item(i);
        return where;
    });
}

}  // namespace kiln::inline v0_1
