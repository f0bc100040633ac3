// What is made of the values of reductions of operands that are broadcast against each other, one by one: roots of sums, activations of products.
// A GPU's kernel that has the values in tiles goes on with them: the same bits as one kernel for each operation gives, and right by loops in
// double.
#include <language/unfused.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace k = kiln;

namespace {

/// In [-2, 2), of all bits: sums of them show in which order they are.
template <class T>
k::array<T> random_numbers(std::mt19937& random, const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = static_cast<T>(static_cast<float>(random()) / 1073741824.0f - 2.0f);
    return k::from_host<T>(out, of);
}

/// `launches`: on a GPU; 0: whatever it takes.
template <class T>
std::vector<T> same_finished(const std::function<k::expr<T>()>& make, std::int64_t launches = 1) {
    const tests::fused_elements<T> got = tests::same_unfused(make);
    if (launches > 0 && tests::device().is_cuda) CHECK(got.launches == launches);
    return got.elements;
}

/// Of the rows of x and of y.
template <class T>
k::expr<T> squared_distances(const k::array<T>& x, const k::array<T>& y) {
    return k::sum(k::square(x(k::all, k::newaxis) - y), k::axis(2));
}

void check_distances(const k::array<float>& x, const k::array<float>& y, const std::vector<float>& got) {
    const std::vector<float> left = x.to_host(), right = y.to_host();
    const auto rows = static_cast<std::size_t>(x.shape()[0]), columns = static_cast<std::size_t>(y.shape()[0]);
    const auto terms = static_cast<std::size_t>(x.shape()[1]);
    double worst = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i < terms; ++i) {
                const double apart = double{left[r * terms + i]} - double{right[c * terms + i]};
                sum += apart * apart;
            }
            const double wanted = std::sqrt(sum);
            worst = std::max(worst, std::fabs(double{got[r * columns + c]} - wanted) / std::max(wanted, 1e-30));
        }
    CHECK(worst < 1e-6);
}

}  // namespace

TEST_CASE("finished tiles: distances of points of few features, of every number of threads that has them otherwise") {
    std::mt19937 random(3);
    // A value's kernels are in tiles from 131,072 values on.
    const std::int64_t rows = 363, columns = 365;
    for (const std::int64_t terms : {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 30, 32, 33, 47, 48, 64, 65, 100, 130}) {
        CAPTURE(terms);
        const k::array<float> x = random_numbers<float>(random, {rows, terms});
        const k::array<float> y = random_numbers<float>(random, {columns, terms});
        const std::int64_t launches = terms == 1 ? 0 : 1;
        const std::vector<float> got = same_finished<float>([&] { return k::sqrt(squared_distances(x, y)); }, launches);
        check_distances(x, y, got);
    }
}

TEST_CASE("finished tiles: what is not finite, rows of nothing but -0, several results") {
    std::mt19937 random(4);
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<float> left = random_numbers<float>(random, {400, 3}).to_host();
    for (std::size_t i = 0; i < left.size(); i += 41) {
        const float special[] = {inf, -inf, std::nanf(""), -0.0f, 1e-45f, 3e38f};
        left[i] = special[i / 41 % 6];
    }
    const k::array<float> x = k::from_host<float>(left, {400, 3});
    const k::array<float> y = random_numbers<float>(random, {384, 3});
    const k::array<float> minus_zero = k::full<float>({384, 3}, -0.0f);
    const auto products = [](const k::array<float>& a, const k::array<float>& b) {
        return k::sum(a(k::all, k::newaxis) * b, k::axis(2));
    };
    same_finished<float>([&] { return k::sqrt(products(x, y)) - 1.0f; });
    same_finished<float>([&] { return k::reciprocal(products(x, minus_zero)); });
    same_finished<float>([&] { return 1.0f / k::max(x(k::all, k::newaxis) + y, k::axis(2)); });
    same_finished<float>([&] { return k::exp(k::mean(x(k::all, k::newaxis) * y, k::axis(2)) * -0.5f); });
    same_finished<bool>([&] { return products(x, y) > 0.25f; });
    const k::array<float> sums = products(x, y);
    const k::array<float> roots = k::sqrt(sums);
    const k::array<std::int8_t> signs = k::cast<std::int8_t>(k::sign(sums));
    const auto both = k::expr<float>(products(x, y));
    auto [as_root, as_sum, as_sign] = k::eval(k::sqrt(both), both, k::cast<std::int8_t>(k::sign(both)));
    CHECK_SAME(as_root.to_host(), roots.to_host());
    CHECK_SAME(as_sum.to_host(), sums.to_host());
    CHECK_SAME(as_sign.to_host(), signs.to_host());
}

