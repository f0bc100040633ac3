// Expressions that loops make: views of views of views, hundreds of choices, of 16-bit steps. What it takes to plan and
// compile them grows with their length, not faster.
#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace k = kiln;

namespace {

/// Small integers: halves of sums of them stay exact for as many steps as are taken here.
std::vector<double> numbers(std::int64_t count) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<double>((i * 7 + i / 13) % 29));
    return out;
}

std::vector<double> stepped(std::vector<double> x, int steps, auto step) {
    for (int i = 0; i < steps; ++i) {
        std::vector<double> next(x.size());
        const auto n = static_cast<std::int64_t>(x.size());
        for (std::int64_t j = 0; j < n; ++j) next[static_cast<std::size_t>(j)] = step(x, j, n);
        x = std::move(next);
    }
    return x;
}

double at(const std::vector<double>& x, std::int64_t i) { return x[static_cast<std::size_t>(i)]; }

std::int64_t kernels_of(const k::expr<double>& e) { return static_cast<std::int64_t>(k::explain(e).kernels.size()); }

}  // namespace

TEST_CASE("a tree of shifts of shifts is cut before it doubles at each of 24 levels") {
    const std::vector<double> from = numbers(301);
    const k::array<double> x = k::from_host<double>(from);
    k::expr<double> e = x;
    for (int i = 0; i < 24; ++i) e = (k::shift(e, {1}) + k::shift(e, {-1})) * 0.5;
    const k::array<double> y = e;
    CHECK_SAME(y.to_host(), stepped(from, 24, [](const auto& of, std::int64_t i, std::int64_t n) {
                   return ((i > 0 ? at(of, i - 1) : 0) + (i + 1 < n ? at(of, i + 1) : 0)) * 0.5;
               }));
    CHECK(kernels_of(e) <= 12);
    CHECK(k::explain(e).kernels.front().cut == "views see it at several places: it is computed once");
}

TEST_CASE("a stencil whose steps stand in one expression, with the element itself") {
    const std::vector<double> from = numbers(64);
    const k::array<double> x = k::from_host<double>(from);
    k::expr<double> e = x;
    for (int i = 0; i < 20; ++i) e = k::roll(e, 1) * 0.25 + e * 0.5 + k::roll(e, -1) * 0.25 + x;
    const k::array<double> y = e;
    CHECK_SAME(y.to_host(), stepped(from, 20, [&](const auto& of, std::int64_t i, std::int64_t n) {
                   return at(of, (i + n - 1) % n) * 0.25 + at(of, i) * 0.5 + at(of, (i + 1) % n) * 0.25 + at(from, i);
               }));
    // Two results of which one is a part of the other.
    auto [once, twice] = k::eval(e, k::roll(e, 3) + e);
    CHECK_SAME(once.to_host(), y.to_host());
    CHECK_SAME(twice.to_host(), k::array<double>(k::roll(y, 3) + y).to_host());
}

TEST_CASE("a view of a view of a view, 300 deep, each of which adds a step on the way to an element") {
    const std::vector<double> from = numbers(500);
    const k::array<double> x = k::from_host<double>(from);
    k::expr<double> e = x;
    for (int i = 0; i < 300; ++i) e = k::shift(e, {1}, k::boundary::wrap) * 0.5 + x;
    CHECK_SAME(k::array<double>(e).to_host(), stepped(from, 300, [&](const auto& of, std::int64_t i, std::int64_t n) {
                   return at(of, (i + n - 1) % n) * 0.5 + at(from, i);
               }));
}

TEST_CASE("views of many terms under reductions, beside them and of them; takes; writes through") {
    const std::vector<double> from = numbers(120);
    const k::array<double> x = k::from_host<double>(from);
    k::expr<double> e = x;
    for (int i = 0; i < 12; ++i) e = (k::roll(e, 1) + k::roll(e, 5)) * 0.5 + 1.0;
    const k::array<double> whole = e;
    const k::array<double> by_parts = k::roll(whole, 2) - whole;

    CHECK(k::array<double>(k::sum(k::roll(e, 2) * e)).item() ==
          k::array<double>(k::sum(k::roll(whole, 2) * whole)).item());
    CHECK_SAME(k::array<double>(e - k::mean(e)).to_host(), k::array<double>(whole - k::mean(whole)).to_host());
    CHECK_SAME(k::array<double>(k::cumsum(k::roll(e, 2) - e, k::axis(0))).to_host(),
               k::array<double>(k::cumsum(by_parts, k::axis(0))).to_host());
    const k::array<std::int64_t> index = k::from_host<std::int64_t>({5, 0, 119, 7});
    CHECK_SAME(k::array<double>(k::take(e, index) + k::take(e * 2.0, index)).to_host(),
               k::array<double>(k::take(whole, index) + k::take(whole * 2.0, index)).to_host());
    CHECK_SAME(k::array<double>(k::transpose(k::reshape(e, {10, 12})) + k::reshape(k::roll(e, 1), {12, 10})).to_host(),
               k::array<double>(k::transpose(k::reshape(whole, {10, 12})) + k::reshape(k::roll(whole, 1), {12, 10}))
                   .to_host());
    k::array<double> target = x;
    target(k::range(10, 20)) = e(k::range(0, 10)) + e(k::range(50, 60));
    CHECK_SAME(k::array<double>(target(k::range(10, 20))).to_host(),
               k::array<double>(whole(k::range(0, 10)) + whole(k::range(50, 60))).to_host());
    k::array<double> in_place = x;
    k::expr<double> of_itself = in_place;
    for (int i = 0; i < 12; ++i) of_itself = (k::roll(of_itself, 1) + k::roll(of_itself, 5)) * 0.5 + 1.0;
    in_place = of_itself;
    CHECK_SAME(in_place.to_host(), whole.to_host());
}

