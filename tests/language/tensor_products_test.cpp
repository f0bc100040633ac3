// matmul of 16-bit floats, and counts of common bits: what a GPU's tensor cores make. Of small integers every sum is exact, so that
// one element in the wrong place of a fragment is one wrong result; of other numbers the error is bounded by the sum of the products'
// magnitudes. Results are the same fused or not, and every time.
#include "random_numbers.hpp"

#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace k = kiln;
using tests::random_numbers;

namespace {

template <class T>
k::array<T> small_integers(std::mt19937& random, const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = T(static_cast<float>(static_cast<int>(random() % 9) - 4));
    return k::from_host<T>(out, of);
}

/// As it is, unfused, and once more.
template <class T, class Make>
std::vector<T> product_of(Make make) {
    const std::vector<T> got = k::array<T>(make()).to_host();
    CHECK_SAME(k::array<T>(make()).to_host(), got);
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(make()).to_host(), got);
    return got;
}

/// The sums in double of a (m, depth) and b (depth, n), and how much error each may have.
template <class T>
void check_product(const std::vector<T>& got, const std::vector<T>& a, const std::vector<T>& b, std::int64_t m,
                   std::int64_t depth, std::int64_t n, bool is_exact) {
    REQUIRE(got.size() == static_cast<std::size_t>(m * n));
    std::vector<double> x(a.size());
    std::vector<double> y(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) x[i] = static_cast<double>(static_cast<float>(a[i]));
    for (std::size_t i = 0; i < b.size(); ++i) y[i] = static_cast<double>(static_cast<float>(b[i]));
    std::vector<double> sums(static_cast<std::size_t>(n));
    std::vector<double> sizes(static_cast<std::size_t>(n));
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < m; ++i) {
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(sizes.begin(), sizes.end(), 0.0);
        for (std::int64_t l = 0; l < depth; ++l) {
            const double left = x[static_cast<std::size_t>(i * depth + l)];
            const double* const right = y.data() + l * n;
            for (std::int64_t j = 0; j < n; ++j) {
                sums[static_cast<std::size_t>(j)] += left * right[j];
                sizes[static_cast<std::size_t>(j)] += std::fabs(left * right[j]);
            }
        }
        for (std::int64_t j = 0; j < n; ++j) {
            const double sum = sums[static_cast<std::size_t>(j)];
            const auto here = static_cast<double>(static_cast<float>(got[static_cast<std::size_t>(i * n + j)]));
            if (is_exact) {
                wrong += here != static_cast<double>(static_cast<float>(T(static_cast<float>(sum))));
                continue;
            }
            // Tensor cores cut what does not fit, of each addition a part of its result; then comes one rounding.
            const double of_sums = static_cast<double>(depth + 16) * 0x1p-22 * sizes[static_cast<std::size_t>(j)];
            const double of_result =
                std::fabs(sum) * (sizeof(T) == 2 && T(1.0f + 0x1p-9f) == T(1.0f) ? 0x1p-8 : 0x1p-11);
            wrong += !(std::fabs(here - sum) <= of_sums + of_result + 1e-6);
        }
    }
    CHECK(wrong == 0);
}

