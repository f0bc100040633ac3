// matmul of floats: on a GPU the products of each of many values are added up first to last, whatever the tiles, however the operands
// lie and whatever they are made of; on the CPU, and of fewer values or terms, as k::sum adds them up. Values are compared to the
// bit with loops of one float. Numbers have all bits that a float has, so that another order is another sum.
#include <language/unfused.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/product_oracle.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace k = kiln;

namespace {

std::vector<float> floats_of_all_bits(std::mt19937& random, std::int64_t count) {
    std::uniform_real_distribution<float> of(-1, 1);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& each : out) each = of(random);
    return out;
}
k::array<float> matrix_of_floats(std::mt19937& random, const k::shape& of) {
    return k::from_host<float>(floats_of_all_bits(random, of.size()), of);
}

/// As it is, and as one kernel per operation makes it.
template <class Make>
std::vector<float> made_both_ways(Make make) {
    const std::vector<float> got = k::array<float>(make()).to_host();
    if (!tests::compares_unfused()) return got;
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<float>(make()).to_host(), got);
    return got;
}

bool adds_in_order(std::int64_t rows, std::int64_t terms, std::int64_t columns) {
    return tests::device().is_cuda && rows * columns >= std::int64_t{1} << 19 && columns >= 2 && terms >= 16;
}

/// Some rows of (rows, terms) by (terms, columns).
void check_rows(const std::vector<float>& got, const std::vector<float>& a, const std::vector<float>& b,
                std::int64_t rows, std::int64_t terms, std::int64_t columns) {
    REQUIRE(got.size() == static_cast<std::size_t>(rows * columns));
    const bool to_the_bit = adds_in_order(rows, terms, columns);
    for (std::int64_t i = 0; i < rows; i += i + 1 < rows ? std::min<std::int64_t>(131, rows - 1 - i) : 1) {
        const tests::product_row by_loops = tests::row_of_product(a.data() + i * terms, b, terms, columns);
        const float* const row = got.data() + i * columns;
        std::int64_t wrong = 0;
        for (std::size_t j = 0; j < by_loops.sums.size(); ++j) {
            const double error = std::fabs(static_cast<double>(row[j]) - by_loops.exact[j]);
            wrong += to_the_bit ? row[j] != by_loops.sums[j]
                                : error > static_cast<double>(terms + 1) * 6e-8 * by_loops.sizes[j] + 1e-44;
        }
        CHECK(wrong == 0);
    }
}

void check_product_of_floats(std::int64_t rows, std::int64_t terms, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(terms);
    CAPTURE(columns);
    std::mt19937 random(static_cast<unsigned>(rows + terms));
    const k::array<float> a = matrix_of_floats(random, {rows, terms});
    const k::array<float> b = matrix_of_floats(random, {terms, columns});
    const std::vector<float> got = made_both_ways([&] { return k::matmul(a, b); });
    check_rows(got, a.to_host(), b.to_host(), rows, terms, columns);
    // The same, whichever way the operands lie.
    const k::array<float> tall = k::transpose(a);
    const k::array<float> wide = k::transpose(b);
    CHECK_SAME(k::array<float>(k::matmul(k::transpose(tall), b)).to_host(), got);
    CHECK_SAME(k::array<float>(k::matmul(a, k::transpose(wide))).to_host(), got);
    CHECK_SAME(k::array<float>(k::matmul(k::transpose(tall), k::transpose(wide))).to_host(), got);
}

}  // namespace

TEST_CASE("matmul of floats: of whole tiles and not, many values and few") {
    check_product_of_floats(768, 64, 704);
    check_product_of_floats(733, 37, 719);
    check_product_of_floats(1025, 33, 513);
    check_product_of_floats(513, 127, 1028);
    check_product_of_floats(4097, 32, 129);
    check_product_of_floats(16500, 35, 32);
    check_product_of_floats(17000, 36, 31);
    check_product_of_floats(3, 40, 180'003);  // no tiles: there are no rows
    check_product_of_floats(1, 33, 530'001);
    check_product_of_floats(1000, 15, 600);
    check_product_of_floats(255, 257, 129);
    for (const std::int64_t n : {1, 2, 3, 31, 33}) check_product_of_floats(n, n + 1, 2 * n);
}

TEST_CASE("matmul of floats: many rows of few columns, or of few terms") {
    if (!tests::device().is_cuda && !tests::tries_every_combination()) return;  // the CPU has one order
    tests::sample chosen(5);
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64})
        for (const std::int64_t terms : {2, 3, 7, 15, 16, 17, 20, 31, 32, 48, 67})
            if (chosen.takes_next()) check_product_of_floats(((1 << 19) + 77) / columns + 1, terms, columns);
}

