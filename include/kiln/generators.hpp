// kiln/generators: values made inside the kernel. Lazy: nothing is allocated or launched.
#pragma once

#include <kiln/export.hpp>
#include <kiln/operations.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kiln::inline v0_1 {

/// One value at every position.
template <element T>
struct full_leaf : expression_members<full_leaf<T>> {
    using kiln_value = T;
    static constexpr int leaf_count = 2;
    static constexpr bool dynamic = false;
    kiln::shape extents;
    T value;
    std::uint32_t capture = detail::next_capture();

    detail::leaf* collect(detail::leaf* out) const noexcept {
        out[0] = detail::scalar_as_leaf(value, capture);
        out[1] = {&extents, 0, detail::leaf_kind::extent, 0};
        return out + 2;
    }
    static int describe(detail::graph& into) { return detail::add_full(into, detail::add_scalar(into, type_of<T>)); }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        return detail::make_full_term(extents, detail::make_scalar_term(type_of<T>, &value, capture));
    }
    [[nodiscard]] full_leaf kiln_viewed(const detail::view_spec& by) const { return {{}, by.to, value, capture}; }
    template <class I>
    [[nodiscard]] full_leaf kiln_gathered(const detail::view_spec& by, const I&) const {
        return {{}, by.to, value, capture};
    }

    // auto y = k::zeros<float>({4}); y(k::range(0, 2)) = 1.0f;
    template <operand B>
        requires(!std::same_as<std::remove_cvref_t<B>, full_leaf>)
    void operator=(B&&) {
        detail::say_what_targets_are<B>();
    }
};

/// Where an element is: an int64 linear in its position, without memory.
struct position_leaf : expression_members<position_leaf> {
    using kiln_value = std::int64_t;
    static constexpr int leaf_count = 1;
    static constexpr bool dynamic = false;
    detail::handle<detail::array_node> node;

    detail::leaf* collect(detail::leaf* out) const noexcept {
        *out = {node.get(), 0, detail::leaf_kind::array, 0};
        return out + 1;
    }
    static int describe(detail::graph& into) { return detail::add_position(into); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_position_term(node); }
    [[nodiscard]] position_leaf kiln_viewed(const detail::view_spec& by) const {
        return {{}, detail::viewed(node, by)};
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const;
};

/// The position along an axis of whatever it meets; made by index().
struct free_position_leaf : expression_members<free_position_leaf> {
    using kiln_value = std::int64_t;
    static constexpr int leaf_count = 1;
    static constexpr bool dynamic = false;
    int along;

    detail::leaf* collect(detail::leaf* out) const noexcept {
        *out = {detail::free_position(along), 0, detail::leaf_kind::array, 0};
        return out + 1;
    }
    static int describe(detail::graph& into) { return detail::add_position(into); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_free_position_term(along); }
    [[nodiscard]] position_leaf kiln_viewed(const detail::view_spec& by) const {
        return bound(by.from).kiln_viewed(by);
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return bound(by.from).kiln_gathered(by, index);
    }

private:
    [[nodiscard]] position_leaf bound(const kiln::shape& extents) const {
        return {{}, detail::make_position(extents, along)};
    }
};

namespace detail {

/// Values in start, start + step, ... before stop; throws shape_error for a step of 0 or NaN.
KILN_API std::int64_t arange_count(double start, double stop, double step);
/// Of steps so long, over a distance; 0: there is none.
KILN_API std::int64_t arange_count(std::uint64_t distance, std::uint64_t step);

template <class Start, class Stop, class Step>
std::int64_t arange_count_of(Start start, Stop stop, Step step) {
    if constexpr (std::is_integral_v<Start> && std::is_integral_v<Stop> && std::is_integral_v<Step>) {
        const bool is_up = std::cmp_greater_equal(step, 0);
        const bool is_there = is_up ? std::cmp_less(start, stop) : std::cmp_less(stop, start);
        // The distance between two of 64 bits may need all of them.
        const auto up = static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start);
        const auto one = static_cast<std::uint64_t>(step);
        return arange_count(is_there ? (is_up ? up : 0 - up) : 0, is_up ? one : 0 - one);
    } else {
        return arange_count(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step));
    }
}

}  // namespace detail

template <element T>
auto full(const detail::extents& extents, T value) {
    return full_leaf<T>{{}, extents, value};
}
/// Of a number of another type: throws type_error where it is an integer that T cannot hold.
template <element T, class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<T, U>)
auto full(const detail::extents& extents, U value) {
    return full<T>(extents, detail::number_as<T>(value));
}
template <element T>
auto zeros(const detail::extents& extents) {
    return full<T>(extents, T(0));
}
template <element T>
auto ones(const detail::extents& extents) {
    return full<T>(extents, T(1));
}
// zeros<float>(3, 4), zeros({3, 4})
#define KILN_FILLED_SLIP(name)                                \
    template <element T, detail::whole_number... I>           \
        requires(sizeof...(I) > 1)                            \
    auto name(I...) {                                         \
        detail::say_lists_in_braces<T>();                     \
        return name<T>(shape());                              \
    }                                                         \
    template <class... None>                                  \
        requires(sizeof...(None) == 0)                        \
    auto name(const detail::extents& extents) {               \
        detail::say_that_a_type_is_wanted<sizeof...(None)>(); \
        return name<float>(extents);                          \
    }
KILN_FILLED_SLIP(zeros)
KILN_FILLED_SLIP(ones)
#undef KILN_FILLED_SLIP

