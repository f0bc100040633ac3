// A reduction that is written twice is computed once; what only looks the same is not.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace k = kiln;

namespace {

/// The second time, so that nothing is compiled.
template <class Action>
k::counters spent_on(Action action) {
    action();
    const k::counters before = k::counters::now();
    action();
    return k::counters::now() - before;
}

/// Small whole numbers: their sums are exact in any order.
std::vector<float> whole_numbers(std::int64_t count) {
    std::vector<float> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<float>(i * 7 % 23) - 9);
    return out;
}

k::array<float> matrix(std::int64_t rows, std::int64_t columns) {
    return k::from_host<float>(whole_numbers(rows * columns), {rows, columns});
}

double total(const std::vector<float>& of) {
    double out = 0;
    for (const float each : of) out += each;
    return out;
}

k::expr<float> negative_or_positive_infinity(const k::array<float>& ones, float zero) { return k::sum(ones / zero); }

}  // namespace

TEST_CASE("equal reductions: var and stddev of one array have one mean and one sum of squares") {
    const k::array<float> m = matrix(40, 100);
    const auto both = [&] { return k::eval(k::var(m, k::axis(1)), k::stddev(m, k::axis(1))); };
    const k::counters spent = spent_on(both);
    if (!tests::device().persistent_rows) {
        CHECK(spent.launches == 3);
        CHECK(spent.bytes_written == 3 * 160);  // the means, the variances, their roots
        const k::explanation plan = k::explain(k::var(m, k::axis(1)) + k::stddev(m, k::axis(1)));
        REQUIRE(plan.kernels.size() == 3);
        CHECK(plan.kernels[0].bytes_written == 160);
        CHECK(plan.kernels[1].bytes_written == 160);
        CHECK(plan.temporary_bytes == 320);
    }
    const auto [variances, deviations] = both();
    const k::array<float> alone = k::var(m, k::axis(1));
    CHECK(tests::difference(variances.to_host(), alone.to_host()) == "");
    CHECK(tests::difference(deviations.to_host(), k::array<float>(k::sqrt(alone)).to_host()) == "");
}

TEST_CASE("equal reductions: CUDA's kernels for columns, whose rows are not kept, write each once") {
    const k::array<float> m = matrix(40000, 100);
    const tests::compiling_only compiling;
    const k::explanation plan = k::explain(k::var(m, k::axis(0)) + k::stddev(m, k::axis(0)) + k::mean(m, k::axis(0)));
    REQUIRE(plan.kernels.size() == 2);
    CHECK(plan.kernels[0].bytes_written == 3 * 400);
    CHECK(plan.kernels[1].bytes_written == 400);
    if (tests::cubins_wanted()) k::prepare(k::var(m, k::axis(0)) + k::stddev(m, k::axis(0)));
}

