// Sums of what rows and columns give: products of matrices, distances, in tiles on a GPU. Every element is checked against loops in
// double, and to the bit against the same without fusing, which adds up products that are in memory.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace k = kiln;

namespace {

template <class T>
k::array<T> numbers(std::mt19937& random, const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = static_cast<T>(static_cast<float>(random() % 2001) / 64.0f - 15.0f);
    return k::from_host<T>(out, of);
}

/// As it is, and as one kernel per operation makes it.
template <class T, class Make>
std::vector<T> checked(Make make) {
    const std::vector<T> got = k::array<T>(make()).to_host();
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(make()).to_host(), got);
    return got;
}

template <class T>
void check_products(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(depth);
    CAPTURE(columns);
    std::mt19937 random(static_cast<unsigned>(rows + depth));
    const k::array<T> a = numbers<T>(random, {rows, depth});
    const k::array<T> b = numbers<T>(random, {columns, depth});
    const auto left = a(k::all, k::all, k::newaxis);
    using sum_type = k::value_t<decltype(k::sum(left * k::transpose(b), k::axis(1)))>;
    const std::vector<sum_type> got = checked<sum_type>([&] { return k::sum(left * k::transpose(b), k::axis(1)); });
    // The same, whatever the layout.
    const k::array<T> turned = k::transpose(b);
    CHECK_SAME(k::array<sum_type>(k::sum(left * turned, k::axis(1))).to_host(), got);
    const std::vector<T> x = a.to_host();
    const std::vector<T> y = b.to_host();
    double worst = 0;
    for (std::int64_t row = 0; row < rows; row += 3)
        for (std::int64_t column = 0; column < columns; ++column) {
            double sum = 0;
            double size = 0;
            for (std::int64_t i = 0; i < depth; ++i) {
                const double product = static_cast<double>(x[static_cast<std::size_t>(row * depth + i)]) *
                                       static_cast<double>(y[static_cast<std::size_t>(column * depth + i)]);
                sum += product;
                size += std::fabs(product);
            }
            const double here = static_cast<double>(got[static_cast<std::size_t>(row * columns + column)]);
            worst = std::max(worst, std::fabs(here - sum) / std::max(size, 1.0));
        }
    CHECK(worst <= (sizeof(T) == 2 ? 1e-3 : sizeof(T) == 4 ? 2e-7 : 1e-15));
}

}  // namespace

TEST_CASE_TEMPLATE("contractions: products of matrices, of whole tiles and not", T, float, double, std::int32_t,
                   k::float16) {
    check_products<T>(512, 64, 256);
    check_products<T>(371, 41, 409);
    check_products<T>(33, 95, 4001);
    if (sizeof(T) == 4) check_products<T>(733, 37, 801);
}

TEST_CASE("contractions: batches, several axes that go, weights, constants and other reductions") {
    std::mt19937 random(5);
    const k::array<float> a = numbers<float>(random, {5, 130, 37});
    const k::array<float> b = numbers<float>(random, {5, 37, 211});
    const auto rows = a(k::all, k::all, k::all, k::newaxis);
    const auto columns = b(k::all, k::newaxis);
    const std::vector<float> got = checked<float>([&] { return k::sum(rows * columns, k::axis(2)); });
    for (const std::int64_t batch : {0, 4}) {
        const k::array<float> one =
            k::sum(k::array<float>(a(batch))(k::all, k::all, k::newaxis) * k::array<float>(b(batch)), k::axis(1));
        const std::vector<float> alone = one.to_host();
        double worst = 0;
        for (std::size_t i = 0; i < alone.size(); ++i)
            worst = std::max(worst, static_cast<double>(
                                        std::fabs(alone[i] - got[static_cast<std::size_t>(batch) * alone.size() + i])));
        CHECK(worst < 1e-2);
    }
    const k::array<float> left = numbers<float>(random, {400, 3, 20});
    const k::array<float> right = numbers<float>(random, {3, 20, 401});
    const k::array<float> weights = numbers<float>(random, {20, 1});
    const auto tall = left(k::all, k::all, k::all, k::newaxis);
    const k::axis_list both{1, 2};
    checked<float>([&] { return k::sum(k::square(tall - right) * weights + 0.5f, both); });
    checked<float>([&] { return k::max(k::abs(tall - right), both); });
    checked<std::int64_t>([&] { return k::argmin(k::abs(tall - right), both); });
    checked<bool>([&] { return k::any(tall > right + 20.0f, both); });
    checked<float>([&] { return k::mean(k::where(tall > 0.0f, right, tall), both); });
    const auto [sum, most] = k::eval(k::sum(tall * right, both), k::max(tall * right, both));
    CHECK_SAME(sum.to_host(), k::array<float>(k::sum(tall * right, both)).to_host());
    CHECK_SAME(most.to_host(), k::array<float>(k::max(tall * right, both)).to_host());
    const k::array<std::complex<float>> z =
        k::polar(numbers<float>(random, {400, 33}), numbers<float>(random, {400, 33}));
    checked<std::complex<float>>([&] { return k::sum(z(k::all, k::all, k::newaxis) * k::transpose(z), k::axis(1)); });
}

TEST_CASE("contractions: what is not finite, views that start anywhere, and targets that are operands") {
    std::mt19937 random(7);
    std::vector<float> host = numbers<float>(random, {401 * 51}).to_host();
    for (std::size_t i = 0; i < host.size(); i += 997) host[i] = i % 2 ? std::numeric_limits<float>::infinity() : -0.0f;
    host[1234] = std::numeric_limits<float>::quiet_NaN();
    const k::array<float> m = k::from_host<float>(host, {401, 51});
    const auto odd = m(k::range(1, 401), k::range(2, 49));
    checked<float>(
        [&] { return k::sum(odd(k::all, k::all, k::newaxis) * k::transpose(k::flip(odd, k::axis(0))), k::axis(1)); });
    k::array<float> square = numbers<float>(random, {384, 384});
    const k::array<float> before = square;
    const k::array<float> wanted = k::sum(before(k::all, k::all, k::newaxis) * before, k::axis(1));
    square = k::sum(square(k::all, k::all, k::newaxis) * square, k::axis(1));
    CHECK_SAME(square.to_host(), wanted.to_host());
}
