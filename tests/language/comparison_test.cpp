// == != < <= > >= && || !, for every type.
#include <language/elementwise.hpp>

namespace k = kiln;

TEST_CASE_TEMPLATE("== and != are right for every pair of special values", T, KILN_TEST_TYPES, KILN_TEST_COMPLEX) {
    tests::check_binary<T>(tests::op::eq{});
    tests::check_binary<T>(tests::op::ne{});
}
TEST_CASE_TEMPLATE("< and <= are right for every pair of special values", T, KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::lt{});
    tests::check_binary<T>(tests::op::le{});
}
TEST_CASE_TEMPLATE("> and >= are right for every pair of special values", T, KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::gt{});
    tests::check_binary<T>(tests::op::ge{});
}
TEST_CASE_TEMPLATE("&&, || and ! take what is not 0 for true, NaN included", T, KILN_TEST_TYPES) {
    tests::check_binary<T>(tests::op::logical_and{});
    tests::check_binary<T>(tests::op::logical_or{});
    tests::check_unary<T>(tests::op::logical_not{});
}

TEST_CASE("comparisons of NaN are false but for !=") {
    const k::array<float> nan = k::full<float>({3}, std::numeric_limits<float>::quiet_NaN());
    auto [eq, ne, lt, ge] = k::eval(nan == nan, nan != nan, nan < 1.0f, nan >= 1.0f);
    CHECK_SAME(eq.to_host(), {false, false, false});
    CHECK_SAME(ne.to_host(), {true, true, true});
    CHECK_SAME(lt.to_host(), {false, false, false});
    CHECK_SAME(ge.to_host(), {false, false, false});
}

TEST_CASE("-0 equals 0") {
    const k::array<double> zero = k::zeros<double>({2});
    const k::array<double> minus = -zero;
    CHECK_SAME(minus.to_host(), {-0.0, -0.0});
    CHECK_SAME(k::array<bool>(minus == zero).to_host(), {true, true});
    CHECK_SAME(k::array<bool>(minus < zero).to_host(), {false, false});
}

TEST_CASE("arithmetic on bool counts: true + true is 2, as int32") {
    const k::array<bool> yes = k::from_host<bool>(std::vector<bool>{true, false, true});
    static_assert(std::is_same_v<k::value_t<decltype(yes + yes)>, std::int32_t>);
    CHECK_SAME(k::array<std::int32_t>(yes + yes).to_host(), {2, 0, 2});
    CHECK_SAME(k::array<std::int32_t>(yes * 3).to_host(), {3, 0, 3});
    CHECK_SAME(k::array<std::int32_t>(-yes).to_host(), {-1, 0, -1});
}
