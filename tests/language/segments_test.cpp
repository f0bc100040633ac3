// Histograms, counts and segments against loops in the test: integers exactly, floats where the data make every order exact, and
// elsewhere within the bound of the manual; the same bits in whatever order elements are.
#include <language/noise.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/operations.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace k = kiln;

using tests::noise;

namespace {

template <class T>
double as_double(T value) {
    if constexpr (k::detail::small_float<T>) return static_cast<float>(value);
    else return static_cast<double>(value);
}

template <class T>
std::vector<std::int64_t> counted(const std::vector<T>& values, std::int64_t bins) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(bins));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = values[i];
        if (std::cmp_less(static_cast<long long>(value), 0) && !std::is_unsigned_v<T>) continue;
        if (static_cast<unsigned long long>(value) < static_cast<unsigned long long>(bins))
            ++out[static_cast<std::size_t>(value)];
    }
    return out;
}

/// Each edge by itself, each element against all of them.
std::vector<std::int64_t> in_bins(const std::vector<double>& values, std::int64_t bins, double low, double high) {
    std::vector<double> edges;
    const double width = (high - low) / static_cast<double>(bins);
    for (std::int64_t i = 0; i < bins; ++i) {
        const double beyond = static_cast<double>(i) * width;
        edges.push_back(beyond + low);
    }
    edges.push_back(high);
    std::vector<std::int64_t> out(static_cast<std::size_t>(bins));
    for (const double value : values) {
        if (!(value >= low && value <= high)) continue;
        const auto after = std::upper_bound(edges.begin(), edges.end() - 1, value);
        ++out[static_cast<std::size_t>(after - edges.begin()) - 1];
    }
    return out;
}

template <class T>
std::vector<T> random_numbers(std::int64_t count, int low, int high, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const int value = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(std::is_same_v<T, bool> ? value & 1 : value));
    }
    return out;
}

template <class T>
T largest_value() {
    if constexpr (std::is_same_v<T, k::float16> || std::is_same_v<T, k::bfloat16>)
        return T(std::numeric_limits<float>::infinity());
    else if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::max();
}
template <class T>
T smallest_value() {
    if constexpr (std::is_same_v<T, k::float16> || std::is_same_v<T, k::bfloat16>)
        return T(-std::numeric_limits<float>::infinity());
    else if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::min();
}

/// Sizes around what a thread, a warp and a block take at once.
const std::vector<std::int64_t>& lengths() {
    static const std::vector<std::int64_t> all = {1, 2, 15, 16, 17, 31, 33, 511, 513, 4099, 70001};
    return all;
}

template <class T, class I>
void check_segments_of(std::int64_t length, std::int64_t count, const std::vector<I>& ids) {
    using R = k::value_t<decltype(k::segment_sum(std::declval<k::array<T>>(), std::declval<k::array<I>>(), 1))>;
    const std::vector<T> values = random_numbers<T>(length, std::is_unsigned_v<T> ? 0 : -9, 9, 17);
    std::vector<double> sums(static_cast<std::size_t>(count));
    std::vector<T> least(sums.size(), largest_value<T>());
    std::vector<T> most(sums.size(), smallest_value<T>());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::cmp_less(ids[i], 0) || std::cmp_greater_equal(ids[i], count)) continue;
        const auto s = static_cast<std::size_t>(ids[i]);
        const T value = static_cast<T>(values[i]);
        sums[s] += as_double(value);
        if (as_double(value) < as_double(least[s]) || (std::is_same_v<T, bool> && !value)) least[s] = value;
        if (as_double(value) > as_double(most[s])) most[s] = value;
    }
    std::vector<R> expected;
    for (const double sum : sums) {
        if constexpr (k::detail::small_float<R>) expected.push_back(R(static_cast<float>(sum)));
        else expected.push_back(static_cast<R>(static_cast<std::int64_t>(sum)));
    }
    const k::array<T> x = k::from_host<T>(values, {length});
    const k::array<I> numbers = k::from_host<I>(ids, {length});
    CAPTURE(length);
    CAPTURE(count);
    CHECK_SAME(k::array<R>(k::segment_sum(x, numbers, count)).to_host(), expected);
    CHECK_SAME(k::array<T>(k::segment_min(x, numbers, count)).to_host(), least);
    CHECK_SAME(k::array<T>(k::segment_max(x, numbers, count)).to_host(), most);
}

}  // namespace