template <class T>
void check_sizes(std::int64_t m, std::int64_t depth, std::int64_t n) {
    CAPTURE(m);
    CAPTURE(depth);
    CAPTURE(n);
    std::mt19937 random(static_cast<unsigned>(m + 3 * depth + n));
    const k::array<T> a = small_integers<T>(random, {m, depth});
    const k::array<T> b = small_integers<T>(random, {depth, n});
    const std::vector<T> got = product_of<T>([&] { return k::matmul(a, b); });
    check_product(got, a.to_host(), b.to_host(), m, depth, n, true);
    // The same numbers, lying otherwise.
    const k::array<T> tall = k::transpose(a);
    const k::array<T> wide = k::transpose(b);
    CHECK_SAME(product_of<T>([&] { return k::matmul(k::transpose(tall), b); }), got);
    CHECK_SAME(product_of<T>([&] { return k::matmul(a, k::transpose(wide)); }), got);
    CHECK_SAME(product_of<T>([&] { return k::matmul(k::transpose(tall), k::transpose(wide)); }), got);
    const k::array<T> c = random_numbers<T>(random, {m, depth}) * T(0.1f);
    const k::array<T> d = random_numbers<T>(random, {depth, n});
    const std::vector<T> product = product_of<T>([&] { return k::matmul(c, d); });
    check_product(product, c.to_host(), d.to_host(), m, depth, n, false);
    // In one order, however they lie.
    const k::array<T> rows = k::transpose(c);
    const k::array<T> columns = k::transpose(d);
    CHECK_SAME(product_of<T>([&] { return k::matmul(k::transpose(rows), k::transpose(columns)); }), product);
    k::array<T> between = k::zeros<T>({m, depth + 3});
    between(k::all, k::range(1, depth + 1)) = c;
    CHECK_SAME(product_of<T>([&] { return k::matmul(between(k::all, k::range(1, depth + 1)), d); }), product);
}

}  // namespace

TEST_CASE_TEMPLATE("matmul of 16-bit floats: exact where sums are, of whole tiles and not, whichever way operands lie",
                   T, k::float16, k::bfloat16) {
    tests::sample sizes(2, std::is_same_v<T, k::float16> ? 0 : 1);  // of each type the other half
    const auto check = [&](std::int64_t m, std::int64_t depth, std::int64_t n) {
        if (sizes.takes_next()) check_sizes<T>(m, depth, n);
    };
    check(128, 64, 256);
    check(64, 32, 64);
    check(16, 16, 16);
    check(17, 19, 23);
    check(130, 96, 72);
    check(200, 100, 300);
    check(131, 66, 250);
    check(77, 129, 65);
    check(1, 40, 50);
    check(40, 1, 50);
    check(40, 50, 1);
    check(15, 700, 17);
}

TEST_CASE_TEMPLATE("matmul of 16-bit floats: many values have larger tiles", T, k::float16, k::bfloat16) {
    if (tests::device().plans_cuda || tests::tries_every_combination()) check_sizes<T>(1500, 40, 1200);  // a GPU's
    if (k::current_device().kind() == k::device_kind::cuda) {
        check_sizes<T>(2100, 72, 2056);
        check_sizes<T>(1537, 67, 1282);
        check_sizes<T>(2049, 131, 2047);
        check_sizes<T>(2048, 129, 2056);
        check_sizes<T>(16385, 65, 257);
    }
}

TEST_CASE("matmul of 16-bit floats: batches, views that start anywhere, rows apart or backwards") {
    using T = k::float16;
    std::mt19937 random(21);
    const k::array<T> whole = small_integers<T>(random, {3, 70, 99});
    const k::array<T> other = small_integers<T>(random, {99, 80});
    const std::vector<T> got = product_of<T>([&] { return k::matmul(whole, other); });
    for (const std::int64_t i : {0, 2}) {
        const k::array<T> one = whole(i);
        const std::vector<T> part(got.begin() + i * 70 * 80, got.begin() + (i + 1) * 70 * 80);
        check_product(part, one.to_host(), other.to_host(), 70, 99, 80, true);
    }
    const k::array<T> both = small_integers<T>(random, {2, 1, 40, 48});
    const k::array<T> many = small_integers<T>(random, {5, 48, 33});
    const k::array<T> all = k::matmul(both, many);
    REQUIRE(all.shape() == k::shape{2, 5, 40, 33});
    for (const std::int64_t i : {0, 1})
        for (const std::int64_t j : {0, 4})
            check_product(k::array<T>(all(i, j)).to_host(), k::array<T>(both(i, 0)).to_host(),
                          k::array<T>(many(j)).to_host(), 40, 48, 33, true);
    const auto check_view = [&](const auto& left, const auto& right) {
        const k::array<T> x = left;
        const k::array<T> y = right;
        check_product(product_of<T>([&] { return k::matmul(left, right); }), x.to_host(), y.to_host(), x.shape()[0],
                      x.shape()[1], y.shape()[1], true);
    };
    const k::array<T> m = small_integers<T>(random, {150, 160});
    const k::array<T> n = small_integers<T>(random, {160, 170});
    check_view(m(k::range(1, 120), k::range(3, 90)), n(k::range(0, 87), k::range(5, 160)));
    check_view(m(k::range(0, 64), k::range(8, 72)), n(k::range(16, 80), k::range(24, 88)));
    check_view(k::flip(m, k::axis(0)), k::flip(n, k::axis(1)));
    check_view(k::flip(m, k::axis(1)), n);
    check_view(m(k::range(0, 150, 2), k::range(0, 160, 3)), n(k::range(0, 54), k::range(0, 170, 2)));
    check_view(k::broadcast_to(m(0), {50, 160}), n);
    check_view(m, k::broadcast_to(m(k::all, k::range(7, 8))(k::range(0, 1)), {160, 40}));
    check_view(m, k::transpose(m));
    check_view(k::transpose(m), m);
}

