// k::constant<v>: in promotion a number, in the kernel a literal.
#include <support/check.hpp>
#include <support/rooms.hpp>

#include <emit/body.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>

namespace k = kiln;

namespace {

template <class E>
std::string steps_of(const E& e) {
    const std::vector<k::emit::source> made = tests::sources({}, e);
    const std::string& text = made.at(0).text;
    const std::size_t begin = text.find("{\n    const ", text.find(" void body("));
    return text.substr(begin, text.find('}', begin) - begin);
}

/// x takes `v` on both sides, as an expression's type and as a run-time graph.
template <auto v, class T>
void check_adds(T element) {
    const k::array<T> x = k::full<T>({5}, element);
    using R = k::value_t<decltype(x + k::constant<v>)>;
    static_assert(std::is_same_v<R, k::value_t<decltype(x + v)>>);
    const std::vector<R> expected = k::array<R>(x + v).to_host();
    CHECK_SAME(k::array<R>(x + k::constant<v>).to_host(), expected);
    CHECK_SAME(k::array<R>(k::constant<v> + x).to_host(), expected);
    CHECK_SAME(k::array<R>(k::expr<R>(k::expr<T>(x) + k::constant<v>)).to_host(), expected);
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<R>((x + k::constant<v>)+k::constant<v>).to_host(), k::array<R>((x + v) + v).to_host());
}

}  // namespace

TEST_CASE("a constant is worth what the number is worth, beside every type") {
    check_adds<3>(1.5f);
    check_adds<3>(1.5);
    check_adds<3>(std::int32_t{7});
    check_adds<3>(std::int64_t{7});
    check_adds<3>(std::uint8_t{254});
    check_adds<3>(true);
    check_adds<true>(std::int32_t{7});
    check_adds<-1>(std::int32_t{7});
    check_adds<INT64_MIN>(std::int64_t{7});
    check_adds<INT32_MIN>(std::int32_t{-7});
#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
    check_adds<0.1f>(1.0f);
    check_adds<0.1>(1.0f);
    check_adds<0.1>(1.0);
    check_adds<0.1>(std::int32_t{7});
    check_adds<std::numeric_limits<double>::denorm_min()>(0.0);
    check_adds<std::numeric_limits<float>::denorm_min()>(0.0f);
    check_adds<std::numeric_limits<float>::max()>(1.0f);
    check_adds<std::numeric_limits<double>::max()>(1.0);
    check_adds<std::numeric_limits<float>::infinity()>(1.0f);
    check_adds<-std::numeric_limits<double>::infinity()>(1.0);
    check_adds<std::numeric_limits<double>::quiet_NaN()>(1.0);
    check_adds<-0.0>(-0.0);
#endif
}

TEST_CASE("a constant stands in the kernel's text, and is no parameter") {
    const k::array<float> x = k::ones<float>({100});
    CHECK(steps_of(x * k::constant<3>).find("x0 * 3.0f;") != std::string::npos);
#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
    CHECK(steps_of(x - k::constant<-0.5>).find("x0 - (-0.5f);") != std::string::npos);
#endif
    const k::array<std::int32_t> i = k::ones<std::int32_t>({100});
    CHECK(steps_of(i / k::constant<8>).find("int(8)))") != std::string::npos);
    CHECK(tests::schedule({}, x * k::constant<3>).kernels.at(0).scalars.empty());
}

TEST_CASE("another constant is another kernel, an equal one is one value of it") {
    const k::array<float> x = k::ones<float>({100});
    CHECK(tests::sources({}, x * k::constant<3>)[0].text != tests::sources({}, x * k::constant<4>)[0].text);
#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
    const k::lower::lowered of = tests::lowered((x + k::constant<3>)*(x + k::constant<3.0f>));
    CHECK(of.code.constants.size() == 1);
    CHECK(of.code.steps.size() == 2);
#endif
}

TEST_CASE("run-time graphs that differ in a constant alone are different graphs") {
    const k::array<float> x = k::ones<float>({4});
    k::expr<float> three = x;
    k::expr<float> four = x;
    three = three * k::constant<3>;
    four = four * k::constant<4>;
    CHECK_SAME(k::array<float>(three).to_host(), std::vector<float>(4, 3.0f));
    CHECK_SAME(k::array<float>(four).to_host(), std::vector<float>(4, 4.0f));
}

TEST_CASE("the literal of every number reads back as its bits") {
    using k::element_type;
    using k::emit::literal;
    CHECK(literal({element_type::float32, k::detail::to_bits(0.5f)}) == "0.5f");
    CHECK(literal({element_type::float64, k::detail::to_bits(1e300)}) == "1e+300");
    CHECK(literal({element_type::float64, k::detail::to_bits(3.0)}) == "3.0");
    CHECK(literal({element_type::int32, k::detail::to_bits(INT32_MIN)}) == "int(-2147483648ll)");
    CHECK(literal({element_type::int32, k::detail::to_bits(-3)}) == "(-3)");
    CHECK(literal({element_type::int64, k::detail::to_bits(INT64_MIN)}) == "(-9223372036854775807ll - 1)");
    CHECK(literal({element_type::uint8, k::detail::to_bits(std::uint8_t{200})}) == "u8(200ull)");
    CHECK(literal({element_type::boolean, 1}) == "true");
    CHECK(literal({element_type::float32, k::detail::to_bits(-HUGE_VALF)}) == "(-1e38f * 1e38f)");
}
