// k::fuse: functions of arrays that are looked at once.
#include <language/elementwise.hpp>
#include <support/device_under_test.hpp>
#include <support/ramp.hpp>
#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <set>
#include <thread>

namespace k = kiln;
using tests::ramp;

TEST_CASE("fuse: the body runs once for the shapes of its arguments, numbers may change") {
    static int looks = 0;
    const auto axpy = k::fuse([](auto x, auto y, auto a) {
        ++looks;
        return a * x + y;
    });
    for (int i = 0; i < 4; ++i) {
        const k::array<float> x = ramp({3, 50}, static_cast<float>(i));
        const k::array<float> y = ramp({50}, 2);
        const float a = 0.5f * static_cast<float>(i);
        CHECK(tests::difference(axpy(x, y, a).to_host(), k::array<float>(a * x + y).to_host()) == "");
    }
    CHECK(looks == 1);
    CHECK(axpy(ramp({7}, 0), ramp({7}, 1), 2.0f).shape() == k::shape{7});
    CHECK(looks == 2);
}

TEST_CASE("fuse: a number and an array of rank 0 in one place are two kinds of calls") {
    const auto times = k::fuse([](auto x, auto t) { return x * t; });
    const k::array<double> x = k::full<double>({3}, 2.0);
    const k::array<double> t = k::full<double>({}, 5.0);
    for (int again = 0; again < 2; ++again) {
        CHECK(times(x, 3.0).to_host() == std::vector<double>(3, 6.0));
        CHECK(times(x, t).to_host() == std::vector<double>(3, 10.0));
        CHECK(times(3.0, t).to_host() == std::vector<double>{15.0});
        CHECK(times(t, 3.0).to_host() == std::vector<double>{15.0});
        CHECK(times(t, t).to_host() == std::vector<double>{25.0});
    }
}

TEST_CASE("fuse: a function that captures is called again now and then, and what it captures may not change") {
    const k::array<float> x = ramp({20}, 1);
    int looks = 0;
    float factor = 2;
    const auto scaled = k::fuse([&](auto y) {
        ++looks;
        return k::shift(y * factor, {1}) + k::sum(y);
    });
    const k::array<float> expected = k::shift(x * 2.0f, {1}) + k::sum(x);
    for (int call = 1; call <= 9; ++call) CHECK(tests::difference(scaled(x).to_host(), expected.to_host()) == "");
    CHECK(looks == 4);  // 1, 2, 4, 8
    factor = 3;
    for (int call = 10; call <= 15; ++call) (void)scaled(x);
    CHECK_THROWS_WITH_AS(scaled(x), doctest::Contains("give what changes as an argument"), k::error);
    CHECK_THROWS_AS(scaled(x), k::error);  // and from there on at each call
    factor = 2;
    CHECK(tests::difference(scaled(x).to_host(), expected.to_host()) == "");
    factor = 3;
    CHECK(k::array<float>(scaled(ramp({30}, 1))).size() == 30);  // another shape is looked at anew
}

TEST_CASE("fuse: a captured array, distance or kind of step that changes at the second call is seen there") {
    const k::array<float> x = ramp({20}, 1);
    k::array<float> held = ramp({20}, 2);
    const auto sum = k::fuse([&held](auto y) { return y + held; });
    (void)sum(x);
    held += 1;
    CHECK_THROWS_AS(sum(x), k::error);

    std::int64_t by = 1;
    const auto moved = k::fuse([&by](auto y) { return k::shift(y, {by}); });
    (void)moved(x);
    by = 2;
    CHECK_THROWS_AS(moved(x), k::error);

    bool squared = false;
    const auto chosen = k::fuse([&squared](auto y) {
        k::expr<float> out = y;
        if (squared) out = y * y;
        return out;
    });
    (void)chosen(x);
    squared = true;
    CHECK_THROWS_AS(chosen(x), k::error);

    const k::array<float> kept = ramp({20}, 3);
    const auto same = k::fuse([kept, by](auto y) { return k::flip(kept) * y + static_cast<float>(by) * k::mean(y); });
    for (int call = 0; call < 8; ++call) CHECK(same(x).size() == 20);
}