TEST_CASE("equal reductions: with and without its axes a reduction is one, and results are arrays of their own") {
    const k::array<float> m = matrix(40, 100);
    const auto three = [&] { return k::eval(k::mean(m, k::axis(1)), k::var(m, k::axis(1)), k::stddev(m, k::axis(1))); };
    if (!tests::device().persistent_rows) {
        const k::counters spent = spent_on(three);
        CHECK(spent.launches == 3);
        CHECK(spent.bytes_written == 3 * 160);
    }
    // The mean that is met first keeps its axes; the one that is a result is no view of it, but may be written in place.
    auto [variance, mean_of_rows] = k::eval(k::var(m, k::axis(1)), k::mean(m, k::axis(1)));
    const auto* const node = mean_of_rows.kiln_node().get();
    mean_of_rows += 1.0f;
    CHECK(mean_of_rows.kiln_node().get() == node);
    const auto [means, variances, deviations] = three();
    CHECK(means.shape() == k::shape{40});
    CHECK(tests::difference(means.to_host(), k::array<float>(k::mean(m, k::axis(1))).to_host()) == "");
    CHECK(tests::difference(variances.to_host(), k::array<float>(k::var(m, k::axis(1))).to_host()) == "");
    CHECK(tests::difference(deviations.to_host(), k::array<float>(k::stddev(m, k::axis(1))).to_host()) == "");

    // Both are results.
    const k::expr<float> dropped = k::sum(m, k::axis(0));
    const k::expr<float> kept = k::sum(m, k::axis(0), k::keep_dims);
    auto [first, second] = k::eval(dropped, kept);
    CHECK(first.shape() == k::shape{100});
    CHECK(second.shape() == k::shape{1, 100});
    CHECK(tests::difference(first.to_host(), second.to_host()) == "");
    const auto [third, fourth] = k::eval(kept - 1.0f, dropped);  // and one that is not
    CHECK(third.shape() == k::shape{1, 100});
    CHECK(tests::difference(fourth.to_host(), first.to_host()) == "");
    CHECK(tests::difference(k::array<float>(third + 1.0f).to_host(), first.to_host()) == "");

    // The same of a function that is looked at once, and of nothing.
    const auto looked_at = k::fuse([](auto x) {
        return std::tuple(k::mean(x, k::axis(1)), k::var(x, k::axis(1)), x - k::mean(x, k::axis(1), k::keep_dims));
    });
    for (int i = 0; i < 2; ++i) {
        const auto [mean, var, centred] = looked_at(m);
        CHECK(tests::difference(mean.to_host(), means.to_host()) == "");
        CHECK(tests::difference(var.to_host(), variances.to_host()) == "");
        CHECK(tests::same_bits(centred.to_host()[205], m.to_host()[205] - means.to_host()[2]));
    }
    const k::array<float> empty = k::zeros<float>({3, 0});
    const k::array<float> nothing = k::sum(empty, k::axis(1)) + k::sum(k::sum(empty, k::axis(1), k::keep_dims));
    CHECK(tests::difference(nothing.to_host(), {0, 0, 0}) == "");
}

TEST_CASE("equal reductions: on both sides of an operator, at any depth, of run-time expressions too") {
    const std::vector<float> host = whole_numbers(1000);
    const k::array<float> x = k::from_host<float>(host, {1000});
    const k::array<float> y = k::ones<float>({1000});
    const auto e = [&] { return k::array<float>((x + k::sum(x)) - k::sum(x) * y); };
    CHECK(tests::difference(e().to_host(), host) == "");
    if (!tests::device().persistent_rows) CHECK(spent_on(e).bytes_written == 4004);

    // More of them than one kernel takes.
    const auto graph_of_many = [&] {
        k::expr<float> sum = k::norm(x - k::mean(x));
        for (int i = 0; i < 11; ++i) sum = sum + k::norm(x - k::mean(x));
        return sum;
    };
    const auto many = [&] { return k::array<float>(graph_of_many()); };
    const k::counters spent = spent_on(many);
    if (tests::cubins_wanted()) {
        const tests::compiling_only compiling;
        CHECK(k::explain(graph_of_many()).kernels.size() == 1);
    }
    if (tests::device().persistent_rows) CHECK(spent.launches == 1);
    else CHECK(spent.launches == 3);
    const float one = k::array<float>(k::norm(x - k::mean(x))).item();
    float twelve = one;
    for (int i = 0; i < 11; ++i) twelve += one;
    CHECK(tests::same_bits(many().item(), twelve));
}

TEST_CASE("equal reductions: logsumexp, and scans, which are kernels of their own") {
    const k::array<float> m = matrix(9, 50);
    const auto twice = [&] { return k::array<float>(k::logsumexp(m, k::axis(1)) - k::logsumexp(m, k::axis(1))); };
    for (const float each : twice().to_host()) CHECK(tests::same_bits(each, 0.0f));
    if (!tests::device().persistent_rows)
        CHECK(spent_on(twice).bytes_written == 3 * 36);  // the largest, the sum, the result

    const k::array<float> x = k::ones<float>({200});
    const auto part = [&] { return k::array<float>(k::cumsum(x) / k::max(k::cumsum(x))); };
    CHECK(part().to_host()[49] == 0.25f);
    // Where rows are persistent, it is divided in the kernel that finds the largest.
    CHECK(spent_on(part).launches == (tests::device().persistent_rows ? 2 : 3));
}

