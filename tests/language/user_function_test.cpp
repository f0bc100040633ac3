// Functions that users write: what they compute, and which is which. What is wrong with one is in
// errors/user_function_test.cpp.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/operations.hpp>

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

namespace {

/// Where a compiler's kernels run; elsewhere the compile is all that there is to see.
bool runs_user_functions() { return tests::device().compiles && !tests::cubins_wanted(); }

/// What `made` evaluates to; where functions of the user's do not run, nothing, and evaluating says so.
template <class T, class E>
std::vector<T> values_of(E&& e, std::vector<T> otherwise) {
    if (runs_user_functions()) return k::array<T>(std::forward<E>(e)).to_host();
    CHECK_THROWS_WITH_AS(k::array<T>(std::forward<E>(e)), doctest::Contains("only a compiler can turn into a kernel"),
                         k::error);
    return otherwise;
}

#define CHECK_VALUES(T, e, ...)                            \
    do {                                                   \
        const std::vector<T> expected = __VA_ARGS__;       \
        CHECK_SAME((values_of<T>(e, expected)), expected); \
    } while (false)

const auto logaddexp =
    k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));");

}  // namespace

TEST_CASE("logaddexp of the manual is what the host computes") {
    const std::vector<float> left = tests::typed<float>(oracle::from_all(std::vector<float>{0.0f, 1.0f, -3.5f, 80.0f}));
    const std::vector<float> right{0.0f, 2.0f, -3.5f, -80.0f};
    const k::array<float> x = k::from_host<float>(left);
    const k::array<float> z = k::from_host<float>(right);
    if (!runs_user_functions()) return;
    const std::vector<float> got = k::array<float>(logaddexp(x, z)).to_host();
    for (std::size_t i = 0; i < left.size(); ++i)
        CHECK(got[i] ==
              doctest::Approx(std::fmax(left[i], right[i]) + std::log1p(std::exp(-std::fabs(left[i] - right[i])))));
}

TEST_CASE("a function fuses with what is around it, and unfused gives the same bits") {
    if (!runs_user_functions()) return;
    const std::vector<float> values = {0.1f, -2.7f, 3.3f, 17.25f, -0.03f};
    const k::array<float> x = k::from_host<float>(values);
    const auto e = logaddexp(x * 1.3f, x) - logaddexp(x, 2) * x;
    const std::int64_t before = k::counters::now().launches;
    const std::vector<float> fused = k::array<float>(e).to_host();
    CHECK(k::counters::now().launches == before + 1);
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<float>(e).to_host(), fused);
}

TEST_CASE("two functions of one C++ type, one name, or both, are told apart") {
    const auto once = k::function<float(float)>("f", {"a"}, "return a + 1;");
    const auto twice = k::function<float(float)>("f", {"a"}, "return a + 2;");
    const k::array<float> x = k::ones<float>({3});
    const auto apply = [&](const auto& f) { return f(x) * 10.0f; };
    CHECK_VALUES(float, apply(once), {20.0f, 20.0f, 20.0f});
    CHECK_VALUES(float, apply(twice), {30.0f, 30.0f, 30.0f});
    CHECK_VALUES(float, apply(once), {20.0f, 20.0f, 20.0f});
    CHECK_VALUES(float, twice(once(x)) * once(twice(x)), {16.0f, 16.0f, 16.0f});
}

TEST_CASE("a function in a run-time graph") {
    const auto step = k::function<double(double, int)>("step", {"value", "n"}, "return value / n;");
    const auto other = k::function<double(double, int)>("step", {"value", "n"}, "return value * n;");
    k::expr<double> e = k::array<double>(k::full<double>({2}, 24.0));
    k::expr<double> f = e;
    for (int i = 1; i < 4; ++i) e = step(e, i), f = other(f, i);
    CHECK_VALUES(double, e, {4.0, 4.0});
    CHECK_VALUES(double, f, {144.0, 144.0});
}

TEST_CASE("operands promote to the parameters' types, and numbers take them") {
    const auto mixed = k::function<double(double, float, int, bool)>(
        "mixed", {"d", "f", "i", "b"},
        "static_assert(sizeof(f) == 4 && sizeof(i) == 4, \"\"); return b ? d + f / i : -1;");
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({1, 2, 4}, {3});
    const k::array<bool> b = k::from_host<bool>(std::vector<bool>{true, true, false});
    CHECK_VALUES(double, mixed(i, 1.0, i, b), {2.0, 2.5, -1.0});
    CHECK_VALUES(double, mixed(1, i, k::constant<2>, true), {1.5, 2.0, 3.0});
}