TEST_CASE_TEMPLATE("histograms of integers count what a loop counts, and nothing that is outside", T,
                   KILN_TEST_INTEGERS) {
    for (const std::int64_t length : lengths())
        for (const std::int64_t bins : {1, 2, 100, 256, 1000}) {
            const int low = std::is_unsigned_v<T> ? 0 : -20;
            const int high = std::is_same_v<T, bool> ? 1 : sizeof(T) == 1 ? 120 : 1100;
            const std::vector<T> values = random_numbers<T>(length, low, high, static_cast<unsigned>(length));
            const k::array<T> x = k::from_host<T>(values, {length});
            CAPTURE(length);
            CAPTURE(bins);
            const k::array<std::int64_t> counts = k::histogram(x, bins);
            CHECK(counts.shape() == k::shape{bins});
            CHECK_SAME(counts.to_host(), counted(values, bins));
        }
}

TEST_CASE(
    "histograms of bytes: spread, all equal, of an expression, of a view, misaligned; of more bins than a block has "
    "room for") {
    const std::int64_t length = 300001;
    std::vector<std::uint8_t> spread, equal(static_cast<std::size_t>(length), 77);
    std::mt19937 random(5);
    for (std::int64_t i = 0; i < length; ++i) spread.push_back(static_cast<std::uint8_t>(random()));
    for (const std::vector<std::uint8_t>& values : {spread, equal}) {
        const k::array<std::uint8_t> x = k::from_host<std::uint8_t>(values, {length});
        for (const std::int64_t bins : {256, 255, 300, 9000, 20000})
            CHECK_SAME(k::array<std::int64_t>(k::histogram(x, bins)).to_host(), counted(values, bins));
        std::vector<std::uint8_t> inverted, part(values.begin() + 3, values.end() - 2), strided;
        for (const std::uint8_t each : values) inverted.push_back(static_cast<std::uint8_t>(255 - each));
        for (std::size_t i = 1; i < values.size(); i += 7) strided.push_back(values[i]);
        CHECK_SAME(k::array<std::int64_t>(k::histogram(std::uint8_t{255} - x, 256)).to_host(), counted(inverted, 256));
        CHECK_SAME(k::array<std::int64_t>(k::histogram(x(k::range(3, length - 2)), 256)).to_host(), counted(part, 256));
        CHECK_SAME(k::array<std::int64_t>(k::histogram(x(k::range(1, length, 7)), 256)).to_host(),
                   counted(strided, 256));
        CHECK_SAME(k::array<std::int64_t>(k::histogram(k::cast<std::int64_t>(x) * 70, 20000)).to_host(), [&] {
            std::vector<std::int64_t> wide;
            for (const std::uint8_t each : values) wide.push_back(each * 70);
            return counted(wide, 20000);
        }());
    }
    const k::array<std::uint64_t> huge = k::from_host<std::uint64_t>({0, ~std::uint64_t{0}, std::uint64_t{1} << 63, 1});
    CHECK(k::array<std::int64_t>(k::histogram(huge, 2)).to_host() == std::vector<std::int64_t>{1, 1});
}

