// zeros, ones, full and arange: made inside the kernel.
#include <support/poison.hpp>

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

TEST_CASE_TEMPLATE("zeros, ones and full fill every element", T, bool, std::uint8_t, std::int32_t, std::int64_t, float,
                   double) {
    CHECK_SAME(tests::evaluated(k::zeros<T>({3, 5}), {3, 5}), std::vector<T>(15, T(0)));
    CHECK_SAME(tests::evaluated(k::ones<T>({257}), {257}), std::vector<T>(257, T(1)));
    CHECK_SAME(tests::evaluated(k::full<T>({2, 2, 2}, T(7)), {2, 2, 2}), std::vector<T>(8, T(7)));
    CHECK(k::array<T>(k::zeros<T>({0, 4})).size() == 0);
}

TEST_CASE("full keeps the bits of its value: NaN, -0, denormals") {
    for (const double value : {std::nan(""), -0.0, 0x1p-1074, -HUGE_VAL, 0.1})
        CHECK_SAME(k::array<double>(k::full<double>({5}, value)).to_host(), std::vector<double>(5, value));
}

TEST_CASE("full takes numbers of other types that fit, and throws type_error for an integer that does not") {
    CHECK_SAME(k::array<std::uint8_t>(k::full<std::uint8_t>({2}, 255)).to_host(), {255, 255});
    CHECK_SAME(k::array<float>(k::full<float>({2}, 3)).to_host(), {3.0f, 3.0f});
    CHECK_SAME(k::array<k::float16>(k::full<k::float16>({1}, 1.5)).to_host(), {k::float16(1.5f)});
    CHECK_THROWS_WITH_AS(k::full<std::uint8_t>({2}, 300), doctest::Contains("300 does not fit uint8"), k::type_error);
    // What it is to be cast to holds the number, and what the array has.
    CHECK_THROWS_WITH_AS(k::full<std::uint8_t>({2}, 300), doctest::Contains("k::cast<int>(x)"), k::type_error);
    CHECK_THROWS_WITH_AS(k::full<std::int8_t>({2}, INT32_MIN), doctest::Contains("k::cast<int>(x)"), k::type_error);
    CHECK_THROWS_WITH_AS(k::full<std::int8_t>({2}, INT32_MIN - std::int64_t{1}),
                         doctest::Contains("k::cast<std::int64_t>(x)"), k::type_error);
    CHECK_THROWS_WITH_AS(k::full<std::uint32_t>({2}, -1), doctest::Contains("k::cast<std::int64_t>(x)"), k::type_error);
    CHECK_THROWS_WITH_AS(k::full<std::int64_t>({2}, UINT64_MAX), doctest::Contains("k::cast<std::uint64_t>(x)"),
                         k::type_error);
    CHECK_THROWS_WITH_AS(k::full<std::uint64_t>({2}, -1), doctest::Contains("k::cast<std::int64_t>(x)"), k::type_error);
    // Fractions as a cast has them.
    CHECK_SAME(k::array<std::uint8_t>(k::full<std::uint8_t>({1}, 300.0)).to_host(), {255});
    CHECK_SAME(k::array<std::uint8_t>(k::full<std::uint8_t>({1}, -1.5f)).to_host(), {0});
    CHECK_SAME(k::array<std::int64_t>(k::full<std::int64_t>({1}, 1e19)).to_host(),
               {std::numeric_limits<std::int64_t>::max()});
    CHECK_SAME(k::array<std::int64_t>(k::full<std::int64_t>({1}, -1e19)).to_host(),
               {std::numeric_limits<std::int64_t>::min()});
    CHECK_SAME(k::array<std::int64_t>(k::full<std::int64_t>({1}, std::nan(""))).to_host(), {0});
    CHECK_SAME(k::array<std::int8_t>(k::full<std::int8_t>({1}, -128.9)).to_host(), {-128});
    CHECK_THROWS_AS(k::full<std::int32_t>({2}, std::uint64_t{1} << 63), k::type_error);
}

