// Sums of what rows and columns give: products of matrices, distances, in tiles on a GPU. Every element is checked against loops in
// double, and to the bit against the same without fusing, which adds up products that are in memory.
#include "random_numbers.hpp"
#include "unfused.hpp"

#include <support/check.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace k = kiln;
using tests::random_numbers;

namespace {

/// As it is, and as one kernel per operation makes it.
template <class T, class Make>
std::vector<T> checked(Make make) {
    const std::vector<T> got = k::array<T>(make()).to_host();
    if (!tests::compares_unfused()) return got;
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
    const k::array<T> a = random_numbers<T>(random, {rows, depth});
    const k::array<T> b = random_numbers<T>(random, {columns, depth});
    const auto left = a(k::all, k::all, k::newaxis);
    using sum_type = k::value_t<decltype(k::sum(left * k::transpose(b), k::axis(1)))>;
    const std::vector<sum_type> got = checked<sum_type>([&] { return k::sum(left * k::transpose(b), k::axis(1)); });
    // The same, whatever the layout.
    const k::array<T> turned = k::transpose(b);
    CHECK_SAME(k::array<sum_type>(k::sum(left * turned, k::axis(1))).to_host(), got);
    const std::vector<T> x = a.to_host();
    const std::vector<T> y = b.to_host();
    // Of rows, whose elements are neighbours, the order is another.
    const std::vector<sum_type> of_rows =
        checked<sum_type>([&] { return k::sum(a(k::all, k::newaxis) * b, k::axis(2)); });
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
            for (const std::vector<sum_type>* each : {&got, &of_rows}) {
                const double here = static_cast<double>((*each)[static_cast<std::size_t>(row * columns + column)]);
                worst = std::max(worst, std::fabs(here - sum) / std::max(size, 1.0));
            }
        }
    CHECK(worst <= (sizeof(T) == 2 ? 1e-3 : sizeof(T) == 4 ? 2e-7 : 1e-15));
}

}  // namespace

namespace {

template <class T>
std::int64_t nearest_by_loops(const std::vector<T>& x, const std::vector<T>& c, std::size_t point, std::size_t depth) {
    std::int64_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t centre = 0; centre * depth < c.size(); ++centre) {
        double distance = 0;
        for (std::size_t i = 0; i < depth; ++i) {
            const double apart = static_cast<double>(x[point * depth + i]) - static_cast<double>(c[centre * depth + i]);
            distance += apart * apart;
        }
        if (distance < least) least = distance, nearest = static_cast<std::int64_t>(centre);
    }
    return nearest;
}

/// Of thirteen sizes, a sample that goes on from type to type: what one type leaves out, another has.
tests::sample& sizes_of_centres() {
    static tests::sample all(4);
    return all;
}

}  // namespace

TEST_CASE_TEMPLATE("contractions: the nearest of some centres, whose distances nobody stores", T, float, double,
                   std::int32_t) {
    std::mt19937 random(31);
    tests::sample& sizes = sizes_of_centres();
    for (const std::int64_t depth : {2, 7, 8, 20, 32})
        for (const std::int64_t centres : {1, 5, 33}) {
            if (depth > 8 && centres == 33) continue;  // the same, for longer
            if (!sizes.takes_next()) continue;
            CAPTURE(depth);
            CAPTURE(centres);
            const std::int64_t points = 132 * 256 + 67;
            const k::array<T> x = random_numbers<T>(random, {points, depth});
            const k::array<T> c = random_numbers<T>(random, {centres, depth});
            const k::array<T> weight = random_numbers<T>(random, {centres});
            const auto apart = x(k::all, k::newaxis) - c;
            const auto distance = k::sum(apart * apart, k::axis(2));
            const std::vector<std::int64_t> nearest =
                checked<std::int64_t>([&] { return k::argmin(distance, k::axis(1)); });
            const std::vector<T> left = x.to_host();
            const std::vector<T> right = c.to_host();
            for (std::size_t point = 0; point < nearest.size(); point += 97)
                REQUIRE(nearest[point] == nearest_by_loops(left, right, point, static_cast<std::size_t>(depth)));
            using sum_type = k::value_t<decltype(distance)>;
            // The order is that of the rows as they are by themselves.
            (void)checked<sum_type>([&] { return k::sum(distance * weight, k::axis(1)); });
            (void)checked<T>([&] { return k::max(k::min(apart, k::axis(2)) - weight, k::axis(1)); });
            // Of zeros of both signs, too.
            const auto zeros = k::where(apart > T(0), -apart * T(0), apart * T(0));
            (void)checked<T>([&] { return k::min(k::max(zeros, k::axis(2)), k::axis(1)); });
            (void)checked<std::int64_t>([&] { return k::argmax(k::min(zeros, k::axis(2)), k::axis(1)); });
        }
}