TEST_CASE_TEMPLATE("bins of a range: the edge below is in, the last one above too; NaN and what is outside nowhere", T,
                   float, double, k::float16, k::bfloat16, int, std::uint8_t) {
    for (const std::int64_t length : {5, 4099, 40007})
        for (const std::int64_t bins : {1, 3, 10, 100, 9001}) {
            std::vector<T> values = random_numbers<T>(length, 0, 100, 3);
            if constexpr (std::is_floating_point_v<T>) {
                const std::vector<float> more = noise(length, 8);
                for (std::size_t i = 0; i < values.size(); i += 2) values[i] = static_cast<T>(more[i]);
                for (std::int64_t i = 0; i < std::min<std::int64_t>(bins, length); ++i)
                    values[static_cast<std::size_t>(i)] =
                        static_cast<T>(0.3 + static_cast<double>(i) * ((90.7 - 0.3) / static_cast<double>(bins)));
                values[0] = std::numeric_limits<T>::quiet_NaN();
                values[1] = std::numeric_limits<T>::infinity();
                values[2] = T(90.7);
                values[3] = -std::numeric_limits<T>::infinity();
            }
            std::vector<double> reals;
            for (std::size_t i = 0; i < values.size(); ++i) reals.push_back(as_double(static_cast<T>(values[i])));
            const k::array<T> x = k::from_host<T>(values, {length});
            CAPTURE(bins);
            CHECK_SAME(k::array<std::int64_t>(k::histogram(x, bins, 0.3, 90.7)).to_host(),
                       in_bins(reals, bins, 0.3, 90.7));
            CHECK_SAME(k::array<std::int64_t>(k::histogram(x, bins, 0, 100)).to_host(), in_bins(reals, bins, 0, 100));
        }
}

TEST_CASE("bincount has as many values as there are, or are asked for") {
    const k::array<int> x = k::from_host<int>({0, 1, 1, 3, 2, 1, 7});
    CHECK(k::array<std::int64_t>(k::bincount(x)).to_host() == std::vector<std::int64_t>{1, 3, 1, 1, 0, 0, 0, 1});
    CHECK(k::array<std::int64_t>(k::bincount(x, 10)).to_host() ==
          std::vector<std::int64_t>{1, 3, 1, 1, 0, 0, 0, 1, 0, 0});
    CHECK(k::array<std::int64_t>(k::bincount(x % 2, 1)).to_host() == std::vector<std::int64_t>{2, 5});
    CHECK(k::array<std::int64_t>(k::bincount(k::zeros<int>({0}), 3)).to_host() == std::vector<std::int64_t>{0, 0, 0});
    CHECK(k::array<std::int64_t>(k::bincount(k::zeros<int>({0}))).shape() == k::shape{0});
    CHECK(k::array<std::int64_t>(k::bincount(k::from_host<std::uint8_t>({{255, 254}}))).shape() == k::shape{256});
    // Rows without elements.
    CHECK(k::array<float>(k::segment_sum(k::ones<float>({5, 0}), k::zeros<int>({5}), 3)).shape() == k::shape{3, 0});
    CHECK_THROWS_WITH_AS(k::bincount(x - 1), doctest::Contains("-1 is negative"), k::error);
    CHECK_THROWS_AS(k::bincount(x, -1), k::shape_error);
    CHECK_THROWS_WITH_AS(k::bincount(k::from_host<std::uint64_t>({~std::uint64_t{0}})),
                         doctest::Contains("the largest element is 18446744073709551615"), k::error);
    CHECK_THROWS_WITH_AS(k::bincount(k::full<std::int64_t>({1}, std::int64_t{1} << 45)),
                         doctest::Contains("below 2^40 is the most; k::histogram(x, bins)"), k::error);
    CHECK_THROWS_AS(k::bincount(k::zeros<int>({0}), -1), k::shape_error);
    CHECK_THROWS_WITH_AS(k::bincount(x, std::int64_t{1} << 41), doctest::Contains("2^40"), k::shape_error);
}

TEST_CASE("bincount in the body of a graph is refused by its name") {
    k::array<int> x = k::zeros<int>({4});
    CHECK_THROWS_WITH_AS(k::graph({&x}, [&] { x = k::cast<int>(k::bincount(x, 4)); }),
                         doctest::Contains("bincount() in the body of a graph"), k::device_error);
}