TEST_CASE("of many terms a few elements are computed, not all of them") {
    const k::array<double> x = k::ones<double>({100'000});
    k::expr<double> e = x;
    for (int i = 0; i < 50; ++i) e = e * 0.5 + x;
    const k::explanation plan = k::explain(k::expr<double>(e(k::range(0, 10)) + e(k::range(20, 30))));
    CHECK(plan.kernels.size() == 1);
    CHECK(plan.kernels.front().bytes_written == 80);
    // Neighbours of all of them: each once.
    CHECK(k::explain(k::expr<double>(e(k::range(1, k::range::open)) - e(k::range(0, -1)))).kernels.size() == 2);
}

TEST_CASE("positions along an axis of what they meet stay those, though views of them are of their own shape") {
    const k::array<double> x = k::arange<double>(5);
    const k::array<double> m = k::zeros<double>({4, 5});
    const auto made = [&](int steps) {
        k::expr<double> e = x + k::cast<double>(k::index(0));
        for (int i = 0; i < steps; ++i) e = e * 1.0 + 0.0;
        return std::vector<k::array<double>>{k::array<double>((e + k::roll(e, 1)) + m),
                                             k::array<double>(k::roll(e, 1) + m),
                                             k::array<double>((k::roll(e, 1) + k::roll(e, 2)) + m + e)};
    };
    const std::vector<k::array<double>> few = made(1);
    const std::vector<k::array<double>> many = made(70);
    CHECK_SAME(k::array<double>(few[0](1)).to_host(), {9.0, 2.0, 5.0, 8.0, 11.0});
    for (std::size_t i = 0; i < few.size(); ++i) CHECK_SAME(many[i].to_host(), few[i].to_host());
}

TEST_CASE("no elements, and one") {
    for (const std::int64_t count : {0, 1}) {
        const k::array<double> x = k::ones<double>({count});
        k::expr<double> e = x;
        for (int i = 0; i < 12; ++i) e = (k::roll(e, 1) + k::roll(e, -1)) * 0.5;
        CHECK_SAME(k::array<double>(e).to_host(), x.to_host());
    }
}

TEST_CASE("hundreds of choices in a row, of as many scalars, and 60 steps of float16") {
    const std::vector<double> from = numbers(77);
    const k::array<double> x = k::from_host<double>(from);
    for (const int count : {250, 700}) {  // and more than a kernel has parameters for
        k::expr<double> e = x;
        for (int i = 0; i < count; ++i) e = k::where(x > static_cast<double>(i % 29), e, x * static_cast<double>(i));
        CHECK_SAME(k::array<double>(e).to_host(), [&] {
            std::vector<double> out = from;
            for (std::size_t j = 0; j < out.size(); ++j)
                for (int i = 0; i < count; ++i)
                    if (!(from[j] > i % 29)) out[j] = from[j] * i;
            return out;
        }());
    }

    const k::array<k::float16> h = k::cast<k::float16>(x);
    k::expr<k::float16> f = h;
    for (int i = 0; i < 60; ++i) f = f * k::float16(0.5f) + h;
    const std::vector<k::float16> got = k::array<k::float16>(f).to_host();
    for (std::size_t j = 0; j < from.size(); ++j) {
        k::float16 expected(static_cast<float>(from[j]));
        for (int i = 0; i < 60; ++i) {
            const k::float16 product(static_cast<float>(expected) * 0.5f);
            expected = k::float16(static_cast<float>(product) + static_cast<float>(from[j]));
        }
        CHECK(static_cast<float>(got[j]) == static_cast<float>(expected));
    }
}

TEST_CASE(
    "conditions that every choice of a long ladder needs are worked out in each of its kernels, not left in memory") {
    std::vector<double> from = numbers(97);
    from[3] = std::numeric_limits<double>::quiet_NaN();
    const k::array<double> x = k::from_host<double>(from);
    constexpr int rungs = 70;
    k::expr<double> e = x;
    for (int i = 0; i < rungs; ++i) {
        const double from_here = i;
        e = k::where((x > from_here) || ((x < from_here + 50) && (x >= 0.0)), e - 0.5 * i,
                     k::where(k::isnan(x), from_here + 0.25, e + 1.0));
    }
    const k::explanation plan = k::explain(e);
    if (!tests::device().plans_cuda && tests::device().compiles) CHECK(plan.kernels.size() >= 2);
    // Doubles alone.
    for (const auto& each : plan.kernels)
        CHECK(each.bytes_written % static_cast<std::int64_t>(from.size() * sizeof(double)) == 0);
    CHECK_SAME(k::array<double>(e).to_host(), [&] {
        std::vector<double> out = from;
        for (std::size_t j = 0; j < out.size(); ++j)
            for (int i = 0; i < rungs; ++i) {
                if (from[j] > i || (from[j] < i + 50.0 && from[j] >= 0)) out[j] = out[j] - 0.5 * i;
                else out[j] = std::isnan(from[j]) ? i + 0.25 : out[j] + 1.0;
            }
        return out;
    }());
}