TEST_CASE_TEMPLATE("matmul of 16-bit floats: many of few rows and columns, into wherever they are to be", T, k::float16,
                   k::bfloat16) {
    std::mt19937 random(27);
    struct product {
        std::int64_t count, rows, depth, columns;
    };
    tests::sample sizes(2, std::is_same_v<T, k::float16> ? 0 : 1);  // of each type the other half
    for (const product& of :
         {product{7, 33, 17, 35}, product{5, 17, 20, 31}, product{3, 64, 33, 61}, product{4, 31, 64, 1},
          product{3, 1, 5, 40}, product{9, 16, 16, 24}, product{3, 64, 64, 64}}) {
        if (!sizes.takes_next()) continue;
        CAPTURE(of.rows);
        CAPTURE(of.columns);
        const std::int64_t values = of.rows * of.columns;
        const k::array<T> a = small_integers<T>(random, {of.count, of.rows, of.depth});
        const k::array<T> b = small_integers<T>(random, {of.count, of.depth, of.columns});
        const std::vector<T> got = product_of<T>([&] { return k::matmul(a, b); });
        for (std::int64_t i = 0; i < of.count; ++i)
            check_product(std::vector<T>(got.begin() + i * values, got.begin() + (i + 1) * values),
                          k::array<T>(a(i)).to_host(), k::array<T>(b(i)).to_host(), of.rows, of.depth, of.columns,
                          true);
        for (const std::int64_t begin : {0, 1, 3, 6, 7}) {
            CAPTURE(begin);
            k::array<T> whole = k::full<T>({of.count * values + 16}, T(7.0f));
            whole(k::range(begin, begin + of.count * values)) = k::flatten(k::matmul(a, b));
            std::vector<T> wanted(static_cast<std::size_t>(of.count * values + 16), T(7.0f));
            std::copy(got.begin(), got.end(), wanted.begin() + begin);
            CHECK_SAME(whole.to_host(), wanted);
        }
    }
}

