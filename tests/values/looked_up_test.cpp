// Bodies of one operand of 16 bits: of many elements the CPU makes what each of the 65,536 values gives and looks it up, of few it
// computes each.
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

constexpr std::int64_t many = 4 * 65536 + 77;
constexpr std::int64_t few = 4001;

/// Every value that 16 bits can have, several times, in no order.
template <class T>
k::array<T> any_bits() {
    std::vector<T> values(static_cast<std::size_t>(many));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::bit_cast<T>(static_cast<std::uint16_t>(i * 40503u));
    return k::from_host(values);
}

/// The same bits, of NaN any.
template <class R>
bool are_same(const std::vector<R>& a, const std::vector<R>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const R left = a[i], right = b[i];
        if (left != left ? right == right : std::memcmp(&left, &right, sizeof left) != 0) return false;
    }
    return true;
}

/// Of all at once and of parts, too small to look up.
template <class T, class F>
void check_parts(const k::array<T>& x, F of) {
    const auto whole = k::eval(of(x)).to_host();
    using result = typename std::decay_t<decltype(whole)>::value_type;
    std::vector<result> parts;
    for (std::int64_t first = 0; first < many; first += few) {
        const std::int64_t end = std::min(first + few, many);
        const auto part = k::eval(of(k::array<T>(x(k::range(first, end))))).to_host();
        parts.insert(parts.end(), part.begin(), part.end());
    }
    CHECK(are_same<result>(whole, parts));
}

}  // namespace

TEST_CASE_TEMPLATE("what 16 bits give is the same bits looked up and computed", T, k::float16, k::bfloat16,
                   std::int16_t, std::uint16_t) {
    const k::array<T> x = any_bits<T>();
    check_parts(x, [](const k::array<T>& of) { return k::cast<T>(k::tanh(k::cast<float>(of) * 0.3f) * 100.0f); });
    check_parts(x, [](const k::array<T>& of) { return k::exp(k::cast<float>(of)); });
    check_parts(x, [](const k::array<T>& of) { return k::log(k::cast<double>(of)) / 3.0; });
    check_parts(x,
                [](const k::array<T>& of) { return k::cast<std::int8_t>(k::rint(k::sin(k::cast<float>(of)) * 90)); });
    check_parts(x, [](const k::array<T>& of) { return k::exp(k::cast<std::complex<double>>(of)); });
}

TEST_CASE_TEMPLATE("functions of 16-bit floats are the same bits looked up and computed", T, k::float16, k::bfloat16) {
    const k::array<T> x = any_bits<T>();
    check_parts(x, [](const k::array<T>& of) { return of / (1 + k::exp(-of)); });
    check_parts(x, [](const k::array<T>& of) { return 0.5f * of * (1 + k::tanh(0.8f * (of + 0.04f * of * of * of))); });
    check_parts(x, [](const k::array<T>& of) { return ((of * 2 + 1) * of - of / 3) * of + 5; });
    // Numbers that are another at each call.
    for (const float factor : {0.5f, -2.0f}) check_parts(x, [=](const k::array<T>& of) { return k::exp(factor * of); });
}

TEST_CASE("what is looked up may go where its operand was, and two results of it are computed") {
    const k::array<k::float16> x = any_bits<k::float16>();
    const std::vector<k::float16> expected = k::eval(k::exp(x)).to_host();
    k::array<k::float16> y = any_bits<k::float16>();
    y = k::exp(y);
    CHECK(are_same(y.to_host(), expected));
    k::array<k::float16> first, second;
    std::tie(first, second) = k::eval(k::exp(x), k::exp(x) + x);
    CHECK(are_same(first.to_host(), expected));
    CHECK(are_same(second.to_host(), k::eval(k::array<k::float16>(k::exp(x)) + x).to_host()));
}
