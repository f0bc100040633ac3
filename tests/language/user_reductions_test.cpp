// Reductions that users write, against loops in the test; in the order of the built-in ones; what is wrong with one.
#include <language/noise.hpp>
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/operations.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace k = kiln;

using tests::noise;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

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

/// The elements combined one after the other. `axes`: bits of those that go.
template <class T, class Combine>
std::vector<T> combined(const std::vector<T>& values, const k::shape& of, unsigned axes, T identity, Combine combine) {
    std::int64_t kept = 1;
    for (int axis = 0; axis < of.rank(); ++axis)
        if (!(axes >> axis & 1)) kept *= of[axis];
    std::vector<T> out(static_cast<std::size_t>(kept), identity);
    std::vector<std::int64_t> at(static_cast<std::size_t>(of.rank()));
    for (const T value : values) {
        std::int64_t place = 0;
        for (int axis = 0; axis < of.rank(); ++axis)
            if (!(axes >> axis & 1)) place = place * of[axis] + at[static_cast<std::size_t>(axis)];
        T& into = out[static_cast<std::size_t>(place)];
        into = combine(into, value);
        for (int axis = of.rank(); axis-- > 0;) {
            if (++at[static_cast<std::size_t>(axis)] < of[axis]) break;
            at[static_cast<std::size_t>(axis)] = 0;
        }
    }
    return out;
}

k::axis_list list_of(unsigned axes) {
    std::vector<int> numbers;
    for (int axis = 0; axis < k::max_rank; ++axis)
        if (axes >> axis & 1) numbers.push_back(axis);
    switch (numbers.size()) {
        case 0: return k::axes();
        case 1: return k::axis(numbers[0]);
        case 2: return k::axes(numbers[1], numbers[0]);
        case 3: return k::axes(numbers[0], numbers[1], numbers[2]);
        default: return {};
    }
}

auto most() { return k::reduction<float>("most", -inf, "a", "b", "return a < b ? b : a;"); }

}  // namespace

TEST_CASE("the largest as a user writes it, over any axes of random shapes, of arrays, expressions and views") {
    std::mt19937 random(11);
    const auto larger = [](float a, float b) { return a < b ? b : a; };
    for (int round = 0; round < (tests::cubins_wanted() ? 8 : 40); ++round) {
        std::int64_t extents[k::max_rank];
        const int rank = 1 + static_cast<int>(random() % k::max_rank);
        std::int64_t size = 1;
        for (int axis = 0; axis < rank; ++axis) {
            const std::int64_t most_left = std::max<std::int64_t>(1, 60000 / size);
            extents[axis] = random() % 4 == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % (rank > 4 ? 6 : 90));
            extents[axis] = std::min(extents[axis], most_left);
            size *= extents[axis];
        }
        const k::shape of(extents, rank);
        unsigned axes = 0;
        for (unsigned i = 0; i < random() % 4; ++i) axes |= 1u << random() % static_cast<unsigned>(rank);
        CAPTURE(k::to_string(of));
        CAPTURE(axes);
        const std::vector<float> values = noise(size, random());
        const k::array<float> x = k::from_host<float>(values, of);
        CHECK_VALUES(float, most()(x, list_of(axes)), combined(values, of, axes, -inf, larger));
        std::vector<float> shifted = values;
        for (float& each : shifted) each = each * 2.0f + 1.0f;
        CHECK_VALUES(float, most()(x * 2.0f + 1.0f, list_of(axes)), combined(shifted, of, axes, -inf, larger));
        // Of the last axis alone, whatever the elements' order in memory.
        const auto kept = most()(k::flip(x, k::axis(0)), k::axis(-1), k::keep_dims);
        CHECK(k::shape_of(kept).rank() == rank);
        CHECK(k::shape_of(kept)[rank - 1] == 1);
        const k::array<float> flipped = k::flip(x, k::axis(0));
        CHECK_VALUES(float, kept, combined(flipped.to_host(), of, 1u << static_cast<unsigned>(rank - 1), -inf, larger));
    }
    const std::vector<float> values = noise(300 * 70, 5);
    const k::array<float> m = k::from_host<float>(values, {300, 70});
    const k::array<float> turned = k::transpose(m);
    CHECK_VALUES(float, most()(k::transpose(m), k::axis(0)), combined(turned.to_host(), {70, 300}, 1, -inf, larger));
    const k::array<float> part = m(k::range(3, 290), k::range(5, 66));
    CHECK_VALUES(float, most()(m(k::range(3, 290), k::range(5, 66)), k::axis(1)),
                 combined(part.to_host(), {287, 61}, 2, -inf, larger));
}

