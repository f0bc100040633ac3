// Scans of short rows within the kernel that uses them: the same bits as a kernel for each scan, each reduction and each operation
// gives, and right by loops in double.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

/// In (-2, 2), with a few of what is not finite, and zeros of either sign, where `special`.
template <class T>
std::vector<T> row_scan_numbers(std::int64_t count, unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        double value = static_cast<double>(random() % 100003) / 25001.0 - 2;
        if (special && random() % 29 == 0) {
            const double inf = std::numeric_limits<double>::infinity();
            const double choices[] = {inf, -inf, std::nan(""), -0.0, 0.0, 5e-324};
            value = choices[random() % 6];
        }
        if constexpr (std::is_integral_v<T>) value = std::floor(40 * value) + (std::is_signed_v<T> ? 0 : 100);
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else if constexpr (requires { typename T::value_type; })
            out.push_back(T(static_cast<typename T::value_type>(value),
                            static_cast<typename T::value_type>(static_cast<double>(random() % 997) / 997.0)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// The same bits as with a kernel for each scan, reduction and operation; on a GPU no more launches than that where `most` is not 0.
template <class T>
std::vector<T> row_scan_checked(const std::function<k::expr<T>()>& make, std::int64_t most = 0) {
    const tests::fused_elements<T> got = tests::same_unfused(make);
    if (most && tests::device().is_cuda) CHECK(got.launches <= most);
    return got.elements;
}

const std::vector<k::shape>& row_scan_shapes() {
    static const std::vector<k::shape> all = {
        {1, 1},     {200, 1},   {200, 2},  {3, 3},    {140, 3},  {140, 4},  {140, 5},    {9, 8},
        {135, 15},  {9, 16},    {150, 16}, {133, 17}, {7, 20},   {133, 31}, {133, 32},   {150, 33},
        {5, 63},    {140, 63},  {6, 64},   {140, 64}, {300, 64}, {140, 65}, {131, 96},   {5, 127},
        {140, 127}, {140, 128}, {3, 128},  {2, 129},  {2, 300},  {1, 100},  {3, 50, 40}, {10, 20, 64}};
    return all;
}

/// Of the 32 shapes, a sample that goes on from type to type: what one type leaves out, another has.
tests::sample& shapes_of_all_types(bool special) {
    static tests::sample plain(7), with_special(11);
    return special ? with_special : plain;
}

template <class T>
void check_row_scans(bool special) {
    tests::sample& shapes = shapes_of_all_types(special);
    tests::sample expressions(2);  // of seven, of complex numbers five: what one shape leaves out, the next has
    for (const k::shape& of : row_scan_shapes()) {
        if (!shapes.takes_next()) continue;
        CAPTURE(of.rank());
        CAPTURE(of[0]);
        CAPTURE(of[of.rank() - 1]);
        const k::axis last(of.rank() - 1);
        const k::array<T> x = k::from_host<T>(row_scan_numbers<T>(of.size(), 1, special), of);
        const bool is_kept = of[1] >= 17 && of[1] <= 32 && of.rank() == 2;
        using S = k::value_t<decltype(k::cumsum(x, last))>;
        if (expressions.takes_next())
            row_scan_checked<S>([&] { return k::expr<S>(k::sum(k::cumsum(x, last), last)); }, is_kept ? 1 : 0);
        if (expressions.takes_next())
            row_scan_checked<S>([&] { return k::expr<S>(k::cumsum(x * x, last) + x); }, is_kept ? 1 : 0);
        if (expressions.takes_next())
            row_scan_checked<S>([&] { return k::expr<S>(k::cumsum(x, last)); }, is_kept ? 1 : 0);
        if (expressions.takes_next())
            row_scan_checked<S>([&] { return k::expr<S>(k::cumsum(x * x, last)); }, is_kept ? 1 : 0);
        if (expressions.takes_next())
            row_scan_checked<S>([&] { return k::expr<S>(k::sum(k::cumprod(x, last), last, k::keep_dims)); });
        if constexpr (!requires { typename T::value_type; }) {
            if (expressions.takes_next())
                row_scan_checked<T>([&] { return k::expr<T>(k::max(k::cummin(x + x, last), last)); }, is_kept ? 1 : 0);
            if (expressions.takes_next())
                row_scan_checked<T>([&] { return k::expr<T>(k::min(k::cummax(x, last) - x, last)); }, is_kept ? 1 : 0);
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("scans in rows: of every type and length the bits of a kernel for each", T, float, double,
                   std::int32_t, std::int64_t, std::uint8_t, k::float16, std::complex<float>, std::complex<double>) {
    check_row_scans<T>(false);
}

TEST_CASE_TEMPLATE("scans in rows: NaN, infinities and zeros of either sign go their way", T, float, double,
                   k::bfloat16) {
    check_row_scans<T>(true);
}

namespace {

/// Of each row: the sums up to each element, in double.
std::vector<double> sums_of_rows(const std::vector<float>& from, std::int64_t extent) {
    std::vector<double> out;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const bool is_first = i % static_cast<std::size_t>(extent) == 0;
        out.push_back((is_first ? 0.0 : out.back()) + static_cast<double>(from[i]));
    }
    return out;
}

void check_near(const std::vector<float>& got, const std::vector<double>& wanted, double relative) {
    REQUIRE(got.size() == wanted.size());
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
        worst = std::max(worst, std::fabs(static_cast<double>(got[i]) - wanted[i]) / (1 + std::fabs(wanted[i])));
    CHECK(worst < relative);
}

}  // namespace

TEST_CASE("scans in rows: paths and what they come to are those of loops in double") {
    tests::sample sizes(2);
    for (const std::int64_t extent : {1, 2, 3, 16, 17, 63, 64, 65, 127, 128, 129})
        for (const std::int64_t rows : {1, 3, 140}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(extent);
            CAPTURE(rows);
            const std::vector<float> host = row_scan_numbers<float>(rows * extent, 5);
            const std::vector<double> sums = sums_of_rows(host, extent);
            const k::array<float> x = k::from_host<float>(host, {rows, extent});
            const k::axis last(1);
            std::vector<double> averages;
            std::vector<double> highest;
            std::vector<double> fallen;  // from the highest so far
            std::vector<double> shares;
            for (std::int64_t row = 0; row < rows; ++row) {
                const double* const of = sums.data() + row * extent;
                double total = 0;
                for (std::int64_t i = 0; i < extent; ++i) total += std::exp(of[i] / 16);
                averages.push_back(total / static_cast<double>(extent));
                highest.push_back(*std::max_element(of, of + extent));
                double so_far = of[0];
                double most = 0;
                for (std::int64_t i = 0; i < extent; ++i) {
                    so_far = std::max(so_far, of[i]);
                    most = std::max(most, so_far - of[i]);
                    shares.push_back(std::exp(of[i] / 16) / total);
                }
                fallen.push_back(most);
            }
            const auto path = k::cumsum(x, last);
            const auto value = k::exp(path / 16.0f);
            const auto as_float = [](const k::expr<float>& e) { return e; };
            check_near(row_scan_checked<float>([&] { return as_float(k::mean(value, last)); }), averages, 1e-5);
            check_near(row_scan_checked<float>([&] { return as_float(k::max(path, last)); }), highest, 1e-5);
            check_near(row_scan_checked<float>([&] { return as_float(k::max(k::cummax(path, last) - path, last)); }),
                       fallen, 2e-5);
            check_near(row_scan_checked<float>([&] { return as_float(value / k::sum(value, last, k::keep_dims)); }),
                       shares, 1e-5);
            // Stored and reduced.
            k::array<float> stored;
            k::array<float> most;
            k::array<float> beside;
            std::tie(stored, most, beside) = k::eval(path, k::max(path, last), x + 1.0f);
            check_near(stored.to_host(), sums, 1e-5);
            check_near(most.to_host(), highest, 1e-5);
            CHECK(beside.to_host().front() == host.front() + 1.0f);
            const k::scoped_options apart({.fuse = false});
            const k::array<float> alone = k::cumsum(x, last);
            CHECK(tests::difference(stored.to_host(), alone.to_host()).empty());
        }
}

TEST_CASE("scans in rows: an Asian option draws, adds up and averages in one kernel") {
    constexpr std::int64_t paths = 300;
    for (const std::int64_t steps : {16, 30, 63, 64, 100, 128}) {
        CAPTURE(steps);
        const auto make = [&]() -> k::expr<float> {
            const auto log_price = k::cumsum(k::random::normal<float>({paths, steps}, 7) * 0.05f + 0.001f, k::axis(1));
            return k::max(k::mean(100.0f * k::exp(log_price), k::axis(1)) - 100.0f, 0.0f);
        };
        const std::vector<float> got = row_scan_checked<float>(make, 1);
        const k::array<float> drawn = k::random::normal<float>({paths, steps}, 7);
        std::vector<float> shocks = drawn.to_host();
        for (float& each : shocks) each = each * 0.05f + 0.001f;
        const std::vector<double> sums = sums_of_rows(shocks, steps);
        std::vector<double> wanted;
        for (std::int64_t path = 0; path < paths; ++path) {
            double total = 0;
            for (std::int64_t i = 0; i < steps; ++i)
                total += 100 * std::exp(sums[static_cast<std::size_t>(path * steps + i)]);
            wanted.push_back(std::max(total / static_cast<double>(steps) - 100, 0.0));
        }
        check_near(got, wanted, 1e-4);
    }
}

TEST_CASE("scans in rows: random expressions have the bits of a kernel for each step") {
    std::mt19937 random(17);
    for (int round = 0; round < 24; ++round) {
        CAPTURE(round);
        const std::int64_t extent = 1 + static_cast<std::int64_t>(random() % 128);
        const k::shape of{random() % 2 ? 140 : 1 + static_cast<std::int64_t>(random() % 9), extent};
        CAPTURE(of[0]);
        CAPTURE(extent);
        const k::axis last(1);
        const k::array<float> x = k::from_host<float>(row_scan_numbers<float>(of.size(), random(), round % 3 == 0), of);
        const k::array<float> row = k::from_host<float>(row_scan_numbers<float>(extent, random()), {extent});
        const auto seed = static_cast<std::uint64_t>(random());
        const unsigned choices = random();
        row_scan_checked<float>([&] {
            k::expr<float> e = x;
            for (int i = 0; i < 3; ++i) switch (choices >> (3 * i) & 7) {
                    case 0: e = k::cumsum(e, last) * 0.25f; break;
                    case 1: e = k::cummax(e * row, last); break;
                    case 2: e = e - k::max(e, last, k::keep_dims); break;
                    case 3: e = k::cumprod(e * 0.5f, last); break;
                    case 4: e = e + k::random::normal<float>(of, seed); break;
                    case 5: e = k::cummin(e - row, last); break;
                    case 6: e = k::cumsum(e - k::mean(e, last, k::keep_dims), last); break;
                    default: e = k::abs(e) * row; break;
                }
            return choices >> 9 & 1 ? e : k::expr<float>(k::mean(e, last));
        });
    }
}

TEST_CASE("scans in rows: what users combine, other axes and empty rows are as they were") {
    const k::array<float> x = k::from_host<float>(row_scan_numbers<float>(140 * 64, 3), {140, 64});
    const auto sum = k::reduction<float>(0, "a", "b", "return a + b;");
    if (tests::device().compiles && !tests::cubins_wanted())
        row_scan_checked<float>([&] { return k::expr<float>(k::sum(k::scan(sum, x, k::axis(1)), k::axis(1))); });
    row_scan_checked<float>([&] { return k::expr<float>(k::sum(k::cumsum(x, k::axis(0)), k::axis(0))); });
    row_scan_checked<float>([&] { return k::expr<float>(k::sum(k::cumsum(x, k::axis(1)), k::axis(0))); });
    row_scan_checked<float>([&] { return k::expr<float>(k::sum(k::cumsum(x, k::axis(1)))); });
    row_scan_checked<float>([&] { return k::expr<float>(k::sum(k::cumsum(k::transpose(x), k::axis(1)), k::axis(1))); });
    row_scan_checked<float>(
        [&] { return k::expr<float>(k::sum(k::cumsum(x, k::axis(1))(k::all, k::range(3, 40)), k::axis(1))); });
    const k::array<float> none = k::zeros<float>({0, 64});
    CHECK(k::array<float>(k::sum(k::cumsum(none, k::axis(1)), k::axis(1))).size() == 0);
}
