// kiln/print: std::cout << x and k::to_string(x), of arrays and of expressions, as NumPy prints them. Whoever prints includes
// <iostream>; <kiln/format.hpp> has the same for fmt.
#pragma once

#include <kiln/advise.hpp>
#include <kiln/array.hpp>
#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/rates.hpp>

#include <iosfwd>
#include <string>
#include <type_traits>

namespace kiln::inline v0_1 {

/// How arrays are written. What stands here is NumPy's, by numpy.set_printoptions' names.
struct print_options {
    int precision = 8;              // digits behind the point, at most; 0 to 100
    std::int64_t threshold = 1000;  // of more elements than these the first and last are shown
    std::int64_t edge_items = 3;    // so many at either end of each axis; at least 1
    int line_width = 75;            // characters
};

namespace detail {

/// What NumPy's str() gives of the array; `node` is an array's own, contiguous. Waits.
KILN_API std::string text_of(const array_node* node, const print_options& options);
KILN_API void write(std::ostream& to, const std::string& text);
KILN_API std::string summary_of(const array_node* node);

}  // namespace detail

/// What std::cout << e writes, or, with options, as they say: k::to_string(x, {.precision = 3, .threshold = 10'000}). Throws error
/// for options without a meaning.
template <expression E>
[[nodiscard]] std::string to_string(const E& e, const print_options& options = {}) {
    if constexpr (std::is_same_v<E, array<value_t<E>>>) return detail::text_of(e.kiln_node().get(), options);
    else return detail::text_of(array<value_t<E>>(e).kiln_node().get(), options);
}

/// "float32 (4000, 5) on cuda:0": an array in one line, for logs and debuggers. Neither waits nor copies.
template <element T>
[[nodiscard]] std::string summary(const array<T>& of) {
    return of.has_value() ? detail::summary_of(of.kiln_node().get())
                          : std::string(info(type_of<T>).name) + " without a value";
}

/// [[0.5  1.  ] [2.25 3.  ]], a row a line, as NumPy's print: at most 8 digits behind the point, and no more than tell an
/// element from its neighbours; columns aligned; lines of up to 75 characters. Of more than 1000 elements the first and last
/// three along each axis, and only those are copied from the device. Waits; an expression is evaluated for it, each time.
/// The stream's flags, width and precision change nothing. Source: NumPy 2, array2string with its default printoptions.
template <expression E>
std::ostream& operator<<(std::ostream& to, const E& e) {
    detail::write(to, to_string(e));
    return to;
}

/// (4000, 5)
std::ostream& operator<<(std::ostream& to, const shape& extents);

/// What k::to_string makes of it: std::cout << k::explain(e) << k::counters::now() - before << x.device().
template <class T>
    requires(std::is_same_v<T, counters> || std::is_same_v<T, explanation> || std::is_same_v<T, device> ||
             std::is_same_v<T, device_rates> || std::is_same_v<T, advice> || std::is_same_v<T, memory_use_info> ||
             std::is_same_v<T, element_type>)
std::ostream& operator<<(std::ostream& to, const T& of) {
    return to << to_string(of);
}

}  // namespace kiln::inline v0_1