TEST_CASE("fuse: several results, reductions among them, of persistent rows and of what follows") {
    const auto step = k::fuse([](auto f, auto d) {
        const k::expr<float> next = f * 0.5f + d;
        return std::tuple(next, k::sum(next));
    });
    k::array<float> f = ramp({40, 30}, 1);
    k::array<float> d = k::from_host<float>(std::vector<float>{1.0f}, k::shape{});
    k::array<float> g = f;
    k::array<float> e = d;
    for (int i = 0; i < 5; ++i) {
        const k::counters before = k::counters::now();
        std::tie(f, d) = step(f, d);
        if (tests::device().is_cuda) CHECK(k::counters::now().launches - before.launches == 1);
        const k::array<float> next = g * 0.5f + e;
        e = k::sum(next);
        g = next;
    }
    CHECK(tests::difference(f.to_host(), g.to_host()) == "");
    CHECK(tests::same_bits(d.item(), e.item()));

    const auto softmax = k::fuse([](auto m) {
        const auto q = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
        return q / k::sum(q, k::axis(1), k::keep_dims);
    });
    for (int i = 0; i < 2; ++i) {
        const k::array<float> m = ramp({9, 77}, static_cast<float>(i));
        const auto q = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
        CHECK(tests::difference(softmax(m).to_host(),
                                k::array<float>(q / k::sum(q, k::axis(1), k::keep_dims)).to_host()) == "");
    }
    const auto mean_of_squares = k::fuse([](auto m) { return k::mean(m * m) * 2 - k::max(m); });
    CHECK(tests::same_bits(mean_of_squares(f).item(), k::array<float>(k::mean(f * f) * 2 - k::max(f)).item()));
}

namespace {

/// How many numbers a kernel is given of such a body of x and a number.
template <class Body>
std::size_t numbers_of(Body body, k::stage::arguments::other_numbers others) {
    using k::detail::access;
    k::stage::arguments places(others);
    const float two = 2;
    k::detail::known_device& on = k::detail::access::known(k::current_device());
    const auto x = access::make<k::expr<float>>(places.add_array(k::element_type::float32, k::shape{100}, &on));
    const auto a = access::make<k::expr<float>>(places.add_number(k::element_type::float32, &two));
    const k::detail::handle<k::detail::term> root = k::expr<float>(body(x, a)).erase();
    const k::detail::output wanted;
    const k::stage::stages made =
        k::stage::make_stages(&root, 1, &wanted, k::plan::row_limits(k::plan::host_target, /*fuse=*/true), places);
    std::set<std::uint32_t> captures;
    for (const k::detail::leaf& each : made.list.front().leaves)
        if (each.kind == k::detail::leaf_kind::scalar) captures.insert(each.capture);
    return captures.size();
}

}  // namespace

TEST_CASE("fuse: equal numbers of one type that a body writes are one number to its kernel; arguments are their own") {
    using numbers = k::stage::arguments::other_numbers;
    const auto iterated = [](const auto& x, const auto& a) {
        k::expr<float> out = a * x;
        for (int i = 0; i < 5; ++i) out = k::where(out < 4.0f, 2.0f * out + 1.0f, out);
        return out;
    };
    CHECK(numbers_of(iterated, numbers::stay) == 4);  // 4, 2, 1 and a, which is 2 in this call
    CHECK(numbers_of(iterated, numbers::may_differ) == 16);
    const auto zeros = [](const auto& x, const auto& a) { return (x + 0.0f) * (x + -0.0f) * (a + 0); };
    CHECK(numbers_of(zeros, numbers::stay) == 3);  // 0 of either sign and a: the last one is a float there

    const auto step = k::fuse(iterated);
    const auto signs = k::fuse([](auto x) { return 1.0f / (x * 0.0f) + 1.0f / (x * -0.0f) * 2 + 2.0f; });
    const k::array<float> x = ramp({1000}, -3);
    for (const float a : {2.0f, 4.0f, 1.0f}) {
        k::expr<float> expected = a * x;
        for (int i = 0; i < 5; ++i) expected = k::where(expected < 4.0f, 2.0f * expected + 1.0f, expected);
        CHECK(tests::difference(step(x, a).to_host(), k::array<float>(expected).to_host()) == "");
    }
    const k::array<float> expected = 1.0f / (x * 0.0f) + 1.0f / (x * -0.0f) * 2 + 2.0f;
    CHECK(tests::difference(signs(x).to_host(), expected.to_host()) == "");
}