TEST_CASE("equal reductions: as results, each array is its own") {
    const k::array<float> x = matrix(4, 5);
    const k::expr<float> one = k::sum(x, k::axis(0));
    const k::expr<float> other = k::sum(x, k::axis(0));
    auto [first, second] = k::eval(one, other);
    const std::vector<float> before = second.to_host();
    first += 1.0f;
    CHECK(tests::difference(second.to_host(), before) == "");
    CHECK(first.to_host()[0] == before[0] + 1);
}

TEST_CASE(
    "equal reductions: copies of a captured number are one; numbers captured apart never are, whatever they are") {
    const k::array<float> x = k::from_host<float>(whole_numbers(300), {300});
    const auto scaled = x * 3.0f;
    const auto copies = [&] { return k::array<float>(k::sum(scaled) + k::sum(scaled)); };
    CHECK(copies().item() == 6 * total(whole_numbers(300)));
    const auto apart = [&](float a, float b) { return k::array<float>(k::sum(x * a) - k::sum(x * b)); };
    CHECK(apart(2, 5).item() == -3 * total(whole_numbers(300)));
    // If their values decided, this would be another kernel.
    const k::counters before = k::counters::now();
    CHECK(apart(4, 4).item() == 0);
    CHECK((k::counters::now() - before).compiles == 0);
    CHECK((k::counters::now() - before).misses == 0);

    if (!tests::device().persistent_rows) CHECK(spent_on(copies).bytes_written == 8);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto unknown = x * nan;
    CHECK(std::isnan(k::array<float>(k::sum(unknown) + k::sum(unknown)).item()));
    const auto not_unknown = k::where(x > 0.0f, 1.0f, x * nan);
    CHECK(std::isnan(k::array<float>(k::sum(not_unknown) + k::sum(k::where(x > 0.0f, 1.0f, x * 0.0f))).item()));
}

TEST_CASE("equal reductions: 0 is not -0, of numbers and of constants") {
    const k::array<float> ones = k::ones<float>({20});
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(k::array<float>(negative_or_positive_infinity(ones, 0.0f) - negative_or_positive_infinity(ones, -0.0f))
              .item() == inf);
#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
    CHECK(k::array<float>(k::sum(ones / k::constant<0.0f>) - k::sum(ones / k::constant<-0.0f>)).item() == inf);
    const auto equal = [&] {
        return k::array<float>(k::sum(ones / k::constant<-0.0f>) + k::sum(ones / k::constant<-0.0f>));
    };
    CHECK(equal().item() == -inf);
    if (!tests::device().persistent_rows) CHECK(spent_on(equal).bytes_written == 8);
#endif
}

TEST_CASE("equal reductions: of other kinds, axes, extents, types, functions they are others") {
    const k::array<float> m = matrix(6, 6);
    const std::vector<float> host = m.to_host();
    float low = host[0];
    float high = host[0];
    for (const float each : host) low = std::min(low, each), high = std::max(high, each);
    CHECK(k::array<float>(k::max(m) - k::min(m)).item() == high - low);

    const std::vector<float> apart = k::array<float>(k::sum(m, k::axis(0)) - k::sum(m, k::axis(1))).to_host();
    for (std::size_t i = 0; i < 6; ++i) {
        float expected = 0;
        for (std::size_t j = 0; j < 6; ++j) expected += host[j * 6 + i] - host[i * 6 + j];
        CHECK(apart[i] == expected);
    }
    const k::array<float> kept = k::sum(m, k::axis(1), k::keep_dims) - k::sum(m, k::axis(1));
    CHECK(kept.shape() == k::shape{6, 6});

    CHECK(k::array<float>(k::sum(k::full({7}, 1.0f)) / k::sum(k::full({14}, 1.0f))).item() == 0.5f);
    CHECK(k::array<std::int64_t>(k::sum(k::arange<int>(10)) - k::sum(k::arange<int>(5))).item() == 35);
    const k::array<std::int64_t> none = k::zeros<std::int64_t>({2, 3});
    CHECK(k::array<std::int64_t>(k::sum(k::index(0) + none) - k::sum(k::index(1) + none)).item() == 3 - 6);
    CHECK(k::array<double>(k::sum(k::cast<double>(k::cast<int>(m / 2.0f))) - k::sum(k::cast<double>(m))).item() != 0);

    if (!tests::device().compiles || tests::cubins_wanted()) return;
    const auto twice = k::function<float(float)>("same_name", {"a"}, "return 2 * a;");
    const auto thrice = k::function<float(float)>("same_name", {"a"}, "return 3 * a;");
    CHECK(k::array<float>(k::max(thrice(m)) - k::max(twice(m))).item() == high);
    const auto most = k::reduction<float>(-INFINITY, "a", "b", "return a < b ? b : a;");
    const auto least = k::reduction<float>(INFINITY, "a", "b", "return a < b ? a : b;");
    CHECK(k::array<float>(most(m) - least(m)).item() == high - low);
    CHECK(k::array<float>(most(m) - most(m)).item() == 0);
}

