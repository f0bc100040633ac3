// kiln/view_spec: what a view does to positions, worked out once from the shape of what is viewed and then applied to
// every leaf of it. So views of expressions cost no kernel and no temporary.
// in: arguments of slice, transpose, reshape, shift, ...   out: a view_spec   knows nothing of: arrays, devices
#pragma once

#include <kiln/export.hpp>
#include <kiln/shape.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>

namespace kiln::inline v0_1 {

/// An axis that an index adds: x(k::all, k::newaxis).
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};

/// An axis by its number; negative ones count from the end.
struct axis {
    explicit constexpr axis(int number_) : number(number_) {}
    int number;
};

namespace detail {

// Where a number means nothing else, f(m, 1) is a slip of the pen.
template <class>
inline constexpr bool is_axis = false;
template <class I>
void say_how_axes_are_said() {
    static_assert(is_axis<I>, "kiln: an axis is said as k::axis(1), two as k::axes(0, 1)");
}
template <class I>
void say_how_sorts_are_told() {
    static_assert(is_axis<I>,
                  "kiln: a sort goes along one axis, k::axis(1), and behind it stands what is named: "
                  "k::sort(x, k::axis(0), {.descending = true}), k::topk(x, 3, {.largest = false})");
}

}  // namespace detail

/// Beside a function of an expression and an axis: says in a line what a number is not.
#define KILN_AXIS_SLIP(name)                        \
    template <expression E, class I, class... Rest> \
        requires std::is_arithmetic_v<I>            \
    auto name(E&& e, I, const Rest&...) {           \
        detail::say_how_axes_are_said<I>();         \
        return name(std::forward<E>(e));            \
    }
/// Beside a function of an expression and a list of axes: says that two are one list.
#define KILN_AXES_SLIP(name)                              \
    template <expression E, std::same_as<axis>... Others> \
        requires(sizeof...(Others) > 0)                   \
    auto name(E&& e, axis, Others...) {                   \
        detail::say_how_axes_are_said<E>();               \
        return name(std::forward<E>(e));                  \
    }

/// One item of an index: a slice, a new axis, or a position, which drops its axis.
struct index_item {
    enum class kind : std::uint8_t { part, new_axis, position };

    index_item(const range& slice_) : what(kind::part), slice(slice_) {}
    index_item(newaxis_t) : what(kind::new_axis) {}
    template <class I>
        requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
    index_item(I position_) : what(kind::position), position(static_cast<std::int64_t>(position_)) {}

    kind what;
    range slice{};
    std::int64_t position = 0;
};

namespace detail {

template <class R>
concept list_of_items = list<R, index_item> || list<R, range>;

/// A list of items, of index_item or of what one is made of, in memory of its own. Throws shape_error past 16, which no
/// array has a use for.
class item_list {
public:
    template <list_of_items R>
    explicit item_list(const R& items) : count_(check(std::size(items))) {
        for (std::size_t i = 0; i < count_; ++i) items_[i] = index_item(std::data(items)[i]);
    }
    [[nodiscard]] std::span<const index_item> items() const noexcept { return {items_, count_}; }

private:
    static constexpr std::size_t most = 2 * max_rank;
    static std::size_t check(std::size_t count) {
        if (count > most) throw shape_error("kiln: an index of " + std::to_string(count) + " items");
        return count;
    }

    std::size_t count_;
    index_item items_[most] = {all, all, all, all, all, all, all, all, all, all, all, all, all, all, all, all};
};

}  // namespace detail

/// How many elements pad() adds along an axis.
struct pad_widths {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

namespace detail {

struct view_spec {
    enum class kind : std::uint8_t {
        affine,    // source axis d is at start[d] + step[d] * the position on axis to_axis[d]
        wrapped,   // along the axes that move, the source is at (position + offset) modulo its extent
        clamped,   // the same, past the ends the last element
        mirrored,  // the same, past the ends reflected about the last element
        reshaped,  // the same elements in row-major order
        gather,    // along one axis, the source is at what an index expression says
    };
    kind how = kind::affine;
    shape from;
    shape to;
    std::int64_t start[max_rank] = {};
    std::int64_t step[max_rank] = {};
    int to_axis[max_rank] = {};  // -1: none, the source stays at start
    bool moves[max_rank] = {};   // of wrapped, clamped, mirrored; other axes stay as they are
    std::int64_t offset[max_rank] = {};
    int along = 0;  // of gather: the source's axis

    friend bool operator==(const view_spec&, const view_spec&) = default;
};

// Each throws shape_error, naming the shape and the argument, when they do not fit.
KILN_API view_spec sliced(const shape& from, std::span<const index_item> items);
KILN_API view_spec permuted(const shape& from, std::span<const int> order);
KILN_API view_spec reversed_axes(const shape& from);
KILN_API view_spec broadcast(const shape& from, const shape& to);
KILN_API view_spec diagonal_of(const shape& from, std::int64_t offset, int axis1, int axis2);
KILN_API view_spec reshaped(const shape& from, const shape& to);
/// The source at position - by[axis]; `how` is wrapped, clamped or mirrored.
KILN_API view_spec shifted(view_spec::kind how, const shape& from, std::span<const std::int64_t> by);
/// The source from position `begin` on, in an axis of `extent`; before and behind it its outermost elements.
KILN_API view_spec placed(const shape& from, std::int64_t begin, int along, std::int64_t extent);
/// With `widths[axis]` more elements before and behind, which are the outermost again, or seen by nobody.
enum class padding : std::uint8_t { outermost, unseen };
KILN_API view_spec padded(const shape& from, std::span<const pad_widths> widths, padding what);
KILN_API view_spec gather_view(const shape& from, const shape& index, int along);
/// Where the index expression of `of` stands in the result.
KILN_API view_spec index_of_gather(const view_spec& of, const shape& index);

/// A shape with at most one extent of -1, which is worked out.
KILN_API shape resolve_reshape(const shape& from, std::span<const std::int64_t> wanted);
/// 0 to rank - 1; throws shape_error.
KILN_API int resolve_axis(int number, int rank, const char* who);
/// Shapes broadcast as NumPy's do; throws shape_error naming both.
KILN_API shape broadcast_shapes(const shape& left, const shape& right, const char* of = "shapes");
/// Throws shape_error, in the words of `who`, unless `from` broadcasts to `to`.
KILN_API void require_broadcast(const shape& from, const shape& to, const char* who);

}  // namespace detail
}  // namespace kiln::inline v0_1
