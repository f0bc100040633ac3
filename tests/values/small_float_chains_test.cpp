// Steps of 16-bit floats of two arrays, which a CPU computes in vectors of float (plan/float_vectors.hpp): each pair of bits against the
// oracle, and chains, however long and wherever their elements are, against the same steps one by one.
#include <support/host_text.hpp>
#include <support/operations.hpp>
#include <support/oracle.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

constexpr std::int64_t all_bits = 65536;

/// The same bits, of NaN any.
template <class R>
bool is_same(R left, R right) {
    return left != left ? right != right : std::memcmp(&left, &right, sizeof left) == 0;
}

/// Of as many elements, how many are others.
template <class R>
std::int64_t differing(const std::vector<R>& a, const std::vector<R>& b) {
    std::int64_t out = a.size() == b.size() ? 0 : -1;
    for (std::size_t i = 0; out >= 0 && i < a.size(); ++i) out += !is_same<R>(a[i], b[i]);
    return out;
}

/// Every value that 16 bits can have, each time in another order.
template <class T>
std::vector<T> any_bits(std::uint32_t times, std::uint32_t plus) {
    std::vector<T> values(static_cast<std::size_t>(all_bits));
    for (std::uint32_t i = 0; i < all_bits; ++i)
        values[i] = std::bit_cast<T>(static_cast<std::uint16_t>(i * times + plus));
    return values;
}

/// Zeros, denormals, the least and the largest numbers, infinities, NaN, and halves of last places.
template <class T>
std::vector<std::uint16_t> special_bits() {
    const std::uint16_t infinity = std::is_same_v<T, k::float16> ? 0x7c00 : 0x7f80;
    const std::uint16_t one = std::is_same_v<T, k::float16> ? 0x3c00 : 0x3f80;
    std::vector<std::uint16_t> out;
    for (const int bits : {0, 1, 2, 0x1ff, 0x3ff, 0x400, 0x401, infinity - 1, int{infinity}, infinity + 1, 0x7fff,
                           int{one}, one + 1, one - 1, one + (std::is_same_v<T, k::float16> ? 0x2c00 : 0x400),
                           one - (std::is_same_v<T, k::float16> ? 0x2c00 : 0x400)}) {
        out.push_back(static_cast<std::uint16_t>(bits));
        out.push_back(static_cast<std::uint16_t>(bits | 0x8000));
    }
    return out;
}

template <class Op, class T>
void check_pairs(const std::vector<T>& x, const std::vector<T>& y) {
    const k::array<T> a = k::from_host(x), b = k::from_host(y);
    const auto made = k::eval(Op{}(a, b)).to_host();
    using result = typename std::decay_t<decltype(made)>::value_type;
    std::int64_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const result expected =
            oracle::to<result>(oracle::computed(Op::code, {oracle::from<T>(x[i]), oracle::from<T>(y[i])}));
        if (is_same<result>(made[i], expected)) continue;
        if (wrong++ == 0)
            first = std::to_string(std::bit_cast<std::uint16_t>(x[i])) + " and " +
                    std::to_string(std::bit_cast<std::uint16_t>(y[i]));
    }
    CHECK_MESSAGE(wrong == 0, oracle::name_of(Op::code), " of ", first);
}

template <class T>
void check_all(const std::vector<T>& x, const std::vector<T>& y) {
    check_pairs<tests::op::add>(x, y);
    check_pairs<tests::op::sub>(x, y);
    check_pairs<tests::op::mul>(x, y);
    check_pairs<tests::op::div>(x, y);
    check_pairs<tests::op::min>(x, y);
    check_pairs<tests::op::max>(x, y);
}

/// One step of a chain, of what was made so far and of two arrays; by number.
template <class T, class E>
k::expr<T> step(int number, const E& made, const k::array<T>& x, const k::array<T>& y) {
    switch (number % 16) {
        case 0: return made * y;
        case 1: return made + x;
        case 2: return made - y;
        case 3: return y - made;
        case 4: return k::min(made, x);
        case 5: return k::where(made > y, made, x);
        case 6: return k::abs(made) * T(0.75f);
        case 7: return k::sqrt(k::abs(made)) + x;
        case 8: return k::clamp(made, y, x);
        case 9: return -made;
        case 10: return made / (k::square(y) + T(1.0f));
        case 11: return k::cast<T>(k::cast<float>(made) * 1.25f);
        case 12: return k::max(k::relu(made), y);
        case 13: return k::fma(made, y, x);
        case 14: return k::floor(made) + k::trunc(y) - k::ceil(x) * k::rint(made);
        default: return k::where(k::isnan(made) || made == x, y, made);
    }
}

template <class T>
void check_chain(const k::array<T>& x, const k::array<T>& y, int length, int first) {
    k::expr<T> chain = x;
    k::array<T> one_by_one = x;
    for (int i = 0; i < length; ++i) {
        chain = step<T>(first + i, chain, x, y);
        one_by_one = step<T>(first + i, one_by_one, x, y);
    }
    CHECK_MESSAGE(differing<T>(k::eval(chain).to_host(), one_by_one.to_host()) == 0, length, " steps from ", first);
}

}  // namespace

