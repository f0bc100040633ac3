// The type in which two operands meet: as a table that the compiler checks, and by value for every pair.
#include <support/build_paths.hpp>
#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/sample.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace k = kiln;

namespace {

using u8 = std::uint8_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

template <class A, class B>
using sum_of_arrays = k::value_t<decltype(std::declval<k::array<A>>() + std::declval<k::array<B>>())>;
template <class A, class S>
using sum_with_scalar = k::value_t<decltype(std::declval<k::array<A>>() + std::declval<S>())>;
template <class A, class S>
using lesser_with_scalar = k::value_t<decltype(k::min(std::declval<k::array<A>>(), std::declval<S>()))>;

template <class A, class B, class R>
constexpr bool meets = std::is_same_v<sum_of_arrays<A, B>, R> && std::is_same_v<sum_of_arrays<B, A>, R>;
template <class A, class S, class R>
constexpr bool takes = std::is_same_v<sum_with_scalar<A, S>, R>;

// --- array with array: every pair is below, by value; these are the rules, one line each ---
static_assert(meets<bool, bool, i32>);
static_assert(meets<bool, u8, u8>);
static_assert(meets<u8, i32, i32>);
static_assert(meets<std::int8_t, u8, u8>);
static_assert(meets<std::int16_t, u8, std::int16_t>);
static_assert(meets<i32, std::uint32_t, std::uint32_t>);
static_assert(meets<i64, std::uint64_t, std::uint64_t>);
static_assert(meets<i64, float, float>);
static_assert(meets<i64, k::float16, k::float16>);
static_assert(meets<k::float16, k::bfloat16, float>);
static_assert(meets<k::bfloat16, float, float>);
static_assert(meets<float, double, double>);
static_assert(meets<i64, std::complex<float>, std::complex<float>>);
static_assert(meets<k::float16, std::complex<float>, std::complex<float>>);
static_assert(meets<double, std::complex<float>, std::complex<double>>);
static_assert(meets<float, std::complex<double>, std::complex<double>>);

// --- array with scalar: the array's type, unless the scalar's kind is higher ---
static_assert(takes<float, double, float>);
static_assert(takes<float, int, float>);
static_assert(takes<float, bool, float>);
static_assert(takes<float, long long, float>);
static_assert(takes<double, float, double>);
static_assert(takes<i32, double, double>);
static_assert(takes<i32, float, float>);
static_assert(takes<i32, long long, i32>);
static_assert(takes<i32, u8, i32>);
static_assert(takes<i32, bool, i32>);
static_assert(takes<i64, int, i64>);
static_assert(takes<i64, float, float>);
static_assert(takes<u8, int, u8>);
static_assert(takes<u8, double, double>);
static_assert(takes<u8, bool, u8>);
static_assert(takes<bool, bool, i32>);
static_assert(takes<bool, int, i32>);
static_assert(takes<bool, u8, u8>);
static_assert(takes<bool, i64, i64>);
static_assert(takes<bool, float, float>);
static_assert(takes<bool, double, double>);
static_assert(takes<bool, short, std::int16_t>);
static_assert(
    takes<bool, char, std::conditional_t<std::is_signed_v<char>, std::int8_t, std::uint8_t>>);  // AArch64's has no sign
static_assert(takes<bool, unsigned, std::uint32_t>);
static_assert(takes<bool, unsigned long long, std::uint64_t>);
static_assert(takes<k::float16, double, k::float16>);
static_assert(takes<k::bfloat16, k::float16, k::bfloat16>);
static_assert(takes<i32, k::float16, k::float16>);
static_assert(takes<float, std::complex<double>, std::complex<double>>);
static_assert(takes<double, std::complex<float>, std::complex<double>>);
static_assert(takes<std::complex<float>, double, std::complex<float>>);
static_assert(takes<std::complex<float>, std::complex<double>, std::complex<float>>);

// --- what does no arithmetic keeps bool ---
static_assert(std::is_same_v<lesser_with_scalar<bool, bool>, bool>);
static_assert(std::is_same_v<lesser_with_scalar<u8, int>, u8>);
static_assert(std::is_same_v<lesser_with_scalar<i32, double>, double>);

// --- an operator's type does not depend on which side the scalar is on ---
static_assert(std::is_same_v<k::value_t<decltype(2 - std::declval<k::array<float>>())>, float>);
static_assert(std::is_same_v<k::value_t<decltype(2.5 - std::declval<k::array<i32>>())>, double>);
static_assert(std::is_same_v<k::value_t<decltype(2.5 < std::declval<k::array<i32>>())>, bool>);

template <class A, class B>
void check_pair() {
    const std::vector<A> a = tests::special_values<A>();
    const std::vector<B> b = tests::special_values<B>();
    // Each value of one with some of the other.
    std::vector<A> left;
    std::vector<B> right;
    for (std::size_t i = 0; i < a.size() * 10; ++i)
        left.push_back(a[i % a.size()]), right.push_back(b[i * 7 % b.size()]);
    for (std::size_t i = 0; i < b.size() * 10; ++i)
        left.push_back(a[i * 7 % a.size()]), right.push_back(b[i % b.size()]);
    const k::array<A> x = k::from_host<A>(left);
    const k::array<B> y = k::from_host<B>(right);
    auto [sum, quotient, equal, chosen] = k::eval(x + y, x / y, x == y, k::where(x, x, y));

    const oracle::tree s = oracle::elements(left);
    const oracle::tree t = oracle::elements(right);
    CAPTURE(oracle::name_of(oracle::type_for<A>));
    CAPTURE(oracle::name_of(oracle::type_for<B>));
    const auto say = [&](std::size_t i) {
        return " (" + oracle::to_string(oracle::from<A>(left[i])) + ", " +
               oracle::to_string(oracle::from<B>(right[i])) + ")";
    };
    const auto check = [&]<class R>(const k::array<R>& got, oracle::op code, std::vector<oracle::tree> args) {
        const oracle::tree expected = oracle::operation(code, std::move(args));
        CHECK(expected->of == oracle::type_for<R>);
        CHECK_SAME(got.to_host(), tests::typed<R>(oracle::evaluate(expected, left.size())), say);
    };
    check(sum, oracle::op::add, {s, t});
    check(quotient, oracle::op::div, {s, t});
    check(equal, oracle::op::eq, {s, t});
    check(chosen, oracle::op::where, {s, s, t});
}

template <class A, class... Bs>
void check_pairs() {
    // Of each type others with every third, beginning elsewhere.
    tests::sample others(3, static_cast<int>(oracle::type_for<A>) % 3);
    const auto check = [&]<class B>(B*) {
        if (others.takes_next()) check_pair<A, B>();
    };
    (check(static_cast<Bs*>(nullptr)), ...);
}

std::string manual() {
    std::ifstream file(tests::source_folder() + "/include/kiln/README.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The manual's table, as promote() would write it.
std::string promotion_table() {
    std::string out = "| |";
    std::string rule = "|---|";
    for (int type = 0; type < k::element_type_count; ++type) {
        out += std::string(" ") + k::info(static_cast<k::element_type>(type)).suffix + " |";
        rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (int left = 0; left < k::element_type_count; ++left) {
        out += std::string("| ") + k::info(static_cast<k::element_type>(left)).name + " |";
        for (int right = 0; right < k::element_type_count; ++right)
            out += std::string(" ") +
                   k::info(k::promote(static_cast<k::element_type>(left), static_cast<k::element_type>(right))).suffix +
                   " |";
        out += "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("promote() says what the oracle's table says, whichever side an operand is on") {
    for (int left = 0; left < k::element_type_count; ++left)
        for (int right = 0; right < k::element_type_count; ++right) {
            const auto met = k::promote(static_cast<k::element_type>(left), static_cast<k::element_type>(right));
            CAPTURE(left);
            CAPTURE(right);
            CHECK(static_cast<int>(met) == static_cast<int>(oracle::promoted(static_cast<oracle::type>(left),
                                                                             static_cast<oracle::type>(right))));
        }
}

TEST_CASE("the manual's promotion table is promote()'s") {
    const std::string begin = "<!-- promotion table -->\n";
    const std::string end = "<!-- end of promotion table -->";
    const std::string text = manual();
    const std::size_t first = text.find(begin);
    const std::size_t last = text.find(end);
    REQUIRE(first != std::string::npos);
    REQUIRE(last != std::string::npos);
    const std::string expected = promotion_table();
    CHECK_EQ(text.substr(first + begin.size(), last - first - begin.size()), expected);
}

TEST_CASE_TEMPLATE("arrays of every two types meet in the type that the table says, and have its values", A,
                   KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    check_pairs<A, KILN_TEST_TYPES, KILN_TEST_COMPLEX>();
}

TEST_CASE("a scalar of a lower kind or the same kind takes the array's type before the operation") {
    const k::array<float> x = k::full<float>({3}, 16777216.0f);
    CHECK_SAME(k::array<float>(x + 1.0).to_host(), std::vector<float>(3, 16777216.0f));
    CHECK_SAME(k::array<float>(x * 0.1).to_host(), std::vector<float>(3, 16777216.0f * 0.1f));
    CHECK_SAME(k::array<float>(k::ones<float>({3}) * 16777217).to_host(), std::vector<float>(3, 16777216.0f));
    CHECK_SAME(k::array<float>(k::ones<float>({3}) * 1e300).to_host(),
               std::vector<float>(3, std::numeric_limits<float>::infinity()));
}

TEST_CASE("a scalar of a higher kind takes the array to its own type") {
    const k::array<i32> x = k::from_host<i32>({1, 16777217, -3}, {3});
    CHECK_SAME(k::array<double>(x * 0.5).to_host(), {0.5, 8388608.5, -1.5});
    CHECK_SAME(k::array<float>(x * 1.0f).to_host(), {1.0f, 16777216.0f, -3.0f});
}

TEST_CASE("where two types meet more than once, each operator has its own") {
    const k::array<u8> x = k::full<u8>({2}, u8{200});
    const k::array<i32> y = k::full<i32>({2}, 1000);
    CHECK_SAME(k::array<i32>((x + x) + y).to_host(), {1144, 1144});
    CHECK_SAME(k::array<i32>(x + (x + y)).to_host(), {1400, 1400});
    CHECK_SAME(k::array<double>((x + x) * 0.5 + y).to_host(), {1072.0, 1072.0});
}