TEST_CASE("matmul of 16-bit floats: what its operands and its result are made of makes no difference") {
    using T = k::float16;
    std::mt19937 random(22);
    const k::array<T> a = small_integers<T>(random, {90, 70});
    const k::array<T> b = small_integers<T>(random, {70, 100});
    const k::array<T> bias = small_integers<T>(random, {100});
    const k::array<T> product = k::matmul(a, b);
    const auto relu = [](const auto& x) { return k::where(x > T(0.0f), x, T(0.0f)); };
    CHECK_SAME(product_of<T>([&] { return relu(k::matmul(a, b) + bias); }),
               k::array<T>(relu(product + bias)).to_host());
    CHECK_SAME(product_of<float>([&] { return k::cast<float>(k::matmul(a, b)) * 0.5f + 1.0f; }),
               k::array<float>(k::cast<float>(product) * 0.5f + 1.0f).to_host());
    const k::array<T> positive = relu(a);
    const k::array<T> twice = b + b;
    CHECK_SAME(product_of<T>([&] { return k::matmul(relu(a), b + b); }),
               k::array<T>(k::matmul(positive, twice)).to_host());
    const k::array<float> wide = k::cast<float>(a);
    CHECK_SAME(product_of<T>([&] { return k::matmul(k::cast<T>(wide), b); }), product.to_host());
    const k::array<T> shifted = k::shift(a, {1, 0}, k::boundary::clamp);
    CHECK_SAME(product_of<T>([&] {
                   return k::matmul(k::shift(a, {1, 0}, k::boundary::clamp), b);
               }),
               k::array<T>(k::matmul(shifted, b)).to_host());
    // A product of products, a sum of one, two of one operand.
    const k::array<T> square = k::matmul(a, k::transpose(a));
    CHECK_SAME(product_of<T>([&] { return k::matmul(k::matmul(a, k::transpose(a)), a) * T(0.01f); }),
               k::array<T>(k::array<T>(k::matmul(square, a)) * T(0.01f)).to_host());
    CHECK_SAME(product_of<T>([&] { return k::sum(k::matmul(a, b), k::axis(0)); }),
               k::array<T>(k::sum(product, k::axis(0))).to_host());
    CHECK_SAME(product_of<T>([&] { return k::matmul(a, b) - k::matmul(positive, b); }),
               k::array<T>(product - k::array<T>(k::matmul(positive, b))).to_host());
    k::array<T> target = small_integers<T>(random, {70, 70});
    const k::array<T> before = target;
    const k::array<T> wanted = k::matmul(before, before);
    target = k::matmul(target, target);
    CHECK_SAME(target.to_host(), wanted.to_host());
}

