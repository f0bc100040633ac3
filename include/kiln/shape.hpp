// kiln/shape: the extents of an array, outermost axis first, and slices of it.
#pragma once

#include <kiln/error.hpp>
#include <kiln/export.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace kiln::inline v0_1 {

/// What all operators and functions take: arrays, views, and what they make of them.
template <class E>
concept expression = requires { typename std::remove_cvref_t<E>::kiln_value; };

inline constexpr int max_rank = 8;

namespace detail {

template <class I>
concept whole_number =
    std::integral<I> && !std::same_as<I, bool> && !std::same_as<I, char> && !std::same_as<I, wchar_t>;

/// What the program has made as it runs, in place of a list in braces: a std::vector, span, std::array or C array.
template <class R, class Each>
concept list = requires(const R& of) {
    { std::data(of) } -> std::convertible_to<const Each*>;
    { std::size(of) } -> std::convertible_to<std::size_t>;
};
template <class R>
concept list_of_integers = requires(const R& of) {
    requires whole_number<std::remove_cvref_t<decltype(*std::data(of))>>;
    { std::size(of) } -> std::convertible_to<std::size_t>;
};

// zeros<float>(3, 4), reshape(x, 2, 3)
template <class E>
inline constexpr bool is_list = false;
template <class E>
void say_lists_in_braces() {
    static_assert(is_list<E>,
                  "kiln: extents and axes are lists: zeros<float>({2, 3}), reshape(x, {2, 3}), transpose(x, {1, 0})");
}

}  // namespace detail

/// Up to 8 extents, each at least 0. Rank 0 is one element. Row-major: the last axis is contiguous.
class shape {
public:
    shape() = default;
    /// Throws shape_error on a rank past 8, a negative extent, or more than 2^63-1 elements.
    shape(std::initializer_list<std::int64_t> extents) : shape(extents.begin(), static_cast<int>(extents.size())) {}
    KILN_API shape(const std::int64_t* extents, int rank);
    /// Of a std::vector, span or array of extents.
    template <detail::list_of_integers R>
    shape(const R& extents) {
        const auto rank = std::size(extents);
        std::int64_t list[max_rank] = {};
        for (std::size_t axis = 0; axis < rank && axis < max_rank; ++axis)
            list[axis] = static_cast<std::int64_t>(std::data(extents)[axis]);
        *this = shape(list, std::cmp_less(rank, 1 << 30) ? static_cast<int>(rank) : 1 << 30);
    }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] std::int64_t operator[](int axis) const noexcept { return extents_[axis]; }
    [[nodiscard]] const std::int64_t* begin() const noexcept { return extents_; }
    [[nodiscard]] const std::int64_t* end() const noexcept { return extents_ + rank_; }
    /// Elements, not bytes.
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }

    friend bool operator==(const shape& left, const shape& right) noexcept {
        if (left.rank_ != right.rank_ || left.size_ != right.size_) return false;
        for (int axis = 0; axis < left.rank_; ++axis)
            if (left.extents_[axis] != right.extents_[axis]) return false;
        return true;
    }

private:
    std::int64_t size_ = 1;
    int rank_ = 0;
    std::int64_t extents_[max_rank] = {};
};

namespace detail {

/// What functions that are told a shape take: one, or a number, which is one of one axis, as in NumPy. No shape itself is made of a number: a
/// class with a constructor of a shape, made of {3}, could then be meant to be copied of one that is made of 3.
struct extents : shape {
    using shape::shape;
    extents() = default;
    extents(const shape& of) : shape(of) {}
    template <whole_number I>
    extents(I one) : shape({static_cast<std::int64_t>(one)}) {}
};

}  // namespace detail

/// "(4000, 5)"; "(3,)" for one axis and "()" for rank 0, as NumPy prints them.
KILN_API std::string to_string(const shape& extents);

class axis_list;  // reduction.hpp
struct keep_dims_tag;

namespace detail {

/// What stands behind the operand of k::all: axes, k::keep_dims, or both.
template <class First, class... Rest>
inline constexpr bool are_axes_said =
    std::convertible_to<First, axis_list> && (std::same_as<Rest, keep_dims_tag> && ...) && sizeof...(Rest) < 2;
template <>
inline constexpr bool are_axes_said<keep_dims_tag> = true;

}  // namespace detail

/// Elements begin, begin + step, ... before end, of one axis. Negative positions count from the end and positions past
/// it are clamped. Source: Python's slice semantics. A step of 0 throws shape_error where it is used.
struct range {
    static constexpr std::int64_t open = std::numeric_limits<std::int64_t>::min();

    constexpr range() = default;
    constexpr range(std::int64_t begin_, std::int64_t end_, std::int64_t step_ = 1)
        : begin(begin_), end(end_), step(step_) {}
    explicit range(std::int64_t) = delete;  // of so many: k::range(0, n)

    /// k::all(e, axes): whether all elements of an expression are not 0; see reductions.hpp.
    template <class E>
        requires expression<E>
    auto operator()(E&& e) const;
    template <class E>
        requires expression<E>
    auto operator()(E&& e, const axis_list& over) const;
    template <class E>
        requires expression<E>
    auto operator()(E&& e, const axis_list& over, keep_dims_tag) const;
    template <class E>
        requires expression<E>
    auto operator()(E&& e, keep_dims_tag) const;
    template <class E, class First, class... Rest>
        requires(expression<E> && !detail::are_axes_said<First, Rest...>)
    auto operator()(E&& e, const First& first, const Rest&... rest) const;

    std::int64_t begin = open;  // open: from the first element (the last, for a negative step)
    std::int64_t end = open;    // open: through the last element (the first, for a negative step)
    std::int64_t step = 1;
};

/// The whole axis.
inline constexpr range all{};

}  // namespace kiln::inline v0_1
