// tests/bench/gpu_contiguous: the sum of 1, 2, 4 and 8 contiguous arrays of one element type (of one, x + x; of bools,
// "any"), against a copy of as many bytes.
#pragma once

#include "gpu_rows.hpp"

#include <complex>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln::bench {

namespace contiguous {

inline constexpr int most_inputs = 8;
inline constexpr int output_count = 4;

/// Input `number` at position i; small enough for sums that every type holds exactly, or wraps.
template <class T>
auto input_expression(std::int64_t elements, int number) {
    const auto i = arange<std::int64_t>(elements);
    if constexpr (std::is_same_v<T, bool>) return i % 16 == 2 * number;
    else return cast<T>(i % 13 + number);
}

template <class T>
T element_of(std::int64_t value) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(value);
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
    else if constexpr (requires { typename T::value_type; }) return T(static_cast<typename T::value_type>(value));
    else return T(static_cast<float>(value));
}

/// What `inputs` inputs from `first` on give at position i.
template <class T, int inputs>
T expected(std::int64_t i, int first) {
    if constexpr (std::is_same_v<T, bool>) {
        bool any = false;
        for (int number = first; number < first + inputs; ++number) any = any || i % 16 == 2 * (number % most_inputs);
        return inputs == 1 ? !any : any;
    } else {
        std::int64_t total = 0;
        for (int number = first; number < first + inputs; ++number) total += i % 13 + number % most_inputs;
        return element_of<T>(inputs == 1 ? 2 * total : total);
    }
}

/// Which input comes first in a call: calls of few inputs go around all of them.
template <int inputs>
int first_input(int call) {
    return call * inputs % most_inputs;
}

template <int inputs, class T>
auto expression_of(const std::vector<array<T>>& x, int first) {
    const auto at = [&](std::size_t i) -> const array<T>& {
        return x[(static_cast<std::size_t>(first) + i) % x.size()];
    };
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        if constexpr (std::is_same_v<T, bool>) {
            if constexpr (inputs == 1) return !at(0);
            else return (... || at(i));
        } else {
            if constexpr (inputs == 1) return at(0) + at(0);
            else return (... + at(i));
        }
    }(std::make_index_sequence<inputs>());
}

template <int inputs, class T>
summary add_row(gpu_rows& rows, const std::string& name, const std::vector<array<T>>& x, std::vector<array<T>>& y,
                double at_most) {
    const std::string what = text::format("{}, {} in, 1 out", name, inputs);
    const std::int64_t elements = x[0].size();
    const summary quotient = rows.add({.what = what,
                                       .bytes = static_cast<double>(elements) * sizeof(T) * (inputs + 1),
                                       .at_most = at_most,
                                       .once =
                                           [&](int call) {
                                               y[static_cast<std::size_t>(call) % y.size()] =
                                                   expression_of<inputs>(x, first_input<inputs>(call));
                                           },
                                       .plan = explain(expression_of<inputs>(x, 0)),
                                       .quiet = true});
    y[1] = expression_of<inputs>(x, first_input<inputs>(1));
    rows.check(what, y[1], [](std::int64_t i) { return expected<T, inputs>(i, first_input<inputs>(1)); });
    return quotient;
}

}  // namespace contiguous

/// Four figures, and the worst of them as a fifth.
template <class T>
void add_contiguous(gpu_rows& rows, report& out, const std::string& name, std::int64_t elements) {
    using namespace contiguous;
    constexpr double at_most = 1.03;
    std::vector<array<T>> x;
    std::vector<array<T>> y;
    for (int number = 0; number < most_inputs; ++number) x.emplace_back(input_expression<T>(elements, number));
    for (int number = 0; number < output_count; ++number) y.emplace_back(input_expression<T>(elements, 0));
    const summary quotients[] = {add_row<1>(rows, name, x, y, at_most), add_row<2>(rows, name, x, y, at_most),
                                 add_row<4>(rows, name, x, y, at_most), add_row<8>(rows, name, x, y, at_most)};
    const summary& worst = *std::max_element(std::begin(quotients), std::end(quotients),
                                             [](const summary& a, const summary& b) { return a.median < b.median; });
    out.add({.what = text::format("{}: 1, 2, 4, 8 in, 1 out, the worst", name),
             .value = worst,
             .unit = "x the copy",
             .must_be = limit{limit::side::at_most, at_most}});
}

/// The most that add_contiguous moves in one call.
template <class T>
constexpr double contiguous_bytes(std::int64_t elements) {
    return static_cast<double>(elements) * sizeof(T) * (contiguous::most_inputs + 1);
}

}  // namespace kiln::bench
