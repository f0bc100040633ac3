// + - * / % and their kin, for every type.
#include <language/elementwise.hpp>

#include <cmath>

namespace k = kiln;

TEST_CASE_TEMPLATE("+ is exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_binary<T>(tests::op::add{});
}
TEST_CASE_TEMPLATE("- is exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_binary<T>(tests::op::sub{});
}
TEST_CASE_TEMPLATE("* is exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_binary<T>(tests::op::mul{});
}
TEST_CASE_TEMPLATE("/ is exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_binary<T>(tests::op::div{});
}
TEST_CASE("/ is exact for what is often 0: what a mask leaves out, what exp underflows to, parts of a sum") {
    const std::vector<float> values = tests::special_values<float>();
    const tests::pairs<float> all = tests::all_pairs(values);
    const std::vector<float> expected = tests::answers<float>(oracle::op::div, values, values);
    const k::array<float> x = k::from_host<float>(all.left);
    const k::array<float> y = k::from_host<float>(all.right);
    CHECK_SAME(k::array<float>(k::where(y == y, x, x) / y).to_host(), expected);

    const auto quotient = [](float a, float b) {
        return tests::answers<float>(oracle::op::div, std::vector{a}, std::vector{b});
    };
    // exp(-1000) is 0, exp(-100) is denormal.
    const std::vector<float> powers = k::array<float>(k::exp(k::where(x < 0.0f, -1000.0f, -100.0f))).to_host();
    const std::vector<float> divisors = y.to_host();
    const std::vector<float> quotients = k::array<float>(k::exp(k::where(x < 0.0f, -1000.0f, -100.0f)) / y).to_host();
    for (std::size_t i = 0; i < quotients.size(); ++i)
        CHECK_SAME(std::vector<float>{quotients[i]}, quotient(powers[i], divisors[i]));
    // Rows of two numbers, of which the sum is the second, or what they come to.
    const k::array<float> rows = k::stack(k::axis(1), x, y);
    const std::vector<float> sums = k::array<float>(k::sum(rows, k::axis(1))).to_host();
    const std::vector<float> parts = k::array<float>(rows / k::sum(rows, k::axis(1), k::keep_dims)).to_host();
    for (std::size_t i = 0; i < sums.size(); ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            const float part = j == 0 ? all.left[i] : all.right[i];
            CHECK_SAME(std::vector<float>{parts[2 * i + j]}, quotient(part, sums[i]));
        }
}
TEST_CASE_TEMPLATE("% is exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::rem{});
}
TEST_CASE("unary + is the operand") {
    const k::array<float> x = k::arange<float>(5);
    CHECK_SAME(k::array<float>(+x).to_host(), x.to_host());
    CHECK_SAME(k::array<float>(+(x - 2.0f) * -x).to_host(), k::array<float>((x - 2.0f) * -x).to_host());
    CHECK_SAME(k::array<float>(+k::array<float>(x + 1.0f)).to_host(), {1.0f, 2.0f, 3.0f, 4.0f, 5.0f});
    CHECK_SAME(k::array<float>(+x(k::range(1, 3))).to_host(), {1.0f, 2.0f});
}

TEST_CASE_TEMPLATE("unary - is exact for every special value", T, KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_unary<T>(tests::op::neg{});
}
TEST_CASE_TEMPLATE("abs is exact for every special value", T, KILN_TEST_TYPES) {
    tests::check_unary<T>(tests::op::abs{});
}
TEST_CASE_TEMPLATE("real, imag and conj are moves, of real numbers too", T, KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_unary<T>(tests::op::real{});
    tests::check_unary<T>(tests::op::imag{});
    tests::check_unary<T>(tests::op::conj{});
}
TEST_CASE_TEMPLATE("sqrt is exactly rounded", T, KILN_TEST_TYPES) {
    tests::check_unary<T>(tests::op::sqrt{});
    tests::check_unary<T>(tests::op::sqrt{}, tests::ordinary_values<T>(2000));
}

TEST_CASE_TEMPLATE("+ - * / on ordinary values are exactly rounded", T, k::float16, k::bfloat16, float, double,
                   KILN_TEST_COMPLEX) {
    const std::vector<T> left = tests::ordinary_values<T>(3000, 1);
    const std::vector<T> right = tests::ordinary_values<T>(3000, 2);
    const k::array<T> x = k::from_host<T>(left);
    const k::array<T> y = k::from_host<T>(right);
    auto [sum, difference, product, quotient] = k::eval(x + y, x - y, x * y, x / y);
    const oracle::tree a = oracle::elements(left);
    const oracle::tree b = oracle::elements(right);
    const auto expected = [&](oracle::op code) {
        return tests::typed<T>(oracle::evaluate(oracle::operation(code, {a, b}), left.size()));
    };
    CHECK_SAME(sum.to_host(), expected(oracle::op::add));
    CHECK_SAME(difference.to_host(), expected(oracle::op::sub));
    CHECK_SAME(product.to_host(), expected(oracle::op::mul));
    CHECK_SAME(quotient.to_host(), expected(oracle::op::div));
}