TEST_CASE("functions of no and of eight operands") {
    const auto answer = k::function<std::int64_t()>("answer", {}, "return 42;");
    const k::array<std::int64_t> x = k::ones<std::int64_t>({2});
    CHECK_VALUES(std::int64_t, x + answer(), {43, 43});
    const auto all = k::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                                              std::int64_t, std::int64_t, std::int64_t)>(
        "all", {"a", "b", "c", "d", "e", "f", "g", "h"},
        "return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g + 10000000 * h;");
    CHECK_VALUES(std::int64_t, all(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7), {87654321, 87654321});
    CHECK_THROWS_AS(static_cast<void>(k::eval(answer())), k::shape_error);
}

TEST_CASE_TEMPLATE("every element type may be a parameter and a result", T, KILN_TEST_TYPES) {
    const auto same = k::function<T(T)>("same", {"value"}, "return value;");
    const k::array<T> x = k::from_host<T>(std::vector<T>{T(0), T(1)});
    CHECK_VALUES(T, same(x), std::vector<T>{T(0), T(1)});
}

TEST_CASE("a 16-bit float is a float in the body, and a result of such a type is rounded once") {
    const auto third =
        k::function<k::float16(k::float16, float)>("third", {"a", "b"}, "float c = a * b;\nreturn c / 3;");
    const k::array<k::float16> x = k::from_host<k::float16>({k::float16(1.0f), k::float16(2049.0f)});
    CHECK_VALUES(k::float16, third(x, 1.0f), {k::float16(1.0f / 3), k::float16(2048.0f / 3)});
    const auto root = k::function<float(k::bfloat16)>("root", {"a"}, "return sqrtf(a);");
    const k::array<k::bfloat16> y = k::from_host<k::bfloat16>({k::bfloat16(2.0f), k::bfloat16(9.0f)});
    CHECK_VALUES(float, root(y), {std::sqrt(2.0f), 3.0f});
}

TEST_CASE("a function may be named as any other is, and its parameters as values of the kernel are") {
    const auto mine = k::function<float(float, float)>("exp", {"x0", "t0"}, "float y0 = x0 - t0;\nreturn y0; // it is");
    const k::array<float> x = k::zeros<float>({2});
    CHECK_VALUES(float, mine(x, 3.0f) + k::exp(x), {-2.0f, -2.0f});
    const auto body = k::function<float(float)>("body", {"library"}, "return library + 1;");
    CHECK_VALUES(float, body(x), {1.0f, 1.0f});
}

TEST_CASE("equal calls are computed once") {
    const k::array<float> x = k::ones<float>({10});
    const k::explanation plan = k::explain(logaddexp(x, x) + logaddexp(x, x));
    CHECK(plan.kernels.at(0).operation_count == 2 * 10);
    CHECK(plan.kernels.at(0).expression == "logaddexp(x0, x0) + logaddexp(x0, x0)");
    CHECK(plan.kernels.at(0).name.find("kiln_logaddexp_add_f32") == 0);
}

TEST_CASE("a view of a function's result, and of what a constant takes part in, is a view of the operands") {
    const auto add = k::function<std::int32_t(std::int32_t, std::int32_t)>("plus", {"a", "b"}, "return a + b;");
    const k::array<std::int32_t> x = k::from_host<std::int32_t>({1, 2, 3, 4, 5, 6}, {2, 3});
    const k::array<std::int32_t> row = k::from_host<std::int32_t>({10, 20, 30}, {3});
    const auto e = add(x, row) * k::constant<2>;
    CHECK_VALUES(std::int32_t, k::transpose(e), {22, 28, 44, 50, 66, 72});
    CHECK_VALUES(std::int32_t, k::transpose(k::expr<std::int32_t>(e)), {22, 28, 44, 50, 66, 72});
    const k::array<std::int64_t> last = k::from_host<std::int64_t>({2}, {1});
    CHECK_VALUES(std::int32_t, k::take(e, last, k::axis(1)), {66, 72});
    CHECK_VALUES(std::int32_t, k::take(k::expr<std::int32_t>(e), last, k::axis(1)), {66, 72});
    CHECK_SAME(k::eval(k::transpose(x * k::constant<2>)).to_host(), {2, 8, 4, 10, 6, 12});
    CHECK_SAME(k::eval(k::transpose(k::expr<std::int32_t>(x * k::constant<2>))).to_host(), {2, 8, 4, 10, 6, 12});
}
