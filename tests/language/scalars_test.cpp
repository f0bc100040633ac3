// Scalars: what fits, what does not, and compound assignment.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <climits>
#include <cmath>

namespace k = kiln;

namespace {

std::string message_of(auto&& action) {
    try {
        action();
    } catch (const k::type_error& trouble) {
        return trouble.what();
    }
    return "no type_error";
}

}  // namespace

TEST_CASE("an integer scalar that the array's type cannot hold throws type_error and names both") {
    const k::array<std::uint8_t> x = k::zeros<std::uint8_t>({4});
    const std::string message = message_of([&] { static_cast<void>(x + 300); });
    CHECK(message.find("300") != std::string::npos);
    CHECK(message.find("uint8") != std::string::npos);
    CHECK(message_of([&] { static_cast<void>(x * -1); }).find("-1") != std::string::npos);
    CHECK_THROWS_AS(static_cast<void>(x == 256), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(k::min(x, 1000)), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(k::where(x, x, 1 << 20)), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(-129 < x), k::type_error);
    const k::array<std::int32_t> y = k::zeros<std::int32_t>({4});
    CHECK_THROWS_AS(static_cast<void>(y + (std::int64_t{1} << 31)), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(y + 0x80000000u), k::type_error);
    const k::array<std::int64_t> z = k::zeros<std::int64_t>({4});
    CHECK(message_of([&] { static_cast<void>(z + ULLONG_MAX); }).find("18446744073709551615") != std::string::npos);
    CHECK(message_of([&] { static_cast<void>(y + LLONG_MIN); }).find("-9223372036854775808") != std::string::npos);
}

TEST_CASE("an integer scalar at the end of the array's type is taken") {
    const k::array<std::uint8_t> x = k::zeros<std::uint8_t>({2});
    CHECK_SAME(k::array<std::uint8_t>(x + 255).to_host(), {255, 255});
    CHECK_SAME(k::array<std::uint8_t>(x + 255ull).to_host(), {255, 255});
    const k::array<std::int32_t> y = k::zeros<std::int32_t>({2});
    CHECK_SAME(k::array<std::int32_t>(y + (-(std::int64_t{1} << 31))).to_host(), {INT32_MIN, INT32_MIN});
    const k::array<std::int64_t> z = k::zeros<std::int64_t>({2});
    CHECK_SAME(k::array<std::int64_t>(z + 9223372036854775807ull).to_host(), {INT64_MAX, INT64_MAX});
    CHECK_SAME(k::array<std::int64_t>(z + std::int8_t{-5}).to_host(), {-5, -5});
}

TEST_CASE("two scalars of equal value are two operands, and one scalar may change from call to call") {
    const k::array<float> x = k::ones<float>({3});
    for (const float a : {1.0f, 2.0f}) {
        for (const float b : {1.0f, 2.0f, -0.0f}) {
            const k::array<float> y = x * a + b;
            CHECK_SAME(y.to_host(), std::vector<float>(3, a + b));
        }
    }
}

TEST_CASE_TEMPLATE("compound assignment is the operator and the assignment", T, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
    const std::vector<T> start = {T(7), T(12), T(100)};
    const std::vector<T> other = {T(2), T(5), T(9)};
    const k::array<T> o = k::from_host<T>(other);
    k::array<T> x = k::from_host<T>(start);
    std::vector<T> expected = start;
    const auto each = [&](auto change) {
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = change(expected[i], other[i]);
        CHECK_SAME(x.to_host(), expected);
    };
    x += o;
    each([](T a, T b) { return static_cast<T>(a + b); });
    x -= 3;
    each([](T a, T) { return static_cast<T>(a - T(3)); });
    x *= o + 1;
    each([](T a, T b) { return static_cast<T>(a * static_cast<T>(b + 1)); });
    x /= o;
    each([](T a, T b) { return static_cast<T>(a / b); });
    x %= 5;
    each([](T a, T) {
        if constexpr (std::is_floating_point_v<T>) return std::fmod(a, T(5));
        else return static_cast<T>(a % 5);
    });
    x += x;
    each([](T a, T) { return static_cast<T>(a + a); });
}

TEST_CASE("y += 2 * x is in place when y is the only owner") {
    const k::array<float> x = k::full<float>({1000}, 1.5f);
    k::array<float> y = k::ones<float>({1000});
    const void* const before = y.data();
    y += 2 * x;
    CHECK(static_cast<const void*>(y.data()) == before);
    CHECK_SAME(y.to_host(), std::vector<float>(1000, 4.0f));
}