TEST_CASE("finished tiles: a product of matrices with a bias, a scale, a residual and an activation") {
    std::mt19937 random(5);
    for (const auto& of : {std::array<std::int64_t, 3>{384, 64, 352},
                           {363, 37, 365},
                           {1031, 33, 129},
                           {4099, 40, 33},
                           {70000, 7, 5},
                           {40000, 30, 4}}) {
        const std::int64_t m = of[0], depth = of[1], n = of[2];
        CAPTURE(m);
        const k::array<float> a = random_numbers<float>(random, {m, depth});
        const k::array<float> b = random_numbers<float>(random, {depth, n});
        const k::array<float> turned = random_numbers<float>(random, {n, depth});
        const k::array<float> bias = random_numbers<float>(random, {n});
        const k::array<float> scale = random_numbers<float>(random, {m, 1});
        const k::array<float> residual = random_numbers<float>(random, {m, n});
        const std::int64_t launches = n > 32 ? 1 : 0;
        same_finished<float>([&] { return k::max(k::matmul(a, b) + bias, 0.0f); }, launches);
        same_finished<float>([&] { return k::tanh(k::matmul(a, b) * scale + residual); }, launches);
        same_finished<float>([&] { return k::matmul(a, k::transpose(turned)) - residual; }, launches);
        same_finished<k::float16>([&] { return k::cast<k::float16>(k::matmul(a, b)); }, launches);
        same_finished<double>([&] { return k::cast<double>(k::matmul(a, b)) / 3.0; }, launches);
    }
}

TEST_CASE("finished tiles: batches, other types, what is read beside from anywhere; and what no tile is made of") {
    std::mt19937 random(6);
    const k::array<float> a = random_numbers<float>(random, {3, 130, 40});
    const k::array<float> b = random_numbers<float>(random, {40, 360});
    const k::array<float> bias = random_numbers<float>(random, {800});
    const k::array<float> beside = random_numbers<float>(random, {360, 130});
    const k::array<float> planes = random_numbers<float>(random, {3, 1, 360});
    same_finished<float>([&] { return k::matmul(a, b) + bias(k::range(3, 363)) - k::transpose(beside); });
    same_finished<float>([&] { return k::matmul(a, b) + k::flip(bias(k::range(0, 360)), k::axis(0)); });
    same_finished<float>([&] { return k::matmul(a, b) * bias(k::range(0, 720, 2)); });
    same_finished<float>([&] { return k::matmul(a, b) + planes; });
    // What is reduced and what is read beside may be one array.
    const k::array<float> row = random_numbers<float>(random, {363}), tall = random_numbers<float>(random, {365, 33});
    const k::array<float> wide_row = random_numbers<float>(random, {33, 363});
    same_finished<float>([&] { return k::sum(tall(k::all, k::all, k::newaxis) * wide_row * row, k::axis(1)) + row; });
    const k::array<double> wide = random_numbers<double>(random, {370, 40}),
                           wider = random_numbers<double>(random, {40, 370});
    same_finished<double>([&] { return k::exp(k::matmul(wide, wider)); });
    const k::array<std::int32_t> whole = k::cast<std::int32_t>(wide * 100), wholes = k::cast<std::int32_t>(wider * 100);
    same_finished<std::int64_t>([&] { return k::sum(whole(k::all, k::all, k::newaxis) * wholes, k::axis(1)) % 1000; });
    using complex = std::complex<float>;
    const k::array<complex> c = random_numbers<complex>(random, {370, 40}),
                            d = random_numbers<complex>(random, {40, 370});
    same_finished<float>([&] { return k::abs(k::matmul(c, d)); });
    // Elsewhere first.
    same_finished<float>([&] { return k::matmul(a, b) + k::arange<float>(360); }, 0);
    same_finished<float>([&] { return k::flip(k::matmul(a, b), k::axis(1)) + k::matmul(a, b); }, 0);
    same_finished<float>([&] { return k::matmul(a, b)(k::newaxis) + 1.0f; }, 0);
    same_finished<float>(
        [&] {
            return k::sqrt(
                k::sum(k::square(a(k::all, k::all, k::newaxis) - k::transpose(b)), k::axis(3), k::keep_dims));
        },
        0);
    same_finished<float>([&] { return k::matmul(a, b) + k::sum(a); }, 0);
    same_finished<float>([&] { return k::var(a(k::all, k::all, k::newaxis) * k::transpose(b), k::axis(3)) + 1.0f; }, 0);
    same_finished<std::int64_t>(
        [&] { return k::argmax(a(k::all, k::all, k::newaxis) * k::transpose(b), k::axis(3)) + 1; }, 0);
}