TEST_CASE("matmul of floats: larger tiles where values are many") {
    if (!tests::device().plans_cuda && !tests::tries_every_combination()) return;  // the CPU has none
    check_product_of_floats(2050, 33, 2052);
    if (tests::tries_every_combination()) check_product_of_floats(2112, 48, 2049);
}

TEST_CASE("matmul of floats: views that start anywhere, rows apart or backwards, batches") {
    std::mt19937 random(3);
    constexpr std::int64_t m = 740;
    constexpr std::int64_t n = 716;
    constexpr std::int64_t depth = 41;
    const k::array<float> a = matrix_of_floats(random, {m, depth});
    const k::array<float> b = matrix_of_floats(random, {depth, n});
    const std::vector<float> wanted = k::array<float>(k::matmul(a, b)).to_host();
    k::array<float> around = matrix_of_floats(random, {m + 3, depth + 6});
    around(k::range(2, m + 2), k::range(1, depth + 1)) = a;
    k::array<float> apart = matrix_of_floats(random, {2 * depth, n + 5});
    apart(k::range(1, 2 * depth, 2), k::range(3, n + 3)) = b;
    const auto left = around(k::range(2, m + 2), k::range(1, depth + 1));
    const auto right = apart(k::range(1, 2 * depth, 2), k::range(3, n + 3));
    CHECK_SAME(made_both_ways([&] { return k::matmul(left, right); }), wanted);
    const k::array<float> backwards = k::flip(a, k::axis(0));
    CHECK_SAME(made_both_ways([&] { return k::matmul(k::flip(backwards, k::axis(0)), right); }), wanted);
    const k::array<float> both = k::stack(k::axis(0), a, backwards);
    const std::vector<float> batches = made_both_ways([&] { return k::matmul(both, b); });
    for (const std::size_t i : {std::size_t{0}, std::size_t{m * n - 1}}) CHECK(batches[i] == wanted[i]);
    CHECK_SAME(k::array<float>(k::matmul(both, b)(0)).to_host(), wanted);
    // One row for all, and one array twice.
    const k::array<float> row = matrix_of_floats(random, {1, depth});
    CHECK_SAME(made_both_ways([&] {
                   return k::matmul(k::broadcast_to(row, {m, depth}), b);
               }),
               k::array<float>(k::matmul(k::array<float>(k::broadcast_to(row, {m, depth})), b)).to_host());
    const k::array<float> square = k::matmul(a, k::transpose(a));
    CHECK_SAME(made_both_ways([&] { return k::matmul(a, k::transpose(a)); }),
               k::array<float>(k::matmul(a, k::array<float>(k::transpose(a)))).to_host());
    CHECK(square.shape() == k::shape{m, m});
}

TEST_CASE("matmul of floats: what its operands and its result are made of makes no difference") {
    std::mt19937 random(4);
    const k::array<float> a = matrix_of_floats(random, {736, 52});
    const k::array<float> b = matrix_of_floats(random, {52, 724});
    const k::array<float> bias = matrix_of_floats(random, {724});
    const k::array<float> product = k::matmul(a, b);
    CHECK_SAME(made_both_ways([&] { return k::abs(k::matmul(a, b) + bias); }),
               k::array<float>(k::abs(product + bias)).to_host());
    const k::array<float> positive = k::abs(a);
    const k::array<float> twice = b + b;
    CHECK_SAME(made_both_ways([&] { return k::matmul(k::abs(a), b + b); }),
               k::array<float>(k::matmul(positive, twice)).to_host());
    const k::array<float> shifted = k::shift(a, {1, 0}, k::boundary::clamp);
    CHECK_SAME(made_both_ways([&] {
                   return k::matmul(k::shift(a, {1, 0}, k::boundary::clamp), b);
               }),
               k::array<float>(k::matmul(shifted, b)).to_host());
    const k::array<std::int16_t> counts = k::cast<std::int16_t>(a * 100.0f);
    CHECK_SAME(made_both_ways([&] { return k::matmul(counts, b); }),
               k::array<float>(k::matmul(k::array<float>(k::cast<float>(counts)), b)).to_host());
    CHECK_SAME(made_both_ways([&] { return k::matmul(a, b) - k::matmul(positive, b); }),
               k::array<float>(product - k::array<float>(k::matmul(positive, b))).to_host());
    CHECK_SAME(made_both_ways([&] { return k::sum(k::matmul(a, b), k::axis(0)); }),
               k::array<float>(k::sum(product, k::axis(0))).to_host());
    const auto [first, second] = k::eval(k::matmul(a, b), k::matmul(positive, b));
    CHECK_SAME(first.to_host(), product.to_host());
    CHECK_SAME(second.to_host(), k::array<float>(k::matmul(positive, b)).to_host());
    k::array<float> target = matrix_of_floats(random, {728, 728});
    const k::array<float> before = target;
    const k::array<float> wanted = k::matmul(before, before);
    target = k::matmul(target, target);
    CHECK_SAME(target.to_host(), wanted.to_host());
}

