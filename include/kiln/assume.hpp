// kiln/assume: what the user knows of an expression's values and the compiler cannot see.
#pragma once

#include <kiln/expr.hpp>
#include <kiln/function.hpp>
#include <kiln/operations.hpp>
#include <kiln/source_line.hpp>

#include <cstdint>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {

#ifdef NDEBUG
static constexpr bool checks_assumptions = false;
#else
static constexpr bool checks_assumptions = true;
#endif

/// Throws error where low is not below high or equal to it. The same bounds give the same number.
KILN_API std::uint64_t define_assumption(element_type type, double low, double high);
/// `of`: of type double. Evaluates it and waits; throws error where a value is outside. Does nothing while a fused function is
/// looked at or a graph is recorded, and where KILN_CHECK_ASSUMPTIONS is 0.
KILN_API void check_assumption(const handle<term>& of, double low, double high, source_line where);

}  // namespace detail

/// The expression e, whose values are between low and high, both included, and none is NaN: the user says so, and nothing is
/// computed for it. On CUDA, roots, reciprocals and quotients of float whose range is known need no test; of sums, products
/// and the like of such values it is known, too. Bits are the same as without it, and undefined where it is not true.
/// Bounds of float are rounded to it, so that 0.01 is the bound of what 0.01f was added to.
/// The bounds are part of the kernel: other bounds are another kernel, where that makes a difference.
/// Where the program is compiled without NDEBUG, e is evaluated when assume is called, and error thrown where a value is
/// outside; not in the body of a fused function or of a graph, nor where the variable KILN_CHECK_ASSUMPTIONS is 0.
/// Throws error where low > high, or either is NaN.
template <bool check = detail::checks_assumptions, expression E>
auto assume(E&& e, double low, double high, [[maybe_unused]] source_line where = source_line::here()) {
    using T = value_t<E>;
    static_assert(kind_of(type_of<T>) != element_kind::complex, "kiln: assume: complex numbers have no order");
    if constexpr (std::is_same_v<T, float>) {
        low = static_cast<float>(low);
        high = static_cast<float>(high);
    }
    const std::uint64_t number = detail::define_assumption(type_of<T>, low, high);
    if constexpr (check) detail::check_assumption(expr<double>(cast<double>(e)).erase(), low, high, where);
    auto operand = detail::capture<type_of<T>>(std::forward<E>(e));
    return called<T, decltype(operand)>{{}, number, {std::move(operand)}};
}

}  // namespace kiln::inline v0_1
