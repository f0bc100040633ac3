// min, max and where.
#include <language/elementwise.hpp>

namespace k = kiln;

TEST_CASE_TEMPLATE("min is right for every pair of special values", T, KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::min{});
}
TEST_CASE_TEMPLATE("max is right for every pair of special values", T, KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::max{});
}

TEST_CASE_TEMPLATE("min and max give NaN when either operand is NaN", T, float, double) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T infinity = std::numeric_limits<T>::infinity();
    const k::array<T> x = k::from_host<T>({nan, 1, nan, infinity, -infinity}, {5});
    const k::array<T> y = k::from_host<T>({1, nan, nan, nan, 0}, {5});
    CHECK_SAME(k::array<T>(k::min(x, y)).to_host(), {nan, nan, nan, nan, -infinity});
    CHECK_SAME(k::array<T>(k::max(x, y)).to_host(), {nan, nan, nan, nan, T(0)});
}

TEST_CASE("of two equal zeros min and max give the first") {
    const k::array<float> zero = k::zeros<float>({1});
    const k::array<float> minus = -zero;
    CHECK_SAME(k::array<float>(k::min(zero, minus)).to_host(), {0.0f});
    CHECK_SAME(k::array<float>(k::min(minus, zero)).to_host(), {-0.0f});
    CHECK_SAME(k::array<float>(k::max(zero, minus)).to_host(), {0.0f});
    CHECK_SAME(k::array<float>(k::max(minus, zero)).to_host(), {-0.0f});
}

TEST_CASE_TEMPLATE("where picks each element, the scalar or the array on either side", T, KILN_TEST_TYPES) {
    const tests::pairs<T> all = tests::all_pairs(tests::special_values<T>());
    const k::array<T> x = k::from_host<T>(all.left);
    const k::array<T> y = k::from_host<T>(all.right);
    const T s = tests::special_values<T>().back();
    auto [both, right_scalar, left_scalar, scalars] =
        k::eval(k::where(x < y, x, y), k::where(x < y, x, s), k::where(x < y, s, y), k::where(x < y, s, T(0)));
    static_assert(std::is_same_v<typename decltype(scalars)::value_type, T> || sizeof(T) == 1);
    std::vector<T> expected[4];
    for (std::size_t i = 0; i < all.left.size(); ++i) {
        const T a = all.left[i];
        const T b = all.right[i];
        expected[0].push_back(a < b ? a : b);
        expected[1].push_back(a < b ? a : s);
        expected[2].push_back(a < b ? s : b);
        expected[3].push_back(a < b ? s : T(0));
    }
    CHECK_SAME(both.to_host(), expected[0]);
    CHECK_SAME(right_scalar.to_host(), expected[1]);
    CHECK_SAME(left_scalar.to_host(), expected[2]);
    CHECK_SAME(k::array<T>(k::cast<T>(scalars)).to_host(), expected[3]);
}

TEST_CASE_TEMPLATE("where takes any type as condition: what is not 0 holds, NaN included", T, KILN_TEST_TYPES) {
    const std::vector<T> values = tests::special_values<T>();
    const k::array<T> condition = k::from_host<T>(values);
    std::vector<std::int32_t> expected;
    for (const T value : values) expected.push_back(value == T(0) ? 2 : 1);
    CHECK_SAME(k::array<std::int32_t>(k::where(condition, 1, 2)).to_host(), expected);
}

TEST_CASE("where's result has the type in which both choices meet, whatever the condition's is") {
    const k::array<double> condition = k::from_host<double>({0.0, 1.0}, {2});
    const k::array<std::uint8_t> small = k::from_host<std::uint8_t>({200, 201}, {2});
    const k::array<std::int32_t> large = k::from_host<std::int32_t>({-5, -6}, {2});
    static_assert(std::is_same_v<k::value_t<decltype(k::where(condition, small, small))>, std::uint8_t>);
    static_assert(std::is_same_v<k::value_t<decltype(k::where(condition, small, large))>, std::int32_t>);
    static_assert(std::is_same_v<k::value_t<decltype(k::where(condition, small, 0.5f))>, float>);
    static_assert(std::is_same_v<k::value_t<decltype(k::where(condition, 1, 2.0))>, double>);
    CHECK_SAME(k::array<std::int32_t>(k::where(condition, small, large)).to_host(), {-5, 201});
    CHECK_SAME(k::array<float>(k::where(condition, small, 0.5f)).to_host(), {0.5f, 201.0f});
}

TEST_CASE("where of a number as the condition chooses one side whole, and either number is one kernel") {
    const k::array<float> x = k::from_host<float>({1, 2, 3});
    const k::array<double> y = k::from_host<double>({-1, -2, -3});
    const auto chosen = [&](auto condition) {
        const auto e = k::where(condition, x, y);
        static_assert(std::is_same_v<k::value_t<decltype(e)>, double>);
        return k::array<double>(e).to_host();
    };
    CHECK_SAME(chosen(true), {1, 2, 3});
    CHECK_SAME(chosen(false), {-1, -2, -3});
    CHECK_SAME(chosen(0.25), {1, 2, 3});
    CHECK_SAME(chosen(std::complex<float>(0, 0)), {-1, -2, -3});
    CHECK_SAME(chosen(std::int64_t{1} << 40), {1, 2, 3});
    CHECK_SAME(chosen(k::constant<0>), {-1, -2, -3});
    CHECK_SAME(k::array<float>(k::where(true, 7, x)).to_host(), {7, 7, 7});
    const std::int64_t compiled = k::counters::now().compiles;
    CHECK_SAME(k::array<float>(k::where(false, 7, x)).to_host(), {1, 2, 3});
    CHECK(k::counters::now().compiles == compiled);
    // Beside what it chooses of, not in it.
    const k::shape of = k::where(true, k::full<int>(2, 7), k::full<int>({3, 2}, 5)).shape();
    CHECK(of == k::shape{3, 2});
}

TEST_CASE("a division that where does not choose gives no trap") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({10, 20, 30}, {3});
    const k::array<std::int32_t> y = k::from_host<std::int32_t>({0, 5, 0}, {3});
    CHECK_SAME(k::array<std::int32_t>(k::where(y != 0, x / y, -1)).to_host(), {-1, 4, -1});
}
