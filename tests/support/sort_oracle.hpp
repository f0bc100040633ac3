// tests/support/sort_oracle: what is sorted in tests, and its order by std::stable_sort, which compares numbers as C++ does. Optimised, and
// compiled for every type that has an order: hundreds of rows, some of a million elements.
#pragma once

#include <kiln/float16.hpp>
#include <kiln/shape.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tests {

template <class T>
bool is_nan(T x) {
    if constexpr (kiln::detail::small_float<T>) return std::isnan(static_cast<float>(x));
    else if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
    else return false;
}

template <class T>
bool comes_before(T left, T right) {
    if (is_nan(left) || is_nan(right)) return !is_nan(left);
    if constexpr (kiln::detail::small_float<T>) return static_cast<float>(left) < static_cast<float>(right);
    else return left < right;
}

/// Elements of every bit pattern, among them the special ones, and many that are equal.
enum class pattern { any, special, equal, few, ascending, descending };
inline constexpr pattern patterns[] = {pattern::any, pattern::special,   pattern::equal,
                                       pattern::few, pattern::ascending, pattern::descending};

template <class T>
std::vector<T> elements(std::int64_t count, pattern how, unsigned seed);

template <class T>
struct in_order {
    std::vector<T> values;
    std::vector<std::int64_t> positions;
};

/// Lines along an axis, one after the other.
template <class T>
in_order<T> by_stable_sort(const std::vector<T>& of, const kiln::shape& extents, int axis, bool descending);

/// How many elements are not the same bits: NaN are told apart. -1 where there are not as many.
template <class T>
std::int64_t wrong_bits(const std::vector<T>& got, const std::vector<T>& expected);

}  // namespace tests
