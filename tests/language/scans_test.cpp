// Cumulative sums and products against loops in the test: exact where the data make every order exact, within the bound of
// the manual where not; the same bits however what is summed up is computed.
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

template <class T>
constexpr bool is_complex = requires(T t) { t.imag(); };

/// The numbers of the elements before each on its line, along the axis; -1: none.
std::vector<std::int64_t> before(const k::shape& of, int axis) {
    std::int64_t stride = 1;
    for (int i = axis + 1; i < of.rank(); ++i) stride *= of[i];
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < of.size(); ++i) out.push_back(i / stride % of[axis] == 0 ? -1 : i - stride);
    return out;
}

template <class R, class T>
R converted(T value) {
    if constexpr (k::detail::small_float<T>) return static_cast<R>(static_cast<float>(value));
    else return static_cast<R>(value);
}

/// One element after the other, in R; integers wrap.
template <class R, class T>
std::vector<R> looped(const std::vector<T>& values, const k::shape& of, int axis, bool product) {
    std::vector<R> out;
    const std::vector<std::int64_t> previous = before(of, axis);
    for (std::size_t i = 0; i < previous.size(); ++i) {
        const R value = converted<R>(static_cast<T>(values[i]));
        if (previous[i] < 0) {
            out.push_back(value);
        } else if constexpr (std::is_integral_v<R>) {
            const auto left = static_cast<std::uint64_t>(out[static_cast<std::size_t>(previous[i])]);
            const auto right = static_cast<std::uint64_t>(value);
            out.push_back(static_cast<R>(product ? left * right : left + right));
        } else {
            const R left = out[static_cast<std::size_t>(previous[i])];
            out.push_back(product ? left * value : left + value);
        }
    }
    return out;
}

/// Whole numbers small enough for sums of a hundred thousand to be exact in a float.
template <class T>
std::vector<T> small_numbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const int value = static_cast<int>(random() % 7) - (std::is_unsigned_v<T> ? 0 : 3);
        if constexpr (is_complex<T>)
            out.push_back(
                T(static_cast<typename T::value_type>(value), static_cast<typename T::value_type>(random() % 3)));
        else if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// 1 and -1, and now and then 2 or a half, so that products are exact; complex numbers are turned.
template <class T>
std::vector<T> factors(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const unsigned what = random() % 4;
        if constexpr (is_complex<T>) out.push_back(what == 0 ? T(0, 1) : what == 1 ? T(0, -1) : T(-1, 0));
        else if constexpr (k::detail::small_float<T>) out.push_back(T(what & 1 ? 1.0f : -1.0f));
        else if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(random() | 1u));
        else
            out.push_back(static_cast<T>(what == 0 && i % 100 == 0   ? 2.0
                                         : what == 1 && i % 100 == 1 ? 0.5
                                                                     : 1.0 - 2.0 * (what & 1)));
    }
    return out;
}

/// Rows and columns, short and long, one and many, and what no thread's share divides.
const std::vector<k::shape>& shapes() {
    static const std::vector<k::shape> all = {{1},
                                              {3},
                                              {257},
                                              {10007},
                                              {100003},
                                              {300, 7},
                                              {5, 3000},
                                              {3000, 5},
                                              {70, 129},
                                              {3, 2100},
                                              {2100, 3},
                                              {40, 1, 33},
                                              {9, 10, 11},
                                              {4, 5, 6, 7},
                                              {2, 1, 9000},
                                              {2, 20000},
                                              {20000, 2},
                                              {8193, 1, 2},
                                              {2, 1, 3, 2, 1, 2, 3, 2},
                                              {64, 16},
                                              {64, 17},
                                              {1024},
                                              {1025},
                                              {3, 500, 40}};
    return all;
}