TEST_CASE("the order is that of the built-in reductions, fused and unfused: a sum that a user writes has sum's bits") {
    if (!runs_user_functions()) return;
    const auto total = k::reduction<float>(-0.0f, "a", "b", "return a + b;");
    for (const k::shape& of : {k::shape{1}, k::shape{100003}, k::shape{300, 70}, k::shape{3, 20000}, k::shape{20000, 3},
                               k::shape{9, 10, 11}}) {
        CAPTURE(k::to_string(of));
        const k::array<float> x = k::from_host<float>(noise(of.size(), 7), of);
        for (int axis = 0; axis < of.rank(); ++axis) {
            const std::vector<float> built_in = k::array<float>(k::sum(x * x, k::axis(axis))).to_host();
            const auto mine = total(x * x, k::axis(axis));
            CHECK_SAME(k::array<float>(mine).to_host(), built_in);
            CHECK_SAME(k::array<float>(mine).to_host(), built_in);
            const k::scoped_options off({.fuse = false});
            CHECK_SAME(k::array<float>(mine).to_host(), built_in);
        }
        CHECK_SAME(k::array<float>(total(x)).to_host(), k::array<float>(k::sum(x)).to_host());
    }
}

TEST_CASE("one pass for a user's reductions and built-in ones of the same array") {
    const k::array<float> x = k::from_host<float>(noise(5000, 8), {50, 100});
    const auto least = k::reduction<float>("least", inf, "a", "b", "return b < a ? b : a;");
    const auto all = [&] {
        return k::eval(most()(x, k::axis(1)), k::sum(x, k::axis(1)), least(x, k::axis(1)), k::argmax(x, k::axis(1)));
    };
    if (!runs_user_functions()) {
        CHECK_THROWS_WITH_AS(static_cast<void>(all()), doctest::Contains("only a compiler"), k::error);
        return;
    }
    static_cast<void>(all());
    const k::counters before = k::counters::now();
    auto [high, sum, low, at] = all();
    CHECK((k::counters::now() - before).launches == 1);
    CHECK((k::counters::now() - before).compiles == 0);
    CHECK_SAME(high.to_host(), k::array<float>(k::max(x, k::axis(1))).to_host());
    CHECK_SAME(low.to_host(), k::array<float>(k::min(x, k::axis(1))).to_host());
    CHECK_SAME(sum.to_host(), k::array<float>(k::sum(x, k::axis(1))).to_host());
    CHECK(at.to_host() == k::array<std::int64_t>(k::argmax(x, k::axis(1))).to_host());
    const k::explanation plan = k::explain(most()(x * x));
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].name.find("most_of_mul") != std::string::npos);
}

TEST_CASE_TEMPLATE("every element type may be reduced", T, KILN_TEST_TYPES, std::complex<float>, std::complex<double>) {
    // The elements' bits or-ed would need integers; what is not the identity and comes last in no order: one of one kind.
    const auto other = k::reduction<T>(T(0), "a", "b", [] {
        if constexpr (requires(T t) { t.imag(); }) return "return a.re == 0 && a.im == 0 ? b : a;";
        else return "return a == 0 ? b : a;";
    }());
    std::vector<T> values(3000, T(0));
    values[1234] = T(1);
    const k::array<T> x = k::from_host<T>(values, {30, 100});
    std::vector<T> rows(30, T(0));
    rows[12] = T(1);
    std::vector<T> columns(100, T(0));
    columns[34] = T(1);
    CHECK_VALUES(T, other(x, k::axis(1)), rows);
    CHECK_VALUES(T, other(x, k::axis(0)), columns);
    CHECK_VALUES(T, other(x), std::vector<T>{T(1)});
}

TEST_CASE("loops, 16-bit floats and complex numbers in the body") {
    const auto gcd = k::reduction<std::int64_t>(
        "gcd", 0, "a", "b", "while (b) { const i64 rest = a % b; a = b; b = rest; }\nreturn a < 0 ? -a : a;");
    const k::array<std::int64_t> n = k::from_host<std::int64_t>({12, 18, -30, 35, 70, 14}, {2, 3});
    CHECK_VALUES(std::int64_t, gcd(n, k::axis(1)), {6, 7});
    CHECK_VALUES(std::int64_t, gcd(n), {1});
    // Rounded at each combination: 2048 + 1 is 2048 in float16, whose order does not matter here.
    const auto sum16 = k::reduction<k::float16>(k::float16(0.0f), "a", "b", "return a + b;");
    const k::array<k::float16> h = k::from_host<k::float16>({k::float16(2048.0f), k::float16(1.0f)});
    CHECK_VALUES(k::float16, sum16(h), {k::float16(2048.0f)});
    const auto product = k::reduction<std::complex<double>>(
        {1, 0}, "a", "b",
        "auto c = a;\nc.re = a.re * b.re - a.im * b.im;\nc.im = a.re * b.im + a.im * b.re;\nreturn c;");
    const k::array<std::complex<double>> c = k::from_host<std::complex<double>>({{1, 2}, {3, -1}, {0, 1}}, {3});
    CHECK_VALUES(std::complex<double>, product(c), {{-5, 5}});
    const auto larger = k::reduction<std::uint8_t>(0, "a", "b", "return a < b ? b : a;");
    CHECK_VALUES(std::uint8_t, larger(k::from_host<std::uint8_t>({3, 200, 7})), {200});
}

