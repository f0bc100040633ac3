// kiln/print: std::cout << x, of arrays and of expressions, as NumPy prints them. Whoever prints includes <iostream>.
#pragma once

#include <kiln/advise.hpp>
#include <kiln/array.hpp>
#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/rates.hpp>

#include <iosfwd>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {

/// What NumPy's str() gives of the array; `node` is an array's own, contiguous. Waits.
KILN_API void print(std::ostream& to, const array_node* node);

}  // namespace detail

/// [[0.5  1.  ] [2.25 3.  ]], a row a line, as NumPy's print: at most 8 digits behind the point, and no more than tell an
/// element from its neighbours; columns aligned; lines of up to 75 characters. Of more than 1000 elements the first and last
/// three along each axis, and only those are copied from the device. Waits; an expression is evaluated for it, each time.
/// The stream's flags, width and precision change nothing. Source: NumPy 2, array2string with its default printoptions.
template <expression E>
std::ostream& operator<<(std::ostream& to, const E& e) {
    if constexpr (std::is_same_v<E, array<value_t<E>>>) detail::print(to, e.kiln_node().get());
    else detail::print(to, array<value_t<E>>(e).kiln_node().get());
    return to;
}

/// (4000, 5)
std::ostream& operator<<(std::ostream& to, const shape& extents);

/// What k::to_string makes of it: std::cout << k::explain(e) << k::counters::now() - before << x.device().
template <class T>
    requires(std::is_same_v<T, counters> || std::is_same_v<T, explanation> || std::is_same_v<T, device> ||
             std::is_same_v<T, device_rates> || std::is_same_v<T, advice>)
std::ostream& operator<<(std::ostream& to, const T& of) {
    return to << to_string(of);
}

}  // namespace kiln::inline v0_1