TEST_CASE_TEMPLATE("contractions: the nearest where distances are NaN, infinite or equal", T, float, double) {
    std::mt19937 random(43);
    const T inf = std::numeric_limits<T>::infinity();
    const T missing = std::numeric_limits<T>::quiet_NaN();
    // Points with a thread each, and so few that several threads share one.
    for (const std::int64_t points : {132 * 256 + 67, 1009}) {
        CAPTURE(points);
        k::array<T> x = random_numbers<T>(random, {points, 8});
        k::array<T> c = random_numbers<T>(random, {67, 8});
        x(1, 5) = missing;  // all of its distances
        x(3) = k::full<T>({8}, inf);
        x(5) = k::full<T>({8}, -inf);
        x(8, 0) = inf;
        c(40) = k::array<T>(c(7));
        x(9) = k::array<T>(c(7));
        x(points - 1, 7) = missing;
        const auto check = [&] {
            const auto apart = x(k::all, k::newaxis) - c;
            const auto distance = k::sum(apart * apart, k::axis(2));
            const auto products = k::sum(x(k::all, k::newaxis) * c, k::axis(2));
            const std::vector<std::int64_t> nearest =
                checked<std::int64_t>([&] { return k::argmin(distance, k::axis(1)); });
            (void)checked<std::int64_t>([&] { return k::argmax(distance, k::axis(1)); });
            (void)checked<std::int64_t>([&] { return k::argmin(products, k::axis(1)); });
            (void)checked<std::int64_t>([&] { return k::argmax(-products * T(2), k::axis(1)); });
            return nearest;
        };
        std::vector<std::int64_t> nearest = check();
        CHECK(nearest[1] == 0);
        CHECK(nearest[3] == 0);
        CHECK(nearest[9] == 7);
        // Of each point some distances, not the first: in the middle of a stage of centres, and past the first stage.
        c(66, 2) = missing;
        nearest = check();
        CHECK(nearest[0] == 66);
        c(33, 1) = missing;
        nearest = check();
        CHECK(nearest[0] == 33);
        CHECK(nearest[1] == 0);
        // The same of the first.
        c(0, 1) = inf;
        (void)check();
        c = k::full<T>({67, 8}, inf);
        (void)check();
    }
}