TEST_CASE("fuse: views of arguments, and arrays that the function holds") {
    const k::array<float> held = ramp({20}, 3);
    const auto smooth =
        k::fuse([held](auto x) { return (k::shift(x, {1}) + x + k::shift(x, {-1})) / 3 + k::flip(x) + held; });
    for (int i = 0; i < 3; ++i) {
        const k::array<float> x = ramp({20}, static_cast<float>(i));
        const k::array<float> expected = (k::shift(x, {1}) + x + k::shift(x, {-1})) / 3 + k::flip(x) + held;
        CHECK(tests::difference(smooth(x).to_host(), expected.to_host()) == "");
    }
}

TEST_CASE("fuse: an expression of another thread keeps its own numbers") {
    // Both threads begin to count the numbers that they capture.
    const k::array<float> x = ramp({40}, 1);
    k::expr<float> held = x;
    std::thread([&] { held = x * 2.0f; }).join();
    std::thread([&] {
        const auto sum = k::fuse([&held](auto y, auto a) { return y * a + held; });
        for (const float a : {2.0f, 5.0f})
            CHECK(tests::difference(sum(x, a).to_host(), k::array<float>(x * a + x * 2.0f).to_host()) == "");
    }).join();
}

TEST_CASE("fuse: cumulative sums, of arguments, of what is made of them, and of what the function holds") {
    const k::array<float> held = ramp({30}, -2);
    const auto check = [&](const auto& function) {
        const auto fused = k::fuse(function);
        for (const float from : {0.0f, 3.0f}) {
            const k::array<float> y = ramp({6, 30}, from);
            const k::expr<float> given = y;
            CHECK(tests::difference(fused(y).to_host(), k::array<float>(function(given)).to_host()) == "");
        }
    };
    check([](auto a) { return k::cumsum(a); });
    check([](auto a) { return k::cumsum(a * 2.0f, k::axis(1)) + 1.0f; });
    check([](auto a) { return k::sum(k::cumprod(a / 16.0f, k::axis(0)), k::axis(1)); });
    check([&](auto a) { return a + k::cumsum(held); });
    check([](auto a) { return k::slice(k::cumsum(a), k::range(0, 2)); });
    check([](auto a) { return k::cumsum(k::flip(k::cumsum(a, k::axis(0))), k::axis(1)); });
}

TEST_CASE("fuse: elements are not there while the function is looked at") {
    const auto asks = k::fuse([](auto x) {
        const k::array<float> now = x * 2;
        return now + x;
    });
    CHECK_THROWS_AS(asks(ramp({5}, 0)), k::error);
    // And nothing is left behind.
    CHECK(k::array<float>(ramp({5}, 0) + 1).to_host().size() == 5);
}

TEST_CASE("fuse: nothing, one element, another type, two threads") {
    const auto twice = k::fuse([](auto x) { return std::tuple(x + x, k::sum(x)); });
    const auto [none, zero] = twice(k::array<float>(k::zeros<float>({0, 3})));
    CHECK(none.shape() == k::shape{0, 3});
    CHECK(zero.item() == 0.0f);
    CHECK(std::get<1>(twice(k::array<double>(k::ones<double>({1})))).item() == 1.0);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 1; i < 20; ++i)
                if (std::get<1>(twice(k::array<float>(k::ones<float>({i + t})))).item() != static_cast<float>(i + t))
                    ++wrong;
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
}