TEST_CASE_TEMPLATE("arange(n) counts from 0", T, std::uint8_t, std::int32_t, std::int64_t, float, double) {
    std::vector<T> expected;
    for (int i = 0; i < 1025; ++i) expected.push_back(static_cast<T>(i));
    CHECK_SAME(tests::evaluated(k::arange<T>(1025), {1025}), expected);
    CHECK(k::array<T>(k::arange<T>(0)).size() == 0);
    CHECK(k::array<T>(k::arange<T>(-3)).size() == 0);
}

TEST_CASE("arange(start, stop, step) has NumPy's count and values, forward and backward") {
    CHECK_SAME(k::array<std::int32_t>(k::arange<std::int32_t>(2, 7)).to_host(), {2, 3, 4, 5, 6});
    CHECK_SAME(k::array<std::int32_t>(k::arange<std::int32_t>(2, 12, 3)).to_host(), {2, 5, 8, 11});
    CHECK_SAME(k::array<std::int32_t>(k::arange<std::int32_t>(10, 0, -4)).to_host(), {10, 6, 2});
    CHECK(k::array<std::int32_t>(k::arange<std::int32_t>(5, 5)).size() == 0);
    CHECK(k::array<std::int32_t>(k::arange<std::int32_t>(5, 2)).size() == 0);
    CHECK_SAME(k::array<std::uint8_t>(k::arange<std::uint8_t>(250, 255, 2)).to_host(), {250, 252, 254});
    CHECK_SAME(k::array<double>(k::arange<double>(0.0, 1.0, 0.25)).to_host(), {0.0, 0.25, 0.5, 0.75});
    // Counted before they become elements, which wrap.
    CHECK_SAME(k::array<std::uint8_t>(k::arange<std::uint8_t>(-3, 3)).to_host(), {253, 254, 255, 0, 1, 2});
    CHECK_SAME(k::array<std::uint8_t>(k::arange<std::uint8_t>(10, 0, -4)).to_host(), {10, 6, 2});
    CHECK_SAME(k::array<std::uint8_t>(k::arange<std::uint8_t>(2, -1, -1)).to_host(), {2, 1, 0});
    CHECK((k::arange<std::uint8_t>(0, 256).shape() == k::shape{256}));
    CHECK((k::arange<std::int8_t>(0, 200).shape() == k::shape{200}));
    CHECK((k::arange<std::int32_t>(0, 3'000'000'000).shape() == k::shape{3'000'000'000}));
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    CHECK_SAME(k::array<std::uint64_t>(k::arange<std::uint64_t>(most - 3, most, 2)).to_host(), {most - 3, most - 1});
    CHECK((k::arange<std::uint64_t>((most >> 1) - 2, (most >> 1) + 4).shape() == k::shape{6}));
    CHECK_THROWS_AS(k::arange<std::uint64_t>(0, most), k::shape_error);
    CHECK_THROWS_AS(k::arange<std::uint8_t>(0u, 5u, 0u), k::shape_error);
    CHECK((k::arange<float>(16'777'216, 16'777'220).shape() == k::shape{4}));
    CHECK_SAME(k::array<std::int32_t>(k::arange<std::int32_t>(0, 2.5)).to_host(), {0, 1, 2});
    CHECK_SAME(k::array<std::int32_t>(k::arange<std::int32_t>(0.5, 4, 1.5)).to_host(), {0, 2, 4});
    CHECK_SAME(k::array<float>(k::arange<float>(2.5)).to_host(), {0, 1, 2});
    CHECK(k::array<float>(k::arange<float>(-0.5)).size() == 0);
    CHECK_SAME(k::array<double>(k::arange<double>(1.0, 0.0, -0.5)).to_host(), {1.0, 0.5});
}

