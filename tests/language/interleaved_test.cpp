// Many rows of few elements that are reduced, or scaled by what they come to: colours of pixels, coordinates of points, scores of a
// few classes. Against loops in double, and to the bit against the same without fusing and in fewer rows, of which a GPU's threads
// take one each.
#include "random_numbers.hpp"

#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace k = kiln;
using tests::random_numbers;

namespace {

constexpr std::int64_t few = 1003;
constexpr std::int64_t many = 70001;

/// Of all rows, and of the last of them alone; and as one kernel per operation makes it.
template <class T, class Make>
std::vector<T> checked(Make make) {
    const std::vector<T> got = k::array<T>(make(k::range(0, many))).to_host();
    const std::vector<T> last = k::array<T>(make(k::range(many - few, many))).to_host();
    CHECK_SAME(last, std::vector<T>(got.end() - static_cast<std::ptrdiff_t>(last.size()), got.end()));
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(make(k::range(0, many))).to_host(), got);
    return got;
}

}  // namespace

TEST_CASE("interleaved rows: sums, means, the largest and where, of weighted elements of every size") {
    std::mt19937 random(3);
    for (std::int64_t n = 2; n <= 9; ++n) {
        CAPTURE(n);
        const k::array<float> m = random_numbers<float>(random, {many, n});
        const k::array<float> weights = random_numbers<float>(random, {n});
        const k::array<float> column = random_numbers<float>(random, {many, 1});
        const std::vector<float> got =
            checked<float>([&](k::range rows) { return k::sum(m(rows) * weights - column(rows), k::axis(1)); });
        const std::vector<float> x = m.to_host();
        const std::vector<float> w = weights.to_host();
        const std::vector<float> c = column.to_host();
        double worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            double sum = 0;
            double size = 1;
            for (std::size_t j = 0; j < w.size(); ++j) {
                const double product = static_cast<double>(x[i * w.size() + j]) * static_cast<double>(w[j]);
                sum += product - static_cast<double>(c[i]);
                size += std::fabs(product) + std::fabs(static_cast<double>(c[i]));
            }
            worst = std::max(worst, std::fabs(static_cast<double>(got[i]) - sum) / size);
        }
        CHECK(worst < 1e-6);
        checked<std::int64_t>([&](k::range rows) { return k::argmax(m(rows), k::axis(1)); });
        checked<double>([&](k::range rows) { return k::mean(k::cast<double>(m(rows)), k::axis(1)); });
        const k::array<std::uint8_t> image = k::cast<std::uint8_t>(k::min(k::max(m * 8.0f + 120.0f, 0.0f), 255.0f));
        checked<std::uint8_t>([&](k::range rows) {
            return k::cast<std::uint8_t>(
                k::rint(k::sum(k::cast<float>(image(rows)) * k::abs(weights), k::axis(1)) / 200.0f));
        });
        checked<std::uint64_t>([&](k::range rows) { return k::sum(image(rows), k::axis(1)); });
        const k::array<k::float16> halves = k::cast<k::float16>(m);
        checked<k::float16>([&](k::range rows) { return k::max(halves(rows), k::axis(1)); });
    }
}

TEST_CASE("interleaved rows: unit vectors, softmax, elements and what they come to together") {
    std::mt19937 random(4);
    for (std::int64_t n = 2; n <= 8; ++n) {
        CAPTURE(n);
        k::array<float> m = random_numbers<float>(random, {many, n});
        const std::vector<float> x = m.to_host();
        const std::vector<float> unit = checked<float>(
            [&](k::range rows) { return m(rows) / k::sqrt(k::sum(k::square(m(rows)), k::axis(1), k::keep_dims)); });
        for (std::size_t i = 0; i < unit.size(); i += 501) {
            double sum = 0;
            const auto width = static_cast<std::size_t>(n);
            for (std::size_t j = 0; j < width; ++j) {
                const double each = static_cast<double>(x[i / width * width + j]);
                sum += each * each;
            }
            if (sum > 0)
                CHECK(static_cast<double>(unit[i]) ==
                      doctest::Approx(static_cast<double>(x[i]) / std::sqrt(sum)).epsilon(1e-6));
        }
        checked<float>([&](k::range rows) {
            const auto raised = k::exp(m(rows) - k::max(m(rows), k::axis(1), k::keep_dims));
            return raised / k::sum(raised, k::axis(1), k::keep_dims);
        });
        k::array<float> doubled;
        k::array<float> sums;
        std::tie(doubled, sums) = k::eval(m * 2.0f, k::sum(m * 2.0f, k::axis(1)));
        CHECK_SAME(doubled.to_host(), k::array<float>(m * 2.0f).to_host());
        CHECK_SAME(sums.to_host(), k::array<float>(k::sum(m * 2.0f, k::axis(1))).to_host());
        // In place.
        const std::vector<float> wanted = k::array<float>(m - k::mean(m, k::axis(1), k::keep_dims)).to_host();
        m = m - k::mean(m, k::axis(1), k::keep_dims);
        CHECK_SAME(m.to_host(), wanted);
    }
}

TEST_CASE("interleaved rows: what is not finite, views that start anywhere, and elements that others know") {
    std::mt19937 random(5);
    std::vector<float> host = random_numbers<float>(random, {many * 3 + 1}).to_host();
    for (std::size_t i = 0; i < host.size(); i += 97)
        host[i] = i % 2   ? std::numeric_limits<float>::infinity()
                  : i % 3 ? -0.0f
                          : std::numeric_limits<float>::quiet_NaN();
    const k::array<float> memory = k::from_host<float>(host, {many * 3 + 1});
    const auto m = k::reshape(memory(k::range(0, many * 3)), {many, 3});
    const auto off = k::reshape(memory(k::range(1, many * 3 + 1)), {many, 3});
    checked<float>([&](k::range rows) { return k::sum(m(rows), k::axis(1)); });
    checked<float>([&](k::range rows) { return k::max(off(rows), k::axis(1)); });
    checked<float>([&](k::range rows) { return k::sum(m(rows) * k::flip(off(rows), k::axis(1)), k::axis(1)); });
    checked<float>([&](k::range rows) { return m(rows) - k::nanmax(m(rows), k::axis(1), k::keep_dims); });
    const auto where = [&](k::range rows) { return k::cast<float>(k::index(1)) * m(rows); };
    checked<float>([&](k::range rows) { return k::sum(where(rows), k::axis(1)); });
}
