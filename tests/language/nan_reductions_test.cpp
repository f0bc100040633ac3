// Reductions that leave NaN out, and whether arrays are near each other.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace k = kiln;

namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

/// Rows of which one is whole, one has holes, one has infinities and one knows nothing.
template <class T>
std::vector<T> rows_with_holes(std::int64_t columns) {
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<T> out;
    for (int row = 0; row < 4; ++row)
        for (std::int64_t i = 0; i < columns; ++i) {
            const float value = static_cast<float>((i * 7 + row) % 11 - 5);
            const bool hole = row == 3 || (row == 1 && i % 3 != 1) || (row == 2 && i == 0);
            out.push_back(hole ? T(unknown) : T(row == 2 && i % 5 == 4 ? inf : value));
        }
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("nansum, nanmean, nanmin and nanmax leave out what is NaN", T, k::float16, k::bfloat16, float,
                   double) {
    for (const std::int64_t columns : {3, 40, 1000}) {
        CAPTURE(columns);
        const std::vector<T> host = rows_with_holes<T>(columns);
        const k::array<T> m = k::from_host<T>(host, {4, columns});
        std::vector<T> sums;
        std::vector<T> means;
        std::vector<T> least;
        std::vector<T> most;
        for (std::int64_t row = 0; row < 4; ++row) {
            double sum = 0;
            double count = 0;
            double low = std::numeric_limits<double>::infinity();
            double high = -low;
            for (std::int64_t i = 0; i < columns; ++i) {
                const double value =
                    static_cast<double>(static_cast<float>(host[static_cast<std::size_t>(row * columns + i)]));
                if (std::isnan(value)) continue;
                sum += value, count += 1;
                low = std::min(low, value), high = std::max(high, value);
            }
            sums.push_back(T(static_cast<float>(sum)));
            // Sums of so small integers are exact; one division, in float where T is narrower.
            means.push_back(sizeof(T) == 8 ? T(sum / count) : T(static_cast<float>(sum) / static_cast<float>(count)));
            least.push_back(count > 0 ? T(static_cast<float>(low)) : T(unknown));
            most.push_back(count > 0 ? T(static_cast<float>(high)) : T(unknown));
        }
        CHECK_SAME(k::array<T>(k::nansum(m, k::axis(1))).to_host(), sums);
        CHECK_SAME(k::array<T>(k::nanmean(m, k::axis(1))).to_host(), means);
        CHECK_SAME(k::array<T>(k::nanmin(m, k::axis(1))).to_host(), least);
        CHECK_SAME(k::array<T>(k::nanmax(m, k::axis(1))).to_host(), most);
        CHECK(k::array<T>(k::nanmax(m, k::axis(1), k::keep_dims)).shape() == k::shape{4, 1});
    }
}

TEST_CASE("of nothing nansum is 0, nanmean NaN, and nanmin and nanmax throw") {
    const k::array<float> none = k::zeros<float>({0});
    CHECK(k::array<float>(k::nansum(none)).item() == 0.0f);
    CHECK(std::isnan(k::array<float>(k::nanmean(none)).item()));
    CHECK_THROWS_AS(k::array<float>(k::nanmin(none)), k::shape_error);
    CHECK_THROWS_AS(k::array<float>(k::nanmax(none)), k::shape_error);
}

TEST_CASE("isclose and allclose allow an absolute and a relative distance, and infinities that are the same") {
    const float inf = std::numeric_limits<float>::infinity();
    const k::array<float> a = k::from_host<float>({1, 100, inf, -inf, inf, unknown, 0});
    const k::array<float> b = k::from_host<float>({1.000001f, 101, inf, inf, 5, unknown, 1e-9f});
    CHECK_SAME(k::array<bool>(k::isclose(a, b)).to_host(),
               std::vector<bool>{true, false, true, false, false, false, true});
    CHECK_SAME(k::array<bool>(k::isclose(a, b, 0.02)).to_host(),
               std::vector<bool>{true, true, true, false, false, false, true});
    CHECK_FALSE(k::array<bool>(k::allclose(a, b)).item());
    CHECK(k::array<bool>(k::allclose(a(k::range(0, 1)), 1.0f)).item());
    CHECK(k::array<bool>(k::allclose(k::zeros<float>({0}), 1.0f)).item());
    const k::array<std::int32_t> whole = k::from_host<std::int32_t>({100'000, 100'001});
    CHECK(k::array<bool>(k::allclose(whole, 100'000)).item());
    CHECK_FALSE(k::array<bool>(k::allclose(whole, 100'000, 1e-6)).item());
    CHECK(k::array<bool>(k::allclose(k::cast<std::uint8_t>(whole * 0), k::cast<std::uint8_t>(whole * 0))).item());
    CHECK_THROWS_WITH_AS(static_cast<void>(k::isclose(a, k::ones<float>({7, 4})).shape()),
                         "kiln: shapes (7,) and (7, 4) do not broadcast: from the right, 7 meets 4", k::shape_error);
}