TEST_CASE("arange of floats multiplies and adds in the type itself") {
    const std::vector<float> got = k::array<float>(k::arange<float>(0.5f, 100.0f, 0.1f)).to_host();
    REQUIRE(got.size() == 995);
    std::vector<float> expected;
    for (int i = 0; i < 995; ++i) {
        const float product = static_cast<float>(i) * 0.1f;
        expected.push_back(0.5f + product);
    }
    CHECK_SAME(got, expected);
}

TEST_CASE("arange spans all of int64") {
    const std::vector<std::int64_t> got =
        k::array<std::int64_t>(k::arange<std::int64_t>(INT64_MIN, INT64_MAX, std::int64_t{1} << 62)).to_host();
    CHECK_SAME(got, {INT64_MIN, -(std::int64_t{1} << 62), 0, std::int64_t{1} << 62});
}

TEST_CASE_TEMPLATE("linspace of 16-bit floats is that of float, rounded", T, k::float16, k::bfloat16) {
    const std::vector<float> wide = k::array<float>(k::linspace(0.0f, 1.0f, 7)).to_host();
    const std::vector<T> got = k::array<T>(k::linspace<T>(0, 1, 7)).to_host();
    const std::vector<T> of_ends = k::array<T>(k::linspace(T(0.0f), T(1.0f), 7)).to_host();
    REQUIRE(got.size() == 7);
    for (std::size_t i = 0; i < got.size(); ++i) {
        CHECK(got[i].bits == T(wide[i]).bits);
        CHECK(of_ends[i].bits == got[i].bits);
    }
}

TEST_CASE("linspace of an integer and a float is of the type in which C++ has them meet") {
    static_assert(std::is_same_v<k::value_t<decltype(k::linspace(0, 1.0f, 5))>, float>);
    static_assert(std::is_same_v<k::value_t<decltype(k::linspace(0.0f, 1.0, 5))>, double>);
    static_assert(std::is_same_v<k::value_t<decltype(k::linspace<float>(0, 1, 5))>, float>);
    static_assert(std::is_same_v<k::value_t<decltype(k::linspace<double>(0.0f, 1, 5))>, double>);
    CHECK_SAME(k::array<double>(k::linspace(0, 1.0, 5)).to_host(), {0, 0.25, 0.5, 0.75, 1});
}

TEST_CASE("arange throws shape_error for a step that never arrives") {
    CHECK_THROWS_AS(k::arange<std::int32_t>(0, 5, 0), k::shape_error);
    CHECK_THROWS_AS(k::arange<double>(0, 5, 0), k::shape_error);
    CHECK_THROWS_AS(k::arange<double>(0, 5, std::nan("")), k::shape_error);
    CHECK_THROWS_AS(k::arange<double>(0, HUGE_VAL, 1), k::shape_error);
}

TEST_CASE("generators take part in expressions with arrays, and only their shape must agree") {
    const k::array<float> x = k::arange<float>(6);
    CHECK_SAME(k::array<float>(x + k::ones<float>({6}) * k::arange<float>(6)).to_host(), {0, 2, 4, 6, 8, 10});
    CHECK_THROWS_AS(k::array<float>(x + k::ones<float>({5})), k::shape_error);
    CHECK_THROWS_AS(k::array<float>(x + k::arange<float>(7)), k::shape_error);
}

TEST_CASE("the position is row-major order in a sliced kernel too") {
    const k::array<std::int64_t> x = k::zeros<std::int64_t>({100});
    const k::array<std::int64_t> y = x(k::range(99, k::range::open, -2)) + k::arange<std::int64_t>(50);
    const k::array<std::int64_t> counted = k::arange<std::int64_t>(50);
    CHECK_SAME(y.to_host(), counted.to_host());
    k::array<std::int64_t> target = k::zeros<std::int64_t>({9});
    target(k::range(8, k::range::open, -4)) = k::arange<std::int64_t>(3) + 1;
    CHECK_SAME(target.to_host(), {3, 0, 0, 0, 2, 0, 0, 0, 1});
}