TEST_CASE("matmul of floats: what is not finite, tiny, or a zero with a sign") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::mt19937 random(5);
    std::vector<float> left = floats_of_all_bits(random, std::int64_t{728} * 33);
    left[0] = std::numeric_limits<float>::quiet_NaN();
    left[33] = infinity;
    left[34] = -infinity;
    left[2 * 33 + 32] = infinity;
    for (std::size_t i = 0; i < 33; ++i) left[3 * 33 + i] = -0.0f;
    for (std::size_t i = 0; i < 33; ++i) left[4 * 33 + i] = 1e-42f;
    const std::vector<float> got = made_both_ways([&] {
        return k::matmul(k::from_host<float>(left, {728, 33}), k::ones<float>({33, 724}));
    });
    CHECK(std::isnan(got[0]));
    CHECK(std::isnan(got[724 + 5]));
    CHECK(got[2 * 724 + 723] == infinity);
    CHECK(got[3 * 724] == 0.0f);
    CHECK(got[4 * 724 + 1] == 33 * 1e-42f);
    CHECK(std::isfinite(got[5 * 724]));
}

TEST_CASE("contractions of floats: sums of products have the order of sums, by copies and by loads") {
    std::mt19937 random(6);
    for (const auto& [rows, terms, columns] : {std::tuple{736, 100, 740}, std::tuple{129, 67, 1029}}) {
        const k::array<float> a = matrix_of_floats(random, {rows, terms});
        const k::array<float> b = matrix_of_floats(random, {terms, columns});
        const k::array<float> tall = k::transpose(a);
        const k::array<float> wide = k::transpose(b);
        const k::array<float> weights = matrix_of_floats(random, {terms, 1});
        const auto products = [](const auto& x, const auto& y) { return x(k::all, k::all, k::newaxis) * y; };
        const std::vector<float> got = made_both_ways([&] { return k::sum(products(a, b), k::axis(1)); });
        CHECK_SAME(k::array<float>(k::sum(products(k::transpose(tall), k::transpose(wide)), k::axis(1))).to_host(),
                   got);
        // In memory, they are added up in that order, too.
        const k::array<float> stored = products(a, b);
        CHECK_SAME(k::array<float>(k::sum(stored, k::axis(1))).to_host(), got);
        const auto apart = a(k::all, k::all, k::newaxis) - b;
        (void)made_both_ways([&] { return k::sum(apart * apart * weights, k::axis(1)); });
        (void)made_both_ways([&] { return k::max(k::abs(apart), k::axis(1)); });
        (void)made_both_ways([&] { return k::mean(k::where(apart > 0.0f, apart, weights), k::axis(1)); });
        const k::array<std::int8_t> signs = k::cast<std::int8_t>(k::floor(b * 3.0f));
        (void)made_both_ways([&] { return k::sum(a(k::all, k::all, k::newaxis) * signs, k::axis(1)); });
    }
}

namespace {

template <class T>
void check_transposed(std::int64_t rows, std::int64_t terms, std::int64_t columns) {
    CAPTURE(rows);
    const k::array<T> a = k::cast<T>(k::random::normal<float>({2, rows, terms}, 1) * 4.0f);
    const k::array<T> weights = k::cast<T>(k::random::normal<float>({2, columns, terms}, 2) * 4.0f);
    const k::array<T> turned = k::transpose(weights, {0, 2, 1});
    const k::array<T> bias = k::cast<T>(k::random::normal<float>({columns}, 3));
    CHECK_SAME(k::array<T>(k::matmul(a, k::transpose(weights, {0, 2, 1}))).to_host(),
               k::array<T>(k::matmul(a, turned)).to_host());
    CHECK_SAME(k::array<T>(k::matmul(a(1), k::transpose(weights(0))) + bias).to_host(),
               k::array<T>(k::matmul(a(1), turned(0)) + bias).to_host());
    CHECK_SAME(k::array<T>(k::max(k::matmul(a, k::transpose(weights, {0, 2, 1})) + bias, T(0))).to_host(),
               k::array<T>(k::max(k::matmul(a, turned) + bias, T(0))).to_host());
    const auto nearest = [&](const auto& of) {
        return k::max(k::abs(a(0)(k::all, k::all, k::newaxis) - of), k::axis(1));
    };
    CHECK_SAME(k::array<T>(nearest(k::transpose(weights(0)))).to_host(), k::array<T>(nearest(turned(0))).to_host());
    // Backward, and broadcast.
    CHECK_SAME(k::array<T>(k::matmul(a, k::flip(turned, k::axis(2)))).to_host(),
               k::array<T>(k::matmul(a, k::array<T>(k::flip(turned, k::axis(2))))).to_host());
    CHECK_SAME(k::array<T>(k::matmul(a, k::transpose(weights(0)))).to_host(),
               k::array<T>(k::matmul(a, turned(0))).to_host());
}

}  // namespace

