// Several outputs in one kernel, labels, and what prepare() leaves to do.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

TEST_CASE("several outputs of one kernel are each right, in one launch") {
    const std::vector<float> a = tests::ordinary_values<float>(1027, 1);
    const std::vector<float> b = tests::ordinary_values<float>(1027, 2);
    const k::array<float> f = k::from_host<float>(a);
    const k::array<float> g = k::from_host<float>(b);
    const k::counters before = k::counters::now();
    auto [sum, difference, less, same] = k::eval(f + g, f - g, f < g, f);
    CHECK((k::counters::now() - before).launches == 1);
    std::vector<float> sums;
    std::vector<float> differences;
    std::vector<bool> lesser;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sums.push_back(a[i] + b[i]);
        differences.push_back(a[i] - b[i]);
        lesser.push_back(a[i] < b[i]);
    }
    CHECK_SAME(sum.to_host(), sums);
    CHECK_SAME(difference.to_host(), differences);
    CHECK_SAME(less.to_host(), lesser);
    CHECK_SAME(same.to_host(), a);
}

TEST_CASE("work that outputs share is done once") {
    const k::array<double> f = k::from_host<double>(tests::ordinary_values<double>(64));
    const auto shared = k::sqrt(k::abs(f)) * f;  // no scalar: two scalars are two operands, however equal
    const k::explanation plan = k::explain(shared + 1.0, shared - 1.0);
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].operation_count == 5 * 64);
    CHECK(plan.kernels[0].bytes_read == 64 * 8);
    CHECK(plan.kernels[0].bytes_written == 2 * 64 * 8);
}

TEST_CASE("the same expression twice gives two arrays that do not share") {
    const k::array<std::int32_t> x = k::arange<std::int32_t>(5);
    auto [a, b] = k::eval(x + 1, x + 1);
    a += 10;
    CHECK_SAME(a.to_host(), {11, 12, 13, 14, 15});
    CHECK_SAME(b.to_host(), {1, 2, 3, 4, 5});
}

TEST_CASE("functions of elements that are stored and reduced are computed once on the CPU") {
    const k::scoped_device here(k::cpu);
    const k::array<float> m = k::from_host<float>(tests::ordinary_values<float>(50 * 37), {50, 37});
    const auto count = [](const k::explanation& of) {
        std::int64_t sum = 0;
        for (const auto& each : of.kernels) sum += each.operation_count;
        return sum;
    };
    const auto sums = [](const auto& of) { return std::pair{k::sum(of, k::axis(1)), k::max(of, k::axis(0))}; };
    const auto e = k::exp(m);
    CHECK(count(k::explain(e, sums(e).first, sums(e).second)) ==
          count(k::explain(e)) + count(k::explain(sums(m).first)) + count(k::explain(sums(m).second)));

    const auto check = [&](const k::array<float>& elements, const auto& of) {
        for (int call = 0; call < 3; ++call) {  // the third by what was kept of the second
            auto [a, first, b, second] = k::eval(of, sums(of).first, of, sums(of).second);
            b += 1.0f;
            CHECK_SAME(a.to_host(), elements.to_host());
            CHECK_SAME(first.to_host(), k::array<float>(sums(elements).first).to_host());
            CHECK_SAME(second.to_host(), k::array<float>(sums(elements).second).to_host());
        }
    };
    const k::array<float> exponentials = e;
    check(exponentials, e);
    const k::array<float> draws = k::random::normal<float>({50, 37}, 7);
    check(draws, k::random::normal<float>({50, 37}, 7));
    const k::array<float> other = k::sin(m) / 3.0f;
    check(other, k::sin(m) / 3.0f);

    // Two numbers are two, also where they are equal when the evaluation is first met.
    for (const float factor : {2.0f, 2.0f, 2.0f, 3.0f, 5.0f}) {
        const auto [left, right] = k::eval(k::exp(m * 2.0f), k::sum(k::exp(m * factor)));
        CHECK_SAME(left.to_host(), k::array<float>(k::exp(m * 2.0f)).to_host());
        CHECK_SAME(right.to_host(), k::array<float>(k::sum(k::array<float>(k::exp(m * factor)))).to_host());
    }
}

