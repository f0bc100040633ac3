// Bytes that are computed in float, which a CPU does in vectors that hold one byte of each four (plan/float_vectors.hpp): each pair of bytes,
// however many and wherever they are, against the same steps in C++.
#include <support/host_text.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

using byte = std::uint8_t;
using bytes = k::array<byte>;

/// As a cast of kiln's: towards 0, at most the ends; NaN is 0.
byte to_byte(float x) { return !(x > 0) ? byte{0} : x >= 255 ? byte{255} : static_cast<byte>(x); }

auto number(const bytes& of) { return k::cast<float>(of); }

struct blended {
    static auto made(const bytes& a, const bytes& b) {
        const auto share = number(a) / 255;
        return k::cast<byte>(k::rint(share * number(b) + (1 - share) * number(a)));
    }
    static byte expected(float a, float b) {
        const float share = a / 255;
        const float left = share * b;
        const float right = (1 - share) * a;
        return to_byte(std::rint(left + right));
    }
};

/// Not rounded; below 0 and above 255.
struct cut {
    static auto made(const bytes& a, const bytes& b) {
        return k::cast<byte>(number(a) * 1.37f + number(b) * 0.77f - 90.25f);
    }
    static byte expected(float a, float b) {
        const float left = a * 1.37f;
        const float right = b * 0.77f;
        return to_byte(left + right - 90.25f);
    }
};

/// NaN and infinities.
struct quotient {
    static auto made(const bytes& a, const bytes& b) { return k::cast<byte>(k::rint(number(a) / number(b))); }
    static byte expected(float a, float b) { return to_byte(std::rint(a / b)); }
};

struct cut_quotient {
    static auto made(const bytes& a, const bytes& b) { return k::cast<byte>(-(number(a) / number(b)) + 100.0f); }
    static byte expected(float a, float b) { return to_byte(-(a / b) + 100.0f); }
};

struct chosen {
    static auto made(const bytes& a, const bytes& b) {
        const auto x = number(a);
        const auto y = number(b);
        return k::cast<byte>(k::where(x > y, k::sqrt(x * y), k::max(k::abs(x - y), x * 0.5f)));
    }
    static byte expected(float a, float b) {
        return to_byte(a > b ? std::sqrt(a * b) : std::max(std::fabs(a - b), a * 0.5f));
    }
};

/// What was made a byte is computed on: rounded, and cut.
struct again {
    static auto made(const bytes& a, const bytes& b) {
        const auto rounded = k::cast<byte>(k::rint(number(a) * 0.73f));
        const auto down = k::cast<byte>(number(b) * 0.59f - 7.0f);
        return k::cast<byte>(k::cast<float>(rounded) * 0.5f + k::cast<float>(down));
    }
    static byte expected(float a, float b) {
        const float down = b * 0.59f;
        return to_byte(to_byte(std::rint(a * 0.73f)) * 0.5f + to_byte(down - 7.0f));
    }
};

template <class Op>
void check(const std::vector<byte>& a, const std::vector<byte>& b, const std::vector<byte>& made) {
    REQUIRE(made.size() == a.size());
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (made[i] != Op::expected(a[i], b[i]) && wrong++ == 0) first = i;
    CHECK_MESSAGE(wrong == 0, a.size(), " elements, first of ", int(a[first]), " and ", int(b[first]), ": ",
                  int(made[first]));
}

constexpr std::int64_t pairs = 65536;

std::vector<byte> left_of_pairs() {
    std::vector<byte> out;
    for (std::int64_t i = 0; i < pairs; ++i) out.push_back(static_cast<byte>(i));
    return out;
}

std::vector<byte> right_of_pairs() {
    std::vector<byte> out;
    for (std::int64_t i = 0; i < pairs; ++i) out.push_back(static_cast<byte>(i / 256));
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("each pair of bytes, computed in float, is what C++ makes of it", Op, blended, cut, quotient,
                   cut_quotient, chosen, again) {
    const std::vector<byte> left = left_of_pairs(), right = right_of_pairs();
    check<Op>(left, right, k::eval(Op::made(k::from_host(left), k::from_host(right))).to_host());
}

TEST_CASE_TEMPLATE("bytes in words and blocks that are not whole, from anywhere on, and in place", Op, blended, cut) {
    std::vector<byte> shuffled;
    for (std::int64_t i = 0; i < pairs; ++i) shuffled.push_back(static_cast<byte>(i * 40503 >> 7));
    const bytes x = k::from_host(left_of_pairs()), y = k::from_host(shuffled);
    for (const std::int64_t count : {1, 3, 4, 31, 32, 33, 63, 64, 65, 127, 511, 512, 513, 1000, 1023, 1025})
        for (const std::int64_t from : {0, 1, 5, 64}) {
            const bytes a = x(k::range(from, from + count)), b = y(k::range(2 * from, 2 * from + count));
            check<Op>(a.to_host(), b.to_host(), k::eval(Op::made(a, b)).to_host());
            bytes into = a + byte{0};
            const std::vector<byte> before = into.to_host();
            into = Op::made(into, b);
            check<Op>(before, b.to_host(), into.to_host());
        }
}

TEST_CASE("two results of bytes are one pass") {
    const std::vector<byte> left = left_of_pairs(), right = right_of_pairs();
    const bytes a = k::from_host(left), b = k::from_host(right);
    const auto [one, other] = k::eval(blended::made(a, b), cut::made(a, b));
    check<blended>(left, right, one.to_host());
    check<cut>(left, right, other.to_host());
}

TEST_CASE("bytes are words in the host's text where all arrays are of bytes beside each other") {
    const bytes a = k::ones<byte>({100}), b = k::ones<byte>({100});
    const auto is_of_words = [](const auto& of) {
        return tests::host_text(of).find("words_body(") != std::string::npos;
    };
    CHECK(is_of_words(blended::made(a, b)));
    CHECK(!is_of_words(number(a) / 255 + number(b)));
    const k::array<float> x = k::ones<float>({100});
    CHECK(!is_of_words(k::cast<byte>(number(a) + x)));
    CHECK(!is_of_words(a + b));
    const auto apart = [](const bytes& of) { return k::cast<float>(of(k::range(0, 100, 2))); };
    CHECK(!is_of_words(k::cast<byte>(apart(a) * 0.5f + apart(b))));
}
