// Reductions beside what feeds them, what follows and other threads: the same bits however they are computed, in as few
// launches as there can be.
#include <language/elementwise.hpp>
#include <language/noise.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <atomic>
#include <functional>
#include <thread>

namespace k = kiln;

using tests::noise;
using tests::same_bits;

TEST_CASE("where the operands are in memory changes no bit of a sum") {
    const k::array<float> x = k::from_host<float>(noise(3001 * 70, 1), {3001, 70});
    const std::vector<float> whole = k::array<float>(k::sum(x, k::axis(0))).to_host();
    const k::array<float> turned = k::transpose(x);
    CHECK_SAME(k::array<float>(k::sum(k::transpose(turned), k::axis(0))).to_host(), whole);
    // An odd address: element by element in place of vectors.
    const k::array<float> padded = k::from_host<float>(noise(100001, 4), {100001});
    const k::array<float> shifted = padded(k::range(1, 100001));
    CHECK_SAME(k::array<float>(k::sum(padded(k::range(1, 100001)))).to_host(),
               k::array<float>(k::sum(shifted)).to_host());
    const k::array<float> row = k::from_host<float>(noise(70, 9), {70});
    const k::array<float> spread = x * row;
    CHECK_SAME(k::array<float>(k::sum(x * row, k::axis(1))).to_host(),
               k::array<float>(k::sum(spread, k::axis(1))).to_host());
    CHECK_SAME(k::array<float>(k::sum(x * row)).to_host(), k::array<float>(k::sum(spread)).to_host());
    CHECK_SAME(k::array<float>(k::sum(k::flip(x))).to_host(),
               k::array<float>(k::sum(k::array<float>(k::flip(x)))).to_host());
    CHECK_SAME(k::array<float>(k::sum(k::shift(x, {1, 0}) - x, k::axis(1))).to_host(),
               k::array<float>(k::sum(k::array<float>(k::shift(x, {1, 0}) - x), k::axis(1))).to_host());
}

TEST_CASE("the same bits from run to run, while other threads compute") {
    const k::array<float> x = k::from_host<float>(noise(200000, 6), {200, 1000});
    const std::vector<float> all = k::array<float>(k::sum(x)).to_host();
    const std::vector<float> rows = k::array<float>(k::sum(x * x, k::axis(1))).to_host();
    const std::vector<float> columns = k::array<float>(k::sum(x + 1.0f, k::axis(0))).to_host();
    std::atomic<bool> stop{false};
    std::thread other([&] {
        const k::array<float> y = k::ones<float>({100000});
        while (!stop) static_cast<void>(k::array<float>(k::sum(y * 2.0f)).item());
    });
    for (int i = 0; i < 50; ++i) {
        CHECK_SAME(k::array<float>(k::sum(x)).to_host(), all);
        CHECK_SAME(k::array<float>(k::sum(x * x, k::axis(1))).to_host(), rows);
        CHECK_SAME(k::array<float>(k::sum(x + 1.0f, k::axis(0))).to_host(), columns);
    }
    stop = true;
    other.join();
}

TEST_CASE("reductions inside expressions, views of them, and in place") {
    const k::array<float> m = k::from_host<float>({1, 2, 3, 4, 5, 6}, {2, 3});
    const auto q = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    const k::array<float> softmax = q / k::sum(q, k::axis(1), k::keep_dims);
    const std::vector<float> got = softmax.to_host();
    for (int row = 0; row < 2; ++row) {
        const double sum = std::exp(-2.0) + std::exp(-1.0) + 1.0;
        for (int i = 0; i < 3; ++i)
            CHECK(got[static_cast<std::size_t>(3 * row + i)] == doctest::Approx(std::exp(i - 2.0) / sum).epsilon(1e-6));
    }
    const k::array<float> spread = m - k::mean(m);
    CHECK(spread.to_host() == std::vector<float>{-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f});
    CHECK(k::array<float>(k::slice(k::sum(m, k::axis(0)) * 2.0f, k::range(1, 3))).to_host() ==
          std::vector<float>{14, 18});
    CHECK(k::array<float>(k::transpose(m * k::sum(m))).to_host() == std::vector<float>{21, 84, 42, 105, 63, 126});
    k::array<float> y = m;
    y = y / k::sum(y);
    CHECK(k::array<float>(k::sum(y)).item() == doctest::Approx(1.0));
    y(k::range(0, 1)) = k::sum(m, k::axis(0), k::keep_dims);
    CHECK(k::array<float>(y(0)).to_host() == std::vector<float>{5, 7, 9});
    y += k::max(m);
    CHECK(k::array<float>(y(0)).to_host() == std::vector<float>{11, 13, 15});
    const k::array<float> nested = k::sum(m / k::sum(m, k::axis(1), k::keep_dims));
    CHECK(nested.item() == doctest::Approx(2.0));
}

TEST_CASE("a loop over a sum of the step before it") {
    k::array<double> x = k::ones<double>({100});
    k::array<double> total = k::sum(x);
    double by_hand = 1.0;
    double sum = 100.0;
    for (int step = 0; step < 20; ++step) {
        x = x + total * 1e-3;
        total = k::sum(x);
        by_hand += sum * 1e-3;
        sum = by_hand * 100;
    }
    CHECK(total.item() == doctest::Approx(sum));
}

