// The oracle itself, against facts that are known without it.
#include <support/check.hpp>
#include <support/oracle.hpp>
#include <support/values.hpp>

#include <cmath>

using oracle::from;
using oracle::op;
using oracle::to;
using oracle::type;

namespace {

template <class T>
T one(op code, T a, T b) {
    return to<T>(oracle::computed(code, {from(a), from(b)}));
}

}  // namespace

TEST_CASE_TEMPLATE("the oracle's + - * / are the processor's, on all pairs of special values", T, float, double) {
    const tests::pairs<T> pairs = tests::all_pairs(tests::special_values<T>());
    for (std::size_t i = 0; i < pairs.left.size(); ++i) {
        const T a = pairs.left[i];
        const T b = pairs.right[i];
        REQUIRE(tests::same_bits<T>(one(op::add, a, b), a + b));
        REQUIRE(tests::same_bits<T>(one(op::sub, a, b), a - b));
        REQUIRE(tests::same_bits<T>(one(op::mul, a, b), a * b));
        REQUIRE(tests::same_bits<T>(one(op::div, a, b), a / b));
        REQUIRE(tests::same_bits<T>(one(op::rem, a, b), std::fmod(a, b)));
        REQUIRE(tests::same_bits<T>(to<T>(oracle::computed(op::sqrt, {from(a)})), std::sqrt(a)));
        for (const T c : tests::special_values<T>())
            REQUIRE(
                tests::same_bits<T>(to<T>(oracle::computed(op::fma, {from(a), from(b), from(c)})), std::fma(a, b, c)));
    }
}

TEST_CASE_TEMPLATE("the oracle's whole numbers and neighbours are the C library's", T, float, double) {
    const tests::pairs<T> pairs = tests::all_pairs(tests::special_values<T>());
    for (std::size_t i = 0; i < pairs.left.size(); ++i) {
        const T a = pairs.left[i];
        const T b = pairs.right[i];
        const auto of_a = [&](op code) { return to<T>(oracle::computed(code, {from(a)})); };
        REQUIRE(tests::same_bits<T>(of_a(op::floor), std::floor(a)));
        REQUIRE(tests::same_bits<T>(of_a(op::ceil), std::ceil(a)));
        REQUIRE(tests::same_bits<T>(of_a(op::trunc), std::trunc(a)));
        REQUIRE(tests::same_bits<T>(of_a(op::round), std::round(a)));
        REQUIRE(tests::same_bits<T>(of_a(op::rint), std::nearbyint(a)));
        REQUIRE(tests::same_bits<T>(one(op::copysign, a, b), std::copysign(a, b)));
        REQUIRE(tests::same_bits<T>(one(op::nextafter, a, b), std::nextafter(a, b)));
    }
}

TEST_CASE("the oracle divides downwards as Python does") {
    // Python 3.11: -7 // 2, -7 % 2, 7 // -2, 7 % -2; the same of floats; 1.0 // 0.1, 1.0 % 0.1; -1.0 % 1e20.
    CHECK(one<std::int32_t>(op::floor_divide, -7, 2) == -4);
    CHECK(one<std::int32_t>(op::floor_mod, -7, 2) == 1);
    CHECK(one<std::int32_t>(op::floor_divide, 7, -2) == -4);
    CHECK(one<std::int32_t>(op::floor_mod, 7, -2) == -1);
    CHECK(one<double>(op::floor_divide, -7.0, 2.0) == -4.0);
    CHECK(one<double>(op::floor_mod, 7.0, -2.0) == -1.0);
    CHECK(one<double>(op::floor_divide, 1.0, 0.1) == 9.0);
    CHECK(one<double>(op::floor_mod, 1.0, 0.1) == 0.09999999999999995);
    CHECK(one<double>(op::floor_mod, -1.0, 1e20) == 1e20);
}

TEST_CASE("the oracle's bits are those of the operand's own width") {
    CHECK(to<std::uint8_t>(oracle::computed(op::clz, {from(std::uint8_t{1})})) == 7);
    CHECK(to<std::int32_t>(oracle::computed(op::clz, {from(std::int32_t{-1})})) == 0);
    CHECK(to<std::int64_t>(oracle::computed(op::ctz, {from(std::int64_t{0})})) == 64);
    CHECK(to<std::int32_t>(oracle::computed(op::popcount, {from(std::int32_t{-1})})) == 32);
    CHECK(one<std::int32_t>(op::shift_right, -8, 1) == -4);
    CHECK(one<std::uint8_t>(op::shift_left, 255, 4) == 240);
}