TEST_CASE("outputs of different types, 1 to 8 bytes, are each stored as their own") {
    const k::array<std::int32_t> x = k::arange<std::int32_t>(300);
    auto [b, u, i, l, f, d] =
        k::eval(x % 2 == 0, k::cast<std::uint8_t>(x), x, k::cast<std::int64_t>(x) * 5'000'000'000, x * 0.5f, x * 0.25);
    for (const std::size_t at : {std::size_t{0}, std::size_t{77}, std::size_t{299}}) {
        const auto n = static_cast<std::int64_t>(at);
        CHECK(b.to_host()[at] == (n % 2 == 0));
        CHECK(u.to_host()[at] == static_cast<std::uint8_t>(n));
        CHECK(i.to_host()[at] == n);
        CHECK(l.to_host()[at] == n * 5'000'000'000);
        CHECK(f.to_host()[at] == static_cast<float>(n) * 0.5f);
        CHECK(d.to_host()[at] == static_cast<double>(n) * 0.25);
    }
}

TEST_CASE("outputs whose shapes differ throw shape_error naming both") {
    const k::array<float> x = k::zeros<float>({3});
    const k::array<float> y = k::zeros<float>({4});
    CHECK_THROWS_WITH_AS(k::eval(x + 1, y + 1), doctest::Contains("outputs of one kernel, of shapes (3,) and (4,)"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::eval(k::sum(x) * 2, x + 1, y + 1),
                         doctest::Contains("shapes (3,) and (4,) do not broadcast"), k::shape_error);
}

TEST_CASE("what is made of a row's sum stands beside the row's elements, whatever one kernel holds") {
    for (const std::int64_t columns : {std::int64_t{4}, std::int64_t{100}, std::int64_t{300'000}}) {
        CAPTURE(columns);
        const k::array<double> m = k::reshape(k::arange<double>(3 * columns), {3, columns});
        const k::array<double> other = k::arange<double>(5);
        const double n = static_cast<double>(columns);
        for (int call = 0; call < 2; ++call) {  // the second by what was kept of the first
            const auto [twice, next, norms, all] =
                k::eval(k::sum(m, k::axis(1)) * 2, m + 1, k::max(m, k::axis(1)) - k::min(m, k::axis(1)), k::sum(m) * 2);
            CHECK(all.to_host()[0] == 3 * n * (3 * n - 1));
            CHECK_SAME(norms.to_host(), {n - 1, n - 1, n - 1});
            REQUIRE((twice.shape() == k::shape{3} && next.shape() == k::shape{3, columns}));
            for (int row = 0; row < 3; ++row)
                CHECK(twice.to_host()[static_cast<std::size_t>(row)] == n * (2 * row * n + n - 1));
            const std::vector<double> elements = next.to_host();
            for (std::size_t i = 0; i < elements.size(); ++i)
                if (elements[i] != static_cast<double>(i + 1)) FAIL_CHECK(i, ": ", elements[i]);
            const auto [sum, unrelated] = k::eval(k::sum(m, k::axis(1)) / n, other + 1);
            CHECK(sum.to_host()[1] == 1.5 * n - 0.5);
            CHECK_SAME(unrelated.to_host(), {1.0, 2.0, 3.0, 4.0, 5.0});
        }
        k::prepare(k::sum(m, k::axis(1)) * 3, m + 2);
        const k::counters before = k::counters::now();
        const auto [thrice, after] = k::eval(k::sum(m, k::axis(1)) * 3, m + 2);
        CHECK((k::counters::now() - before).compiles == 0);
        CHECK(after.to_host()[1] == 3.0);
        CHECK(thrice.to_host()[0] == 1.5 * n * (n - 1));
    }
}

TEST_CASE("eval of one expression is the array that it makes") {
    const k::array<float> x = k::arange<float>(3);
    const auto y = k::eval(x + x);
    static_assert(std::is_same_v<decltype(y), const k::array<float>>);
    CHECK_SAME(y.to_host(), {0.0f, 2.0f, 4.0f});
    CHECK_SAME(k::eval(x).to_host(), {0.0f, 1.0f, 2.0f});
}

TEST_CASE("eval of a view, or of memory of the user's, is an array of its own") {
    k::array<float> x = k::arange<float>(4);
    auto part = k::eval(x(k::range(1, 3)));
    static_assert(std::is_same_v<decltype(part), k::array<float>>);
    part += 10.0f;
    x += 100.0f;
    CHECK_SAME(part.to_host(), {11.0f, 12.0f});
    const k::scoped_device here(k::cpu);
    std::vector<float> mine{1, 2};
    auto kept = k::eval(k::wrap(mine.data(), {2}));
    static_assert(std::is_same_v<decltype(kept), k::array<float>>);
    mine[0] = 7;
    CHECK_SAME(kept.to_host(), {1.0f, 2.0f});
}

TEST_CASE("a label changes no value, and no kernel is compiled for it") {
    const k::array<double> x = k::arange<double>(8);
    const k::array<double> plain = x * x - 3.0;
    const k::counters before = k::counters::now();
    k::array<double> y = k::label("three less", x * x - 3.0);
    CHECK((k::counters::now() - before).compiles == 0);
    CHECK_SAME(y.to_host(), plain.to_host());
    const k::array<double> before_loop = y;
    y = k::label("in place", y + 1.0);
    y(k::range(0, 2)) = k::label("part", x(k::range(0, 2)) * 0.0);
    CHECK(y.to_host()[0] == 0.0);
    CHECK(y.to_host()[7] == 47.0);
    CHECK_SAME(before_loop.to_host(), plain.to_host());
}

TEST_CASE("a label is a copy of any text, which may be gone when the expression is evaluated") {
    const k::array<float> x = k::full<float>({50}, 2.0f);
    const auto labelled = [&](const std::string& text) { return k::label(text, x * x * 3.0f); };
    for (const std::size_t length : {0, 1, 62, 63, 64, 1000}) {
        auto e = labelled(std::string(length, 'n'));
        CHECK(e.kiln_label.c_str() == std::string(length, 'n'));
        const auto copy = e;
        const auto moved = std::move(e);
        CHECK(moved.kiln_label.c_str() == std::string(length, 'n'));
        CHECK(copy.kiln_label.c_str() == std::string(length, 'n'));
        CHECK(k::array<float>(copy).to_host()[49] == 12.0f);
    }
    char buffer[] = "made here";
    const auto e = k::label(std::string_view(buffer, 4), x + 1.0f);
    buffer[0] = 'f';
    CHECK(e.kiln_label.c_str() == std::string("made"));
}

TEST_CASE("prepare launches nothing, and the evaluation after it compiles nothing") {
    const k::array<float> x = k::full<float>({123}, 0.75f);
    const auto e = k::abs(x * 3.0f - 17.25f) / (x + 0.001f);  // stands nowhere else
    const k::counters start = k::counters::now();
    k::prepare(e);
    const k::counters prepared = k::counters::now();
    CHECK((prepared - start).launches == 0);
    CHECK((prepared - start).compiles + (prepared - start).disk_hits == (tests::device().compiles ? 1 : 0));
    const k::array<float> y = e;
    const k::counters done = k::counters::now() - prepared;
    CHECK(done.launches == 1);
    CHECK(done.compiles == 0);
    CHECK(done.disk_hits == 0);
    CHECK(done.lower_ns == 0);
    CHECK_SAME(y.to_host(), std::vector<float>(123, std::abs(0.75f * 3.0f - 17.25f) / (0.75f + 0.001f)));
    k::prepare(x + 1.0f, x - 1.0f);
    const k::counters several = k::counters::now();
    auto [up, down] = k::eval(x + 1.0f, x - 1.0f);
    CHECK((k::counters::now() - several).compiles == 0);
    CHECK(up.to_host()[0] - down.to_host()[0] == 2.0f);
}

TEST_CASE("outputs of as many elements but other axes keep their own shapes") {
    const k::array<float> x = k::ones<float>({5});
    auto [column, row] = k::eval(k::slice(x + 1.0f, k::newaxis, k::all), x * 3.0f);
    CHECK(column.shape() == k::shape{1, 5});
    CHECK(row.shape() == k::shape{5});
    CHECK_SAME(column.to_host(), std::vector<float>(5, 2.0f));
    CHECK_SAME(row.to_host(), std::vector<float>(5, 3.0f));
}

TEST_CASE("an output that has elements is computed beside one that has none") {
    const k::array<float> one = k::full<float>({1}, 2.0f);
    const k::array<float> none = k::zeros<float>({0});
    auto [sum, twice] = k::eval(one + none, one * 2.0f);
    CHECK(sum.shape() == k::shape{0});
    CHECK_SAME(twice.to_host(), {4.0f});
}
