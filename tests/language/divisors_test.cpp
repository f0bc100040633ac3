// Integers divided by a scalar: the bits of the oracle for hard dividends and divisors, whatever runs the kernel.
#include <kiln/kiln.hpp>

#include <support/check.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

template <class T>
using bits_of = std::make_unsigned_t<T>;

template <class T>
T quotient(T a, T b) {
    if (b == T(0)) return 0;
    if (std::is_signed_v<T> && b == T(-1)) return static_cast<T>(bits_of<T>(0) - bits_of<T>(a));
    return a / b;
}
template <class T>
T rest(T a, T b) {
    return b == T(0) || (std::is_signed_v<T> && b == T(-1)) ? T(0) : T(a % b);
}
template <class T>
bool goes_down(T a, T b) {
    return rest(a, b) != T(0) && (a < T(0)) != (b < T(0));
}

template <class T>
std::vector<T> dividends(std::size_t count) {
    std::vector<T> out;
    const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    for (T beside = 0; beside < 6; ++beside)
        out.insert(out.end(), {T(least + beside), T(most - beside), T(bits_of<T>(0) - bits_of<T>(beside)), beside});
    bits_of<T> state = 1;
    while (out.size() < count) {
        state =
            static_cast<bits_of<T>>(state * bits_of<T>(6364136223846793005ull) + bits_of<T>(1442695040888963407ull));
        out.push_back(static_cast<T>(state >> out.size() % (8 * sizeof(T) - 1)));
    }
    return out;
}

template <class T>
void check(const k::array<T>& x, const std::vector<T>& values, T by) {
    CAPTURE(by);
    auto [q, r, down, modulo] = k::eval(x / by, x % by, k::floor_divide(x, by), k::floor_mod(x, by));
    std::vector<T> expected[4];
    for (const T a : values) {
        expected[0].push_back(quotient(a, by));
        expected[1].push_back(rest(a, by));
        expected[2].push_back(static_cast<T>(quotient(a, by) - T(goes_down(a, by))));
        expected[3].push_back(static_cast<T>(rest(a, by) + (goes_down(a, by) ? by : T(0))));
    }
    CHECK_SAME(q.to_host(), expected[0]);
    CHECK_SAME(r.to_host(), expected[1]);
    CHECK_SAME(down.to_host(), expected[2]);
    CHECK_SAME(modulo.to_host(), expected[3]);
}

}  // namespace

TEST_CASE_TEMPLATE("divisors: quotients and rests by a scalar are exact for hard dividends and divisors", T,
                   std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    const std::vector<T> values = dividends<T>(1003);
    const k::array<T> x = k::from_host<T>(values);
    const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    for (const T by : {T(0), T(1), T(-1), T(2), T(3), T(-3), T(5), T(7), T(-7), T(10), T(64), T(100), T(most / 2),
                       T(most / 2 + 1), T(most / 2 + 2), T(most - 1), most, least, T(least + 1)})
        check(x, values, by);
}

TEST_CASE("divisors: of rows that begin anywhere, of views and in a graph") {
    const std::vector<std::int32_t> values = dividends<std::int32_t>(37 * 53);
    const k::array<std::int32_t> x = k::from_host<std::int32_t>(values, {37, 53});
    std::vector<std::int32_t> expected;
    for (std::size_t row = 0; row < 37; ++row)
        for (std::size_t column = 1; column < 53; column += 2)
            expected.push_back(quotient(values[row * 53 + column], 153) + rest(values[row * 53 + column], -10));
    const auto odd = x(k::all, k::range(1, k::range::open, 2));
    CHECK_SAME(k::array<std::int32_t>(odd / 153 + odd % -10).to_host(), expected);

    k::array<std::int32_t> number = k::from_host<std::int32_t>(values);
    k::graph loop({&number}, [&] { number = number / 3 + 1; });
    std::vector<std::int32_t> after = values;
    for (int i = 0; i < 3; ++i) {
        loop.replay();
        for (std::int32_t& each : after) each = each / 3 + 1;
    }
    CHECK_SAME(number.to_host(), after);
}

TEST_CASE("divisors: more of them than a kernel has room for") {
    const std::vector<std::int32_t> values = dividends<std::int32_t>(777);
    const k::array<std::int32_t> x = k::from_host<std::int32_t>(values);
    k::expr<std::int32_t> sum = x;
    std::vector<std::int32_t> expected = values;
    for (std::int32_t by = 2; by < 42; ++by) {
        sum = sum ^ x / by;
        for (std::size_t i = 0; i < values.size(); ++i) expected[i] ^= values[i] / by;
    }
    CHECK_SAME(k::array<std::int32_t>(sum).to_host(), expected);
}
