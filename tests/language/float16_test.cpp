// k::float16 and k::bfloat16 as values on the host, held against the oracle's rounding; fma with its one rounding.
#include <language/elementwise.hpp>
#include <support/device_under_test.hpp>

#include <bit>
#include <cmath>

namespace k = kiln;

namespace {

/// Every 16-bit value, and what lies between it and the next.
template <class T>
std::vector<double> around_every_value() {
    std::vector<double> out;
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 7) {
        const auto here =
            static_cast<double>(oracle::from_bits16(oracle::type_for<T>, static_cast<std::uint16_t>(bits)).real);
        const auto next = static_cast<double>(
            oracle::from_bits16(oracle::type_for<T>, static_cast<std::uint16_t>((bits + 1) & 0xffff)).real);
        const double half = here / 2 + next / 2;
        for (const double value : {here, half, std::nextafter(half, 1e300), std::nextafter(half, -1e300)})
            out.push_back(value);
    }
    return out;
}

template <class T>
std::uint16_t rounded(oracle::wide value) {
    return oracle::to_bits16(oracle::make_real(oracle::type_for<T>, value));
}

}  // namespace

TEST_CASE_TEMPLATE("a 16-bit float holds every bit pattern and is read as the oracle reads it", T, k::float16,
                   k::bfloat16) {
    std::string wrong;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const T held = T::from_bits(static_cast<std::uint16_t>(bits));
        const auto expected = static_cast<float>(oracle::from(held).real);
        const float got = held;
        if (!tests::same_bits(got, expected)) wrong = oracle::to_string(oracle::from(held));
        if (got == got && T(got).bits != held.bits) wrong = oracle::to_string(oracle::from(held)) + " there and back";
        if (got == got && (T(static_cast<double>(got)).bits != held.bits)) wrong = "by way of double";
        if (got != got && static_cast<float>(T(got)) == static_cast<float>(T(got))) wrong = "NaN";
    }
    CHECK_EQ(wrong, "");
}

TEST_CASE_TEMPLATE("a double is rounded to 16 bits once", T, k::float16, k::bfloat16) {
    std::size_t wrong = 0;
    for (const double value : around_every_value<T>()) {
        if (value != value) continue;
        wrong += T(value).bits != rounded<T>(value);
        wrong += T(static_cast<float>(value)).bits != rounded<T>(static_cast<float>(value));
    }
    CHECK_EQ(wrong, 0);
    static_assert(static_cast<float>(k::float16(1.5)) == 1.5f);
    static_assert(k::float16(65520.0f) == std::numeric_limits<k::float16>::infinity());
    static_assert(k::float16(65519.99) == std::numeric_limits<k::float16>::max());
}

TEST_CASE_TEMPLATE("an integer is rounded to 16 bits once", T, k::float16, k::bfloat16) {
    std::size_t wrong = 0;
    for (int top = 1; top < 63; ++top)
        for (const std::int64_t low : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3} << (top > 9 ? top - 9 : 0)})
            for (const std::int64_t near : {-1, 0, 1}) {
                const std::int64_t value = (std::int64_t{1} << top) + low + near;
                wrong += T(value).bits != rounded<T>(value);
                wrong += T(-value).bits != rounded<T>(-value);
            }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(T(0).bits, 0);
}

TEST_CASE_TEMPLATE("the limits of a 16-bit float are what its bits say", T, k::float16, k::bfloat16) {
    using limits = std::numeric_limits<T>;
    CHECK(static_cast<float>(limits::min()) == std::ldexp(1.0f, limits::min_exponent - 1));
    CHECK(static_cast<float>(limits::max()) ==
          std::ldexp(2.0f - std::ldexp(1.0f, 1 - limits::digits), limits::max_exponent - 1));
    CHECK(static_cast<float>(limits::epsilon()) == std::ldexp(1.0f, 1 - limits::digits));
    CHECK(static_cast<float>(limits::denorm_min()) == std::ldexp(1.0f, limits::min_exponent - limits::digits));
    CHECK(limits::lowest() == -limits::max());
    CHECK(limits::quiet_NaN() != limits::quiet_NaN());
    CHECK(limits::min() < limits::max());
}