TEST_CASE_TEMPLATE(
    "matmul of 16-bit floats: what is made of operands element by element, by the product's kernel or before it", T,
    k::float16, k::bfloat16) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::mt19937 random(24);
    const auto relu = [](const auto& x) { return k::max(x, T(0.0f)); };
    const auto as_it_is = [](const auto& of) { return of; };
    const auto same = [&](const auto& a, const auto& b, auto make_left, auto make_right) {
        const k::array<T> x = a;
        const k::array<T> y = b;
        const k::array<T> left = make_left(x);
        const k::array<T> right = make_right(y);
        const std::vector<T> wanted = k::array<T>(k::matmul(left, right)).to_host();
        CHECK_SAME(product_of<T>([&] { return k::matmul(make_left(a), make_right(b)); }), wanted);
    };
    const auto check = [&](const auto& a, const auto& b) {
        same(
            a, b, [](const auto& l) { return l * T(1.7f) + T(0.3f); }, as_it_is);
        same(a, b, as_it_is, [](const auto& r) { return r + T(1.0f); });
        same(a, b, relu, [](const auto& r) { return r * r; });
    };
    const auto check_shape = [&](std::int64_t m, std::int64_t depth, std::int64_t n) {
        CAPTURE(m);
        CAPTURE(depth);
        CAPTURE(n);
        check(random_numbers<T>(random, {m, depth}), random_numbers<T>(random, {depth, n}));
    };
    check_shape(16, 16, 16);
    check_shape(130, 72, 136);
    check_shape(77, 129, 65);
    if (k::current_device().kind() == k::device_kind::cuda) {
        check_shape(1448, 64, 1448);
        check_shape(2056, 40, 2048);  // by groups
        check_shape(128, 512, 4096);  // columns are made for one row of tiles, rows before the product
    }
    const k::array<T> m = random_numbers<T>(random, {96, 160});
    const k::array<T> n = random_numbers<T>(random, {160, 96});
    const k::array<T> beside = random_numbers<T>(random, {96, 160});
    same(
        m, n, [&](const auto& l) { return l * beside; }, as_it_is);
    same(
        m, n, [](const auto& l) { return k::tanh(l); }, as_it_is);
    same(
        m, n, [](const auto& l) { return k::cast<T>(k::cast<float>(l) * 0.1f); }, as_it_is);
    same(
        m, n, [](const auto& l) { return l + T(1.0f); }, [](const auto& r) { return k::flip(r, k::axis(1)); });
    // What is read ends between vectors, begins there, goes backwards, or is the same for all rows.
    check(m(k::all, k::range(0, 77)), n(k::range(0, 77), k::range(0, 51)));
    check(m(k::all, k::range(3, 80)), n(k::range(1, 78)));
    check(k::transpose(n), k::transpose(m));
    check(k::flip(m, k::axis(1)), k::flip(n, k::axis(0)));
    check(k::broadcast_to(m(0), {50, 160}), n);
    const k::array<T> batch = random_numbers<T>(random, {5, 64, 48});
    const k::array<T> many = random_numbers<T>(random, {5, 48, 72});
    check(batch, many);
    check(batch, many(2));
    // What is infinite or no number is made before it is multiplied.
    std::vector<T> left(40 * 40, T(0.5f));
    left[3] = T(infinity);
    left[45] = T(-infinity);
    left[81] = T(std::numeric_limits<float>::quiet_NaN());
    left[120] = T(-0.0f);
    check(k::from_host<T>(left, {40, 40}), k::ones<T>({40, 40}));
    // And what is made of the values after that, of one or of several results.
    const k::array<T> bias = random_numbers<T>(random, {96});
    const k::array<T> product = k::matmul(k::array<T>(relu(m)), n);
    CHECK_SAME(product_of<T>([&] { return relu(k::matmul(relu(m), n) + bias); }),
               k::array<T>(relu(product + bias)).to_host());
    const auto [plain, positive] = k::eval(k::matmul(relu(m), n) + T(0.0f), k::matmul(relu(m), n) > T(0.0f));
    CHECK_SAME(plain.to_host(), k::array<T>(product + T(0.0f)).to_host());
    CHECK_SAME(positive.to_host(), k::array<bool>(product > T(0.0f)).to_host());
    CHECK_SAME(product_of<T>([&] { return k::matmul(relu(m), n) - k::matmul(m, relu(n)); }),
               k::array<T>(product - k::array<T>(k::matmul(m, k::array<T>(relu(n))))).to_host());
}

TEST_CASE("matmul of 16-bit floats: no terms, no rows, and what is not finite or tiny") {
    using T = k::float16;
    CHECK_SAME(k::array<T>(k::matmul(k::ones<T>({20, 0}), k::ones<T>({0, 30}))).to_host(), std::vector<T>(600));
    CHECK(k::array<T>(k::matmul(k::ones<T>({0, 20}), k::ones<T>({20, 30}))).shape() == k::shape{0, 30});
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<T> left(32 * 32, T(1.0f));
    left[0] = T(infinity);
    left[32] = T(std::numeric_limits<float>::quiet_NaN());
    left[64] = T(infinity);
    left[65] = T(-infinity);
    for (int i = 96; i < 128; ++i) left[static_cast<std::size_t>(i)] = T(0x1p-24f);  // the least denormal
    for (int i = 128; i < 160; ++i) left[static_cast<std::size_t>(i)] = T(60000.0f);
    const std::vector<T> got = k::array<T>(k::matmul(k::from_host<T>(left, {32, 32}), k::ones<T>({32, 32}))).to_host();
    const auto row = [&](int i) { return static_cast<float>(got[static_cast<std::size_t>(i * 32 + 5)]); };
    CHECK(row(0) == infinity);
    CHECK(std::isnan(row(1)));
    CHECK(std::isnan(row(2)));
    CHECK(row(3) == 0x1p-19f);
    CHECK(row(4) == infinity);
    CHECK(row(5) == 32.0f);
}