TEST_CASE("z = where(x > 0.5, sqrt(x), cast<float>(arange) * 1e-6), the manual's line") {
    const k::array<float> x = k::arange<float>(1000) * 1e-3f;
    const k::array<float> z = k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(1000)) * 1e-6f);
    std::vector<float> expected;
    for (int i = 0; i < 1000; ++i) {
        const float at = static_cast<float>(i) * 1e-3f;
        expected.push_back(at > 0.5f ? std::sqrt(at) : static_cast<float>(i) * 1e-6f);
    }
    CHECK_SAME(z.to_host(), expected);
}

TEST_CASE("an index that is broadcast counts along the shape that it is given, wherever it stands") {
    const std::vector<std::int64_t> columns = {0, 1, 2, 0, 1, 2};
    const auto column = k::broadcast_to(k::index(1), {2, 3});
    CHECK(column.shape() == k::shape{2, 3});
    CHECK_SAME(tests::evaluated(column, {2, 3}), columns);
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(-1), {2, 3}), {2, 3}), columns);
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(0), {2, 3}), {2, 3}), {0, 0, 0, 1, 1, 1});
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(1) * 2 + 1, {2, 3}), {2, 3}), {1, 3, 5, 1, 3, 5});
    CHECK_SAME(tests::evaluated(column + k::zeros<std::int64_t>({2, 3}), {2, 3}), columns);
    CHECK_SAME(tests::evaluated(k::cast<float>(column), {2, 3}), {0.0f, 1.0f, 2.0f, 0.0f, 1.0f, 2.0f});
    CHECK(k::sum(column).item() == 6);
    CHECK_SAME(tests::evaluated(k::sum(column, k::axis(0)), {3}), {0, 2, 4});
    CHECK_SAME(tests::evaluated(k::transpose(column), {3, 2}), {0, 0, 1, 1, 2, 2});
    // Within more axes it stays what it is.
    CHECK_SAME(tests::evaluated(column + k::zeros<std::int64_t>({2, 1, 1}), {2, 2, 3}),
               {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
    const k::expr<std::int64_t> built = k::index(1);
    CHECK_SAME(tests::evaluated(k::broadcast_to(built, {2, 3}), {2, 3}), columns);
    // Beside what has one element, too; and of an expression with axes it counts along those.
    const k::array<std::int64_t> one = k::full<std::int64_t>({}, 5);
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(1) + one, {2, 3}), {2, 3}), {5, 6, 7, 5, 6, 7});
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(1) + k::sum(one), {2, 3}), {2, 3}), {5, 6, 7, 5, 6, 7});
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::index(0) + k::zeros<std::int64_t>({3}), {2, 3}), {2, 3}), columns);
    CHECK(k::array<std::int64_t>(k::broadcast_to(k::index(0), {0, 3})).shape() == k::shape{0, 3});
    CHECK_THROWS_AS(tests::evaluated(k::broadcast_to(k::index(2), {2, 3}), {2, 3}), k::shape_error);
    CHECK_THROWS_WITH_AS((k::array<std::int64_t>(k::index(0))), doctest::Contains("index(0) alone has no shape"),
                         k::shape_error);
}

TEST_CASE("what has one element is broadcast to any shape") {
    const k::array<float> one = k::full<float>({}, 5.0f);
    CHECK_SAME(tests::evaluated(k::broadcast_to(one, {2, 2}), {2, 2}), std::vector<float>(4, 5.0f));
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::sum(one * 2.0f), {2, 2}), {2, 2}), std::vector<float>(4, 10.0f));
    CHECK_SAME(tests::evaluated(k::transpose(k::broadcast_to(one + 1.0f, {2, 3})), {3, 2}),
               std::vector<float>(6, 6.0f));
    CHECK_SAME(tests::evaluated(k::broadcast_to(k::zeros<float>({}), {3}), {3}), std::vector<float>(3, 0.0f));
    CHECK(k::array<float>(k::broadcast_to(one, {})).shape() == k::shape{});
}
