// exp, log, sin, cos, tanh, pow to their bound in ulp; fma to the bit.
#include <language/elementwise.hpp>
#include <support/device_under_test.hpp>

#include <cmath>

namespace k = kiln;

namespace {

/// Specials, a fine grid about 0, and all magnitudes.
template <class T>
std::vector<T> arguments() {
    std::vector<T> out = tests::special_values<T>();
    for (int i = -2000; i <= 2000; ++i) out.push_back(static_cast<T>(i) * T(0.0517));
    for (int exponent = std::numeric_limits<T>::min_exponent; exponent < std::numeric_limits<T>::max_exponent;
         exponent += 3) {
        out.push_back(std::ldexp(T(1.3), exponent));
        out.push_back(-std::ldexp(T(1.7), exponent));
    }
    return out;
}

template <class T>
void measure(oracle::op code, const std::vector<T>& a, const std::vector<T>& b = {}) {
    std::vector<std::vector<oracle::value>> operands = {oracle::from_all(a)};
    if (!b.empty()) operands.push_back(oracle::from_all(b));
    tests::measured_library()(code, oracle::type_for<T>, operands);
}

}  // namespace

TEST_CASE_TEMPLATE("exp is within its bound of long double", T, float, double) {
    measure<T>(oracle::op::exp, arguments<T>());
}
TEST_CASE_TEMPLATE("log is within its bound of long double", T, float, double) {
    measure<T>(oracle::op::log, arguments<T>());
}
TEST_CASE_TEMPLATE("sin is within its bound of long double", T, float, double) {
    measure<T>(oracle::op::sin, arguments<T>());
}
TEST_CASE_TEMPLATE("cos is within its bound of long double", T, float, double) {
    measure<T>(oracle::op::cos, arguments<T>());
}
TEST_CASE_TEMPLATE("tanh is within its bound of long double", T, float, double) {
    measure<T>(oracle::op::tanh, arguments<T>());
}

TEST_CASE_TEMPLATE("pow is within its bound of long double", T, float, double) {
    const tests::pairs<T> special = tests::all_pairs(tests::special_values<T>());
    measure<T>(oracle::op::pow, special.left, special.right);
    std::vector<T> bases;
    std::vector<T> exponents;
    for (int i = 1; i < 60; ++i) {
        for (int j = -30; j < 30; ++j) {
            bases.push_back(static_cast<T>(i) * T(0.37));
            exponents.push_back(static_cast<T>(j) * T(0.61));
        }
    }
    measure<T>(oracle::op::pow, bases, exponents);
}

TEST_CASE("functions of integers and bool are computed in double") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({0, 1, 4, -1}, {4});
    const k::array<bool> b = k::from_host<bool>(std::vector<bool>{true, false});
    static_assert(std::is_same_v<k::value_t<decltype(k::sqrt(x))>, double>);
    static_assert(std::is_same_v<k::value_t<decltype(k::exp(b))>, double>);
    static_assert(std::is_same_v<k::value_t<decltype(k::pow(x, 2))>, double>);
    CHECK_SAME(k::array<double>(k::sqrt(x)).to_host(), {0.0, 1.0, 2.0, std::nan("")});
    CHECK_SAME(k::array<double>(k::pow(x, 2)).to_host(), {0.0, 1.0, 16.0, 1.0});
    CHECK_SAME(k::array<double>(k::exp(b) - k::exp(b)).to_host(), {0.0, 0.0});
}

TEST_CASE_TEMPLATE("fma is one rounding for all triples of special values", T, float, double) {
    const std::vector<T> values = tests::special_values<T>();
    const tests::pairs<T> all = tests::all_pairs(values);
    const k::array<T> x = k::from_host<T>(all.left);
    const k::array<T> y = k::from_host<T>(all.right);
    for (const T c : values) {
        auto [third, first] = k::eval(k::fma(x, y, c), k::fma(c, x, y));
        std::vector<T> expected_third;
        std::vector<T> expected_first;
        for (std::size_t i = 0; i < all.left.size(); ++i) {
            const oracle::value a = oracle::from(all.left[i]);
            const oracle::value b = oracle::from(all.right[i]);
            const oracle::value s = oracle::from(c);
            expected_third.push_back(oracle::to<T>(oracle::computed(oracle::op::fma, {a, b, s})));
            expected_first.push_back(oracle::to<T>(oracle::computed(oracle::op::fma, {s, a, b})));
        }
        CHECK_SAME(third.to_host(), expected_third);
        CHECK_SAME(first.to_host(), expected_first);
    }
}

TEST_CASE_TEMPLATE("fma on ordinary values is one rounding", T, float, double) {
    const std::vector<T> a = tests::ordinary_values<T>(3000, 1);
    const std::vector<T> b = tests::ordinary_values<T>(3000, 2);
    std::vector<T> c = tests::ordinary_values<T>(3000, 3);
    for (std::size_t i = 0; i < c.size(); i += 2) c[i] = -(a[i] * b[i]);  // cancels all but the product's lower half
    const oracle::tree expected =
        oracle::operation(oracle::op::fma, {oracle::elements(a), oracle::elements(b), oracle::elements(c)});
    const k::array<T> got =
        k::fma(k::array<T>(k::from_host<T>(a)), k::array<T>(k::from_host<T>(b)), k::array<T>(k::from_host<T>(c)));
    CHECK_SAME(got.to_host(), tests::typed<T>(oracle::evaluate(expected, a.size())));
}

TEST_CASE_TEMPLATE("a library function is the same inside a longer kernel, in a tail, and alone", T, float, double) {
    const std::vector<T> values = tests::ordinary_values<T>(1027);
    const k::array<T> x = k::from_host<T>(values);
    const std::vector<T> alone = k::array<T>(k::sin(x)).to_host();
    auto [inside, other] = k::eval(k::sin(x) + T(0), k::cos(x) * k::exp(x));
    std::vector<T> expected = alone;
    for (T& each : expected) each += T(0);
    CHECK_SAME(inside.to_host(), expected);
    for (const std::size_t at : {std::size_t{0}, std::size_t{513}, std::size_t{1026}}) {
        const k::array<T> single = k::full<T>({1}, values[at]);
        CHECK_SAME(k::array<T>(k::sin(single)).to_host(), {alone[at]});
    }
}
