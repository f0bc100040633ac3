// Sorts against std::stable_sort by a comparison of numbers as C++ has it, to the last bit: the elements in order are those that
// were there, zeros of both signs and NaN of every payload in the order in which they stood.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/needs_gpu.hpp>
#include <support/operations.hpp>
#include <support/sample.hpp>
#include <support/sort_oracle.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace k = kiln;

namespace {

using tests::by_stable_sort, tests::comes_before, tests::elements, tests::in_order, tests::is_nan, tests::pattern,
    tests::patterns, tests::wrong_bits;

template <class T>
void check_sort(const k::shape& of, pattern how, std::initializer_list<bool> directions = {false, true}) {
    const std::vector<T> values = elements<T>(of.size(), how, static_cast<unsigned>(of.size()));
    const k::array<T> x = k::from_host<T>(values, of);
    CAPTURE(k::to_string(of));
    CAPTURE(static_cast<int>(how));
    for (int axis = 0; axis < of.rank(); ++axis)
        for (const bool descending : directions) {
            CAPTURE(axis);
            CAPTURE(descending);
            const in_order<T> expected = by_stable_sort(values, of, axis, descending);
            const k::array<T> sorted = k::sort(x, k::axis(axis), {.descending = descending});
            const k::array<std::int64_t> order = k::argsort(x, k::axis(axis - of.rank()), {.descending = descending});
            CHECK(sorted.shape() == of);
            CHECK(order.shape() == of);
            CHECK(wrong_bits(sorted.to_host(), expected.values) == 0);
            CHECK(wrong_bits(order.to_host(), expected.positions) == 0);
            CHECK(wrong_bits(x.to_host(), values) == 0);
        }
}

/// Around what a thread, a warp, a block and a tile take.
constexpr std::int64_t lengths[] = {1,   2,    3,    4,    5,    8,    9,    16,   17,   31,  32,  33,
                                    63,  64,   65,   101,  127,  128,  129,  255,  256,  257, 511, 512,
                                    513, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 7681};

const std::vector<k::shape>& shapes() {
    static const std::vector<k::shape> all = {{7},         {70, 129},    {129, 70},
                                              {5, 3000},   {3000, 5},    {9, 10, 11},
                                              {40, 1, 33}, {3, 500, 40}, {2, 1, 3, 2, 1, 2, 3, 2},
                                              {3, 5003}};
    return all;
}

}  // namespace

TEST_CASE_TEMPLATE("sort and argsort of every type are a stable sort, to the last bit", T, KILN_TEST_TYPES) {
    for (const pattern how : patterns) {
        check_sort<T>({300}, how);
        check_sort<T>({5, 17}, how);
        check_sort<T>({2, 4500}, how);
    }
}

TEST_CASE_TEMPLATE("rows of every length", T, std::uint8_t, k::float16, float, double) {
    for (const std::int64_t length : lengths) {
        check_sort<T>({3, length}, pattern::any, {false});
        check_sort<T>({length}, pattern::special, {true});
        check_sort<T>({7, length}, pattern::special, {false});
    }
}

TEST_CASE_TEMPLATE("along any axis", T, std::int16_t, float, std::int64_t) {
    for (const k::shape& of : shapes()) check_sort<T>(of, pattern::special);
}

TEST_CASE_TEMPLATE("rows of a million and some", T, std::int8_t, float, std::uint64_t) {
    for (const pattern how : {pattern::any, pattern::few, pattern::equal}) check_sort<T>({1000007}, how, {false});
}

