// kiln/user_reduction: a reduction whose combination the user wrote, in the C++ that kernels are made of.
// knows nothing of: how anything runs
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/function.hpp>
#include <kiln/reduction.hpp>

#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {

/// Throws type_error, compile_error. The same definition gives the same number. `identity`: of `type`.
KILN_API std::uint64_t define_reduction(std::string_view name, element_type type, const void* identity,
                                        std::string_view left, std::string_view right, std::string_view body,
                                        std::initializer_list<header> headers);
/// By the reduction of that number; `of` has its type.
KILN_API handle<term> make_user_reduction_term(std::uint64_t number, handle<term> of, const axis_list& over, bool keep);

}  // namespace detail

/// What reduction() makes: called with an expression and axes as sum() is, it is an expression of T.
template <element T>
class user_reduction {
public:
    explicit user_reduction(std::uint64_t number) noexcept : number_(number) {}
    [[nodiscard]] std::uint64_t kiln_number() const noexcept { return number_; }

    /// Over all axes, or those that are listed, which go. Throws shape_error for axes that are not there, or listed twice.
    template <expression E>
    expr<T> operator()(E&& e, const axis_list& over = {}) const {
        return reduced(std::forward<E>(e), over, false);
    }
    /// They stay, with extent 1.
    template <expression E>
    expr<T> operator()(E&& e, const axis_list& over, keep_dims_tag) const {
        return reduced(std::forward<E>(e), over, true);
    }
    template <expression E>
    expr<T> operator()(E&& e, keep_dims_tag) const {
        return reduced(std::forward<E>(e), axis_list(), true);
    }

private:
    template <class E>
    expr<T> reduced(E&& e, const axis_list& over, bool keep) const {
        static_assert(type_of<value_t<E>> == type_of<T>,
                      "kiln: a reduction<T> takes expressions of T; write k::cast<T>(expression)");
        return detail::access::make<expr<T>>(
            detail::make_user_reduction_term(number_, detail::as_collectable(std::forward<E>(e)).erase(), over, keep));
    }

    std::uint64_t number_;
};

/// A reduction of the user's own, which makes one T of two:
///     auto most = k::reduction<float>(-INFINITY, "a", "b", "return a < b ? b : a;");
///     k::array<float> peaks = most(x * x, k::axis(1));
/// The body is that of a k::function<T(T, T)>, of parameters that are named here, and like one is compiled into the kernel;
/// a 16-bit float is a float in it, and what it returns is rounded once, at each combination. It must be associative and
/// commutative, and `identity` must change nothing that it is combined with: elements meet in the order of the built-in
/// reductions, a function of shape, axes and device alone, and the identity takes part in places. A body that rounds is
/// taken as it is: its result has the same bits every time. Of no elements the result is `identity`.
/// Headers and errors are those of a k::function; type_error, too, where T cannot hold the identity.
template <element T>
user_reduction<T> reduction(std::type_identity_t<T> identity, std::string_view left, std::string_view right,
                            std::string_view body, std::initializer_list<header> headers = {}) {
    return user_reduction<T>(detail::define_reduction("reduction", type_of<T>, &identity, left, right, body, headers));
}
/// The same with a name, for kernels' names and compilers' complaints.
template <element T>
user_reduction<T> reduction(std::string_view name, std::type_identity_t<T> identity, std::string_view left,
                            std::string_view right, std::string_view body, std::initializer_list<header> headers = {}) {
    return user_reduction<T>(detail::define_reduction(name, type_of<T>, &identity, left, right, body, headers));
}
// With an identity of another type.
template <element T, class I>
    requires(std::is_arithmetic_v<I> && !std::is_same_v<I, T>)
user_reduction<T> reduction(I identity, std::string_view left, std::string_view right, std::string_view body,
                            std::initializer_list<header> headers = {}) {
    return reduction<T>("reduction", detail::number_as<T>(identity), left, right, body, headers);
}
template <element T, class I>
    requires(std::is_arithmetic_v<I> && !std::is_same_v<I, T>)
user_reduction<T> reduction(std::string_view name, I identity, std::string_view left, std::string_view right,
                            std::string_view body, std::initializer_list<header> headers = {}) {
    return reduction<T>(name, detail::number_as<T>(identity), left, right, body, headers);
}

}  // namespace kiln::inline v0_1
