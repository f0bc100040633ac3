// Reductions against loops in the tests: exact where the data make every order exact, within a bound where not.
#include <language/elementwise.hpp>
#include <language/noise.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

using tests::noise;
using tests::same_bits;

/// Of each value of a reduction, in order, the numbers of its elements in order.
std::vector<std::vector<std::int64_t>> parts_of(const k::shape& of, const std::vector<int>& axes) {
    std::vector<bool> goes(static_cast<std::size_t>(of.rank()), axes.empty());
    for (const int each : axes) goes[static_cast<std::size_t>(each < 0 ? each + of.rank() : each)] = true;
    std::int64_t values = 1;
    for (int axis = 0; axis < of.rank(); ++axis)
        if (!goes[static_cast<std::size_t>(axis)]) values *= of[axis];
    std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(values));
    for (std::int64_t i = 0; i < of.size(); ++i) {
        std::int64_t rest = i;
        std::int64_t value = 0;
        std::int64_t weight = 1;
        for (int axis = of.rank(); axis-- > 0;) {
            if (!goes[static_cast<std::size_t>(axis)]) {
                value += rest % of[axis] * weight;
                weight *= of[axis];
            }
            rest /= of[axis];
        }
        out[static_cast<std::size_t>(value)].push_back(i);
    }
    return out;
}

k::axis_list list_of(const std::vector<int>& axes) {
    switch (axes.size()) {
        case 0: return {};
        case 1: return k::axis(axes[0]);
        case 2: return k::axes(axes[0], axes[1]);
        default: return k::axes(axes[0], axes[1], axes[2]);
    }
}

/// Whole numbers small enough for every sum and product of theirs to be exact in any order.
template <class T>
std::vector<T> small_numbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const int value = static_cast<int>(random() % 7) - (std::is_unsigned_v<T> ? 0 : 3);
        if constexpr (requires { typename T::value_type; } && !k::detail::small_float<T>)
            out.push_back(
                T(static_cast<typename T::value_type>(value), static_cast<typename T::value_type>(random() % 3)));
        else if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

template <class T>
long double real_of(T value) {
    if constexpr (k::detail::small_float<T>) return static_cast<float>(value);
    else return static_cast<long double>(value);
}

template <class R>
R from_real(long double value) {
    if constexpr (k::detail::small_float<R>) return R(static_cast<float>(value));
    else return static_cast<R>(value);
}

struct layout {
    k::shape of;
    std::vector<int> axes;
};

/// Rows and columns, short and long, one and many, several axes and one, and what no thread's share divides.
const std::vector<layout>& layouts() {
    static const std::vector<layout> all = {
        {{1}, {}},
        {{3}, {}},
        {{257}, {}},
        {{10007}, {}},
        {{100000}, {0}},
        {{300, 7}, {0}},
        {{300, 7}, {1}},
        {{300, 7}, {}},
        {{5, 3000}, {1}},
        {{3000, 5}, {0}},
        {{70, 129}, {0}},
        {{70, 129}, {-1}},
        {{3, 2100}, {0}},
        {{2100, 3}, {1}},
        {{40, 1, 33}, {1}},
        {{9, 10, 11}, {0}},
        {{9, 10, 11}, {1}},
        {{9, 10, 11}, {2}},
        {{9, 10, 11}, {0, 2}},
        {{9, 10, 11}, {0, 1}},
        {{9, 10, 11}, {2, 1}},
        {{4, 5, 6, 7}, {1, 3}},
        {{4, 5, 6, 7}, {0, 2}},
        {{2, 1, 9000}, {2}},
        {{1, 4000}, {0}},
        {{6, 5000}, {1}},
        {{5000, 40}, {0}},
        {{2, 20000}, {-1}},
        {{20000, 2}, {0}},
        {{7, 3, 900}, {0, 2}},
    };
    return all;
}

