// kiln/expression_members: what every expression can be asked, as an array can: its shape, its elements, a part of it. The
// base of the types that expressions are made of.
// knows nothing of: what the expression is
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/shape.hpp>
#include <kiln/source_line.hpp>
#include <kiln/view_spec.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace kiln::inline v0_1 {

template <element T>
class array;

namespace detail {

/// What may stand in the () of an expression: items, a list of them; and of an array, a mask.
template <class I>
inline constexpr bool is_index = std::constructible_from<index_item, I> || list_of_items<I>;
template <class I>
    requires requires { typename std::remove_cvref_t<I>::kiln_value; }
inline constexpr bool is_index<I> = std::is_same_v<typename std::remove_cvref_t<I>::kiln_value, bool>;

template <class... Items>
void say_what_indices_are() {
    static_assert((is_index<Items> && ...),
                  "kiln: an index is made of positions, k::range and k::newaxis, and that of an array may be a mask of "
                  "bool; k::take reads at the positions that an array has, k::put writes there");
}

/// Never: what a slip of the pen asks.
template <class>
inline constexpr bool is_target = false;
template <class E>
void say_what_targets_are() {
    static_assert(is_target<E>,
                  "kiln: what is to be assigned to is an array: k::array<float> y = k::zeros<float>({4});, not auto");
}

/// What = of an expression that reads an array's elements returns, which is deleted: compilers quote it.
struct what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made {};
template <class E>
void say_that_views_are_read() {
    static_assert(is_target<E>,
                  "kiln: what is assigned to is an array, or a slice of one where it is made, y(k::range(0, 10)) = e; "
                  "what k::transpose, k::diagonal and others make of it is read, never written");
}

/// What takes {0, 2} in the () of an expression, where it is deleted.
struct item_in_braces {
    template <class I>
    item_in_braces(const I&);
    item_in_braces(std::initializer_list<std::int64_t>);
};

/// What [] of arrays and expressions returns, which is deleted: compilers quote it.
struct elements_and_slices_are_told_in_round_brackets {};

/// What begin() of arrays and expressions returns, which is deleted: compilers quote it. end() is declared, so that they do so
/// once.
struct elements_are_on_the_device_and_to_host_copies_them {};

}  // namespace detail

template <class Self>
struct expression_members {
    /// That of its arrays and generators, broadcast; () of numbers and k::index() alone. Computes no elements, and walks the
    /// whole expression. Throws shape_error where shapes do not fit.
    [[nodiscard]] kiln::shape shape() const { return shape_of(self()); }
    [[nodiscard]] int rank() const { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }

    /// Evaluates into an array that goes again, and waits: k::sum(x * x).item() is a kernel, a wait and a copy of one element.
    /// Each call evaluates anew; who asks twice, or for more than this, keeps an array. Throws shape_error unless there is
    /// exactly one element, and what evaluating throws. `where`: what a profile says of it.
    [[nodiscard]] auto item(source_line where = source_line::here()) const {
        return array<typename Self::kiln_value>(self(), where).item();
    }
    /// The same, of all elements, row-major.
    [[nodiscard]] auto to_host(source_line where = source_line::here()) const {
        return array<typename Self::kiln_value>(self(), where).to_host();
    }

    /// Per axis, outermost first: a range, a position, which drops the axis, or k::newaxis; axes not named are whole. Lazy.
    /// Throws shape_error.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    auto operator()(Items... items) const {
        return slice(self(), items...);
    }
    /// The same of a list that the program makes as it runs: a std::vector or span of index_item or range.
    template <detail::list_of_items R>
    auto operator()(const R& items) const {
        return slice(self(), items);
    }

    // (m + 1)(k::all, {0, 2})
    void operator()(detail::item_in_braces) const = delete;                          // a range is k::range(0, 2)
    void operator()(detail::item_in_braces, detail::item_in_braces) const = delete;  // a range is k::range(0, 2)
    void operator()(detail::item_in_braces, detail::item_in_braces,
                    detail::item_in_braces) const = delete;  // a range is k::range(0, 2)

    // (x + y)[0]
    template <class I>
    detail::elements_and_slices_are_told_in_round_brackets operator[](const I&) const = delete;  // x(0), x(k::all, 1)

    // (x + y)(1.5)
    template <class... Items>
        requires(!(detail::is_index<Items> && ...))
    const Self& operator()(const Items&...) const {
        detail::say_what_indices_are<Items...>();
        return self();
    }

    // for (float v : x)
    detail::elements_are_on_the_device_and_to_host_copies_them begin() const = delete;
    detail::elements_are_on_the_device_and_to_host_copies_them end() const;
    // if (x > 0): compilers quote this line.
    explicit operator bool() const = delete;  // k::all(e).item(), k::any(e).item(), or e.item() of one element

private:
    [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

}  // namespace kiln::inline v0_1