TEST_CASE("of nothing: the identity, whatever else computes") {
    const auto seven = k::reduction<double>(7.5, "a", "b", "return a > b ? a : b;");
    const auto half = k::reduction<k::bfloat16>(k::bfloat16(0.5f), "a", "b", "return a > b ? a : b;");
    const auto i = k::reduction<std::complex<double>>({0, 1}, "a", "b", "return a;");
    CHECK(k::array<double>(seven(k::zeros<double>({0, 3}), k::axis(0))).to_host() == std::vector<double>(3, 7.5));
    CHECK(k::array<double>(seven(k::zeros<double>({0}))).item() == 7.5);
    CHECK(k::array<double>(seven(k::zeros<double>({0, 3}), k::axis(1), k::keep_dims)).shape() == k::shape{0, 1});
    CHECK_SAME(k::array<k::bfloat16>(half(k::zeros<k::bfloat16>({2, 0}), k::axis(1))).to_host(),
               std::vector<k::bfloat16>(2, k::bfloat16(0.5f)));
    CHECK(k::array<std::complex<double>>(i(k::zeros<std::complex<double>>({0}))).item() == std::complex<double>(0, 1));
}

TEST_CASE("NaN and infinities are what the body makes of them") {
    const auto largest = k::reduction<float>(-INFINITY, "a", "b", "return fmaxf(a, b);");
    std::vector<float> values(5000, 1.0f);
    values[77] = std::numeric_limits<float>::quiet_NaN();
    values[4000] = inf;
    const k::array<float> x = k::from_host<float>(values, {50, 100});
    std::vector<float> rows(50, 1.0f);
    rows[40] = inf;
    CHECK_VALUES(float, largest(x, k::axis(1)), rows);
    const auto not_a_number = k::reduction<float>(std::numeric_limits<float>::quiet_NaN(), "a", "b",
                                                  "return a != a ? b : b != b ? a : a + b;");
    CHECK_VALUES(float, not_a_number(k::ones<float>({1000})), {1000.0f});
}

TEST_CASE("one name, other bodies and other identities are other reductions") {
    const k::array<int> x = k::from_host<int>({3, 1, 2}, {3});
    const auto add = k::reduction<int>("f", 0, "a", "b", "return a + b;");
    const auto multiply = k::reduction<int>("f", 1, "a", "b", "return a * b;");
    CHECK_VALUES(int, add(x) * 100 + multiply(x), {606});
    const auto least = k::reduction<int>("g", 100, "a", "b", "return a < b ? a : b;");
    const auto bounded = k::reduction<int>("g", 0, "a", "b", "return a < b ? a : b;");
    CHECK_VALUES(int, k::concatenate(k::axis(0), k::array<int>(k::zeros<int>({1})), x) + least(x), {1, 4, 2, 3});
    CHECK_VALUES(int, bounded(x) + x, {3, 1, 2});
    const k::array<float> m = k::ones<float>({4, 5});
    CHECK_VALUES(float, m / most()(m * 2.0f, k::axis(1), k::keep_dims), std::vector<float>(20, 0.5f));
}

TEST_CASE("what is wrong with a reduction is said: its names at once, its axes and body when it is evaluated") {
    const k::array<float> x = k::ones<float>({4, 5});
    CHECK_THROWS_WITH_AS(k::reduction<float>(0, "a", "a", "return a;"),
                         doctest::Contains("two parameters are named 'a'"), k::type_error);
    CHECK_THROWS_WITH_AS(k::reduction<float>(0, "a", "int", "return a;"), doctest::Contains("'int'"), k::type_error);
    CHECK_THROWS_WITH_AS(k::reduction<float>("two words", 0, "a", "b", "return a;"), doctest::Contains("'two words'"),
                         k::type_error);
    CHECK_THROWS_WITH_AS(k::reduction<float>(0, "a", "b", " "), doctest::Contains("the body is empty"), k::type_error);
    CHECK_THROWS_WITH_AS(k::array<float>(most()(x, k::axis(2))), doctest::Contains("most: axis 2"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::array<float>(most()(x, k::axes(1, -1))), doctest::Contains("most: axis 1 stands twice"),
                         k::shape_error);
    if (!tests::device().compiles) return;
    const auto wrong = k::reduction<float>("wrong", 0, "a", "b", "float twice = 2 * a;\n    return twoce + b;");
    try {
        const k::array<float> y = wrong(x) + 1.0f;
        FAIL("it compiled");
    } catch (const k::compile_error& thrown) {
        const std::string what = thrown.what();
        CAPTURE(what);
        CHECK(what.find("function wrong, line 2: ") != std::string::npos);
        CHECK(what.find("`return twoce + b;`") != std::string::npos);
    }
    const auto unnamed = k::reduction<float>(0, "a", "b", "return c;");
    CHECK_THROWS_WITH_AS(k::array<float>(unnamed(x)), doctest::Contains("function reduction, line 1: "),
                         k::compile_error);
}