TEST_CASE("counts of common bits: of more than 2^31 words, in rows that are whole vectors or not") {
    if (k::current_device().kind() != k::device_kind::cuda) return;
    std::mt19937_64 random(25);
    const auto words = [&](const k::shape& of) {
        std::vector<std::uint32_t> out(static_cast<std::size_t>(of.size()));
        for (std::uint32_t& each : out) each = static_cast<std::uint32_t>(random());
        return k::from_host<std::uint32_t>(out, of);
    };
    const auto counts = [](const auto& a, const auto& b) {
        return k::cast<std::int32_t>(k::sum(k::popcount(a(k::all, k::newaxis) & b(k::newaxis)), k::axis(2)));
    };
    for (const std::int64_t depth : {250, 256, 161}) {
        CAPTURE(depth);
        const k::array<std::uint32_t> a = words({4001, depth});
        const k::array<std::uint32_t> b = words({3700, depth});
        for (const bool is_square : {true, false}) {
            const k::array<std::uint32_t>& right = is_square ? a : b;
            const std::vector<std::int32_t> got = k::array<std::int32_t>(counts(a, right)).to_host();
            const std::int64_t n = right.shape()[0];
            // Some rows of it, which are few enough for a kernel of narrow positions.
            for (const std::int64_t row : {std::int64_t{0}, std::int64_t{1999}, std::int64_t{3900}}) {
                const k::array<std::uint32_t> part = a(k::range(row, row + 101));
                const auto first = got.begin() + row * n;
                CHECK_SAME(k::array<std::int32_t>(counts(part, right)).to_host(),
                           std::vector<std::int32_t>(first, first + 101 * n));
            }
        }
    }
}

TEST_CASE_TEMPLATE("counts of common bits: of rows with themselves those of rows with rows that are equal", T,
                   std::uint32_t, std::uint64_t) {
    if (k::current_device().kind() != k::device_kind::cuda) return;
    std::mt19937_64 random(26);
    const auto words = [&](const k::shape& of) {
        std::vector<T> out(static_cast<std::size_t>(of.size()));
        for (T& each : out) each = static_cast<T>(random());
        return k::from_host<T>(out, of);
    };
    const auto counts = [](const auto& a, const auto& b) {
        return k::cast<std::int32_t>(k::sum(k::popcount(a & b), k::axis(-1)));
    };
    const auto are_same = [&](const auto& rows, const auto& columns, const auto& other_columns) {
        const k::array<std::int32_t> wanted = counts(rows, other_columns);
        k::array<std::int32_t> got = counts(rows, columns);
        CHECK(k::array<bool>(k::all(got == wanted)).item());
        got = got * 0 - 1;
        got = counts(rows, columns);  // into memory that is there
        CHECK(k::array<bool>(k::all(got == wanted)).item());
        using sum_type = k::value_t<decltype(k::sum(k::popcount(rows), k::axis(-1)))>;
        const k::array<sum_type> sums = k::sum(k::popcount(rows & columns), k::axis(-1));
        CHECK(k::array<bool>(k::all(sums == wanted)).item());
    };
    for (const auto& of : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {2600, 128}, {2048, 130}, {2052, 77}, {6000, 250}, {2306, 128}, {2307, 128}, {2051, 77}, {6001, 250}}) {
        const std::int64_t rows = of.first;
        const std::int64_t depth = of.second;
        CAPTURE(rows);
        CAPTURE(depth);
        const k::array<T> a = words({rows, depth});
        const k::array<T> equal = a | T(0);
        are_same(a(k::all, k::newaxis), a(k::newaxis), equal(k::newaxis));
    }
    for (const std::int64_t rows : {2100, 2101}) {
        const k::array<T> batch = words({2, rows, 64});
        const k::array<T> equal = batch | T(0);
        are_same(batch(k::all, k::all, k::newaxis), batch(k::all, k::newaxis), equal(k::all, k::newaxis));
    }
    const k::array<T> many = words({2500, 300});
    const auto part = many(k::range(100, 2300), k::range(4, 204));
    const k::array<T> alone = part | T(0);
    are_same(part(k::all, k::newaxis), part(k::newaxis), alone(k::newaxis));
}