/// 0, 1, ..., count - 1 as T: shape (count).
template <element T>
auto arange(std::int64_t count) {
    return cast<T>(position_leaf{{}, detail::make_position(shape{count < 0 ? 0 : count})});
}
/// Up to a number with a fraction, before which the last one is.
template <element T, std::floating_point Stop>
auto arange(Stop stop) {
    return arange<T>(detail::arange_count(0.0, static_cast<double>(stop), 1.0));
}
/// start, start + step, ... before stop: as many as the numbers given say, whatever T holds, each start + i * step in T's own arithmetic (of
/// integers that wraps; of fractions given for integers the step is from the first to the second). shape_error where they cannot be counted.
/// Source: NumPy, arange.
template <element T, class Start, class Stop, class Step = int>
    requires(kind_of(type_of<T>) != element_kind::complex && std::is_arithmetic_v<Start> &&
             std::is_arithmetic_v<Stop> && std::is_arithmetic_v<Step>)
auto arange(Start start, Stop stop, Step step = 1) {
    constexpr bool has_fractions =
        std::is_floating_point_v<Start> || std::is_floating_point_v<Stop> || std::is_floating_point_v<Step>;
    const shape extents{detail::arange_count_of(+start, +stop, +step)};
    const auto as_element = [](auto value) {
        if constexpr (std::is_integral_v<T> && std::is_floating_point_v<decltype(value)>)
            return static_cast<T>(detail::saturated<std::int64_t>(value));
        else return static_cast<T>(value);
    };
    const T first = as_element(start);
    T by = as_element(step);
    if constexpr (has_fractions && std::is_integral_v<T>) by = static_cast<T>(as_element(start + step) - first);
    return first + cast<T>(position_leaf{{}, detail::make_position(extents)}) * by;
}
/// Of 16-bit floats.
template <element T>
    requires(!std::is_arithmetic_v<T> && kind_of(type_of<T>) != element_kind::complex)
auto arange(T start, T stop, T step = T(1)) {
    return arange<T>(static_cast<float>(start), static_cast<float>(stop), static_cast<float>(step));
}

// arange(10)
template <class... None, class... Numbers>
    requires(sizeof...(None) == 0 && sizeof...(Numbers) > 0 && (std::is_arithmetic_v<Numbers> && ...))
auto arange(Numbers...) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return arange<float>(1);
}

/// `count` values from start to stop, both included: start + i * step in T, the last exactly stop. Shape (count); shape_error where
/// that is negative. Source: NumPy, linspace.
template <std::floating_point T>
auto linspace(T start, T stop, std::int64_t count) {
    const std::int64_t last = count < 1 ? 0 : count - 1;
    const position_leaf i{{}, detail::make_position(shape{count})};
    const T step = last > 0 ? (stop - start) / static_cast<T>(last) : T(0);
    return where(i < last || i == 0, start + cast<T>(i) * step, stop);
}

/// linspace(0, 1.5, 4), as C++ has them meet.
template <class Start, class Stop>
    requires(!std::same_as<Start, Stop> && std::is_arithmetic_v<Start> && std::is_arithmetic_v<Stop> &&
             (std::floating_point<Start> || std::floating_point<Stop>))
auto linspace(Start start, Stop stop, std::int64_t count) {
    using T = std::common_type_t<Start, Stop>;
    return linspace<T>(static_cast<T>(start), static_cast<T>(stop), count);
}

/// linspace<k::float16>(0, 1, 5): of float, each rounded to T.
template <element T>
    requires(!std::is_arithmetic_v<T> && kind_of(type_of<T>) == element_kind::floating)
auto linspace(float start, float stop, std::int64_t count) {
    return cast<T>(linspace(start, stop, count));
}
template <element T>
    requires(!std::is_arithmetic_v<T> && kind_of(type_of<T>) == element_kind::floating)
auto linspace(T start, T stop, std::int64_t count) {
    return linspace<T>(static_cast<float>(start), static_cast<float>(stop), count);
}

// linspace(0, 1, 5)
namespace detail {
template <class T>
inline constexpr bool has_values_between = std::floating_point<T>;
}
template <std::integral Start, std::integral Stop>
auto linspace(Start, Stop, std::int64_t count) {
    static_assert(detail::has_values_between<Start>,
                  "kiln: linspace is of floats: linspace(0.0f, 1.0f, 5), of doubles 0.0 and 1.0");
    return linspace(0.0f, 1.0f, count);
}

/// Ones on a diagonal, zeros elsewhere: shape (rows, columns); `offset` > 0 is above the main diagonal.
template <element T>
auto eye(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    const shape extents{rows, columns};
    return cast<T>(position_leaf{{}, detail::make_position(extents, 1)} - offset ==
                   position_leaf{{}, detail::make_position(extents, 0)});
}
template <element T>
auto eye(std::int64_t rows) {
    return eye<T>(rows, rows);
}
// eye(3)
template <class... None, detail::whole_number... I>
    requires(sizeof...(None) == 0 && sizeof...(I) > 0)
auto eye(I...) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return eye<float>(1);
}

/// The position along an axis of what it meets in an expression, from the front or (negative) from the end:
/// where(k::index(0) >= k::index(1), m, 0.0f) is m's lower triangle.
inline free_position_leaf index(axis along) {
    if (along.number < -max_rank || along.number >= max_rank)
        throw shape_error("kiln: index: there is no axis " + std::to_string(along.number));
    return {{}, along.number};
}
inline free_position_leaf index(int along) { return index(axis(along)); }

}  // namespace kiln::inline v0_1