TEST_CASE("reductions of one array over the same axes are one launch; explain says what there is") {
    const k::array<float> x = k::from_host<float>(noise(5000, 8), {50, 100});
    static_cast<void>(k::eval(k::min(x), k::max(x), k::sum(x)));
    const k::counters before = k::counters::now();
    auto [low, high, sum] = k::eval(k::min(x), k::max(x), k::sum(x));
    const k::counters cost = k::counters::now() - before;
    CHECK(cost.launches == 1);
    CHECK(cost.compiles == 0);
    CHECK(k::array<float>(k::sum(x)).item() == sum.item());
    CHECK(low.item() <= high.item());

    // That of a product reads what both others do.
    const k::array<float> y = k::from_host<float>(noise(5000, 9), {50, 100});
    const auto together = [&] {
        return k::eval(k::sum(x * x, k::axis(1)), k::sum(y * y, k::axis(1)), k::sum(x * y, k::axis(1)));
    };
    const k::counters three = k::counters::now();
    const auto [of_x, of_y, of_both] = together();
    CHECK((k::counters::now() - three).launches == 1);
    CHECK_SAME(of_y.to_host(), k::array<float>(k::sum(y * y, k::axis(1))).to_host());
    CHECK_SAME(of_both.to_host(), k::array<float>(k::sum(x * y, k::axis(1))).to_host());

    const k::explanation plan = k::explain(x / k::sum(x, k::axis(1), k::keep_dims));
    if (tests::device().persistent_rows) {
        REQUIRE(plan.kernels.size() == 1);
        CHECK(plan.kernels[0].bytes_read == 20000);
        CHECK(plan.kernels[0].bytes_written == 20000);
    } else {
        REQUIRE(plan.kernels.size() == 2);
        CHECK(plan.kernels[0].name.find("sum") != std::string::npos);
        CHECK(plan.kernels[0].bytes_read == 20000);
        CHECK(plan.kernels[0].bytes_written == 200);
        CHECK(!plan.kernels[0].cut.empty());
        CHECK(plan.kernels[1].cut.empty());
        CHECK(plan.temporary_bytes == 200);
    }
    const k::counters nothing = k::counters::now();
    k::prepare(k::sum(x * 3.0f) + x);
    CHECK((k::counters::now() - nothing).launches == 0);
}

TEST_CASE("what is reduced may have no memory, or be found through an index") {
    CHECK(k::array<std::int64_t>(k::sum(k::arange<int>(1000))).item() == 499500);
    CHECK(k::array<std::int64_t>(k::argmax(k::arange<int>(5000) % 777)).item() == 776);
    CHECK(k::array<float>(k::sum(k::full<float>({30, 50}, 2.0f), k::axis(0))).to_host() ==
          std::vector<float>(50, 60.0f));
    CHECK(k::array<std::int64_t>(k::sum(k::zeros<int>({4, 5}) + k::index(1), k::axis(1))).to_host() ==
          std::vector<std::int64_t>(4, 10));
    const k::array<float> x = k::from_host<float>(noise(4000, 3), {4000});
    const k::array<int> index = k::cast<int>((k::arange<std::int64_t>(9000) * 7) % 4000);
    const k::array<float> taken = k::take(x, index);
    CHECK_SAME(k::array<float>(k::sum(k::take(x, index))).to_host(), k::array<float>(k::sum(taken)).to_host());
    const k::array<float> u = k::random::uniform<float>({300, 400}, 7);
    CHECK_SAME(k::array<float>(k::sum(k::random::uniform<float>({300, 400}, 7), k::axis(0))).to_host(),
               k::array<float>(k::sum(u, k::axis(0))).to_host());
    CHECK_SAME(k::array<float>(k::sum(k::random::normal<float>({100000}, 7))).to_host(),
               k::array<float>(k::sum(k::array<float>(k::random::normal<float>({100000}, 7)))).to_host());
    if (!tests::device().compiles || tests::cubins_wanted()) return;
    const auto twice = k::function<float(float)>("twice", {"a"}, "return a + a;");
    CHECK_SAME(k::array<float>(k::sum(twice(x))).to_host(), k::array<float>(k::sum(x + x)).to_host());
}

TEST_CASE("many reductions of one array, and graphs that a loop built") {
    const k::array<float> x = k::from_host<float>(noise(3000, 3), {3000});
    k::expr<float> total = k::sum(x);
    for (int i = 0; i < 20; ++i) total = total + k::sum(x * static_cast<float>(i));
    const float one = k::array<float>(k::sum(x)).item();
    CHECK(k::array<float>(total).item() == doctest::Approx(one * 191.0f).epsilon(1e-4));
    k::expr<float> deep = x;
    for (int i = 0; i < 3000; ++i) deep = deep + x;
    CHECK(k::array<float>(k::max(deep)).item() ==
          doctest::Approx(3001.0f * k::array<float>(k::max(x)).item()).epsilon(1e-3));
}

TEST_CASE("another size of a sum compiles nothing") {
    const auto sum_of = [](std::int64_t count) {
        const k::array<float> x = k::ones<float>({count});
        return k::array<float>(k::sum(x * 2.0f)).item();
    };
    CHECK(sum_of(100000) == 200000);
    const k::counters before = k::counters::now();
    CHECK(sum_of(120001) == 240002);
    CHECK(sum_of(150000) == 300000);
    CHECK((k::counters::now() - before).compiles == 0);
}
