// & | ^ ~ << >> and counting bits, for every type that has bits of its own.
#include <language/elementwise.hpp>

namespace k = kiln;

TEST_CASE_TEMPLATE("& | ^ are exact for every pair of special values, with arrays and scalars on either side", T,
                   KILN_TEST_INTEGERS) {
    tests::check_binary<T>(tests::op::bit_and{});
    tests::check_binary<T>(tests::op::bit_or{});
    tests::check_binary<T>(tests::op::bit_xor{});
}
TEST_CASE_TEMPLATE("<< and >> are exact for every pair of special values, past the width too", T, KILN_TEST_INTEGERS) {
    tests::check_binary<T>(tests::op::shift_left{});
    tests::check_binary<T>(tests::op::shift_right{});
}
TEST_CASE_TEMPLATE("~ popcount clz ctz are exact for every special value", T, KILN_TEST_INTEGERS) {
    tests::check_unary<T>(tests::op::bit_not{});
    tests::check_unary<T>(tests::op::popcount{});
    tests::check_unary<T>(tests::op::clz{});
    tests::check_unary<T>(tests::op::ctz{});
}

TEST_CASE("bool & | ^ ~ stay bool; what counts or shifts bits of bool does so as int32") {
    const k::array<bool> b = k::from_host<bool>(std::vector<bool>{true, false});
    static_assert(std::is_same_v<k::value_t<decltype(b & b)>, bool>);
    static_assert(std::is_same_v<k::value_t<decltype(b | b)>, bool>);
    static_assert(std::is_same_v<k::value_t<decltype(b ^ true)>, bool>);
    static_assert(std::is_same_v<k::value_t<decltype(~b)>, bool>);
    static_assert(std::is_same_v<k::value_t<decltype(b & 6)>, std::int32_t>);
    static_assert(std::is_same_v<k::value_t<decltype(b << 2)>, std::int32_t>);
    static_assert(std::is_same_v<k::value_t<decltype(k::popcount(b))>, std::int32_t>);
    CHECK_SAME(k::array<std::int32_t>(b << 2).to_host(), {4, 0});
}

TEST_CASE("uint8 counts the bits of 8, and shifts them out") {
    const k::array<std::uint8_t> x = k::from_host<std::uint8_t>({0, 1, 128, 255}, {4});
    static_assert(std::is_same_v<k::value_t<decltype(k::clz(x))>, std::uint8_t>);
    CHECK_SAME(k::array<std::uint8_t>(k::clz(x)).to_host(), {8, 7, 0, 0});
    CHECK_SAME(k::array<std::uint8_t>(k::ctz(x)).to_host(), {8, 0, 7, 0});
    CHECK_SAME(k::array<std::uint8_t>(k::popcount(x)).to_host(), {0, 1, 1, 8});
    CHECK_SAME(k::array<std::uint8_t>(x << 1).to_host(), {0, 2, 0, 254});
    CHECK_SAME(k::array<std::uint8_t>(x << 8).to_host(), {0, 0, 0, 0});
}

TEST_CASE("a shift past the width, or by less than 0, leaves 0, and of what is negative the sign") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({-8, 8, -1, 1}, {4});
    CHECK_SAME(k::array<std::int32_t>(x >> 1).to_host(), {-4, 4, -1, 0});
    CHECK_SAME(k::array<std::int32_t>(x >> 32).to_host(), {-1, 0, -1, 0});
    CHECK_SAME(k::array<std::int32_t>(x >> -1).to_host(), {-1, 0, -1, 0});
    CHECK_SAME(k::array<std::int32_t>(x << 32).to_host(), {0, 0, 0, 0});
    CHECK_SAME(k::array<std::int32_t>(x << -3).to_host(), {0, 0, 0, 0});
}

TEST_CASE("&= |= ^= <<= >>= change an array in place") {
    k::array<std::int32_t> x = k::from_host<std::int32_t>({12, 10, 7}, {3});
    x &= 14;
    CHECK_SAME(x.to_host(), {12, 10, 6});
    x |= 1;
    CHECK_SAME(x.to_host(), {13, 11, 7});
    const k::array<std::int32_t>& itself = x;
    x ^= itself;
    x |= 5;
    x <<= 4;
    CHECK_SAME(x.to_host(), {80, 80, 80});
    x >>= 3;
    CHECK_SAME(x.to_host(), {10, 10, 10});
}