TEST_CASE_TEMPLATE("fma of 16-bit floats rounds once", T, k::float16, k::bfloat16) {
    const tests::pairs<T> all = tests::all_pairs(tests::special_values<T>());
    std::vector<T> left = all.left;
    std::vector<T> right = all.right;
    std::vector<T> third;
    for (std::size_t i = 0; i < left.size(); ++i) third.push_back(all.left[i * 31 % left.size()]);
    // A product half way between two values, and a third operand that decides.
    for (int i = 1; i < 2000; ++i) {
        left.push_back(T(static_cast<float>(1 + i % 61) / 32));
        right.push_back(T(static_cast<float>(1 + i % 127) / 64));
        third.push_back(T(std::ldexp(i % 2 ? 1.0f : -1.0f, -(i % 24))));
    }
    const k::array<T> got = k::fma(k::from_host<T>(left), k::from_host<T>(right), k::from_host<T>(third));
    std::vector<T> expected;
    for (std::size_t i = 0; i < left.size(); ++i)
        expected.push_back(oracle::to<T>(oracle::computed(
            oracle::op::fma, {oracle::from(left[i]), oracle::from(right[i]), oracle::from(third[i])})));
    CHECK_SAME(got.to_host(), expected);
}

TEST_CASE_TEMPLATE("16-bit sums round after every operation, fused or not", T, k::float16, k::bfloat16) {
    const std::vector<T> values = tests::ordinary_values<T>(1000);
    const k::array<T> x = k::from_host<T>(values);
    const k::array<T> y = x + x * x + x * T(0.1f);
    std::vector<T> expected;
    for (const T v : values) {
        const auto r = [](float exact) { return static_cast<float>(T(exact)); };
        expected.push_back(T(r(v + r(v * v)) + r(v * static_cast<float>(T(0.1f)))));
    }
    CHECK_SAME(y.to_host(), expected);
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(x + x * x + x * T(0.1f)).to_host(), expected);
}

TEST_CASE_TEMPLATE("what is stored as 16-bit floats and what is summed of them are rounded alike", T, k::float16,
                   k::bfloat16) {
    const k::array<float> wide = k::from_host<float>(tests::ordinary_values<float>(3001));
    const k::array<T> x = k::from_host<T>(tests::ordinary_values<T>(3001));
    const k::array<T> squares = x * x;
    const k::array<T> casts = k::cast<T>(wide);
    CHECK_SAME(k::array<T>(k::sum(x * x)).to_host(), k::array<T>(k::sum(squares)).to_host());
    CHECK_SAME(k::array<T>(k::sum(k::cast<T>(wide))).to_host(), k::array<T>(k::sum(casts)).to_host());
    CHECK_SAME(k::array<float>(k::cast<float>(k::cast<T>(wide))).to_host(),
               k::array<float>(k::cast<float>(casts)).to_host());
}

TEST_CASE_TEMPLATE("quotients and comparisons of 16-bit floats are float's", T, k::float16, k::bfloat16) {
    std::vector<T> dividends(0x10000);
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
        dividends[bits] = std::bit_cast<T>(static_cast<std::uint16_t>(bits));
    const k::array<T> x = k::from_host<T>(dividends);
    // Every magnitude, and divisors of odd, even and full significands.
    for (std::uint32_t divisor = 0; divisor < 0x10000; divisor += 0x3f5) {
        const T by = dividends[divisor];
        std::vector<T> quotients(0x10000);
        std::vector<std::uint8_t> orders(0x10000);
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const auto a = static_cast<float>(dividends[bits]);
            const auto b = static_cast<float>(by);
            quotients[bits] = T(a / b);
            orders[bits] = static_cast<std::uint8_t>((a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) +
                                                     16 * (a == b) + 32 * (a != b));
        }
        CAPTURE(static_cast<float>(by));
        CHECK_SAME(k::array<T>(x / by).to_host(), quotients);
        const auto one_of = [](const auto& holds, int weight) {
            return k::cast<std::uint8_t>(holds) * std::uint8_t(weight);
        };
        CHECK_SAME(k::array<std::uint8_t>(one_of(x < by, 1) + one_of(x <= by, 2) + one_of(x > by, 4) +
                                          one_of(x >= by, 8) + one_of(x == by, 16) + one_of(x != by, 32))
                       .to_host(),
                   orders);
    }
}

TEST_CASE_TEMPLATE("exp, log, sin and pow of 16-bit floats are float's, rounded", T, k::float16, k::bfloat16) {
    const std::vector<T> values = tests::special_values<T>();
    for (const oracle::op code : {oracle::op::exp, oracle::op::log, oracle::op::sin, oracle::op::tanh})
        tests::measured_library()(code, oracle::type_for<T>, {oracle::from_all(values)});
    const tests::pairs<T> all = tests::all_pairs(values);
    tests::measured_library()(oracle::op::pow, oracle::type_for<T>,
                              {oracle::from_all(all.left), oracle::from_all(all.right)});
}