TEST_CASE("of nothing: nothing; no axis of a single number") {
    CHECK(k::array<float>(k::sort(k::zeros<float>({0}))).shape() == k::shape{0});
    CHECK(k::array<float>(k::sort(k::zeros<float>({3, 0, 2}), k::axis(1))).shape() == k::shape{3, 0, 2});
    CHECK(k::array<std::int64_t>(k::argsort(k::zeros<float>({3, 0, 2}) + 1.0f, k::axis(0))).shape() ==
          k::shape{3, 0, 2});
    CHECK(k::array<float>(k::sort(k::zeros<float>({0, 4}))).shape() == k::shape{0, 4});
    CHECK_THROWS_WITH_AS(k::sort(k::full<float>({}, 1.0f)), doctest::Contains("sort: axis -1"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::sort(k::ones<float>({4, 5}), k::axis(2)), doctest::Contains("sort: axis 2"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::argsort(k::ones<float>({4, 5}), k::axis(-3)), doctest::Contains("argsort: axis -3"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::topk(k::ones<float>({4, 5}), 6),
                         doctest::Contains("topk: 6 elements along axis 1 of shape (4, 5), which has 5"),
                         k::shape_error);
    const auto [values, indices] = k::eval(k::topk(k::from_host<float>({1, 5, 3, 9, 7, 8}, {2, 3}), 2));
    CHECK(values.to_host() == std::vector<float>{5, 3, 9, 8});
    CHECK(indices.to_host() == std::vector<std::int64_t>{1, 2, 0, 2});
    CHECK_THROWS_WITH_AS(k::topk(k::ones<float>({4, 5}), -1), doctest::Contains("topk: -1"), k::shape_error);
}

TEST_CASE("what is sorted is computed first, views of it too; the result takes part in expressions") {
    const k::array<float> x =
        k::cast<float>(k::arange<std::int64_t>(90 * 70) * std::int64_t{7919} % std::int64_t{1009});
    const k::array<float> m = k::reshape(x, {90, 70});
    const auto check = [](const auto& what, int axis) {
        const k::array<float> copy = what;
        CHECK(wrong_bits(k::array<float>(k::sort(what, k::axis(axis))).to_host(),
                         by_stable_sort(copy.to_host(), copy.shape(), axis, false).values) == 0);
        CHECK(wrong_bits(k::array<std::int64_t>(k::argsort(what, k::axis(axis))).to_host(),
                         by_stable_sort(copy.to_host(), copy.shape(), axis, false).positions) == 0);
    };
    for (const int axis : {0, 1}) {
        check(m * -2.0f, axis);
        check(k::transpose(m), axis);
        check(k::flip(m), axis);
        check(m(k::range(1, 80, 3), k::range(2, 69)), axis);
        check(m(k::range(5, 50)), axis);
        check(k::broadcast_to(m(k::range(4, 5)), {33, 70}), axis);
        check(k::shift(m, {1, -2}), axis);
        check(k::sort(m, k::axis(0)), axis);
        check(k::cumsum(m, k::axis(1)), axis);
        const k::scoped_options off({.fuse = false});
        check(m * -2.0f, axis);
    }
    const k::array<float> y = k::from_host<float>({3, 1, 2, 6, 5, 4}, {2, 3});
    CHECK(k::array<float>(k::sort(y) / k::sum(y, k::axis(1), k::keep_dims)).to_host() ==
          std::vector<float>{1.0f / 6, 2.0f / 6, 0.5f, 4.0f / 15, 5.0f / 15, 6.0f / 15});
    CHECK(k::array<float>(k::max(k::sort(y, k::axis(0)), k::axis(1))).to_host() == std::vector<float>{3, 6});
    CHECK(k::array<float>(k::slice(k::sort(y) * 2.0f, k::all, k::range(1, 3))).to_host() ==
          std::vector<float>{4, 6, 10, 12});
    CHECK(k::array<float>(k::transpose(k::sort(y))).to_host() == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(k::array<float>(k::sort(y, {.descending = true})).to_host() == std::vector<float>{3, 2, 1, 6, 5, 4});
    CHECK(k::array<std::int64_t>(k::argsort(y, {.descending = true})).to_host() ==
          std::vector<std::int64_t>{0, 2, 1, 0, 1, 2});
    CHECK(k::array<int>(k::sort(k::arange<int>(5) % 3)).to_host() == std::vector<int>{0, 0, 1, 1, 2});
    // Numbers by their order: the ranks of elements.
    CHECK(k::array<std::int64_t>(k::argsort(k::argsort(y))).to_host() == std::vector<std::int64_t>{2, 0, 1, 2, 1, 0});
}

TEST_CASE("in place, into part of an array, into memory of the user's") {
    k::array<float> y = k::from_host<float>({3, 1, 2, 6, 5, 4}, {2, 3});
    const k::array<float> kept = y;
    y = k::sort(y, k::axis(1));
    CHECK(y.to_host() == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(kept.to_host() == std::vector<float>{3, 1, 2, 6, 5, 4});
    y(k::range(0, 1)) = k::sort(y(k::range(0, 1)), {.descending = true});
    CHECK(y.to_host() == std::vector<float>{3, 2, 1, 4, 5, 6});
    y += k::sort(y, k::axis(1));
    CHECK(y.to_host() == std::vector<float>{4, 4, 4, 8, 10, 12});
    std::vector<float> mine{4, 2, 3, 1};
    k::wrap(mine.data(), {4}) = k::sort(k::wrap(mine.data(), {4}));
    k::synchronize();
    CHECK(mine == std::vector<float>{1, 2, 3, 4});
    std::vector<float> many = elements<float>(5000, pattern::any, 1);
    const in_order<float> expected = by_stable_sort(many, {5000}, 0, false);
    k::wrap(many.data(), {5000}) = k::sort(k::wrap(many.data(), {5000}));
    k::synchronize();
    CHECK(wrong_bits(many, expected.values) == 0);
}

TEST_CASE("values and positions of one array are one sort") {
    const k::array<float> x = k::from_host<float>(elements<float>(20000, pattern::any, 3));
    const k::topk_result<float> best = k::topk(x * 1.0f, 20000);
    const auto launches = [](auto run) {
        const std::int64_t before = k::counters::now().launches;
        run();
        return k::counters::now().launches - before;
    };
    const std::int64_t both = launches([&] { k::eval(best.values, best.indices); });
    const std::int64_t apart = launches([&] { k::eval(best.indices); }) + launches([&] { k::eval(best.values); });
    CHECK(both < apart);
    auto [values, indices] = k::eval(best.values, best.indices);
    const in_order<float> expected = by_stable_sort(k::array<float>(x * 1.0f).to_host(), x.shape(), 0, true);
    CHECK(tests::difference(values.to_host(), expected.values) == "");
    CHECK(indices.to_host() == expected.positions);
    auto [least, where] = k::eval(k::sort(x), k::argsort(x));
    CHECK(wrong_bits(least.to_host(), by_stable_sort(x.to_host(), x.shape(), 0, false).values) == 0);
    CHECK(where.to_host() == by_stable_sort(x.to_host(), x.shape(), 0, false).positions);
}

TEST_CASE_TEMPLATE("topk: the largest first, of equal ones the first; the least", T, std::uint8_t, std::int32_t,
                   float) {
    for (const k::shape& of : {k::shape{1000}, k::shape{6, 50}, k::shape{50, 6, 3}, k::shape{9001}}) {
        const std::vector<T> values = elements<T>(of.size(), pattern::special, 8);
        const k::array<T> x = k::from_host<T>(values, of);
        for (int axis = 0; axis < of.rank(); ++axis)
            for (const bool largest : {true, false})
                for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, of[axis]}) {
                    if (count > of[axis]) continue;
                    const auto best = k::topk(x, count, k::axis(axis), {.largest = largest});
                    const in_order<T> all = by_stable_sort(values, of, axis, largest);
                    std::vector<k::range> first(static_cast<std::size_t>(of.rank()), k::all);
                    first[static_cast<std::size_t>(axis)] = k::range(0, count);
                    const k::array<T> expected = k::slice(k::from_host<T>(all.values, of), first);
                    const k::array<std::int64_t> where = k::slice(k::from_host<std::int64_t>(all.positions, of), first);
                    CHECK(wrong_bits(k::array<T>(best.values).to_host(), expected.to_host()) == 0);
                    CHECK(k::array<std::int64_t>(best.indices).to_host() == where.to_host());
                }
    }
}

TEST_CASE_TEMPLATE("topk of rows that are sorted, selected from, and selected from by parts: of any elements", T, bool,
                   k::float16, float, std::uint64_t) {
    tests::sample chosen(5);
    for (const k::shape& of : {k::shape{300, 61}, k::shape{70, 100}, k::shape{7, 1025}, k::shape{3, 4097},
                               k::shape{270, 4100}, k::shape{40009}, k::shape{2, 140'000}})
        for (const pattern how : patterns) {
            const std::vector<T> values = elements<T>(of.size(), how, 9);
            const k::array<T> x = k::from_host<T>(values, of);
            CAPTURE(k::to_string(of));
            CAPTURE(static_cast<int>(how));
            const bool largest = of.size() % 2;
            std::optional<in_order<T>> sorted;
            for (const std::int64_t count : {1, 10, 64, 65, 128, 300, 512, 513}) {
                if (count >= of[of.rank() - 1] || !chosen.takes_next()) continue;
                CAPTURE(count);
                if (!sorted) sorted = by_stable_sort(values, of, of.rank() - 1, largest);
                const in_order<T>& all = *sorted;
                const auto best = k::topk(x, count, {.largest = largest});
                auto [least, where] = k::eval(best.values, best.indices);
                std::vector<k::range> first(static_cast<std::size_t>(of.rank()), k::all);
                first.back() = k::range(0, count);
                const k::array<T> expected = k::slice(k::from_host<T>(all.values, of), first);
                const k::array<std::int64_t> places = k::slice(k::from_host<std::int64_t>(all.positions, of), first);
                CHECK(wrong_bits(least.to_host(), expected.to_host()) == 0);
                CHECK(wrong_bits(where.to_host(), places.to_host()) == 0);
                CHECK(wrong_bits(k::array<std::int64_t>(best.indices).to_host(), places.to_host()) == 0);
            }
        }
}

TEST_CASE("topk of two counts are two selections, of one count one; what is made of it follows") {
    const k::array<float> x = k::from_host<float>(elements<float>(30000, pattern::any, 3), {3, 10000});
    const auto three = k::topk(x, 3);
    const auto four = k::topk(x, 4);
    auto [of_three, of_four, where] = k::eval(three.values, four.values, three.indices);
    CHECK(of_three.shape() == k::shape{3, 3});
    CHECK(of_four.shape() == k::shape{3, 4});
    CHECK(wrong_bits(of_three.to_host(), k::array<float>(of_four(k::all, k::range(0, 3))).to_host()) == 0);
    k::array<float> y = k::from_host<float>({3, 1, 2, 6, 5, 4}, {2, 3});
    CHECK(k::array<float>(k::sum(k::topk(y, 2).values, k::axis(1))).to_host() == std::vector<float>{5, 11});
    CHECK(k::array<float>(k::transpose(k::topk(y, 1, k::axis(0)).values)).to_host() == std::vector<float>{6, 5, 4});
    y = k::topk(y * 2.0f, 2).values;
    CHECK(y.to_host() == std::vector<float>{6, 4, 12, 10});
}

TEST_CASE("inside k::fuse, and in a k::graph that is launched again with other elements") {
    const auto spread = k::fuse([](const auto& x) { return k::sort(x * 2.0f) - k::sum(x); });
    const k::array<float> x = k::from_host<float>({3, 1, 2});
    for (int i = 0; i < 2; ++i) CHECK(k::array<float>(spread(x)).to_host() == std::vector<float>{-4, -2, 0});
    for (const std::int64_t count : {std::int64_t{9}, std::int64_t{9001}}) {
        k::array<float> y = k::cast<float>(k::arange<std::int64_t>(count) * std::int64_t{31} % count);
        k::array<std::int64_t> order = k::zeros<std::int64_t>({count});
        k::graph step({&y, &order}, [&] {
            y = k::flip(k::sort(y) + 1.0f);
            order = k::argsort(y);
        });
        std::vector<float> expected = y.to_host();
        for (int i = 0; i < 4; ++i) {
            step();
            std::sort(expected.begin(), expected.end());
            std::reverse(expected.begin(), expected.end());
            for (float& each : expected) each += 1;
        }
        CHECK(y.to_host() == expected);
        CHECK(order.to_host() == by_stable_sort(expected, {count}, 0, false).positions);
    }
}

TEST_CASE("k::prepare and k::explain know of sorts") {
    const k::array<float> x = k::from_host<float>(elements<float>(10000, pattern::any, 3));
    const auto e = k::sort(x + 1.0f);
    k::prepare(e);
    const k::explanation all = k::explain(e);
    REQUIRE(all.kernels.size() > 1);
    CHECK(all.kernels.front().cut == "a sort reads an array");
    CHECK(all.kernels.back().name.find("kiln_sort_f32") == 0);
    CHECK(all.kernels.back().bytes_written == 40000);
}

// --- Quantiles ---

namespace {

template <class R, class T>
R number_of(T value) {
    if constexpr (k::detail::small_float<T>) return static_cast<R>(static_cast<float>(value));
    else return static_cast<R>(value);
}

/// As NumPy's "linear", one row.
template <class C, class T>
C looped_quantile(std::vector<T> row, double q) {
    std::stable_sort(row.begin(), row.end(), comes_before<T>);
    if (is_nan(row.back())) return number_of<C>(row.back());
    const double place = q * static_cast<double>(row.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(place));
    const std::size_t high = std::min(low + 1, row.size() - 1);
    const C a = number_of<C>(row[low]);
    const C b = number_of<C>(row[high]);
    const auto part = static_cast<C>(place - std::floor(place));
    if (part == 0 || a == b) return a;
    return place - std::floor(place) < 0.5 ? a + (b - a) * part : b - (b - a) * (1 - part);
}

}  // namespace

TEST_CASE_TEMPLATE("quantile is linear between elements in order, in the types that the manual says", T, bool,
                   std::uint8_t, std::int32_t, k::float16, float, double) {
    using C = std::conditional_t<std::is_same_v<T, float> || k::detail::small_float<T>, float, double>;
    using R = k::value_t<decltype(k::quantile(std::declval<k::array<T>>(), 0.5))>;
    static_assert(
        std::is_same_v<R, std::conditional_t<k::kind_of(k::type_of<T>) == k::element_kind::floating, T, double>>);
    for (const std::int64_t count : {1, 2, 5, 100, 4999}) {
        std::vector<T> values;
        for (std::int64_t i = 0; i < count * 3; ++i) values.push_back(T(static_cast<float>(i * 37 % 101) / 4));
        const k::array<T> x = k::from_host<T>(values, {3, count});
        for (const double q : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
            std::vector<R> expected;
            for (std::int64_t row = 0; row < 3; ++row)
                expected.push_back(R(looped_quantile<C>(
                    std::vector<T>(values.begin() + row * count, values.begin() + (row + 1) * count), q)));
            CAPTURE(q);
            CHECK_SAME(k::array<R>(k::quantile(x, q, k::axis(1))).to_host(), expected);
            CHECK_SAME(k::array<R>(k::quantile(k::transpose(x), q, k::axis(0), k::keep_dims)).to_host(), expected);
            const k::array<R> several = k::quantile(x, {q, 0.5}, k::axis(-1));
            CHECK(several.shape() == k::shape{2, 3});
            CHECK_SAME(k::array<R>(several(k::range(0, 1))).to_host(), expected);
            CHECK(k::array<R>(k::quantile(x, q)).item() == R(looped_quantile<C>(values, q)));
        }
    }
}

TEST_CASE("quantile beside an infinity is that infinity, as the median is, and between both NaN") {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    struct infinite_row {
        std::vector<double> elements;
        std::vector<double> expected;  // at 0, 0.2, 0.5, 0.6, 1
    };
    const infinite_row rows[] = {
        {{1, inf}, {1, inf, inf, inf, inf}},
        {{1, -inf}, {-inf, -inf, -inf, -inf, 1}},
        {{inf, -inf}, {-inf, nan, nan, nan, inf}},
        {{inf, inf}, {inf, inf, inf, inf, inf}},
        {{-inf, -inf, 1, inf, inf}, {-inf, -inf, 1, inf, inf}},
        {{2, 1, inf}, {1, 1.4, 2, inf, inf}},
    };
    const auto check = [&]<class T>(T) {
        for (const infinite_row& each : rows) {
            const std::vector<T> elements(each.elements.begin(), each.elements.end());
            const k::array<T> x = k::from_host(elements);
            std::vector<T> one_by_one;
            for (const double q : {0.0, 0.2, 0.5, 0.6, 1.0}) one_by_one.push_back(k::quantile(x, q).item());
            CHECK_SAME(k::array<T>(k::quantile(x, {0.0, 0.2, 0.5, 0.6, 1.0})).to_host(), one_by_one);
            for (std::size_t i = 0; i < one_by_one.size(); ++i)
                CHECK_SAME(std::vector<T>{one_by_one[i]}, {static_cast<T>(each.expected[i])});
        }
    };
    check(double());
    check(float());
}

TEST_CASE("median: the middle, or the mean of the two; of several axes; NaN and infinities") {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const k::array<float> x = k::from_host<float>({3, 1, 2, 9, 7, 8, 4, 6, 5, 10, 12, 11}, {2, 2, 3});
    CHECK(k::array<float>(k::median(x, k::axis(2))).to_host() == std::vector<float>{2, 8, 5, 11});
    CHECK(k::array<float>(k::median(x, k::axis(0))).to_host() ==
          std::vector<float>{3.5f, 3.5f, 3.5f, 9.5f, 9.5f, 9.5f});
    CHECK(k::array<float>(k::median(x)).item() == 6.5f);
    CHECK(k::array<float>(k::median(x, k::axes(0, 2), k::keep_dims)).shape() == k::shape{1, 2, 1});
    CHECK(k::array<float>(k::median(x, k::axes(0, 2))).to_host() == std::vector<float>{3.5f, 9.5f});
    CHECK(k::array<float>(k::median(x, {}, k::keep_dims)).shape() == k::shape{1, 1, 1});
    CHECK(k::array<double>(k::median(k::from_host<int>({1, 2}))).item() == 1.5);
    CHECK(k::array<double>(k::median(k::from_host<bool>({true, false, true}))).item() == 1.0);
    CHECK(std::isnan(k::array<float>(k::median(k::from_host<float>({1, nan, 2}))).item()));
    CHECK(std::isnan(k::array<float>(k::quantile(k::from_host<float>({1, -nan, 2}), 0.0)).item()));
    CHECK(k::array<float>(k::median(k::from_host<float>({inf, 1, inf, inf}))).item() == inf);
    CHECK(k::array<float>(k::quantile(k::from_host<float>({inf, inf, inf}), 0.3)).item() == inf);
    CHECK(k::array<float>(k::quantile(k::from_host<float>({1, inf}), 0.0)).item() == 1.0f);
    CHECK(k::array<float>(k::quantile(x, std::vector<double>{0.0, 1.0})).to_host() == std::vector<float>{1, 12});
    CHECK(k::array<float>(k::quantile(x, {0.0, 1.0}, k::axis(1), k::keep_dims)).shape() == k::shape{2, 2, 1, 3});
    CHECK_THROWS_WITH_AS(k::median(k::zeros<float>({0})),
                         doctest::Contains("median of no elements, of an operand of shape (0,)"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::quantile(k::zeros<float>({2, 0}), 0.5, k::axis(1)),
                         doctest::Contains("quantile of no elements, of an operand of shape (2, 0)"), k::shape_error);

    CHECK_THROWS_WITH_AS(k::quantile(x, 1.5), doctest::Contains("1.5 is not from 0 to 1; 1.5 percent is 0.015"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::quantile(x, 50), doctest::Contains("50 is not from 0 to 1; 50 percent is 0.5"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::quantile(x, nan), doctest::Contains("is not from 0 to 1"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::quantile(x, std::vector<double>()), doctest::Contains("no quantiles"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::quantile(x, 0.5, k::axis(3)), doctest::Contains("quantile: axis 3"), k::shape_error);
}

TEST_CASE("huge: sorts of more elements than 32 bits count") {
    if (!tests::device().is_cuda) {
        tests::skip_without_gpu();
        return;
    }
    const std::int64_t count = (std::int64_t{1} << 31) + 12345;
    const k::array<std::uint8_t> x =
        k::cast<std::uint8_t>(k::arange<std::int64_t>(count) * std::int64_t{7919} % std::int64_t{251});
    const k::array<std::uint8_t> sorted = k::sort(x);
    CHECK(k::array<std::int64_t>(k::count(sorted(k::range(1, count)) < sorted(k::range(0, count - 1)))).item() == 0);
    CHECK(k::array<std::int64_t>(k::sum(k::cast<std::int64_t>(sorted))).item() ==
          k::array<std::int64_t>(k::sum(k::cast<std::int64_t>(x))).item());
    const k::array<std::int64_t> order = k::argsort(x);
    CHECK(k::array<std::int64_t>(k::count(k::take(x, order, k::axis(0)) != sorted)).item() == 0);
}

TEST_CASE("topk takes its options without an axis, too") {
    const k::array<int> x = k::from_host<int>({5, 1, 4, 2});
    CHECK_SAME(k::eval(k::topk(x, 2, {.largest = false}).values).to_host(), {1, 2});
    CHECK_SAME(k::eval(k::topk(x, 2, {.largest = true}).indices).to_host(), {std::int64_t{0}, std::int64_t{2}});
}

TEST_CASE("what reads rows in order says so when it is explained") {
    const k::array<float> x = k::from_host<float>({5, 1, 4, 2});
    const k::explanation plan = k::explain(k::sort(x) * 2.0f);
    REQUIRE(plan.kernels.size() >= 2);
    CHECK(plan.kernels[plan.kernels.size() - 2].cut == "what follows reads rows in order");
}
