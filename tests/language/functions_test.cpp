// Inexact functions to their bound in ulp; what is exact, to the bit.
#include <language/elementwise.hpp>
#include <support/device_under_test.hpp>

#include <cmath>

namespace k = kiln;

namespace {

/// Specials, fine grids about 0 and between -1 and 1, and all magnitudes.
template <class T>
std::vector<T> arguments() {
    std::vector<T> out = tests::special_values<T>();
    for (int i = -2000; i <= 2000; ++i) out.push_back(static_cast<T>(i) * T(0.0517));
    for (int i = -300; i <= 300; ++i) out.push_back(static_cast<T>(i) / T(301));
    for (int i = 1; i < 30; ++i) out.push_back(1 - std::ldexp(T(1.3), -i));
    for (int exponent = std::numeric_limits<T>::min_exponent; exponent < std::numeric_limits<T>::max_exponent;
         exponent += 3) {
        out.push_back(std::ldexp(T(1.3), exponent));
        out.push_back(-std::ldexp(T(1.7), exponent));
    }
    return out;
}

/// Where the bounds hold. CUDA's lgamma has none between its roots at -2.3 and -10 (float) or -23 (double); below -37
/// (-13) gelu multiplies a denormal.
bool is_bound(oracle::op code, double a, bool single) {
    if (code == oracle::op::gelu) return !(a < (single ? -12.8 : -37)) || a < -1e3;
    if (code == oracle::op::lgamma && tests::device().is_cuda) return !(a < -2.2 && a > (single ? -10.1 : -23.1));
    return true;
}

template <class T>
void measure(oracle::op code, const std::vector<T>& a, const std::vector<T>& b = {}) {
    std::vector<std::vector<oracle::value>> operands(b.empty() ? 1 : 2);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!is_bound(code, static_cast<double>(a[i]), sizeof(T) == 4)) continue;
        operands[0].push_back(oracle::from(a[i]));
        if (!b.empty()) operands[1].push_back(oracle::from(b[i]));
    }
    tests::measured_library()(code, oracle::type_for<T>, operands);
}

}  // namespace

TEST_CASE_TEMPLATE("every inexact function of one operand is within its bound of long double", T, float, double) {
#define KILN_TEST_MEASURE(name) measure<T>(oracle::op::name, arguments<T>());
#define KILN_TEST_NOT_HERE(name)
    KILN_TEST_LIBRARY(KILN_TEST_MEASURE, KILN_TEST_NOT_HERE)
#undef KILN_TEST_MEASURE
}

TEST_CASE_TEMPLATE("every inexact function of two operands is within its bound of long double", T, float, double) {
    const tests::pairs<T> special = tests::all_pairs(tests::special_values<T>());
    std::vector<T> left;
    std::vector<T> right;
    for (int i = 1; i < 60; ++i) {
        for (int j = -30; j < 30; ++j) {
            left.push_back(static_cast<T>(i) * T(0.37));
            right.push_back(static_cast<T>(j) * T(0.61));
        }
    }
#define KILN_TEST_MEASURE(name)                                \
    measure<T>(oracle::op::name, special.left, special.right); \
    measure<T>(oracle::op::name, left, right);                 \
    measure<T>(oracle::op::name, right, left);
    KILN_TEST_LIBRARY(KILN_TEST_NOT_HERE, KILN_TEST_MEASURE)
#undef KILN_TEST_MEASURE
#undef KILN_TEST_NOT_HERE
}

TEST_CASE("normcdf is accurate to the end of its tail, and gelu with it") {
    const k::array<double> x = k::from_host<double>({-10.0, -37.5, 10.0, 0.0}, {4});
    const std::vector<double> p = k::array<double>(k::normcdf(x)).to_host();
    // Abramowitz and Stegun 26.2.14, the continued fraction, in 60 decimal digits.
    const auto near = [](double digits) { return doctest::Approx(digits).scale(0).epsilon(2e-15); };
    CHECK(p[0] == near(7.61985302416052606597e-24));
    CHECK(p[1] == near(4.60535300958195484383e-308));
    CHECK(p[2] == 1.0);
    CHECK(p[3] == 0.5);
    const k::array<float> y = k::from_host<float>({-10.0f, 0.0f, 3.0f}, {3});
    const std::vector<float> g = k::array<float>(k::gelu(y)).to_host();
    CHECK(g[0] == doctest::Approx(-7.6198530e-23).scale(0).epsilon(1e-6));
    CHECK(g[1] == 0.0f);
    CHECK(g[2] == doctest::Approx(2.9959502));
}

TEST_CASE("sigmoid neither overflows nor loses its lower tail") {
    const k::array<float> x = k::from_host<float>({-100.0f, -88.0f, 0.0f, 88.0f, 1000.0f, -1000.0f}, {6});
    const std::vector<float> s = k::array<float>(k::sigmoid(x)).to_host();
    CHECK(s[0] == doctest::Approx(3.78e-44).scale(0).epsilon(0.02));
    CHECK(s[1] == doctest::Approx(6.0546e-39).scale(0).epsilon(1e-4));
    CHECK(s[2] == 0.5f);
    CHECK(s[3] == 1.0f);
    CHECK(s[4] == 1.0f);
    CHECK(s[5] == 0.0f);
}

TEST_CASE_TEMPLATE("rsqrt is within its bound, and on the CPU the reciprocal of the root, both rounded", T, float,
                   double) {
    if (!tests::device().is_cuda) {
        tests::check_unary<T>(tests::op::rsqrt{});
        tests::check_unary<T>(tests::op::rsqrt{}, tests::ordinary_values<T>(2000));
        return;
    }
    const std::vector<T> a = arguments<T>();
    const std::vector<T> got = k::array<T>(k::rsqrt(k::from_host<T>(a))).to_host();
    const double bound = tests::library_bound_ulps(oracle::op::rsqrt, oracle::type_for<T>);
    for (std::size_t i = 0; i < a.size(); ++i) {
        CAPTURE(a[i]);
        CAPTURE(got[i]);
        const long double exact = 1 / std::sqrt(static_cast<long double>(a[i]));
        CHECK(oracle::ulps_between(oracle::from(got[i]), exact) <= bound);
    }
}

TEST_CASE_TEMPLATE("a power by a number, whole or not, is within the bound, and the same as by an array of it", T,
                   float, double) {
    const std::vector<T> a = arguments<T>();
    const k::array<T> x = k::from_host<T>(a);
    const double bound = tests::library_bound_ulps(oracle::op::pow, oracle::type_for<T>);
    for (const T exponent : {T(-3), T(-2), T(-1), T(-0.5), T(0), T(1), T(2), T(2.5), T(3), T(4), T(5)}) {
        CAPTURE(exponent);
        const std::vector<T> got = k::array<T>(k::pow(x, exponent)).to_host();
        CHECK_SAME(k::array<T>(k::pow(x, k::full<T>({x.size()}, exponent))).to_host(), got);
        for (std::size_t i = 0; i < a.size(); ++i) {
            CAPTURE(a[i]);
            CAPTURE(got[i]);
            const long double exact = std::pow(static_cast<long double>(a[i]), static_cast<long double>(exponent));
            CHECK(oracle::ulps_between(oracle::from(got[i]), exact) <= bound);
        }
    }
}

TEST_CASE_TEMPLATE("reciprocal, copysign, nextafter and lerp are the same bits everywhere", T, float, double) {
    tests::check_unary<T>(tests::op::reciprocal{});
    tests::check_binary<T>(tests::op::copysign{});
    tests::check_binary<T>(tests::op::nextafter{});
    tests::check_ternary<T>(tests::op::lerp{});
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