TEST_CASE("contractions: distances that somebody else reads, too, are an array") {
    std::mt19937 random(37);
    const k::array<float> x = random_numbers<float>(random, {50'000, 8});
    const k::array<float> c = random_numbers<float>(random, {16, 8});
    const auto apart = x(k::all, k::newaxis) - c;
    const auto distance = k::sum(apart * apart, k::axis(2));
    const auto [all, least] = k::eval(distance, k::min(distance, k::axis(1)));
    CHECK_SAME(k::array<float>(k::min(all, k::axis(1))).to_host(), least.to_host());
    const float missing = std::numeric_limits<float>::quiet_NaN();
    k::array<float> holed = x;
    holed(7, 3) = missing;
    CHECK(
        k::array<float>(k::min(k::sum((holed(k::all, k::newaxis) - c) * 2.0f, k::axis(2)), k::axis(1))).to_host()[7] !=
        least.to_host()[7]);
}

TEST_CASE_TEMPLATE("contractions: products of matrices, of whole tiles and not", T, float, double, std::int32_t,
                   k::float16) {
    // Of 32-bit elements two more; what one type leaves out, another has.
    tests::sample sizes(2, std::is_same_v<T, float> || std::is_same_v<T, double> ? 0 : 1);
    const auto check = [&](std::int64_t rows, std::int64_t depth, std::int64_t columns) {
        if (sizes.takes_next()) check_products<T>(rows, depth, columns);
    };
    check(512, 64, 256);
    check(371, 41, 409);
    check(33, 95, 4001);
    if (sizeof(T) == 4) check(733, 37, 801);
    check(601, 16, 233);
    check(371, 3, 409);
    check(1025, 5, 513);
    if (sizeof(T) == 4) check(367, 700, 367);
}

TEST_CASE("contractions: rows of distances, weights, several results, and the nearest of many") {
    std::mt19937 random(6);
    const k::array<float> points = random_numbers<float>(random, {4099, 7});
    const k::array<float> centres = random_numbers<float>(random, {65, 7});
    const k::array<float> weights = random_numbers<float>(random, {7});
    const auto apart = points(k::all, k::newaxis) - centres;
    checked<float>([&] { return k::sum(apart * apart, k::axis(2)); });
    checked<float>([&] { return k::sqrt(k::mean(apart * apart * weights, k::axis(2))); });
    checked<float>([&] { return k::max(k::abs(apart), k::axis(2)); });
    checked<bool>([&] { return k::all(apart < weights + 20.0f, k::axis(2)); });
    checked<std::int64_t>([&] { return k::argmin(apart, k::axis(2)); });
    const std::vector<std::int64_t> nearest =
        checked<std::int64_t>([&] { return k::argmin(k::sum(apart * apart, k::axis(2)), k::axis(1)); });
    const std::vector<float> x = points.to_host();
    const std::vector<float> c = centres.to_host();
    for (std::size_t i = 0; i < nearest.size(); i += 17) {
        const auto distance = [&](std::size_t centre) {
            double sum = 0;
            for (std::size_t j = 0; j < 7; ++j) {
                const double one = static_cast<double>(x[i * 7 + j]) - static_cast<double>(c[centre * 7 + j]);
                sum += one * one;
            }
            return sum;
        };
        const double found = distance(static_cast<std::size_t>(nearest[i]));
        for (std::size_t centre = 0; centre < 65; ++centre) CHECK(found <= distance(centre) * (1 + 1e-6));
    }
    k::array<float> sum;
    k::array<float> most;
    std::tie(sum, most) = k::eval(k::sum(apart * weights, k::axis(2)), k::max(apart * weights, k::axis(2)));
    CHECK_SAME(sum.to_host(), k::array<float>(k::sum(apart * weights, k::axis(2))).to_host());
    CHECK_SAME(most.to_host(), k::array<float>(k::max(apart * weights, k::axis(2))).to_host());
    // Batches, of which rows start anywhere.
    const k::array<float> batch = random_numbers<float>(random, {3, 300, 21});
    const auto odd = batch(k::all, k::range(1, 290), k::range(2, 19));
    checked<float>([&] {
        return k::sum(odd(k::all, k::all, k::newaxis) * k::flip(odd, k::axis(2))(k::all, k::newaxis), k::axis(3));
    });
    const k::array<std::complex<float>> z =
        k::polar(random_numbers<float>(random, {400, 9}), random_numbers<float>(random, {400, 9}));
    checked<std::complex<float>>([&] { return k::sum(z(k::all, k::newaxis) * k::conj(z), k::axis(2)); });
}

TEST_CASE("contractions: batches, several axes that go, weights, constants and other reductions") {
    std::mt19937 random(5);
    const k::array<float> a = random_numbers<float>(random, {5, 130, 37});
    const k::array<float> b = random_numbers<float>(random, {5, 37, 211});
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
    const k::array<float> left = random_numbers<float>(random, {400, 3, 20});
    const k::array<float> right = random_numbers<float>(random, {3, 20, 401});
    const k::array<float> weights = random_numbers<float>(random, {20, 1});
    const auto tall = left(k::all, k::all, k::all, k::newaxis);
    const k::axis_list both{1, 2};
    checked<float>([&] { return k::sum(k::square(tall - right) * weights + 0.5f, both); });
    checked<float>([&] { return k::max(k::abs(tall - right), both); });
    checked<std::int64_t>([&] { return k::argmin(k::abs(tall - right), both); });
    checked<bool>([&] { return k::any(tall > right + 20.0f, both); });
    checked<float>([&] { return k::mean(k::where(tall > 0.0f, right, tall), both); });
    k::array<float> sum;
    k::array<float> most;
    std::tie(sum, most) = k::eval(k::sum(tall * right, both), k::max(tall * right, both));
    CHECK_SAME(sum.to_host(), k::array<float>(k::sum(tall * right, both)).to_host());
    CHECK_SAME(most.to_host(), k::array<float>(k::max(tall * right, both)).to_host());
    const k::array<std::complex<float>> z =
        k::polar(random_numbers<float>(random, {400, 33}), random_numbers<float>(random, {400, 33}));
    checked<std::complex<float>>([&] { return k::sum(z(k::all, k::all, k::newaxis) * k::transpose(z), k::axis(1)); });
}

TEST_CASE("contractions: rows that all values share, and what each has of its own") {
    std::mt19937 random(8);
    for (const std::int64_t n : {9, 250, 1027, 2500}) {
        const std::int64_t m = n < 1000 ? 70001 : 1303;
        CAPTURE(n);
        const k::array<float> x = random_numbers<float>(random, {m, 1});
        const k::array<float> y = random_numbers<float>(random, {m, 1});
        const k::array<float> p = random_numbers<float>(random, {n});
        const k::array<float> q = random_numbers<float>(random, {n});
        const auto square = k::square(p - x) + k::square(q - y) + 1.0f;
        const std::vector<float> got = checked<float>([&] { return k::sum(1.0f / k::sqrt(square), k::axis(1)); });
        const std::vector<float> left[] = {x.to_host(), y.to_host(), p.to_host(), q.to_host()};
        for (std::size_t i = 0; i < got.size(); i += 97) {
            double sum = 0;
            for (std::size_t j = 0; j < left[2].size(); ++j) {
                const double along = static_cast<double>(left[2][j]) - static_cast<double>(left[0][i]);
                const double across = static_cast<double>(left[3][j]) - static_cast<double>(left[1][i]);
                sum += 1 / std::sqrt(along * along + across * across + 1);
            }
            CHECK(static_cast<double>(got[i]) == doctest::Approx(sum).epsilon(1e-6));
        }
        checked<float>([&] { return k::min(square * k::cast<float>(k::index(1)), k::axis(1)); });
        checked<std::int64_t>([&] { return k::argmin(square, k::axis(1)); });
        k::array<float> a;
        k::array<float> b;
        std::tie(a, b) = k::eval(k::sum((p - x) / square, k::axis(1)), k::sum((q - y) / square, k::axis(1)));
        CHECK_SAME(a.to_host(), k::array<float>(k::sum((p - x) / square, k::axis(1))).to_host());
        CHECK_SAME(b.to_host(), k::array<float>(k::sum((q - y) / square, k::axis(1))).to_host());
    }
}

TEST_CASE("contractions: of more than 2^31 products, whose operands and values are few") {
    if (k::current_device().kind() != k::device_kind::cuda) return;
    std::mt19937 random(10);
    for (const auto& of : {std::array<std::int64_t, 3>{2050, 1100, 1032}, {1500, 1021, 1499}, {70001, 33, 1001}}) {
        const std::int64_t m = of[0], depth = of[1], n = of[2];
        CAPTURE(m);
        const k::array<float> a = random_numbers<float>(random, {m, depth});
        const k::array<float> b = random_numbers<float>(random, {depth, n});
        const std::vector<float> got = k::array<float>(k::matmul(a, b)).to_host();
        // Rows of it, many enough to be added up in the same order, and few enough for a kernel of narrow positions.
        const std::int64_t rows = (std::int64_t{1} << 19) / n + 1;
        for (const std::int64_t row : {std::int64_t{0}, m - rows}) {
            const k::array<float> part = a(k::range(row, row + rows));
            const auto first = got.begin() + row * n;
            CHECK_SAME(k::array<float>(k::matmul(part, b)).to_host(), std::vector<float>(first, first + rows * n));
        }
    }
}

TEST_CASE("contractions: what is not finite, views that start anywhere, and targets that are operands") {
    std::mt19937 random(7);
    std::vector<float> host = random_numbers<float>(random, {401 * 51}).to_host();
    for (std::size_t i = 0; i < host.size(); i += 997) host[i] = i % 2 ? std::numeric_limits<float>::infinity() : -0.0f;
    host[1234] = std::numeric_limits<float>::quiet_NaN();
    const k::array<float> m = k::from_host<float>(host, {401, 51});
    const auto odd = m(k::range(1, 401), k::range(2, 49));
    checked<float>(
        [&] { return k::sum(odd(k::all, k::all, k::newaxis) * k::transpose(k::flip(odd, k::axis(0))), k::axis(1)); });
    k::array<float> square = random_numbers<float>(random, {384, 384});
    const k::array<float> before = square;
    const k::array<float> wanted = k::sum(before(k::all, k::all, k::newaxis) * before, k::axis(1));
    square = k::sum(square(k::all, k::all, k::newaxis) * square, k::axis(1));
    CHECK_SAME(square.to_host(), wanted.to_host());
}

TEST_CASE("matmul: as NumPy's of every rank") {
    std::mt19937 random(9);
    const k::array<float> m = random_numbers<float>(random, {4, 3});
    const k::array<float> n = random_numbers<float>(random, {3, 5});
    const k::array<float> v = random_numbers<float>(random, {3});
    const k::array<float> w = random_numbers<float>(random, {4});
    const auto at = [](const std::vector<float>& of, std::int64_t i) {
        return static_cast<double>(of[static_cast<std::size_t>(i)]);
    };
    const k::array<float> product = k::matmul(m, n);
    REQUIRE(product.shape() == k::shape{4, 5});
    const std::vector<float> x = m.to_host();
    const std::vector<float> y = n.to_host();
    const std::vector<float> got = product.to_host();
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j < 5; ++j) {
            double sum = 0;
            for (std::int64_t l = 0; l < 3; ++l) sum += at(x, i * 3 + l) * at(y, l * 5 + j);
            CHECK(at(got, i * 5 + j) == doctest::Approx(sum));
        }
    // Rows, columns and both.
    const k::array<float> column = k::matmul(m, v);
    REQUIRE(column.shape() == k::shape{4});
    CHECK(at(column.to_host(), 2) == doctest::Approx(at(x, 6) * at(v.to_host(), 0) + at(x, 7) * at(v.to_host(), 1) +
                                                     at(x, 8) * at(v.to_host(), 2)));
    const k::array<float> row = k::matmul(w, m);
    REQUIRE(row.shape() == k::shape{3});
    CHECK_SAME(row.to_host(), k::array<float>(k::matmul(k::reshape(w, {1, 4}), m)).to_host());
    CHECK(k::matmul(v, v).item() == doctest::Approx(k::dot(v, v).item()));
    CHECK(k::matmul(m, n(k::all, 0)).shape() == k::shape{4});
    // Batches broadcast, and their axes are those of views.
    const k::array<float> batch = random_numbers<float>(random, {2, 1, 4, 3});
    const k::array<float> others = random_numbers<float>(random, {6, 5, 3});
    const k::array<float> all = k::matmul(batch, k::transpose(others, {0, 2, 1}));
    REQUIRE(all.shape() == k::shape{2, 6, 4, 5});
    for (const std::int64_t i : {0, 1})
        for (const std::int64_t j : {0, 5})
            CHECK_SAME(k::array<float>(all(i, j)).to_host(),
                       k::array<float>(k::matmul(batch(i, 0), k::transpose(k::array<float>(others(j))))).to_host());
    // Of no terms 0, of no rows nothing; of expressions, and in them.
    CHECK_SAME(k::array<float>(k::matmul(k::ones<float>({2, 0}), k::ones<float>({0, 3}))).to_host(),
               std::vector<float>(6));
    CHECK(k::array<float>(k::matmul(k::ones<float>({0, 2}), k::ones<float>({2, 3}))).shape() == k::shape{0, 3});
    CHECK_SAME(k::array<float>(k::matmul(2.0f * m, n) + k::ones<float>({5})).to_host(),
               k::array<float>(k::array<float>(k::matmul(k::array<float>(2.0f * m), n)) + 1.0f).to_host());
}

TEST_CASE("matmul: products of integers have 64 bits, those of 16-bit floats are not rounded") {
    const k::array<std::int8_t> i = k::full<std::int8_t>({2, 300}, std::int8_t{100});
    const k::array<std::int64_t> sums = k::matmul(i, k::transpose(i));
    CHECK_SAME(sums.to_host(), std::vector<std::int64_t>(4, 100 * 100 * 300));
    CHECK(k::matmul(k::full<std::uint8_t>({300}, std::uint8_t{255}), k::full<std::uint8_t>({300}, std::uint8_t{255}))
              .item() == std::uint64_t{255} * 255 * 300);
    // The square of 1 + 2^-10 is no float16, and what is beyond it counts 2048 times.
    const k::float16 near_one(1.0f + 0x1p-10f);
    const k::array<k::float16> h = k::full<k::float16>({1, 2048}, near_one);
    const float exact = 2048.0f * (1.0f + 0x1p-10f) * (1.0f + 0x1p-10f);
    CHECK(static_cast<float>(k::matmul(h, k::transpose(h)).item()) == static_cast<float>(k::float16(exact)));
}

TEST_CASE("matmul: shapes that have no product are both told") {
    const k::array<float> m = k::ones<float>({4, 3});
    CHECK_THROWS_WITH_AS(k::matmul(m, m),
                         "kiln: matmul of shapes (4, 3) and (4, 3): rows of 3 elements do not meet columns of 4",
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::matmul(m, k::ones<float>({})),
                         "kiln: matmul of shapes (4, 3) and (): a single number is multiplied by *", k::shape_error);
    CHECK_THROWS_WITH_AS(
        k::matmul(k::ones<float>({2, 3, 4}), k::ones<float>({3, 4, 5})),
        "kiln: matmul of shapes (2, 3, 4) and (3, 4, 5): what stands before the last two axes does not broadcast: from "
        "the right, 2 meets 3",
        k::shape_error);
    CHECK_THROWS_AS(k::array<float>(k::matmul(k::ones<float>({2, 4, 3}), k::ones<float>({3, 3, 4}))), k::shape_error);
}