TEST_CASE("equal reductions: of views, those of the same elements") {
    const k::array<float> x = k::from_host<float>(whole_numbers(100), {100});
    const auto tail = [&](int from) { return k::sum(x(k::range(from, from + 50))); };
    const std::vector<float> host = x.to_host();
    CHECK(k::array<float>(tail(0) - tail(1)).item() == host[0] - host[50]);
    const auto equal = [&] { return k::array<float>(tail(3) * tail(3)); };
    if (!tests::device().persistent_rows) CHECK(spent_on(equal).bytes_written == 8);

    // One start, other steps: strides, extents, and what is no stride.
    CHECK(k::array<float>(k::sum(x(k::range(0, 50))) - k::sum(x(k::range(0, 100, 2)))).item() != 0);
    const auto shifted = [&](int by) { return k::sum(k::shift(x, {by}) * x); };
    CHECK(k::array<float>(shifted(1) - shifted(2)).item() ==
          k::array<float>(shifted(1)).item() - k::array<float>(shifted(2)).item());
    const auto rolled = [&] { return k::array<float>(k::sum(k::roll(x, 2) * x) + k::sum(k::roll(x, 2) * x)); };
    CHECK(rolled().item() == 2 * k::array<float>(k::sum(k::roll(x, 2) * x)).item());
    if (!tests::device().persistent_rows) CHECK(spent_on(rolled).bytes_written == 8);

    // Two arrays of the same values are two.
    const k::array<float> y = k::from_host<float>(whole_numbers(100), {100});
    const k::array<float> difference = k::sum(x * x) - k::sum(y * y);
    CHECK(difference.item() == 0);
}

TEST_CASE("equal reductions: generators of other seeds differ") {
    const auto mean = [](int seed) { return k::mean(k::random::uniform<float>({1000}, seed)); };
    CHECK(k::array<float>(mean(1) - mean(2)).item() ==
          k::array<float>(mean(1)).item() - k::array<float>(mean(2)).item());
    CHECK(k::array<float>(mean(1)).item() != k::array<float>(mean(2)).item());
}

TEST_CASE("equal reductions: what a looked-at function's arguments stand for is not what they were at the first call") {
    const auto ratio = k::fuse([](auto x, auto y, auto a, auto b) {
        return k::sum(x * a) / k::sum(x * b) + k::sum(x) / k::sum(y) + (k::var(x) - k::var(x));
    });
    const k::array<float> x = k::ones<float>({64});
    const k::array<float> y = k::full({64}, 4.0f);
    CHECK(ratio(x, x, 2.0f, 2.0f).item() == 2.0f);
    CHECK(ratio(x, y, 2.0f, 4.0f).item() == 0.75f);
    const auto roots = k::fuse([](auto x) { return std::tuple(k::sum(x, k::axis(0)), k::sum(x, k::axis(0))); });
    auto [first, second] = roots(matrix(3, 4));
    const std::vector<float> before = second.to_host();
    first += 1.0f;
    CHECK(tests::difference(second.to_host(), before) == "");
}

TEST_CASE("equal reductions: graphs of ten thousand terms that a loop built twice") {
    const k::array<float> x = k::ones<float>({8});
    const auto grown = [&] {
        k::expr<float> e = x;
        for (int i = 0; i < 10000; ++i) e = k::abs(e) + x;
        return k::sum(e);
    };
    // What is subtracted is a kernel more, and not as many again.
    CHECK(k::explain(grown() - grown()).kernels.size() == k::explain(grown()).kernels.size() + 1);
}
