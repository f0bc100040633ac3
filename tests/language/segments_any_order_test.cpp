// Sums by segments under options.fast_math, which a GPU makes of many segments in any order: against loops in the test, exactly
// where every order is exact, and else within what any order may come to.
#include <language/noise.hpp>
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

namespace k = kiln;

using tests::noise;

namespace {

/// Some below 0, some past the last.
std::vector<int> ids_of(std::int64_t length, std::int64_t count, bool sorted) {
    std::mt19937 random(static_cast<unsigned>(length));
    std::vector<int> out;
    for (std::int64_t i = 0; i < length; ++i)
        out.push_back(static_cast<int>(random() % static_cast<unsigned>(count + 4)) - 2);
    if (sorted) std::sort(out.begin(), out.end());
    return out;
}

/// Each segment's sum, and the sum of its sizes, of rows of `inside` values that have one id.
struct sums {
    std::vector<long double> all, sizes;
    std::vector<std::int64_t> counts;
};
template <class T>
sums sums_of(const std::vector<T>& values, const std::vector<int>& ids, std::int64_t count, std::int64_t inside) {
    const auto room = static_cast<std::size_t>(count * inside);
    sums out{std::vector<long double>(room), std::vector<long double>(room), std::vector<std::int64_t>(room)};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t id = ids[i / static_cast<std::size_t>(inside)];
        if (id < 0 || id >= count) continue;
        const auto s = static_cast<std::size_t>(id * inside) + i % static_cast<std::size_t>(inside);
        out.all[s] += values[i];
        out.sizes[s] += std::abs(static_cast<long double>(values[i]));
        ++out.counts[s];
    }
    return out;
}

template <class T>
std::vector<T> summed(const std::vector<T>& values, const std::vector<int>& ids, std::int64_t count,
                      std::int64_t inside, std::int64_t skipped = 0) {
    const k::scoped_options allowed({.fast_math = true});
    const auto rows = static_cast<std::int64_t>(ids.size());
    const k::array<int> by = k::from_host<int>(ids);
    const k::range rest(skipped, rows);
    if (inside == 1) return k::array<T>(k::segment_sum(k::from_host<T>(values)(rest), by(rest), count)).to_host();
    const k::array<T> x = k::from_host<T>(values, {rows, inside});
    return k::array<T>(k::segment_sum(x(rest), by(rest), count)).to_host();
}

}  // namespace

TEST_CASE_TEMPLATE("segments in any order: sums that every order makes exactly", T, float, double) {
    for (const std::int64_t rows : {1, 31, 513, 4099, 70001})
        for (const std::int64_t count : {3, 9000, 100000})
            for (const std::int64_t inside : {1, 3, 16})
                for (const bool sorted : {false, true}) {
                    CAPTURE(rows);
                    CAPTURE(count);
                    CAPTURE(inside);
                    CAPTURE(sorted);
                    std::mt19937 random(7);
                    std::vector<T> values;
                    for (std::int64_t i = 0; i < rows * inside; ++i)
                        values.push_back(static_cast<T>(static_cast<int>(random() % 19) - 9));
                    const std::vector<int> ids = ids_of(rows, count, sorted);
                    const sums wanted = sums_of(values, ids, count, inside);
                    std::vector<T> expected(wanted.all.begin(), wanted.all.end());
                    CHECK(summed(values, ids, count, inside) == expected);
                }
}

TEST_CASE_TEMPLATE(
    "segments in any order: sums are as near as those of any order, of arrays that begin between vectors too", T, float,
    double) {
    constexpr std::int64_t count = 9007;
    for (const std::int64_t inside : {1, 5}) {
        constexpr std::int64_t rows = 200003;
        constexpr std::int64_t skipped = 3;
        std::vector<T> values;
        std::mt19937 random(11);
        for (std::int64_t i = 0; i < rows * inside; ++i)
            values.push_back(static_cast<T>(static_cast<std::int32_t>(random())) * T(0x1p-31));
        const std::vector<int> ids = ids_of(rows, count, false);
        const std::vector<T> made = summed(values, ids, count, inside, skipped);
        const sums wanted = sums_of(std::vector<T>(values.begin() + skipped * inside, values.end()),
                                    std::vector<int>(ids.begin() + skipped, ids.end()), count, inside);
        REQUIRE(made.size() == wanted.all.size());
        int wrong = 0;
        for (std::size_t s = 0; s < made.size(); ++s)
            wrong += !(std::abs(made[s] - wanted.all[s]) <= static_cast<long double>(wanted.counts[s]) *
                                                                std::numeric_limits<T>::epsilon() * wanted.sizes[s]);
        CHECK(wrong == 0);
    }
}

TEST_CASE_TEMPLATE("segments in any order: infinities and NaN stay what they are", T, float, double) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    constexpr std::int64_t count = 9000;
    const std::vector<T> values = {1, infinity, 2, -infinity, infinity, -infinity, std::numeric_limits<T>::quiet_NaN(),
                                   5, -0.0};
    const std::vector<int> ids = {0, 1, 1, 2, 3, 3, 4, 4, 5};
    const std::vector<T> made = summed(values, ids, count, 1);
    CHECK(made[0] == 1);
    CHECK(made[1] == infinity);
    CHECK(made[2] == -infinity);
    CHECK(std::isnan(made[3]));
    CHECK(std::isnan(made[4]));
    CHECK(made[5] == 0);
    CHECK(std::count(made.begin() + 6, made.end(), T(0)) == count - 6);
}

TEST_CASE("segments in any order: 16-bit floats, integers and few segments are as they are without the option") {
    const std::vector<int> ids = ids_of(70001, 9000, false);
    const k::array<int> by = k::from_host<int>(ids);
    const k::array<float> x = k::from_host<float>(noise(70001, 3));
    const k::array<k::float16> halves = k::cast<k::float16>(x);
    const k::array<int> whole = by * 3;
    const k::array<int> few = by % 100;
    const auto all = [&] {
        return std::tuple(k::array<k::float16>(k::segment_sum(halves, by, 9000)).to_host(),
                          k::array<std::int64_t>(k::segment_sum(whole, by, 9000)).to_host(),
                          k::array<float>(k::segment_sum(x, few, 100)).to_host());
    };
    const auto exact = all();
    const k::scoped_options allowed({.fast_math = true});
    const auto made = all();
    CHECK_SAME(std::get<0>(made), std::get<0>(exact));
    CHECK_SAME(std::get<1>(made), std::get<1>(exact));
    CHECK_SAME(std::get<2>(made), std::get<2>(exact));
}
