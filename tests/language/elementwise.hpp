// tests/language/elementwise: one operation on all pairs of special values, between arrays and between array and
// scalar, against the oracle.
#pragma once

#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <string>
#include <vector>

namespace tests {

/// The oracle's answer for every pair: row i, column j is code(left[i], right[j]).
template <class R, class A, class B>
std::vector<R> answers(oracle::op code, const std::vector<A>& left, const std::vector<B>& right) {
    std::vector<R> out;
    for (const A a : left)
        for (const B b : right)
            out.push_back(oracle::to<R>(oracle::computed(code, {oracle::from(a), oracle::from(b)})));
    return out;
}

/// op(array, array), op(array, scalar) and op(scalar, array), in one kernel with three outputs: the scalars travel by
/// value, so all of them share the kernel.
template <class T, class Op>
void check_binary(Op op) {
    const std::vector<T> values = special_values<T>();
    const std::size_t n = values.size();
    const pairs<T> all = all_pairs(values);
    const kiln::array<T> x = kiln::from_host<T>(all.left);
    const kiln::array<T> y = kiln::from_host<T>(all.right);
    using R = kiln::value_t<decltype(op(x, y))>;
    static_assert(std::is_same_v<R, kiln::value_t<decltype(op(x, values[0]))>>);
    static_assert(std::is_same_v<R, kiln::value_t<decltype(op(values[0], y))>>);

    const std::vector<R> expected = answers<R>(Op::code, values, values);
    const auto say = [&](std::size_t i) {
        return " (" + oracle::to_string(oracle::from<T>(all.left[i])) + ", " +
               oracle::to_string(oracle::from<T>(all.right[i])) + ")";
    };
    for (std::size_t k = 0; k < n; ++k) {
        const T s = values[k];
        CAPTURE(oracle::name_of(Op::code));
        CAPTURE(oracle::to_string(oracle::from<T>(s)));
        auto [both, array_scalar, scalar_array] = kiln::eval(op(x, y), op(x, s), op(s, y));
        std::vector<R> by_scalar(expected.size());
        std::vector<R> of_scalar(expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            by_scalar[i] = expected[i / n * n + k];
            of_scalar[i] = expected[k * n + i % n];
        }
        if (k == 0) CHECK_SAME(both.to_host(), expected, say);
        CHECK_SAME(array_scalar.to_host(), by_scalar, say);
        CHECK_SAME(scalar_array.to_host(), of_scalar, say);
    }
}

template <class T, class Op>
void check_unary(Op op, const std::vector<T>& values = special_values<T>()) {
    const kiln::array<T> x = kiln::from_host<T>(values);
    using R = kiln::value_t<decltype(op(x))>;
    std::vector<R> expected;
    for (const T value : values) expected.push_back(oracle::to<R>(oracle::computed(Op::code, {oracle::from(value)})));
    CAPTURE(oracle::name_of(Op::code));
    const kiln::array<R> y = op(x);
    CHECK_SAME(y.to_host(), expected,
               [&](std::size_t i) { return " of " + oracle::to_string(oracle::from<T>(values[i])); });
}

/// op(array, array, scalar) and op(scalar, array, array) on all triples of special values.
template <class T, class Op>
void check_ternary(Op op) {
    const std::vector<T> values = special_values<T>();
    const pairs<T> all = all_pairs(values);
    const kiln::array<T> x = kiln::from_host<T>(all.left);
    const kiln::array<T> y = kiln::from_host<T>(all.right);
    using R = kiln::value_t<decltype(op(x, y, x))>;
    for (const T s : values) {
        CAPTURE(oracle::name_of(Op::code));
        CAPTURE(oracle::to_string(oracle::from<T>(s)));
        auto [third, first] = kiln::eval(op(x, y, s), op(s, x, y));
        std::vector<R> expected_third;
        std::vector<R> expected_first;
        const oracle::value c = oracle::from(s);
        for (std::size_t i = 0; i < all.left.size(); ++i) {
            const oracle::value a = oracle::from(all.left[i]);
            const oracle::value b = oracle::from(all.right[i]);
            expected_third.push_back(oracle::to<R>(oracle::computed(Op::code, {a, b, c})));
            expected_first.push_back(oracle::to<R>(oracle::computed(Op::code, {c, a, b})));
        }
        const auto say = [&](std::size_t i) {
            return " (" + oracle::to_string(oracle::from<T>(all.left[i])) + ", " +
                   oracle::to_string(oracle::from<T>(all.right[i])) + ")";
        };
        CHECK_SAME(third.to_host(), expected_third, say);
        CHECK_SAME(first.to_host(), expected_first, say);
    }
}

}  // namespace tests