template <class T>
void check_exact(const k::shape& of) {
    using R = k::value_t<decltype(k::cumsum(std::declval<k::array<T>>(), k::axis(0)))>;
    const std::vector<T> values = small_numbers<T>(of.size(), static_cast<unsigned>(of.size()));
    const std::vector<T> turns = factors<T>(of.size(), static_cast<unsigned>(of.size()));
    const k::array<T> x = k::from_host<T>(values, of);
    const k::array<T> y = k::from_host<T>(turns, of);
    CAPTURE(k::to_string(of));
    for (int axis = 0; axis < of.rank(); ++axis) {
        CAPTURE(axis);
        const k::array<R> sums = k::cumsum(x, k::axis(axis));
        CHECK(sums.shape() == of);
        CHECK_SAME(sums.to_host(), looped<R>(values, of, axis, false));
        const std::vector<R> products = k::array<R>(k::cumprod(y, k::axis(axis - of.rank()))).to_host();
        const std::vector<R> expected = looped<R>(turns, of, axis, true);
        // Zeros of a complex product have the signs of its order.
        if constexpr (is_complex<T>) CHECK(products == expected);
        else CHECK_SAME(products, expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("cumsum and cumprod of every type along any axis are what loops say", T, KILN_TEST_TYPES,
                   std::complex<float>, std::complex<double>) {
    if constexpr (!std::is_same_v<T, bool>) {
        const std::size_t step = std::is_same_v<T, float> || std::is_same_v<T, std::int64_t> ? 1 : 5;
        for (std::size_t i = 0; i < shapes().size(); i += step) check_exact<T>(shapes()[i]);
    }
}

TEST_CASE(
    "lines beside each other, as many as a thread each walks: exact sums and products, the largest so far, NaN from "
    "where it is on") {
    const k::shape of = {131, 32771};
    const std::vector<float> values = small_numbers<float>(of.size(), 5);
    const k::array<float> x = k::from_host<float>(values, of);
    CHECK_SAME(k::array<float>(k::cumsum(x, k::axis(0))).to_host(), looped<float>(values, of, 0, false));
    const std::vector<double> turns = factors<double>(of.size(), 6);
    CHECK_SAME(k::array<double>(k::cumprod(k::from_host<double>(turns, of), k::axis(0))).to_host(),
               looped<double>(turns, of, 0, true));
    // Two outer axes, of one element more than a whole number of rounds; wider and narrower elements.
    const k::shape cube = {2, 81, 16411};
    const std::vector<std::int8_t> bytes = small_numbers<std::int8_t>(cube.size(), 7);
    CHECK_SAME(k::array<std::int64_t>(k::cumsum(k::from_host<std::int8_t>(bytes, cube), k::axis(1))).to_host(),
               looped<std::int64_t>(bytes, cube, 1, false));
    std::vector<float> some = values;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto at = [&](std::int64_t row, std::int64_t column) {
        return static_cast<std::size_t>(row * of[1] + column);
    };
    some[at(70, 32770)] = nan;
    std::vector<float> greatest = some;
    for (std::size_t i = static_cast<std::size_t>(of[1]); i < greatest.size(); ++i) {
        const float before = greatest[i - static_cast<std::size_t>(of[1])];
        if (std::isnan(before) || before > greatest[i]) greatest[i] = before;
    }
    CHECK_SAME(k::array<float>(k::cummax(k::from_host<float>(some, of), k::axis(0))).to_host(), greatest);
}

TEST_CASE(
    "few lines beside each other, long enough for many panels: exact from any place in memory, in place, backward, of "
    "what is cast, and with what is made of them") {
    const auto check = [](const k::shape& of, int axis) {
        CAPTURE(k::to_string(of));
        const std::vector<float> values = small_numbers<float>(of.size(), 8);
        const std::vector<float> sums = looped<float>(values, of, axis, false);
        const k::array<float> x = k::from_host<float>(values, of);
        CHECK_SAME(k::array<float>(k::cumsum(x, k::axis(axis))).to_host(), sums);
        CHECK_SAME(k::array<double>(k::cumsum(k::cast<double>(x), k::axis(axis))).to_host(),
                   looped<double>(values, of, axis, false));
        CHECK_SAME(k::array<float>(k::cumsum(k::cast<k::float16>(x), k::axis(axis))).to_host(), sums);
        const k::array<float> made = k::cumsum(x, k::axis(axis)) * x + 1.0f;
        std::vector<float> expected = sums;
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = expected[i] * values[i] + 1.0f;
        CHECK_SAME(made.to_host(), expected);
        const k::array<float> turned = k::flip(k::cumsum(k::flip(x, k::axis(axis)), k::axis(axis)), k::axis(axis));
        const k::array<float> from_behind =
            k::sum(x, k::axis(axis), k::keep_dims) - k::cumsum(x, k::axis(axis)) + x;  // exact
        CHECK_SAME(turned.to_host(), from_behind.to_host());
        k::array<float> here = x + 0.0f;
        here = k::cumsum(here, k::axis(axis));
        CHECK_SAME(here.to_host(), sums);
    };
    check({44001, 7}, 0);
    check({3, 20011, 5}, 1);
    check({40000, 27}, 0);
    check({140003, 2}, 0);
    // Rows that begin where no vector may.
    const k::shape of = {44002, 7};
    const std::vector<float> values = small_numbers<float>(of.size(), 9);
    const k::array<float> all = k::from_host<float>(values, of);
    const std::vector<float> rest(values.begin() + 7, values.end());
    CHECK_SAME(k::array<float>(k::cumsum(all(k::range(1, of[0])), k::axis(0))).to_host(),
               looped<float>(rest, {of[0] - 1, 7}, 0, false));
    // Not a number from where one is on, in its column alone; bytes; of two numbers each.
    std::vector<float> some = values;
    some[7 * 30000 + 3] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> spoilt = k::array<float>(k::cumsum(k::from_host<float>(some, of), k::axis(0))).to_host();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < spoilt.size(); ++i)
        wrong += std::isnan(spoilt[i]) != (i % 7 == 3 && i >= std::size_t{7} * 30000);
    CHECK(wrong == 0);
    const k::shape long_lines = {1 << 19, 3};
    std::vector<std::int8_t> greatest = small_numbers<std::int8_t>(long_lines.size(), 10);
    const k::array<std::int8_t> bytes = k::from_host<std::int8_t>(greatest, long_lines);
    for (std::size_t i = 3; i < greatest.size(); ++i) greatest[i] = std::max(greatest[i], greatest[i - 3]);
    CHECK_SAME(k::array<std::int8_t>(k::cummax(bytes, k::axis(0))).to_host(), greatest);
    const std::vector<std::complex<double>> pairs = small_numbers<std::complex<double>>(of.size(), 11);
    CHECK_SAME(
        k::array<std::complex<double>>(k::cumsum(k::from_host<std::complex<double>>(pairs, of), k::axis(0))).to_host(),
        looped<std::complex<double>>(pairs, of, 0, false));
}

TEST_CASE("the results' types: those that a sum adds up in; bool counts") {
    static_assert(std::is_same_v<k::value_t<decltype(k::cumsum(std::declval<k::array<bool>>()))>, std::int64_t>);
    static_assert(std::is_same_v<k::value_t<decltype(k::cumsum(std::declval<k::array<std::int8_t>>()))>, std::int64_t>);
    static_assert(
        std::is_same_v<k::value_t<decltype(k::cumprod(std::declval<k::array<std::uint16_t>>()))>, std::uint64_t>);
    static_assert(std::is_same_v<k::value_t<decltype(k::cumsum(std::declval<k::array<k::bfloat16>>()))>, float>);
    const k::array<bool> x = k::from_host<bool>({true, false, true, true, true, true}, {2, 3});
    CHECK(k::array<std::int64_t>(k::cumsum(x, k::axis(1))).to_host() == std::vector<std::int64_t>{1, 1, 2, 1, 2, 3});
    CHECK(k::array<std::int64_t>(k::cumsum(x)).to_host() == std::vector<std::int64_t>{1, 1, 2, 3, 4, 5});
    CHECK(k::array<std::int64_t>(k::cumprod(x, k::axis(0))).to_host() == std::vector<std::int64_t>{1, 0, 1, 1, 0, 1});
    // Past 16 bits, where a float16 would have stopped at 2048.
    const k::array<k::float16> ones = k::ones<k::float16>({5000});
    CHECK(k::array<float>(k::cumsum(ones)).to_host().back() == 5000.0f);
}

TEST_CASE("without an axis, of all elements in row-major order: one axis") {
    const k::array<int> x = k::from_host<int>({1, 2, 3, 4, 5, 6}, {2, 3});
    const k::array<std::int64_t> all = k::cumsum(x);
    CHECK(all.shape() == k::shape{6});
    CHECK(all.to_host() == std::vector<std::int64_t>{1, 3, 6, 10, 15, 21});
    CHECK(k::array<std::int64_t>(k::cumsum(k::transpose(x))).to_host() ==
          std::vector<std::int64_t>{1, 5, 7, 12, 15, 21});
    CHECK(k::array<std::int64_t>(k::cumprod(x * 2)).to_host() == std::vector<std::int64_t>{2, 8, 48, 384, 3840, 46080});
    const k::array<float> one = k::full<float>({}, 3.0f);
    CHECK(k::array<float>(k::cumsum(one)).shape() == k::shape{1});
    CHECK(k::array<float>(k::cumsum(one)).to_host() == std::vector<float>{3.0f});
}

TEST_CASE("of nothing: nothing") {
    CHECK(k::array<float>(k::cumsum(k::zeros<float>({0}))).shape() == k::shape{0});
    CHECK(k::array<float>(k::cumsum(k::zeros<float>({3, 0, 2}), k::axis(1))).shape() == k::shape{3, 0, 2});
    CHECK(k::array<float>(k::cumprod(k::zeros<float>({3, 0, 2}) + 1.0f, k::axis(-1)) * 2.0f).shape() ==
          k::shape{3, 0, 2});
    CHECK(k::array<float>(k::cumsum(k::zeros<float>({0, 4}))).shape() == k::shape{0});
}

TEST_CASE("sums of floats are within k u S of the exact ones, products within k u") {
    for (const k::shape& of : {k::shape{200003}, k::shape{7, 20011}, k::shape{20011, 7}, k::shape{40, 50, 60}}) {
        const std::vector<float> values = noise(of.size(), 4);
        const k::array<float> x = k::from_host<float>(values, of);
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(k::to_string(of));
            CAPTURE(axis);
            const std::vector<float> got = k::array<float>(k::cumsum(x, k::axis(axis))).to_host();
            std::vector<float> near_one;
            for (const float each : values) near_one.push_back(1.0f + each * 1e-9f);
            const std::vector<float> products =
                k::array<float>(k::cumprod(k::from_host<float>(near_one, of), k::axis(axis))).to_host();
            std::vector<float> magnitudes;
            for (const float each : values) magnitudes.push_back(std::fabs(each));
            const std::vector<double> exact = looped<double>(values, of, axis, false);
            const std::vector<double> size = looped<double>(magnitudes, of, axis, false);
            const std::vector<double> product = looped<double>(near_one, of, axis, true);
            const std::vector<std::int64_t> previous = before(of, axis);
            std::vector<int> number;
            std::int64_t wrong = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                number.push_back(previous[i] < 0 ? 0 : number[static_cast<std::size_t>(previous[i])] + 1);
                const double units = std::ldexp(1.001 * number[i], -24) + 1e-12;
                wrong += !(std::fabs(got[i] - exact[i]) <= units * size[i]);
                wrong += !(std::fabs(products[i] - product[i]) <= units * std::fabs(product[i]));
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("a row among many has the sums that it has by itself") {
    const auto check = [](auto of_type, std::int64_t rows, std::int64_t count) {
        using T = decltype(of_type);
        CAPTURE(count);
        const k::array<float> values = k::from_host<float>(noise(rows * count, 9), {rows, count});
        // On a CPU how parts are cut is as many rows as there are: their sums are the same where they are exact.
        const k::array<T> x = k::cast<T>(tests::device().is_cuda ? values : k::array<float>(values > 0.0f));
        const k::array<T> sums = k::cumsum(x, k::axis(1));
        const k::array<T> backward = k::flip(k::cumsum(k::flip(x, k::axis(1)), k::axis(1)), k::axis(1));
        const k::array<T> with_more = k::cumsum(x, k::axis(1)) * x + T(1);
        for (const std::int64_t row : {std::int64_t{0}, rows / 2 + 1, rows - 1}) {
            const k::array<T> alone = x(k::range(row, row + 1));
            const k::array<T> turned = k::flip(alone, k::axis(1));
            const k::array<T> own = k::cumsum(alone, k::axis(1));
            CHECK_SAME(k::array<T>(sums(k::range(row, row + 1))).to_host(), own.to_host());
            CHECK_SAME(k::array<T>(backward(k::range(row, row + 1))).to_host(),
                       k::array<T>(k::flip(k::array<T>(k::cumsum(turned, k::axis(1))), k::axis(1))).to_host());
            CHECK_SAME(k::array<T>(with_more(k::range(row, row + 1))).to_host(),
                       k::array<T>(own * alone + T(1)).to_host());
        }
    };
    for (const std::int64_t count : {129, 1025, 3001, 8191}) check(float(), 9, count);
    check(float(), 640, 8193);
    check(float(), 641, 2 * 8192 + 4);
    check(double(), 700, 3 * 4096 - 1);
}

TEST_CASE("NaN and infinities go on from where they are, and no further back") {
    const float inf = std::numeric_limits<float>::infinity();
    for (const k::shape& of : {k::shape{40000}, k::shape{40000, 2}, k::shape{2, 900}}) {
        const int axis = of.rank() == 2 && of[0] == 2 ? 1 : 0;
        const std::int64_t stride = axis == 0 && of.rank() == 2 ? 2 : 1;
        std::vector<float> values(static_cast<std::size_t>(of.size()), 1.0f);
        values[static_cast<std::size_t>(500 * stride)] = inf;
        values[static_cast<std::size_t>(700 * stride)] = -inf;
        const std::vector<float> got =
            k::array<float>(k::cumsum(k::from_host<float>(values, of), k::axis(axis))).to_host();
        CHECK(got[static_cast<std::size_t>(499 * stride)] == 500.0f);
        CHECK(got[static_cast<std::size_t>(500 * stride)] == inf);
        CHECK(got[static_cast<std::size_t>(699 * stride)] == inf);
        CHECK(std::isnan(got[static_cast<std::size_t>(700 * stride)]));
        CHECK(std::isnan(got[static_cast<std::size_t>(800 * stride)]));
    }
    const std::vector<double> zeros =
        k::array<double>(k::cumsum(k::from_host<double>(std::vector<double>{-0.0, -0.0, 0.0}))).to_host();
    CHECK(std::signbit(zeros[0]));
    CHECK(std::signbit(zeros[1]));
    CHECK(!std::signbit(zeros[2]));
    const std::vector<std::complex<float>> turned =
        k::array<std::complex<float>>(
            k::cumprod(k::from_host<std::complex<float>>(std::vector<std::complex<float>>{{inf, 0}, {1, 0}})))
            .to_host();
    CHECK(turned[1] == std::complex<float>(inf, 0));
}

TEST_CASE("the same bits every time, whatever computes what is summed up and wherever it lies") {
    for (const k::shape& of : {k::shape{30011}, k::shape{3, 10007}, k::shape{10007, 3}, k::shape{20, 30, 40}}) {
        const k::array<float> x = k::from_host<float>(noise(of.size(), 9), of);
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(k::to_string(of));
            CAPTURE(axis);
            const k::array<float> y = x * 1.3f - 0.1f;
            const std::vector<float> got = k::array<float>(k::cumsum(y, k::axis(axis))).to_host();
            for (int again = 0; again < 3; ++again)
                CHECK_SAME(k::array<float>(k::cumsum(x * 1.3f - 0.1f, k::axis(axis))).to_host(), got);
            {
                const k::scoped_options off({.fuse = false});
                CHECK_SAME(k::array<float>(k::cumsum(x * 1.3f - 0.1f, k::axis(axis))).to_host(), got);
            }
            // At another address: the second half of a larger array.
            const k::array<float> whole = k::concatenate(k::axis(0), k::zeros<float>({1}), k::flatten(y));
            const auto part = k::reshape(whole(k::range(1, of.size() + 1)), of);
            CHECK_SAME(k::array<float>(k::cumsum(part, k::axis(axis))).to_host(), got);
            const k::array<float> flipped = k::flip(y, k::axis(axis));
            CHECK_SAME(k::array<float>(k::cumsum(k::flip(flipped, k::axis(axis)), k::axis(axis))).to_host(), got);
        }
    }
}

TEST_CASE("views of what is summed up") {
    const std::vector<float> values = small_numbers<float>(90 * 70, 2);
    const k::array<float> x = k::from_host<float>(values, {90, 70});
    const auto check = [](const auto& view, int axis) {
        const k::array<float> copy = view;
        CHECK_SAME(k::array<float>(k::cumsum(view, k::axis(axis))).to_host(),
                   looped<float>(copy.to_host(), copy.shape(), axis, false));
    };
    for (const int axis : {0, 1}) {
        check(k::transpose(x), axis);
        check(k::flip(x), axis);
        check(x(k::range(1, 80, 3), k::range(2, 69)), axis);
        check(x(k::range(5, 50)), axis);
        check(k::broadcast_to(x(k::range(4, 5)), {33, 70}), axis);
        check(k::shift(x, {1, -2}), axis);
    }
}

TEST_CASE("inside expressions, of one another, viewed, in place") {
    const k::array<float> m = k::from_host<float>({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK(k::array<float>(k::cumsum(m, k::axis(1)) / k::sum(m, k::axis(1), k::keep_dims)).to_host() ==
          std::vector<float>{1.0f / 6, 0.5f, 1.0f, 4.0f / 15, 9.0f / 15, 1.0f});
    // The table of sums over rectangles.
    CHECK(k::array<float>(k::cumsum(k::cumsum(m, k::axis(0)), k::axis(1))).to_host() ==
          std::vector<float>{1, 3, 6, 5, 12, 21});
    CHECK(k::array<float>(k::max(k::cumsum(m - 3.0f, k::axis(1)), k::axis(1))).to_host() == std::vector<float>{-2, 6});
    CHECK(k::array<float>(k::slice(k::cumsum(m, k::axis(1)) * 2.0f, k::all, k::range(1, 3))).to_host() ==
          std::vector<float>{6, 12, 18, 30});
    CHECK(k::array<float>(k::transpose(k::cumsum(m, k::axis(1)))).to_host() == std::vector<float>{1, 4, 3, 9, 6, 15});
    CHECK(k::array<double>(k::cumsum(k::cast<double>(m)) - 1.0).to_host() == std::vector<double>{0, 2, 5, 9, 14, 20});
    auto [sums, products, total] = k::eval(k::cumsum(m, k::axis(1)), k::cumprod(m, k::axis(1)), k::sum(m));
    CHECK(sums.to_host() == std::vector<float>{1, 3, 6, 4, 9, 15});
    CHECK(products.to_host() == std::vector<float>{1, 2, 6, 4, 20, 120});
    CHECK(total.item() == 21);
    k::array<float> y = m;
    const k::array<float> kept = y;
    y = k::cumsum(y, k::axis(0));
    CHECK(y.to_host() == std::vector<float>{1, 2, 3, 5, 7, 9});
    CHECK(kept.to_host() == std::vector<float>{1, 2, 3, 4, 5, 6});
    y(k::range(0, 1)) = k::cumsum(y(k::range(0, 1)), k::axis(1));
    CHECK(y.to_host() == std::vector<float>{1, 3, 6, 5, 7, 9});
    y += k::cumsum(y, k::axis(1));
    CHECK(y.to_host() == std::vector<float>{2, 7, 16, 10, 19, 30});
    std::vector<float> mine{1, 2, 3, 4};
    k::wrap(mine.data(), {4}) = k::cumsum(k::wrap(mine.data(), {4}));
    k::synchronize();
    CHECK(mine == std::vector<float>{1, 3, 6, 10});
    CHECK(k::array<std::int64_t>(k::cumsum(k::arange<int>(5))).to_host() == std::vector<std::int64_t>{0, 1, 3, 6, 10});
    CHECK(k::array<float>(k::cumsum(k::full<float>({2, 3}, 2.0f), k::axis(1))).to_host() ==
          std::vector<float>{2, 4, 6, 2, 4, 6});
}

TEST_CASE("an axis that is not there throws, and says whose") {
    const k::array<float> x = k::ones<float>({4, 5});
    CHECK_THROWS_WITH_AS(k::array<float>(k::cumsum(x, k::axis(2))), doctest::Contains("cumsum: axis 2"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::array<float>(k::cumprod(x * x, k::axis(-3))), doctest::Contains("cumprod: axis -3"),
                         k::shape_error);
    CHECK_THROWS_AS(static_cast<void>(k::shape_of(k::cumsum(x, k::axis(2)))), k::shape_error);
    CHECK(k::shape_of(k::cumsum(x, k::axis(-1)) + 1.0f) == k::shape{4, 5});
}

TEST_CASE("what it costs is counted and explained; another size compiles nothing, and prepare launches nothing") {
    const auto sums = [](std::int64_t count) {
        const k::array<float> x = k::ones<float>({count});
        return k::array<float>(k::cumsum(x)).to_host().back();
    };
    CHECK(sums(50000) == 50000);
    const k::counters before = k::counters::now();
    CHECK(sums(60001) == 60001);
    CHECK((k::counters::now() - before).compiles == 0);

    // Rows too long to be scanned in the kernel that uses them (tests/language/row_scans_test.cpp).
    const k::array<float> x = k::ones<float>({40, 250});
    const k::explanation of_array = k::explain(k::cumsum(x, k::axis(1)));
    REQUIRE(of_array.kernels.size() == 1);
    CHECK(of_array.kernels[0].name.find("cumsum") != std::string::npos);
    CHECK(of_array.kernels[0].bytes_read == 40000);
    CHECK(of_array.kernels[0].bytes_written == 40000);
    CHECK(of_array.kernels[0].cut.empty());
    const k::explanation plan = k::explain(k::cumsum(x * 2.0f, k::axis(1)) + 1.0f);
    // On a GPU the scan's kernel goes on with the sum.
    const std::size_t kernel_count = tests::device().plans_cuda ? 2 : 3;
    REQUIRE(plan.kernels.size() == kernel_count);
    for (std::size_t i = 0; i + 1 < kernel_count; ++i) CHECK(!plan.kernels[i].cut.empty());
    CHECK(plan.kernels.back().cut.empty());
    if (tests::device().plans_cuda) {
        CHECK(plan.kernels.back().expression == "x0 + s0 of x0 = cumsum(x)");
        CHECK(plan.kernels.back().bytes_read == 40000);
        CHECK(plan.kernels.back().bytes_written == 40000);
    }
    const k::counters nothing = k::counters::now();
    k::prepare(k::cumsum(x * 2.0f, k::axis(1)) + 1.0f);
    CHECK((k::counters::now() - nothing).launches == 0);
    const k::counters start = k::counters::now();
    static_cast<void>(k::eval(k::cumsum(x * 2.0f, k::axis(1)) + 1.0f));
    CHECK((k::counters::now() - start).launches == static_cast<std::int64_t>(kernel_count));
    CHECK((k::counters::now() - start).compiles == 0);
}

namespace {

/// NumPy's maximum.accumulate, and minimum's.
template <class T>
std::vector<T> extremes_so_far(const std::vector<T>& values, const k::shape& of, int axis, bool largest) {
    std::vector<T> out;
    const std::vector<std::int64_t> previous = before(of, axis);
    for (std::size_t i = 0; i < previous.size(); ++i) {
        T value = values[i];
        if (previous[i] >= 0) {
            const T known = out[static_cast<std::size_t>(previous[i])];
            if constexpr (k::detail::small_float<T>) {
                const auto a = static_cast<float>(known), b = static_cast<float>(value);
                if (std::isnan(a) || (!std::isnan(b) && (largest ? a >= b : a <= b))) value = known;
            } else {
                if (known != known || (value == value && (largest ? known >= value : known <= value))) value = known;
            }
        }
        out.push_back(value);
    }
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("cummax and cummin of every type along any axis are what loops say", T, KILN_TEST_TYPES) {
    for (std::size_t i = 0; i < shapes().size(); i += std::is_same_v<T, float> ? 1 : 4) {
        const k::shape& of = shapes()[i];
        std::mt19937 random(static_cast<unsigned>(i));
        std::vector<T> values;
        for (std::int64_t j = 0; j < of.size(); ++j) {
            const int value = static_cast<int>(random() % 20000) - (std::is_unsigned_v<T> ? 0 : 10000);
            if constexpr (k::detail::small_float<T>) values.push_back(T(static_cast<float>(value) + 0.5f));
            else values.push_back(static_cast<T>(value));
        }
        if constexpr (std::is_floating_point_v<T>) {
            if (values.size() > 100) values[values.size() / 2 + 3] = std::numeric_limits<T>::quiet_NaN();
            if (values.size() > 10) values[5] = -std::numeric_limits<T>::infinity();
        }
        const k::array<T> x = k::from_host<T>(values, of);
        CAPTURE(k::to_string(of));
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(axis);
            CHECK_SAME(k::array<T>(k::cummax(x, k::axis(axis))).to_host(), extremes_so_far(values, of, axis, true));
            CHECK_SAME(k::array<T>(k::cummin(x, k::axis(axis))).to_host(), extremes_so_far(values, of, axis, false));
        }
        CHECK_SAME(k::array<T>(k::cummax(x)).to_host(), extremes_so_far(values, k::shape{of.size()}, 0, true));
    }
}

TEST_CASE("a scan of a user's reduction meets elements in their order, along any axis") {
    // Of maps x -> a x + b, one after the other, modulo 2^32 each: associative, not commutative.
    const auto compose =
        k::reduction<std::uint64_t>("compose", 1, "f", "g",
                                    "unsigned int a = (unsigned int)f * (unsigned int)g; unsigned int b = (unsigned "
                                    "int)(f >> 32) * (unsigned int)g "
                                    "+ (unsigned int)(g >> 32); return (unsigned long long)b << 32 | a;");
    const auto composed = [](std::uint64_t f, std::uint64_t g) {
        const auto low = [](std::uint64_t of) { return static_cast<std::uint32_t>(of); };
        const std::uint32_t a = low(f) * low(g);
        const std::uint32_t b = low(f >> 32) * low(g) + low(g >> 32);
        return std::uint64_t{b} << 32 | a;
    };
    if (!tests::device().compiles || tests::cubins_wanted()) {
        if (!tests::cubins_wanted())
            CHECK_THROWS_WITH_AS(k::array<std::uint64_t>(k::scan(compose, k::ones<std::uint64_t>({3}))),
                                 doctest::Contains("only a compiler can turn into a kernel"), k::error);
        const tests::compiling_only here;
        if (tests::cubins_wanted()) k::prepare(k::scan(compose, k::ones<std::uint64_t>({300, 7}), k::axis(1)));
        return;
    }
    std::mt19937_64 random(4);
    for (const k::shape& of : shapes()) {
        std::vector<std::uint64_t> values;
        for (std::int64_t i = 0; i < of.size(); ++i) values.push_back(random() | 1);
        const k::array<std::uint64_t> x = k::from_host<std::uint64_t>(values, of);
        CAPTURE(k::to_string(of));
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(axis);
            std::vector<std::uint64_t> expected;
            const std::vector<std::int64_t> previous = before(of, axis);
            for (std::size_t i = 0; i < values.size(); ++i)
                expected.push_back(
                    previous[i] < 0 ? values[i] : composed(expected[static_cast<std::size_t>(previous[i])], values[i]));
            CHECK_SAME(k::array<std::uint64_t>(k::scan(compose, x, k::axis(axis))).to_host(), expected);
        }
    }
    const auto longest = k::reduction<float>(0, "a", "b", "return a < b ? b : a;");
    const k::array<float> y = k::from_host<float>({1, 3, 2, 5, 4, 6}, {2, 3});
    CHECK(k::array<float>(k::scan(longest, y * 2.0f)).to_host() == std::vector<float>{2, 6, 6, 10, 10, 12});
    CHECK(k::array<float>(k::scan(longest, y, k::axis(1)) - y).to_host() == std::vector<float>{0, 0, 1, 0, 1, 0});
    CHECK(k::array<float>(longest(k::scan(longest, y, k::axis(1)), k::axis(1))).to_host() == std::vector<float>{3, 6});
    CHECK(k::array<float>(k::scan(longest, k::zeros<float>({0, 3}), k::axis(0))).shape() == k::shape{0, 3});
    CHECK_THROWS_WITH_AS(k::array<float>(k::scan(longest, y, k::axis(2))), doctest::Contains("axis 2"), k::shape_error);
}
