// Whole numbers of numbers: rounding, division downwards, sign, bounds; and what is a number at all.
#include <language/elementwise.hpp>

#include <cmath>

namespace k = kiln;

namespace {

/// Halves, what is next to them, and numbers past which all are whole.
template <class T>
std::vector<T> near_halves() {
    std::vector<T> out;
    for (int i = -6; i <= 6; ++i) {
        const T half = static_cast<T>(i) / 2;
        out.insert(out.end(), {half, std::nextafter(half, T(100)), std::nextafter(half, T(-100))});
    }
    const T top = 1 / std::numeric_limits<T>::epsilon();
    for (const T each : {top / 2 - T(0.5), top / 2 + T(0.5), top - 1, top + 1, 3 * top + 1})
        out.insert(out.end(), {each, -each});
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("floor ceil trunc round rint are exact; of integers they are the integers", T, KILN_TEST_TYPES) {
    tests::check_unary<T>(tests::op::floor{});
    tests::check_unary<T>(tests::op::ceil{});
    tests::check_unary<T>(tests::op::trunc{});
    tests::check_unary<T>(tests::op::round{});
    tests::check_unary<T>(tests::op::rint{});
}

TEST_CASE_TEMPLATE("rounding is exact at halves and beside them, and where all numbers are whole", T, float, double) {
    tests::check_unary<T>(tests::op::floor{}, near_halves<T>());
    tests::check_unary<T>(tests::op::ceil{}, near_halves<T>());
    tests::check_unary<T>(tests::op::trunc{}, near_halves<T>());
    tests::check_unary<T>(tests::op::round{}, near_halves<T>());
    tests::check_unary<T>(tests::op::rint{}, near_halves<T>());
}

TEST_CASE("round goes away from zero at halves, rint to the even neighbour") {
    const k::array<float> x = k::from_host<float>({0.5f, 1.5f, 2.5f, -0.5f, -2.5f}, {5});
    CHECK_SAME(k::array<float>(k::round(x)).to_host(), {1.0f, 2.0f, 3.0f, -1.0f, -3.0f});
    CHECK_SAME(k::array<float>(k::rint(x)).to_host(), {0.0f, 2.0f, 2.0f, -0.0f, -2.0f});
}

TEST_CASE_TEMPLATE("floor_divide, floor_mod and trunc_divide are exact for every pair of special values", T,
                   KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::floor_divide{});
    tests::check_binary<T>(tests::op::floor_mod{});
    tests::check_binary<T>(tests::op::trunc_divide{});
}

TEST_CASE_TEMPLATE("floor_divide and floor_mod of ordinary numbers are Python's", T, float, double) {
    const std::vector<T> left = tests::ordinary_values<T>(3000, 1);
    std::vector<T> right = tests::ordinary_values<T>(3000, 2);
    for (std::size_t i = 0; i < right.size(); i += 3) right[i] = T(0.1) * static_cast<T>(i % 7 + 1);
    const k::array<T> x = k::from_host<T>(left);
    const k::array<T> y = k::from_host<T>(right);
    auto [quotient, rest] = k::eval(k::floor_divide(x, y), k::floor_mod(x, y));
    const oracle::tree a = oracle::elements(left);
    const oracle::tree b = oracle::elements(right);
    const auto expected = [&](oracle::op code) {
        return tests::typed<T>(oracle::evaluate(oracle::operation(code, {a, b}), left.size()));
    };
    CHECK_SAME(quotient.to_host(), expected(oracle::op::floor_divide));
    CHECK_SAME(rest.to_host(), expected(oracle::op::floor_mod));
}

TEST_CASE("floor_mod has the divisor's sign, floor_divide goes down; by 0 integers give 0") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({7, -7, 7, -7, 7, INT32_MIN}, {6});
    const k::array<std::int32_t> y = k::from_host<std::int32_t>({3, 3, -3, -3, 0, -1}, {6});
    CHECK_SAME(k::array<std::int32_t>(k::floor_divide(x, y)).to_host(), {2, -3, -3, 2, 0, INT32_MIN});
    CHECK_SAME(k::array<std::int32_t>(k::floor_mod(x, y)).to_host(), {1, 2, -2, -1, 0, 0});
    CHECK_SAME(k::array<std::int32_t>(k::trunc_divide(x, y)).to_host(), {2, -2, -2, 2, 0, INT32_MIN});
    // Python: 1.0 // 0.1 is 9.0, because 0.1 is a little more than a tenth.
    CHECK_SAME(k::array<double>(k::floor_divide(k::ones<double>({1}), 0.1)).to_host(), {9.0});
}

TEST_CASE_TEMPLATE("sign, square and relu are exact for every special value", T, KILN_TEST_TYPES) {
    tests::check_unary<T>(tests::op::sign{});
    tests::check_unary<T>(tests::op::square{});
    tests::check_unary<T>(tests::op::relu{});
}

TEST_CASE_TEMPLATE("clamp is exact for every triple of special values; NaN wins, and the upper of crossed bounds", T,
                   KILN_TEST_TYPES) {
    tests::check_ternary<T>(tests::op::clamp{});
}

TEST_CASE("clamp keeps the array's type, and throws for a bound that the type cannot hold") {
    const k::array<std::uint8_t> x = k::from_host<std::uint8_t>({0, 100, 255}, {3});
    static_assert(std::is_same_v<k::value_t<decltype(k::clamp(x, 10, 200))>, std::uint8_t>);
    CHECK_SAME(k::array<std::uint8_t>(k::clamp(x, 10, 200)).to_host(), {10, 100, 200});
    CHECK_THROWS_AS(k::clamp(x, 0, 300), k::type_error);
}

TEST_CASE_TEMPLATE("isnan isinf isfinite are bool, and of integers false, false and true", T, KILN_TEST_TYPES) {
    const k::array<T> x = k::ones<T>({1});
    static_assert(std::is_same_v<k::value_t<decltype(k::isnan(x))>, bool>);
    tests::check_unary<T>(tests::op::isnan{});
    tests::check_unary<T>(tests::op::isinf{});
    tests::check_unary<T>(tests::op::isfinite{});
}