TEST_CASE_TEMPLATE("every 16-bit float with others of any bits gives the oracle's", T, k::float16, k::bfloat16) {
    tests::sample others(3, std::is_same_v<T, k::float16> ? 0 : 1);
    for (std::uint32_t plus = 0; plus < 3; ++plus)
        if (others.takes_next()) check_all(any_bits<T>(1, 0), any_bits<T>(40503, 21111 * plus + 3));
}

TEST_CASE_TEMPLATE("special 16-bit floats with each other and with any give the oracle's", T, k::float16, k::bfloat16) {
    const std::vector<std::uint16_t> special = special_bits<T>();
    std::vector<T> x, y;
    for (const std::uint16_t left : special) {
        for (const std::uint16_t right : special)
            x.push_back(std::bit_cast<T>(left)), y.push_back(std::bit_cast<T>(right));
        for (std::uint32_t bits = left & 63u; bits < all_bits; bits += 61)
            x.push_back(std::bit_cast<T>(left)), y.push_back(std::bit_cast<T>(static_cast<std::uint16_t>(bits)));
    }
    check_all(x, y);
    check_all(y, x);
}

TEST_CASE_TEMPLATE("a chain of 16-bit floats gives what its steps give one by one", T, k::float16, k::bfloat16) {
    const k::array<T> x = k::from_host(any_bits<T>(1, 0)), y = k::from_host(any_bits<T>(40503, 11));
    for (const int length : {2, 5, 16, 32}) check_chain(x, y, length, 0);
    check_chain(x, y, 70, 3);   // more than are woven as others are
    check_chain(x, y, 140, 0);  // compiled as long bodies are
}

TEST_CASE_TEMPLATE("16-bit floats in blocks that are not whole, apart, or in rows", T, k::float16, k::bfloat16) {
    const k::array<T> x = k::from_host(any_bits<T>(1, 0x3800)), y = k::from_host(any_bits<T>(40503, 11));
    for (const std::int64_t count : {1, 2, 15, 17, 127, 128, 129, 1000}) {
        check_chain<T>(x(k::range(0, count)), y(k::range(0, count)), 3, 0);
        check_chain<T>(x(k::range(5, 5 + count)), y(k::range(1, 1 + count)), 3, 0);
    }
    const auto expected = [](const std::vector<T>& a, const std::vector<T>& b) {
        std::vector<T> out;
        for (std::size_t i = 0; i < a.size(); ++i)
            out.push_back(oracle::to<T>(oracle::computed(
                oracle::op::sub, {oracle::computed(oracle::op::mul, {oracle::from<T>(a[i]), oracle::from<T>(b[i])}),
                                  oracle::from<T>(a[i])})));
        return out;
    };
    const auto check = [&](auto of) {
        const k::array<T> a = of(x), b = of(y);
        CHECK(differing<T>(k::eval(of(x) * of(y) - of(x)).to_host(), expected(a.to_host(), b.to_host())) == 0);
    };
    const k::array<T> rows_x = k::reshape(x, {256, 256});
    check([](const auto& a) { return a(k::range(3, 5000, 3)); });
    check([](const auto& a) { return k::flip(a(k::range(0, 3000)), k::axis(0)); });
    check([](const auto& a) { return k::transpose(k::reshape(a, {256, 256})); });
    check([](const auto& a) { return k::reshape(a, {256, 256})(k::all, k::range(3, 250)); });
    // One row and one column with all others.
    const k::array<T> row = y(k::range(77, 77 + 256)), column = k::reshape(row, {256, 1});
    const auto as_rows = [](const k::array<T>& a) { return k::array<T>(a + k::zeros<T>({256, 256})); };
    CHECK(differing<T>(k::eval(rows_x * row - rows_x).to_host(), expected(rows_x.to_host(), as_rows(row).to_host())) ==
          0);
    CHECK(differing<T>(k::eval(rows_x * column - rows_x).to_host(),
                       expected(rows_x.to_host(), as_rows(column).to_host())) == 0);
    // In the memory of an operand.
    k::array<T> in_place = k::array<T>(x + T(0.0f));
    const std::vector<T> before = in_place.to_host();
    in_place = in_place * y - in_place;
    CHECK(differing<T>(in_place.to_host(), expected(before, y.to_host())) == 0);
}

TEST_CASE("steps of 16-bit floats are vectors in the host's text, where all of them are") {
    const k::array<k::float16> h = k::ones<k::float16>({100});
    const k::array<int> n = k::ones<int>({100});
    CHECK(tests::host_text(h * h + h).find("block_body(") != std::string::npos);
    CHECK(tests::host_text(k::cast<float>(h)).find("block_body(") != std::string::npos);
    CHECK(tests::host_text(k::cast<float>(h) + k::cast<float>(n)).find("block_body(") == std::string::npos);
    CHECK(tests::host_text(k::cast<float>(n) + 1.0f).find("block_body(") == std::string::npos);
}