template <class T>
void check_exact(const layout& each) {
    const std::vector<T> values = small_numbers<T>(each.of.size(), static_cast<unsigned>(each.of.size()));
    const k::array<T> x = k::from_host<T>(values, each.of);
    const k::axis_list over = list_of(each.axes);
    const auto parts = parts_of(each.of, each.axes);
    using S = k::value_t<decltype(k::sum(x))>;
    using M = k::value_t<decltype(k::mean(x))>;
    std::vector<S> sums;
    std::vector<M> means;
    std::vector<std::int64_t> counts;
    std::vector<bool> any;
    std::vector<bool> all;
    std::vector<T> least;
    std::vector<T> most;
    std::vector<std::int64_t> least_at;
    std::vector<std::int64_t> most_at;
    for (const auto& part : parts) {
        std::int64_t not_zero = 0;
        for (const std::int64_t i : part) not_zero += values[static_cast<std::size_t>(i)] != T(0.0f);
        counts.push_back(not_zero);
        any.push_back(not_zero > 0);
        all.push_back(not_zero == static_cast<std::int64_t>(part.size()));
        if constexpr (k::kind_of(k::type_of<T>) == k::element_kind::complex) {
            using R = typename T::value_type;
            std::complex<long double> sum = 0;
            for (const std::int64_t i : part) sum += values[static_cast<std::size_t>(i)];
            sums.push_back(S(static_cast<R>(sum.real()), static_cast<R>(sum.imag())));
            means.push_back(
                M(sums.back().real() / static_cast<R>(part.size()), sums.back().imag() / static_cast<R>(part.size())));
        } else {
            long double sum = 0;
            std::size_t low = 0;
            std::size_t high = 0;
            for (std::size_t i = 0; i < part.size(); ++i) {
                const long double value = real_of(values[static_cast<std::size_t>(part[i])]);
                sum += value;
                if (value < real_of(values[static_cast<std::size_t>(part[low])])) low = i;
                if (value > real_of(values[static_cast<std::size_t>(part[high])])) high = i;
            }
            sums.push_back(from_real<S>(sum));
            if constexpr (std::is_same_v<M, double>)
                means.push_back(static_cast<double>(sum) / static_cast<double>(part.size()));
            else means.push_back(M(static_cast<float>(sum) / static_cast<float>(part.size())));
            least.push_back(values[static_cast<std::size_t>(part[low])]);
            most.push_back(values[static_cast<std::size_t>(part[high])]);
            least_at.push_back(static_cast<std::int64_t>(low));
            most_at.push_back(static_cast<std::int64_t>(high));
        }
    }
    CAPTURE(k::to_string(each.of));
    CAPTURE(each.axes.size());
    CAPTURE(each.axes.empty() ? -9 : each.axes[0]);
    const auto bools = [](const k::array<bool>& of) { return of.to_host(); };
    CHECK_SAME(k::array<S>(k::sum(x, over)).to_host(), sums);
    CHECK_SAME(k::array<M>(k::mean(x, over)).to_host(), means);
    CHECK_SAME(k::array<std::int64_t>(k::count(x, over)).to_host(), counts);
    CHECK(bools(k::any(x, over)) == any);
    CHECK(bools(k::all(x, over)) == all);
    if constexpr (k::kind_of(k::type_of<T>) != k::element_kind::complex) {
        // In one pass.
        auto [low, high, low_at, high_at] =
            k::eval(k::min(x, over), k::max(x, over), k::argmin(x, over), k::argmax(x, over));
        CHECK_SAME(low.to_host(), least);
        CHECK_SAME(high.to_host(), most);
        CHECK_SAME(low_at.to_host(), least_at);
        CHECK_SAME(high_at.to_host(), most_at);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("reductions of every type over any axes are what loops say", T, std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, k::float16,
                   k::bfloat16, float, double, std::complex<float>, std::complex<double>) {
    // What differs between types is how a value is made of others, not who takes which: all layouts for one type. Where
    // kernels are only compiled, some.
    const std::size_t step = (std::is_same_v<T, float> ? 1 : 7) * (tests::cubins_wanted() ? 3 : 1);
    for (std::size_t i = 0; i < layouts().size(); i += step) check_exact<T>(layouts()[i]);
}

TEST_CASE("bool: a sum counts, min is all, max is any") {
    const k::array<bool> x = k::from_host<bool>({true, false, true, true, true, true}, {2, 3});
    CHECK(k::array<std::int64_t>(k::sum(x, k::axis(1))).to_host() == std::vector<std::int64_t>{2, 3});
    CHECK(k::array<bool>(k::min(x, k::axis(1))).to_host() == std::vector<bool>{false, true});
    CHECK(k::array<bool>(k::max(x)).item());
    CHECK(k::array<std::int64_t>(k::argmin(x)).item() == 1);
    CHECK(k::array<double>(k::mean(x)).item() == 5.0 / 6.0);
}

TEST_CASE("prod multiplies in the types of sum") {
    const k::array<std::int8_t> x = k::from_host<std::int8_t>({100, 100, -100, 2}, {2, 2});
    CHECK(k::array<std::int64_t>(k::prod(x)).item() == -2000000);
    CHECK(k::array<std::int64_t>(k::prod(x, k::axis(1))).to_host() == std::vector<std::int64_t>{10000, -200});
    const k::array<std::complex<float>> c = k::from_host<std::complex<float>>({{1, 2}, {3, -1}, {0, 1}}, {3});
    CHECK(k::array<std::complex<float>>(k::prod(c)).item() == std::complex<float>(-5, 5));
    const float inf = std::numeric_limits<float>::infinity();
    const k::array<std::complex<float>> huge = k::from_host<std::complex<float>>({{inf, 0}}, {1});
    CHECK(k::array<std::complex<float>>(k::prod(huge)).item() == std::complex<float>(inf, 0));
}

TEST_CASE("NaN, infinities and zeros: as NumPy") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (const std::int64_t count : {5, 40, 3000, 70000}) {
        std::vector<float> values(static_cast<std::size_t>(count), 1.0f);
        const auto x = [&] { return k::from_host<float>(values, {count}); };
        values[3] = -inf;
        values[2] = inf;
        CHECK(k::array<float>(k::min(x())).item() == -inf);
        CHECK(k::array<float>(k::max(x())).item() == inf);
        CHECK(std::isnan(k::array<float>(k::sum(x())).item()));
        CHECK(k::array<std::int64_t>(k::argmax(x())).item() == 2);
        values[static_cast<std::size_t>(count) - 1] = nan;
        values[4] = nan;
        CHECK(std::isnan(k::array<float>(k::min(x())).item()));
        CHECK(std::isnan(k::array<float>(k::max(x())).item()));
        CHECK(k::array<std::int64_t>(k::argmax(x())).item() == 4);
        CHECK(k::array<std::int64_t>(k::argmin(x())).item() == 4);
        CHECK(k::array<bool>(k::any(x())).item());
        CHECK(k::array<bool>(k::all(x())).item());
        std::vector<float> lowest(static_cast<std::size_t>(count), -inf);
        CHECK(k::array<std::int64_t>(k::argmax(k::from_host<float>(lowest, {count}))).item() == 0);
        CHECK(k::array<float>(k::max(k::from_host<float>(lowest, {count}))).item() == -inf);
        std::vector<float> zeros(static_cast<std::size_t>(count), -0.0f);
        CHECK(std::signbit(k::array<float>(k::sum(k::from_host<float>(zeros, {count}))).item()));
        std::vector<float> tiny(static_cast<std::size_t>(count), std::numeric_limits<float>::denorm_min());
        CHECK(k::array<float>(k::sum(k::from_host<float>(tiny, {count}))).item() ==
              static_cast<float>(count) * std::numeric_limits<float>::denorm_min());
    }
}

namespace {

/// Few values, so that many are equal: zeros of both signs among them, the worst there is, and NaN in every other row.
template <class T>
std::vector<T> ties_and_nans(std::int64_t rows, std::int64_t columns) {
    std::vector<T> out;
    std::uint32_t state = 5;
    const auto random = [&](std::uint32_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
    for (std::int64_t row = 0; row < rows; ++row) {
        const bool has_nans = row % 2 == 1;
        const bool is_worst = row % 11 == 4;
        for (std::int64_t i = 0; i < columns; ++i) {
            const std::uint32_t which = random(has_nans ? 400 : 5);
            if constexpr (std::numeric_limits<T>::is_integer || std::is_same_v<T, bool>) {
                out.push_back(is_worst ? std::numeric_limits<T>::lowest() : static_cast<T>(which));
            } else {
                const float values[] = {-0.0f, 0.0f, -3.0f, -INFINITY, 2.0f};
                const float value = has_nans && which == 77 ? NAN : values[which % 5];
                out.push_back(static_cast<T>(is_worst ? -INFINITY : value));
            }
        }
    }
    return out;
}

template <class T>
void check_rows_by_loops(std::int64_t rows, std::int64_t columns, std::int64_t from) {
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(from);
    std::vector<T> values = ties_and_nans<T>(rows, columns);
    values.insert(values.begin(), static_cast<std::size_t>(from), T(1));
    const auto count = static_cast<std::int64_t>(values.size());
    const k::array<T> longer = k::from_host<T>(values, {count});
    const auto x = k::reshape(longer(k::range(from, count)), {rows, columns});
    const k::axis over(1);
    const auto largest = k::array<std::int64_t>(k::argmax(x, over)).to_host();
    const auto least = k::array<std::int64_t>(k::argmin(x, over)).to_host();
    const auto [low, high] = k::eval(k::min(x, over), k::max(x, over));
    const std::vector<T> lows = low.to_host(), highs = high.to_host();
    const auto is_nan = [](double v) { return v != v; };
    for (std::int64_t row = 0; row < rows; ++row) {
        const T* const of = values.data() + from + row * columns;
        std::int64_t best[2] = {0, 0};
        for (std::int64_t i = 1; i < columns; ++i)
            for (const int greatest : {0, 1}) {
                const auto held = static_cast<double>(of[best[greatest]]), value = static_cast<double>(of[i]);
                if (!is_nan(held) && (is_nan(value) || (greatest ? value > held : value < held))) best[greatest] = i;
            }
        const auto at = static_cast<std::size_t>(row);
        if (least[at] != best[0] || largest[at] != best[1])
            FAIL("row ", row, ": ", least[at], " and ", largest[at], ", by loops ", best[0], " and ", best[1]);
        const auto is_value = [&](T found, std::int64_t place) {
            const auto got = static_cast<double>(found), wanted = static_cast<double>(of[place]);
            return got == wanted || (is_nan(got) && is_nan(wanted));
        };
        if (!is_value(lows[at], best[0]) || !is_value(highs[at], best[1])) FAIL("row ", row, ": another value");
    }
}

}  // namespace

TEST_CASE_TEMPLATE("of many rows: the first of equals, or the first NaN, wherever they begin", T, std::int8_t,
                   std::uint8_t, std::int16_t, std::int32_t, std::int64_t, k::float16, k::bfloat16, float, double) {
    // More than a thousand of long ones, and eight times as many short ones, are divided otherwise than fewer.
    check_rows_by_loops<T>(1100, 1040, 0);
    check_rows_by_loops<T>(1100, 1031, 1);
    check_rows_by_loops<T>(8500, 257, 3);
    check_rows_by_loops<T>(8500, 96, 0);
    for (const std::int64_t columns : {1, 2, 40, 5000}) check_rows_by_loops<T>(3, columns, 1);
}

TEST_CASE("of nothing: the identity, or an error that says so") {
    const k::array<float> none = k::zeros<float>({3, 0});
    CHECK(k::array<float>(k::sum(none, k::axis(1))).to_host() == std::vector<float>{0, 0, 0});
    CHECK(k::array<float>(k::prod(none, k::axis(1))).to_host() == std::vector<float>{1, 1, 1});
    CHECK(std::isnan(k::array<float>(k::mean(none)).item()));
    CHECK(k::array<bool>(k::all(none)).item());
    CHECK(!k::array<bool>(k::any(none)).item());
    CHECK(k::array<std::int64_t>(k::count(none)).item() == 0);
    CHECK_THROWS_WITH_AS(k::array<float>(k::max(none, k::axis(1))),
                         "kiln: max of no elements, of an operand of shape (3, 0): it has no value there",
                         k::shape_error);
    CHECK_THROWS_AS(k::array<std::int64_t>(k::argmin(none)), k::shape_error);
    CHECK_THROWS_AS(k::array<float>(k::logsumexp(none)), k::shape_error);
    CHECK(std::isnan(k::array<float>(k::var(none)).item()));
    CHECK(k::array<float>(k::norm(none)).item() == 0);
    CHECK(k::array<float>(k::sum(none, k::axis(0))).shape() == k::shape{0});
    // Where there is no value, none is of nothing.
    CHECK(k::array<float>(k::max(none, k::axis(0))).shape() == k::shape{0});
    CHECK(k::array<std::int64_t>(k::argmin(none, k::axes(), k::keep_dims)).shape() == k::shape{3, 0});
    CHECK(k::array<double>(k::logsumexp(k::zeros<double>({0, 0}), k::axis(1), k::keep_dims)).shape() == k::shape{0, 1});
    CHECK_THROWS_AS(k::prepare(k::max(none, k::axis(1))), k::shape_error);
}

TEST_CASE("a view, or memory of the user's, beside a reduction becomes an array of its own") {
    const k::array<float> x = k::from_host<float>({1, 2, 3, 4, 5, 6}, {6});
    const auto check = [&](const k::expr<float>& seen, const std::vector<float>& expected) {
        auto [total, same] = k::eval(k::sum(x * x), seen);
        CHECK(total.item() == 91);
        CHECK(same.to_host() == expected);
    };
    check(x(k::range(0, 6, 3)), {1, 4});
    check(k::flip(x), {6, 5, 4, 3, 2, 1});
    check(k::broadcast_to(x(k::range(1, 2)), {3}), {2, 2, 2});
    std::vector<float> mine{7, 8};
    auto [total, copied] = k::eval(k::expr<float>(k::sum(x)), k::expr<float>(k::wrap(mine.data(), {2})));
    k::synchronize();
    mine[0] = 0;
    CHECK(copied.to_host() == std::vector<float>{7, 8});
    // A GPU stores elements in the kernel that reduces.
    CHECK(k::explain(k::sum(x * x), k::expr<float>(k::flip(x))).kernels.size() == (tests::device().is_cuda ? 1 : 2));
}

TEST_CASE("stddev of 16-bit floats is rounded once: its square may be past the largest") {
    const k::array<k::float16> x = k::from_host<k::float16>({k::float16(-1000.0f), k::float16(1000.0f)}, {2});
    CHECK(float(k::array<k::float16>(k::stddev(x)).item()) == 1000.0f);
    CHECK(std::isinf(float(k::array<k::float16>(k::var(x)).item())));
}

TEST_CASE("axes: negative ones, kept ones, none of them, and wrong ones") {
    const k::array<float> x = k::ones<float>({2, 3, 4});
    CHECK(k::array<float>(k::sum(x, k::axis(-1))).shape() == k::shape{2, 3});
    CHECK(k::array<float>(k::sum(x, k::axes(0, -1), k::keep_dims)).shape() == k::shape{1, 3, 1});
    CHECK(k::array<float>(k::sum(x, k::keep_dims)).shape() == k::shape{1, 1, 1});
    CHECK(k::array<float>(k::sum(x)).shape() == k::shape{});
    CHECK(k::shape_of(k::sum(x, k::axis(1)) * 2.0f) == k::shape{2, 4});
    CHECK(k::array<float>(k::sum(x, k::axes())).to_host() == x.to_host());
    CHECK_THROWS_WITH_AS(k::array<bool>(k::all(x > 0, k::axis(3))), doctest::Contains("kiln: all: axis 3"),
                         k::shape_error);
    CHECK(k::array<bool>(k::all(x == x, {0, 2})).to_host() == k::array<bool>(k::all(x == x, k::axes(0, 2))).to_host());
    CHECK_THROWS_WITH_AS(k::array<float>(k::sum(x, k::axis(3))),
                         "kiln: sum: axis 3 of an expression with 3 axes, which are -3 to 2", k::shape_error);
    CHECK_THROWS_WITH_AS(k::array<float>(k::sum(k::eval(k::ones<float>({4})), k::axis(1))),
                         "kiln: sum: axis 1 of an expression with 1 axis, which are -1 to 0", k::shape_error);
    CHECK_THROWS_WITH_AS(k::array<float>(k::max(x, k::axes(1, -2))), "kiln: max: axis 1 stands twice in the list",
                         k::shape_error);
}

TEST_CASE("sums of floats are near the exact ones, whatever is large") {
    for (const layout& each : layouts()) {
        const std::vector<float> values = noise(each.of.size(), 5);
        const k::array<float> x = k::from_host<float>(values, each.of);
        const std::vector<float> got = k::array<float>(k::sum(x, list_of(each.axes))).to_host();
        const auto parts = parts_of(each.of, each.axes);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            long double exact = 0;
            long double size = 0;
            for (const std::int64_t j : parts[i]) {
                exact += values[static_cast<std::size_t>(j)];
                size += std::abs(values[static_cast<std::size_t>(j)]);
            }
            // At most as many roundings as a thread has rounds, and the pairs.
            CHECK(std::abs(got[i] - exact) <= size * 600 * 0x1p-24L);
        }
    }
}

TEST_CASE("sums of tall columns, however few, are of additions in pairs beyond some") {
    for (const k::shape& of :
         {k::shape{8192, 3}, k::shape{20'000, 3}, k::shape{100'003, 1, 2}, k::shape{300'001, 17}}) {
        const k::array<float> means = k::mean(k::full<float>(of, 0.1f), k::axis(0));
        for (const float each : means.to_host()) CHECK(std::abs(each / 0.1f - 1) <= 2100 * 0x1p-24);
    }
}

TEST_CASE("var and stddev keep their figures far from 0") {
    std::vector<float> values;
    std::mt19937 random(3);
    for (int i = 0; i < 50000; ++i) values.push_back(100000.0f + static_cast<float>(random() % 1000) / 64.0f);
    const k::array<float> x = k::from_host<float>(values, {50000});
    long double mean = 0;
    for (const float each : values) mean += each;
    mean /= static_cast<long double>(values.size());
    long double squares = 0;
    for (const float each : values) squares += (each - mean) * (each - mean);
    const double exact = static_cast<double>(squares / static_cast<long double>(values.size()));
    CHECK(k::array<float>(k::var(x)).item() == doctest::Approx(exact).epsilon(1e-5));
    CHECK(k::array<float>(k::stddev(x)).item() == doctest::Approx(std::sqrt(exact)).epsilon(1e-5));
    const k::array<std::complex<double>> c = k::from_host<std::complex<double>>({{1, 1}, {3, -1}}, {2});
    CHECK(k::array<double>(k::var(c)).item() == 2.0);
    CHECK(k::array<k::float16>(k::var(k::cast<k::float16>(k::arange<int>(5)))).item() == k::float16(2.0f));
}

TEST_CASE("norm, dot and logsumexp") {
    const k::array<float> x = k::from_host<float>({3, 4, 0, 5, 12, 0}, {2, 3});
    CHECK(k::array<float>(k::norm(x, k::axis(1))).to_host() == std::vector<float>{5, 13});
    CHECK(k::array<float>(k::dot(x, x)).item() == 194);
    CHECK(k::array<double>(k::norm(k::cast<int>(x))).item() == doctest::Approx(std::sqrt(194.0)));
    const k::array<std::complex<float>> c = k::from_host<std::complex<float>>({{3, 4}, {0, 12}}, {2});
    CHECK(k::array<float>(k::norm(c)).item() == 13);
    const k::array<float> large = k::from_host<float>({1000, 1000}, {2});
    CHECK(k::array<float>(k::logsumexp(large)).item() == doctest::Approx(1000 + std::log(2.0)));
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(k::array<float>(k::logsumexp(k::full<float>({3}, -inf))).item() == -inf);
    CHECK(k::array<float>(k::logsumexp(k::full<float>({3}, inf))).item() == inf);
}

TEST_CASE("what feeds a sum changes no bit of it: fused is unfused") {
    for (const layout& each : layouts()) {
        const k::array<float> x = k::from_host<float>(noise(each.of.size(), 1), each.of);
        const k::array<std::uint8_t> u =
            k::from_host<std::uint8_t>(small_numbers<std::uint8_t>(each.of.size(), 2), each.of);
        const auto e = k::sqrt(k::abs(x)) * x + k::cast<float>(u);
        const k::axis_list over = list_of(each.axes);
        CAPTURE(k::to_string(each.of));
        const std::vector<float> fused = k::array<float>(k::sum(e, over)).to_host();
        const k::array<float> first = e;
        CHECK_SAME(k::array<float>(k::sum(first, over)).to_host(), fused);
        const k::scoped_options off({.fuse = false});
        CHECK_SAME(k::array<float>(k::sum(e, over)).to_host(), fused);
    }
}