TEST_CASE("the oracle knows erfinv and normcdf to 17 digits") {
    // The series of erf, and the continued fraction of the normal tail (Abramowitz and Stegun 7.1.5, 26.2.14), in 60
    // decimal digits; erfinv by halving.
    const auto exact = [](op code, double a) { return static_cast<double>(oracle::library_exact(code, {from(a)})); };
    CHECK(exact(op::normcdf, 1.96) == doctest::Approx(1 - 0.0249978951482204341366).epsilon(1e-16));
    CHECK(exact(op::normcdf, -37.5) == doctest::Approx(4.60535300958195484383e-308).scale(0).epsilon(3e-16));
    CHECK(exact(op::erfinv, 0.5) == doctest::Approx(0.476936276204469873381).epsilon(1e-16));
    CHECK(exact(op::erfinv, 0.999) == doctest::Approx(2.32675376551352449387).epsilon(1e-16));
}

TEST_CASE("the oracle rounds once: 0.1 + 0.2, a half-way product, and a fused multiply-add that two roundings miss") {
    CHECK(one<double>(op::add, 0.1, 0.2) == 0.30000000000000004);
    CHECK(one<float>(op::mul, 16777217.0f, 3.0f) == 50331648.0f);
    const double a = 1 + 0x1p-30;
    const double b = 1 - 0x1p-30;
    CHECK(to<double>(oracle::computed(op::fma, {from(a), from(b), from(-1.0)})) == -0x1p-60);
    CHECK(a * b - 1.0 == 0);
}

TEST_CASE("the oracle's integers wrap, and its divisions never trap") {
    CHECK(one<std::int32_t>(op::add, INT32_MAX, 1) == INT32_MIN);
    CHECK(one<std::int32_t>(op::div, INT32_MIN, -1) == INT32_MIN);
    CHECK(one<std::int32_t>(op::rem, INT32_MIN, -1) == 0);
    CHECK(one<std::int64_t>(op::mul, INT64_MIN, -1) == INT64_MIN);
    CHECK(one<std::int32_t>(op::div, -7, 2) == -3);
    CHECK(one<std::int32_t>(op::rem, -7, 2) == -1);
    CHECK(one<std::int32_t>(op::div, 5, 0) == 0);
    CHECK(one<std::uint8_t>(op::sub, 1, 2) == 255);
    CHECK(one<std::uint8_t>(op::mul, 16, 17) == 16);
}

TEST_CASE("the oracle's casts saturate, and NaN is 0") {
    CHECK(to<std::uint8_t>(oracle::converted(from(300.5f), type::u8)) == 255);
    CHECK(to<std::uint8_t>(oracle::converted(from(-1.0f), type::u8)) == 0);
    CHECK(to<std::uint8_t>(oracle::converted(from(255.75f), type::u8)) == 255);
    CHECK(to<std::int32_t>(oracle::converted(from(-2.9), type::i32)) == -2);
    CHECK(to<std::int32_t>(oracle::converted(from(std::nan("")), type::i32)) == 0);
    CHECK(to<std::int64_t>(oracle::converted(from(1e300), type::i64)) == INT64_MAX);
    CHECK(to<std::uint8_t>(oracle::converted(from(std::int32_t{-1}), type::u8)) == 255);
    CHECK(to<bool>(oracle::converted(from(std::nan("")), type::b8)));
}

TEST_CASE("a distance in ulp is 0 for the rounded value, 1 for its neighbour, and infinite for a wrong sign") {
    const long double exact = std::exp(1.0L);
    const auto rounded = static_cast<float>(exact);
    CHECK(oracle::ulps_between(from(rounded), exact) <= 0.5L);
    CHECK(oracle::ulps_between(from(std::nextafter(rounded, 10.0f)), exact) > 0.5L);
    CHECK(oracle::ulps_between(from(std::nextafter(rounded, 10.0f)), exact) <= 1.5L);
    CHECK(std::isinf(oracle::ulps_between(from(-0.0f), 0.0L)));
    CHECK(std::isinf(oracle::ulps_between(from(std::nanf("")), 1.0L)));
    CHECK(oracle::ulps_between(from(std::numeric_limits<float>::denorm_min()), 0x1p-149L) == 0);
    CHECK(oracle::ulps_between(from(HUGE_VALF), 0x1.ffffffp127L) < 1);
}

TEST_CASE("a tree is computed node by node, each rounded to its own type") {
    using oracle::elements;
    using oracle::operation;
    const oracle::tree x = elements<float>({16777216.0f});
    const oracle::tree one_more = operation(op::add, {x, elements<float>({1.0f})});
    const std::vector<oracle::value> sum = oracle::evaluate(operation(op::add, {one_more, elements<float>({1.0f})}), 1);
    CHECK(to<float>(sum[0]) == 16777216.0f);
    const oracle::tree wide = operation(op::add, {x, elements<double>({1.0})});
    CHECK(wide->of == type::f64);
    CHECK(to<double>(oracle::evaluate(wide, 1)[0]) == 16777217.0);
}