TEST_CASE("a product with a transposed matrix has the bits of one with its copy, which the CPU makes first") {
    check_transposed<float>(40, 60, 70);
    check_transposed<double>(33, 65, 31);
    check_transposed<std::int64_t>(40, 60, 70);
    check_transposed<k::float16>(40, 60, 70);
    if (tests::device().plans_cuda) return;
    const k::array<float> a = k::ones<float>({64, 64});
    CHECK(k::explain(k::matmul(a, k::transpose(a))).kernels.size() == 2);
    CHECK(k::explain(k::relu(k::matmul(a, k::transpose(a)) + 1.0f)).kernels.at(0).cut.find("side by side") !=
          std::string::npos);
    CHECK(k::explain(k::matmul(a, a)).kernels.size() == 1);
    CHECK(k::explain(k::matmul(k::transpose(a), a)).kernels.size() == 2);  // of the rows that values are made of
    // Of few, or of generated elements, a copy costs more.
    const k::array<float> few = k::ones<float>({8, 8});
    CHECK(k::explain(k::matmul(few, k::transpose(few))).kernels.size() == 1);
    CHECK(k::explain(k::sum(k::transpose(k::ones<float>({300, 300})), k::axis(0))).kernels.size() == 1);
}

TEST_CASE("the CPU reduces a copy of a transposed matrix, or its rows side by side: the same bits") {
    if (tests::device().plans_cuda) return;
    std::mt19937 random(7);
    const k::array<float> m = matrix_of_floats(random, {300, 260});
    const auto turned = k::transpose(m);
    const k::array<float> whole = turned, other = matrix_of_floats(random, {260, 300});
    const auto check = [&](const auto& reduce) {
        CHECK_SAME(k::eval(reduce(turned)).to_host(), k::eval(reduce(whole)).to_host());
    };
    for (const int axis : {0, 1}) {
        CAPTURE(axis);
        const k::axis over(axis);
        check([&](const auto& of) { return k::sum(of, over); });
        check([&](const auto& of) { return k::max(of, over); });
        check([&](const auto& of) { return k::argmin(of, over); });
        check([&](const auto& of) { return k::var(of, over); });
        check([&](const auto& of) { return k::sum(k::exp(of), over); });
        check([&](const auto& of) { return k::mean(of * other, over); });
    }
    check([&](const auto& of) { return k::sum(of); });
    check([&](const auto& of) { return k::max(of - other); });
    const auto [sums, largest] = k::eval(k::sum(turned, k::axis(0)), k::max(turned, k::axis(0)));
    CHECK_SAME(sums.to_host(), k::eval(k::sum(whole, k::axis(0))).to_host());
    CHECK_SAME(largest.to_host(), k::eval(k::max(whole, k::axis(0))).to_host());
    const auto kernels = [](const auto& of) { return k::explain(of).kernels.size(); };
    CHECK(kernels(k::sum(turned, k::axis(0))) == 2);
    CHECK(kernels(k::sum(turned)) == 2);
    CHECK(kernels(k::var(turned, k::axis(1))) == kernels(k::var(whole, k::axis(1))) + 1);
    CHECK(kernels(k::sum(turned + other, k::axis(1))) == 2);
    CHECK(kernels(k::sum(turned, k::axis(1))) == 1);  // side by side
    CHECK(kernels(k::sum(turned * 2.0f, k::axis(1))) == 1);
    CHECK(kernels(k::sum(whole, k::axis(0))) == 1);
    CHECK(kernels(k::sum(turned(k::range(0, 40)), k::axis(1))) == 1);  // few
}

TEST_CASE("what explain says of a product is what runs") {
    if (tests::device().plans_cuda) return;
    const k::array<float> a = k::ones<float>({24, 24});
    const k::array<float> made = k::matmul(a, a);
    const k::profile seen;
    const k::array<float> again = k::matmul(a, a);
    const std::vector<k::profile_event> events = seen.events();
    REQUIRE(!events.empty());
    CHECK(k::explain(k::matmul(a, a)).kernels.at(0).name == events.at(0).name);
    const k::expr<float> later = k::matmul(a, a);
    CHECK(k::explain(later).kernels.at(0).name == events.at(0).name);
    const k::counters before = k::counters::now();
    const k::array<float> third = later;
    CHECK((k::counters::now() - before).compiles == 0);
}