TEST_CASE_TEMPLATE("quotients and rests of narrow integers are C's, by 0 they are 0", T, std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t) {
    constexpr int values = sizeof(T) == 1 ? 0x100 : 0x10000;
    constexpr int step = sizeof(T) == 1 ? 1 : 0x3f5;
    std::vector<T> dividends(values);
    for (int i = 0; i < values; ++i) dividends[static_cast<std::size_t>(i)] = static_cast<T>(i);
    const k::array<T> x = k::from_host<T>(dividends);
    for (int divisor = 0; divisor < values; divisor += step) {
        const T by = static_cast<T>(divisor);
        std::vector<T> quotients;
        std::vector<T> rests;
        for (const T a : dividends) {
            quotients.push_back(by == 0 ? T(0) : static_cast<T>(a / by));
            rests.push_back(by == 0 ? T(0) : static_cast<T>(a % by));
        }
        CAPTURE(+by);
        CHECK_SAME(k::array<T>(x / by).to_host(), quotients);
        CHECK_SAME(k::array<T>(x % by).to_host(), rests);
    }
}

TEST_CASE("integers wrap, and dividing by 0 gives 0") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({INT32_MAX, INT32_MIN, INT32_MIN, 7, -7}, {5});
    const k::array<std::int32_t> y = k::from_host<std::int32_t>({1, -1, 0, 0, 2}, {5});
    CHECK_SAME(k::array<std::int32_t>(x + y).to_host(), {INT32_MIN, INT32_MAX, INT32_MIN, 7, -5});
    CHECK_SAME(k::array<std::int32_t>(x / y).to_host(), {INT32_MAX, INT32_MIN, 0, 0, -3});
    CHECK_SAME(k::array<std::int32_t>(x % y).to_host(), {0, 0, 0, 0, -1});
    CHECK_SAME(k::array<std::int32_t>(x * y).to_host(), {INT32_MAX, INT32_MIN, 0, 0, -14});
}

TEST_CASE("uint8 stays uint8 and wraps at 256") {
    const k::array<std::uint8_t> x = k::from_host<std::uint8_t>({200, 255, 0}, {3});
    static_assert(std::is_same_v<k::value_t<decltype(x + x)>, std::uint8_t>);
    CHECK_SAME(k::array<std::uint8_t>(x + x).to_host(), {144, 254, 0});
    CHECK_SAME(k::array<std::uint8_t>(x * x).to_host(), {64, 1, 0});
    CHECK_SAME(k::array<std::uint8_t>(-x).to_host(), {56, 1, 0});
    CHECK_SAME(k::array<std::uint8_t>(x - 1).to_host(), {199, 254, 255});
}

TEST_CASE("% on floats is fmod: exact, with the sign of the left operand") {
    const k::array<float> x = k::from_host<float>({5.5f, -5.5f, 1e30f, 0.3f}, {4});
    CHECK_SAME(k::array<float>(x % 2.0f).to_host(), {1.5f, -1.5f, std::fmod(1e30f, 2.0f), 0.3f});
    CHECK_SAME(k::array<float>(x % 0.1f).to_host(),
               {std::fmod(5.5f, 0.1f), std::fmod(-5.5f, 0.1f), std::fmod(1e30f, 0.1f), std::fmod(0.3f, 0.1f)});
}

TEST_CASE("a product and a sum are two roundings: nothing contracts to a fused multiply-add") {
    const double a = 1 + 0x1p-30;
    const double b = 1 - 0x1p-30;
    const k::array<double> x = k::full<double>({37}, a);
    const k::array<double> y = k::full<double>({37}, b);
    const k::array<double> z = k::full<double>({37}, -1.0);
    CHECK_SAME(k::array<double>(x * y + z).to_host(), std::vector<double>(37, 0.0));
    CHECK_SAME(k::array<double>(z + x * y).to_host(), std::vector<double>(37, 0.0));
    CHECK_SAME(k::array<double>(k::fma(x, y, z)).to_host(), std::vector<double>(37, -0x1p-60));
    const float c = 1 + 0x1p-13f;
    const k::array<float> w = k::full<float>({37}, c);
    CHECK_SAME(k::array<float>(w * w - 1.0f).to_host(), std::vector<float>(37, static_cast<float>(c * c) - 1.0f));
}

TEST_CASE("nothing is reordered: (x + y) + z is not x + (y + z)") {
    const k::array<float> x = k::full<float>({5}, 1e8f);
    const k::array<float> y = k::full<float>({5}, 1.0f);
    CHECK_SAME(k::array<float>((x + y) - x).to_host(), std::vector<float>(5, 0.0f));
    CHECK_SAME(k::array<float>(x - x + y).to_host(), std::vector<float>(5, 1.0f));
    const k::array<float> z = k::full<float>({5}, 0.1f);
    const float five = ((0.1f + 0.1f) + 0.1f + 0.1f) + 0.1f;
    CHECK_SAME(k::array<float>(z + z + z + z + z).to_host(), std::vector<float>(5, five));
    CHECK_SAME(k::array<float>(z / 3.0f).to_host(), std::vector<float>(5, 0.1f / 3.0f));
}

TEST_CASE_TEMPLATE("denormals are kept, as operands and as results", T, float, double) {
    using limits = std::numeric_limits<T>;
    const k::array<T> x = k::from_host<T>({limits::min(), limits::denorm_min(), limits::min() / 4}, {3});
    CHECK_SAME(k::array<T>(x / T(2)).to_host(), {limits::min() / 2, T(0), limits::min() / 8});
    CHECK_SAME(k::array<T>(x + x).to_host(), {limits::min() * 2, limits::denorm_min() * 2, limits::min() / 2});
    CHECK_SAME(k::array<T>(x * T(1)).to_host(), {limits::min(), limits::denorm_min(), limits::min() / 4});
}