TEST_CASE("segments: none of nothing, and no more than memory could ever hold") {
    const k::array<float> nothing = k::zeros<float>({0});
    const k::array<int> no_ids = k::zeros<int>({0});
    const auto groups = k::bincount(no_ids).size();
    CHECK(groups == 0);
    CHECK(k::array<float>(k::segment_sum(nothing, no_ids, groups)).shape() == k::shape{0});
    CHECK(k::array<float>(k::segment_min(nothing, no_ids, 0)).shape() == k::shape{0});
    CHECK(k::array<float>(k::segment_max(k::zeros<float>({0, 3}), no_ids, 0)).shape() == k::shape{0, 3});
    CHECK(k::array<std::int64_t>(k::segment_sum(k::zeros<int>({0, 0}), no_ids, 0)).shape() == k::shape{0, 0});
    CHECK_THROWS_WITH_AS(k::segment_sum(k::ones<float>({2}), k::zeros<int>({2}), 0),
                         doctest::Contains("0 segments for ids of shape (2,)"), k::shape_error);
    CHECK_THROWS_AS(k::segment_sum(nothing, no_ids, -1), k::shape_error);

    const auto many = std::int64_t{1} << 61;
    CHECK_THROWS_WITH_AS(k::segment_sum(k::ones<float>({2, 8}), k::zeros<int>({2}), many), doctest::Contains("2^40"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::segment_sum(k::ones<float>({2, 8}), k::zeros<int>({2}), std::int64_t{1} << 39),
                         doctest::Contains("549755813888 segments of 8 elements each"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::segment_max(k::ones<float>({2}), k::zeros<int>({2}), many), doctest::Contains("2^40"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::histogram(k::zeros<int>({2}), many), doctest::Contains("2^40"), k::shape_error);
}

TEST_CASE("a histogram's range may be too wide for a double") {
    CHECK_THROWS_WITH_AS(k::histogram(k::ones<double>({2}), 4, -1e308, 1e308),
                         doctest::Contains("the width of the range"), k::error);
    CHECK_THROWS_WITH_AS(k::histogram(k::ones<double>({2}), 4, 1.0, INFINITY),
                         doctest::Contains("is no range: it has a finite begin"), k::error);
}

TEST_CASE_TEMPLATE("sums, least and greatest of segments of every type are what loops say", T, KILN_TEST_TYPES) {
    for (const std::int64_t length : {1, 17, 4099, 30011})
        for (const std::int64_t count : {1, 7, 1000, 5000}) {
            const std::vector<int> ids =
                random_numbers<int>(length, -3, static_cast<int>(count) + 3, static_cast<unsigned>(length));
            check_segments_of<T>(length, count, ids);
            std::vector<std::int64_t> sorted(ids.begin(), ids.end());
            std::sort(sorted.begin(), sorted.end());
            check_segments_of<T>(length, count, sorted);
            check_segments_of<T>(length, count, std::vector<std::uint16_t>(static_cast<std::size_t>(length), 0));
        }
}

TEST_CASE_TEMPLATE("sums of floats by segments are exact but for the last place, and the same in any order", T, float,
                   double) {
    const std::int64_t length = 50021;
    const std::int64_t count = 61;
    std::mt19937 random(12);
    std::vector<T> values;
    std::vector<int> ids;
    for (std::int64_t i = 0; i < length; ++i) {
        const int exponent = static_cast<int>(random() % 40) - 20;
        values.push_back(std::ldexp(static_cast<T>(static_cast<double>(random()) - 2147483648.0), exponent));
        ids.push_back(static_cast<int>(random() % static_cast<unsigned>(count)));
    }
    std::vector<long double> exact(static_cast<std::size_t>(count)), size(exact.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        exact[static_cast<std::size_t>(ids[i])] += values[i];
        size[static_cast<std::size_t>(ids[i])] =
            std::max(size[static_cast<std::size_t>(ids[i])], std::fabs(static_cast<long double>(values[i])));
    }
    const auto sum = [&] {
        return k::array<T>(k::segment_sum(k::from_host<T>(values), k::from_host<int>(ids), count)).to_host();
    };
    const std::vector<T> got = sum();
    const long double last = std::numeric_limits<T>::epsilon() / 2;
    for (std::size_t s = 0; s < got.size(); ++s) {
        const long double bound =
            last * std::fabs(exact[s]) * 1.01L + size[s] * std::ldexp(1.0L, std::is_same_v<T, float> ? -30 : -60);
        const bool near = std::fabs(static_cast<long double>(got[s]) - exact[s]) <= bound;
        CHECK_MESSAGE(near, "segment ", s, ": ", static_cast<double>(got[s]), " and ", static_cast<double>(exact[s]));
    }
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<T> shuffled;
    std::vector<int> shuffled_ids;
    for (const std::size_t each : order) shuffled.push_back(values[each]), shuffled_ids.push_back(ids[each]);
    std::swap(values, shuffled), std::swap(ids, shuffled_ids);
    CHECK_SAME(sum(), got);
    {
        const k::scoped_options unfused({.fuse = false});
        CHECK_SAME(sum(), got);
    }
}

TEST_CASE_TEMPLATE("infinities, NaN, -0 and denormals in segments", T, float, double) {
    const T inf = std::numeric_limits<T>::infinity();
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T tiny = std::numeric_limits<T>::denorm_min();
    const T huge = std::numeric_limits<T>::max();
    const std::vector<T> values{inf,     1,    -inf, 2,     inf,  -inf, nan,  3,     T(-0.0),
                                T(-0.0), tiny, tiny, -tiny, huge, huge, huge, -huge, T(0)};
    const std::vector<int> ids{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8};
    const k::array<T> x = k::from_host<T>(values);
    const k::array<int> of = k::from_host<int>(ids);
    CHECK_SAME(k::array<T>(k::segment_sum(x, of, 10)).to_host(),
               (std::vector<T>{inf, -inf, nan, nan, 0, tiny, inf, 0, 0, 0}));
    CHECK_SAME(k::array<T>(k::segment_min(x, of, 10)).to_host(),
               (std::vector<T>{1, -inf, -inf, nan, T(-0.0), -tiny, huge, -huge, 0, inf}));
    CHECK_SAME(k::array<T>(k::segment_max(x, of, 10)).to_host(),
               (std::vector<T>{inf, 2, inf, nan, T(-0.0), tiny, huge, huge, 0, -inf}));
    const k::array<T> zeros = k::from_host<T>({T(0), T(-0.0), T(-0.0), T(0)});
    const k::array<int> pairs = k::from_host<int>({0, 0, 1, 1});
    CHECK_SAME(k::array<T>(k::segment_min(zeros, pairs, 2)).to_host(), (std::vector<T>{T(-0.0), T(-0.0)}));
    CHECK_SAME(k::array<T>(k::segment_max(zeros, pairs, 2)).to_host(), (std::vector<T>{0, 0}));
}

TEST_CASE("integers of 64 bits wrap in sums and keep their order in extremes") {
    const std::uint64_t top = ~std::uint64_t{0};
    const k::array<std::uint64_t> x = k::from_host<std::uint64_t>({top, 3, std::uint64_t{1} << 63, 5});
    const k::array<int> of = k::from_host<int>({0, 0, 1, 1});
    CHECK(k::array<std::uint64_t>(k::segment_sum(x, of, 3)).to_host() ==
          std::vector<std::uint64_t>{2, (std::uint64_t{1} << 63) + 5, 0});
    CHECK(k::array<std::uint64_t>(k::segment_min(x, of, 3)).to_host() == std::vector<std::uint64_t>{3, 5, top});
    CHECK(k::array<std::uint64_t>(k::segment_max(x, of, 3)).to_host() ==
          std::vector<std::uint64_t>{top, std::uint64_t{1} << 63, 0});
    // More than 32 bits hold, of few segments, and of one.
    const std::int64_t length = 100003;
    const k::array<std::int64_t> large = k::arange<std::int64_t>(length) * 1000003 - 40000000000;
    std::vector<std::int64_t> expected(3);
    for (std::int64_t i = 0; i < length; ++i) expected[static_cast<std::size_t>(i % 3)] += i * 1000003 - 40000000000;
    CHECK(k::array<std::int64_t>(k::segment_sum(large, k::arange<std::int64_t>(length) % 3, 3)).to_host() == expected);
}

TEST_CASE("axes beyond those of the ids stay; ids of several axes") {
    const k::array<float> m = k::from_host<float>({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2});
    const k::array<int> of = k::from_host<int>({1, 0, 1, 5});
    const k::array<float> sums = k::segment_sum(m, of, 3);
    CHECK(sums.shape() == k::shape{3, 2});
    CHECK(sums.to_host() == std::vector<float>{3, 4, 6, 8, 0, 0});
    const k::array<float> least = k::segment_min(m * 2.0f, of, 2);
    CHECK(least.to_host() == std::vector<float>{6, 8, 2, 4});
    const k::array<int> each = k::from_host<int>({0, 1, -1, 1, 0, 1, 2, 9}, {4, 2});
    CHECK(k::array<float>(k::segment_sum(m, each, 2)).to_host() == std::vector<float>{6, 12});
    CHECK(k::array<float>(k::segment_max(m, each + 1, 4)).to_host() == std::vector<float>{3, 5, 6, 7});
}

TEST_CASE("inside expressions, of reductions and of one another, of nothing, beside others") {
    const k::array<float> x = k::from_host<float>({3, 1, 4, 1, 5, 9, 2, 6});
    const k::array<int> of = k::from_host<int>({0, 1, 0, 1, 2, 2, 0, 1});
    const auto number = k::segment_sum(k::ones<float>({8}), of, 3);
    CHECK(k::array<float>(k::segment_sum(x, of, 3) / number).to_host() == std::vector<float>{3, 8.0f / 3, 7});
    CHECK(k::array<float>(k::segment_sum(x - k::sum(x) / 31.0f, of, 3)).to_host() == std::vector<float>{6, 5, 12});
    CHECK(k::array<float>(k::sum(k::segment_max(x, of, 3))).item() == 4 + 6 + 9);
    CHECK(k::array<float>(k::take(k::segment_max(x, of, 3), of)).to_host() ==
          std::vector<float>{4, 6, 4, 6, 9, 9, 4, 6});
    CHECK(k::array<float>(x - k::take(k::segment_min(x, of, 3), of)).to_host() ==
          std::vector<float>{1, 0, 2, 0, 0, 4, 0, 5});
    CHECK(k::array<std::int64_t>(k::histogram(k::histogram(of, 3), 4)).to_host() ==
          std::vector<std::int64_t>{0, 0, 1, 2});
    CHECK(k::array<std::int64_t>(k::cumsum(k::histogram(of, 3))).to_host() == std::vector<std::int64_t>{3, 6, 8});
    CHECK(k::array<std::int64_t>(k::segment_sum(of, of, 3)).to_host() == std::vector<std::int64_t>{0, 3, 4});
    auto [counts, sums, all] = k::eval(k::histogram(of, 3), k::segment_sum(x, of, 3), k::sum(x));
    CHECK(counts.to_host() == std::vector<std::int64_t>{3, 3, 2});
    CHECK(sums.to_host() == std::vector<float>{9, 8, 14});
    CHECK(all.item() == 31);
    auto [few, many] = k::eval(k::histogram(of, 2), k::histogram(of, 4));
    CHECK(few.to_host() == std::vector<std::int64_t>{3, 3});
    CHECK(many.to_host() == std::vector<std::int64_t>{3, 3, 2, 0});
    const k::array<float> none = k::zeros<float>({0});
    CHECK(k::array<float>(k::segment_sum(none, k::zeros<int>({0}), 2)).to_host() == std::vector<float>{0, 0});
    CHECK(k::array<float>(k::segment_min(none, k::zeros<int>({0}), 2)).to_host() ==
          std::vector<float>(2, std::numeric_limits<float>::infinity()));
    CHECK(k::array<std::int8_t>(k::segment_max(k::zeros<std::int8_t>({0}), k::zeros<int>({0}), 1)).to_host() ==
          std::vector<std::int8_t>{-128});
    CHECK(k::array<std::int64_t>(k::histogram(k::zeros<int>({0, 4}), 3)).to_host() ==
          std::vector<std::int64_t>{0, 0, 0});
    std::vector<std::uint8_t> mine{1, 1, 2, 0};
    CHECK(k::array<std::int64_t>(k::histogram(k::wrap(mine.data(), {4}), 3)).to_host() ==
          std::vector<std::int64_t>{1, 2, 1});
    k::array<std::int64_t> into = k::zeros<std::int64_t>({3});
    into = k::histogram(of, 3);
    CHECK(into.to_host() == std::vector<std::int64_t>{3, 3, 2});
    into(k::range(0, 3)) = k::histogram(of, 3) * 2;
    CHECK(into.to_host() == std::vector<std::int64_t>{6, 6, 4});
}

TEST_CASE("what cannot be counted says why") {
    const k::array<int> x = k::from_host<int>({1, 2});
    const k::array<float> y = k::ones<float>({3});
    CHECK_THROWS_WITH_AS(k::histogram(x, 0), doctest::Contains("histogram of 0 bins"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::histogram(y, -1, 0, 1), doctest::Contains("histogram of -1 bins"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::histogram(y, 2, 1, 1),
                         doctest::Contains("from 1 to 1 is no range; NumPy takes from 0.5 to 1.5"), k::error);
    CHECK_THROWS_AS(k::histogram(y, 2, 0, std::numeric_limits<double>::infinity()), k::error);
    CHECK_THROWS_WITH_AS(k::segment_sum(y, x, 2), doctest::Contains("segment_sum: ids of shape (2,)"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::segment_min(y, x, 0), doctest::Contains("segment_min: 0 segments"), k::shape_error);
}

TEST_CASE_TEMPLATE("segments: sums have the bits that they have beside a segment that is infinite", T, float,
                   k::float16, k::bfloat16) {
    // Of which a processor takes other steps: those that ask of each element.
    const float infinity = std::numeric_limits<float>::infinity();
    for (const std::int64_t inside : {1, 3, 16})
        for (const std::int64_t count : {7, 500, 30011}) {
            CAPTURE(inside);
            CAPTURE(count);
            constexpr std::int64_t rows = 40009;
            std::vector<float> values = noise(rows * inside, 5);
            const float special[] = {0.0f, -0.0f, 1e-40f, -1e-44f, 3e38f, -3e38f, 6e-8f};
            for (std::size_t i = 0; i < values.size(); i += 97) values[i] = special[i / 97 % std::size(special)];
            std::vector<int> ids = random_numbers<int>(rows, -2, static_cast<int>(count) + 2, 23);
            for (int& each : ids) each = each == count ? -1 : each;
            const auto sums = [&] {
                const std::vector<float>& all = values;
                const auto x = k::array<T>(k::cast<T>(k::from_host<float>(all, {std::ssize(ids), inside})));
                const k::array<T> made = k::segment_sum(x, k::from_host<int>(ids), count + 1);
                return k::array<T>(made(k::range(0, count))).to_host();
            };
            const std::vector<T> finite = sums();
            values.insert(values.end(), static_cast<std::size_t>(inside), infinity);
            ids.push_back(static_cast<int>(count));
            CHECK_SAME(sums(), finite);
        }
}