TEST_CASE_TEMPLATE("counts of common bits: those of rows and columns", T, std::uint32_t, std::int32_t, std::uint64_t) {
    std::mt19937_64 random(23);
    const auto words = [&](const k::shape& of) {
        std::vector<T> out(static_cast<std::size_t>(of.size()));
        for (T& each : out) each = static_cast<T>(random());
        return k::from_host<T>(out, of);
    };
    const auto check = [&](std::int64_t m, std::int64_t n, std::int64_t depth) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(depth);
        const k::array<T> a = words({m, depth});
        const k::array<T> b = words({n, depth});
        const std::vector<T> x = a.to_host();
        const std::vector<T> y = b.to_host();
        using sum_type = k::value_t<decltype(k::sum(k::popcount(a), k::axis(1)))>;
        const std::vector<sum_type> got = product_of<sum_type>(
            [&] { return k::sum(k::popcount(a(k::all, k::newaxis) & b(k::newaxis)), k::axis(2)); });
        const std::vector<std::int32_t> narrow = product_of<std::int32_t>([&] {
            return k::cast<std::int32_t>(k::sum(k::popcount(a(k::all, k::newaxis) & b(k::newaxis)), k::axis(2)));
        });
        const k::array<T> turned = k::transpose(b);
        CHECK_SAME(product_of<sum_type>([&] {
                       return k::sum(k::popcount(a(k::all, k::all, k::newaxis) & turned(k::newaxis)), k::axis(1));
                   }),
                   got);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                std::int64_t count = 0;
                for (std::int64_t l = 0; l < depth; ++l)
                    count += std::popcount(static_cast<std::make_unsigned_t<T>>(
                        x[static_cast<std::size_t>(i * depth + l)] & y[static_cast<std::size_t>(j * depth + l)]));
                const auto at = static_cast<std::size_t>(i * n + j);
                wrong += static_cast<std::int64_t>(got[at]) != count || narrow[at] != count;
            }
        CHECK(wrong == 0);
    };
    check(400, 401, 40);
    check(371, 409, 33);
    check(389, 338, 50);
    check(20, 9, 3);
    if (k::current_device().kind() == k::device_kind::cuda) check(1600, 1500, 66);
}

TEST_CASE("counts of common bits: many rows that do not begin at multiples of 16 bytes") {
    if (k::current_device().kind() != k::device_kind::cuda) return;
    constexpr std::int64_t m = 3001;
    constexpr std::int64_t n = 2999;
    constexpr std::int64_t depth = 241;
    std::mt19937_64 random(24);
    const auto words = [&](std::int64_t rows) {
        std::vector<std::uint32_t> out(static_cast<std::size_t>(rows * depth));
        for (std::uint32_t& each : out) each = static_cast<std::uint32_t>(random());
        return k::from_host<std::uint32_t>(out, {rows, depth});
    };
    const k::array<std::uint32_t> a = words(m);
    const k::array<std::uint32_t> b = words(n);
    const auto check = [&](const k::array<std::uint32_t>& left, const k::array<std::uint32_t>& right) {
        const std::vector<std::uint32_t> x = left.to_host();
        const std::vector<std::uint32_t> y = right.to_host();
        const std::vector<std::int32_t> got = product_of<std::int32_t>([&] {
            return k::cast<std::int32_t>(k::sum(k::popcount(left(k::all, k::newaxis) & right(k::newaxis)), k::axis(2)));
        });
        const std::int64_t columns = right.shape()[0];
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < left.shape()[0]; i += 61)
            for (std::int64_t j = 0; j < columns; ++j) {
                std::int32_t count = 0;
                for (std::int64_t l = 0; l < depth; ++l)
                    count += std::popcount(x[static_cast<std::size_t>(i * depth + l)] &
                                           y[static_cast<std::size_t>(j * depth + l)]);
                wrong += got[static_cast<std::size_t>(i * columns + j)] != count;
            }
        CHECK(wrong == 0);
    };
    check(a, b);
    check(a, a);
}
