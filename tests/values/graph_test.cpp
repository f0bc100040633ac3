// k::graph: after n replays the arrays hold what n calls of the body would have given, and nothing else changed.
#include <device/gpu_bench.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <numeric>
#include <optional>
#include <random>
#include <thread>

namespace k = kiln;

namespace {

using number = std::uint64_t;  // wraps: what a thousand steps give is still exact
using numbers = std::vector<number>;

numbers counting(std::size_t size, number from = 1) {
    numbers out(size);
    std::iota(out.begin(), out.end(), from);
    return out;
}

template <class Action>
k::counters spent_on(Action action) {
    const k::counters before = k::counters::now();
    action();
    return k::counters::now() - before;
}

/// u[i] + u[i - 1], u[-1] = u[0]
numbers blurred(const numbers& u) {
    numbers out(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) out[i] = u[i] + u[i ? i - 1 : 0];
    return out;
}
k::array<number> blur(const k::array<number>& u) { return u + k::shift(u, {1}, k::boundary::clamp); }

constexpr int counts[] = {1, 2, 3, 4, 7, 100, 65, 1, 200, 33};

using tests::contains;
using tests::message_of;

}  // namespace

TEST_CASE("an array made anew from its neighbours: odd counts and even ones, one after the other") {
    numbers expected = counting(1000);
    k::array<number> u = k::from_host(expected);
    k::graph step({&u}, [&] { u = blur(u); });
    for (const int count : counts) {
        step.replay(count);
        for (int i = 0; i < count; ++i) expected = blurred(expected);
        CHECK(tests::difference(u.to_host(), expected) == "");
    }
}

TEST_CASE("two arrays that swap their roles") {
    numbers a = counting(100), b = counting(100, 1000);
    k::array<number> f = k::from_host(a), g = k::from_host(b);
    SUBCASE("by std::swap, after one was computed in place") {
        k::graph step({&f, &g}, [&] {
            g = f + g;
            std::swap(f, g);
        });
        for (const int count : counts) {
            step(count);
            for (int i = 0; i < count; ++i) {
                for (std::size_t e = 0; e < a.size(); ++e) b[e] += a[e];
                std::swap(a, b);
            }
            CHECK(tests::difference(f.to_host(), a) == "");
            CHECK(tests::difference(g.to_host(), b) == "");
        }
    }
    SUBCASE("as a wave does: the new one, then the last one is the one before") {
        k::graph step({&f, &g}, [&] {
            k::array<number> next = blur(f) - g;
            g = std::move(f);
            f = std::move(next);
        });
        for (const int count : counts) {
            step(count);
            for (int i = 0; i < count; ++i) {
                numbers next = blurred(a);
                for (std::size_t e = 0; e < a.size(); ++e) next[e] -= b[e];
                b = a;
                a = next;
            }
            CHECK(tests::difference(f.to_host(), a) == "");
            CHECK(tests::difference(g.to_host(), b) == "");
        }
    }
    SUBCASE("and nothing else: no kernel") {
        k::graph step({&f, &g}, [&] { std::swap(f, g); });
        const k::counters spent = spent_on([&] { step(101); });
        CHECK(spent.launches == 0);
        CHECK(tests::difference(f.to_host(), b) == "");
        CHECK(tests::difference(g.to_host(), a) == "");
    }
}

TEST_CASE("three arrays in a ring") {
    numbers a = counting(50), b = counting(50, 100), c = counting(50, 200);
    k::array<number> f = k::from_host(a), g = k::from_host(b), h = k::from_host(c);
    k::graph step({&f, &g, &h}, [&] {
        const k::array<number> old = f;
        f = g;
        g = h;
        h = old * 3 + f;
    });
    for (const int count : counts) {
        step(count);
        for (int i = 0; i < count; ++i) {
            const numbers old = a;
            a = b;
            b = c;
            for (std::size_t e = 0; e < a.size(); ++e) c[e] = old[e] * 3 + a[e];
        }
        CHECK(tests::difference(f.to_host(), a) == "");
        CHECK(tests::difference(g.to_host(), b) == "");
        CHECK(tests::difference(h.to_host(), c) == "");
    }
}

TEST_CASE("arrays of different types and shapes, several outputs of one kernel, temporaries between kernels") {
    k::array<float> f = k::arange<float>(12) * 0.25f;
    k::array<std::complex<double>> c = k::full<std::complex<double>>({3, 4}, {1.0, -2.0});
    k::array<bool> odd = k::zeros<bool>({12});
    k::array<std::int8_t> i = k::ones<std::int8_t>({12});
    k::array<float> f1 = f;
    k::array<std::complex<double>> c1 = c;
    k::array<bool> odd1 = odd;
    k::array<std::int8_t> i1 = i;
    const auto body = [](auto& f_, auto& c_, auto& odd_, auto& i_) {
        std::tie(f_, i_) = k::eval(f_ * 0.5f + k::cast<float>(i_), k::cast<std::int8_t>(i_ + 1));
        odd_ = (i_ & 1) != 0;
        const k::scoped_options apart({.fuse = false});
        c_ = c_ * std::complex<double>(0.5, 0.25) + k::reshape(k::where(odd_, f_, 1.0f), {3, 4}) * 2.0;
    };
    k::graph step({&f, &c, &odd, &i}, [&] { body(f, c, odd, i); });
    for (const int count : {1, 2, 5, 70}) {
        step(count);
        for (int n = 0; n < count; ++n) body(f1, c1, odd1, i1);
        CHECK(tests::difference(f.to_host(), f1.to_host()) == "");
        CHECK(tests::difference(c.to_host(), c1.to_host()) == "");
        CHECK(odd.to_host() == odd1.to_host());
        CHECK(tests::difference(i.to_host(), i1.to_host()) == "");
    }
}

TEST_CASE("x += e stays in its buffer: one kernel a step, many steps a launch, no copy, no wait, nothing compiled") {
    k::array<number> x = k::from_host(counting(1000));
    const k::array<number> by = k::from_host(counting(1000, 7));
    k::graph step({&x}, [&] { x += by; });
    const k::counters spent = spent_on([&] { step(320); });
    CHECK(spent.launches == 320);
    CHECK(spent.bytes_read == 320 * 2 * 8000);
    CHECK(spent.bytes_written == 320 * 8000);
    CHECK(spent.graph_launches == 3);  // of 128, 128 and 64
    CHECK(spent.synchronizations == 0);
    CHECK(spent.compiles == 0);
    CHECK(spent_on([&] { step(); }).graph_launches == 1);
    numbers expected(1000);
    for (std::size_t i = 0; i < 1000; ++i) expected[i] = i + 1 + 321 * (i + 7);
    CHECK(tests::difference(x.to_host(), expected) == "");
}

TEST_CASE("making a graph launches nothing, and changes nothing") {
    k::array<number> x = k::from_host(counting(10)), y = x;
    int calls = 0;
    const k::counters spent = spent_on([&] {
        k::graph step({&x}, [&] {
            ++calls;
            x = blur(x);
        });
    });
    CHECK(calls == 2);
    CHECK(spent.launches == 0);
    CHECK(spent.bytes_written == 0);
    CHECK(spent.graph_launches == 0);
    CHECK(tests::difference(x.to_host(), counting(10)) == "");
    x = x + 1;
    CHECK(tests::difference(x.to_host(), counting(10, 2)) == "");
    CHECK(tests::difference(y.to_host(), counting(10)) == "");
}

TEST_CASE("a reduction in the body feeds the next step") {
    // One part, many parts of one value, a value for each row, for each column.
    for (const k::shape& extents : {k::shape{10}, k::shape{300'000}, k::shape{40, 3000}, k::shape{3000, 40}}) {
        const std::size_t size = static_cast<std::size_t>(extents.size());
        numbers expected = counting(size);
        k::array<number> f = k::from_host(expected, extents);
        k::array<number> d = k::zeros<number>({});
        k::graph step({&f, &d}, [&] {
            f = f * 3 + d;
            d = k::sum(f);
        });
        number sum = 0;
        for (const int count : {1, 2, 35}) {
            step(count);
            for (int i = 0; i < count; ++i) {
                for (number& each : expected) each = each * 3 + sum;
                sum = std::accumulate(expected.begin(), expected.end(), number{0});
            }
            CHECK(tests::difference(f.to_host(), expected) == "");
            CHECK(d.item() == sum);
        }
    }
}

TEST_CASE("an array of nothing beside a carried one costs no copy and no wait") {
    const k::array<number> none = k::zeros<number>({0});
    k::array<number> u = k::from_host(counting(10));
    const auto joined = [&] { return k::concatenate(k::axis(0), none, u * number{3}); };
    numbers expected = counting(10);
    for (number& each : expected) each *= 3;

    k::array<number> called = joined();
    CHECK(spent_on([&] { called = joined(); }).synchronizations == 0);
    CHECK(called.to_host() == expected);

    k::graph step({&u}, [&] { u = joined(); });
    step.replay(1);
    CHECK(u.to_host() == expected);
}

TEST_CASE("cumulative sums in the body") {
    numbers expected = counting(20'000);
    k::array<number> x = k::from_host(expected);
    k::graph step({&x}, [&] { x = k::cumsum(x) + 1; });
    step(5);
    for (int i = 0; i < 5; ++i) {
        std::partial_sum(expected.begin(), expected.end(), expected.begin());
        for (number& each : expected) each += 1;
    }
    CHECK(tests::difference(x.to_host(), expected) == "");
    const k::array<number> kept = x;
    step(2);
    CHECK(tests::difference(kept.to_host(), expected) == "");
    for (int i = 0; i < 2; ++i) {
        std::partial_sum(expected.begin(), expected.end(), expected.begin());
        for (number& each : expected) each += 1;
    }
    CHECK(tests::difference(x.to_host(), expected) == "");
}

TEST_CASE("arrays as large as what a reduction's blocks count in do not share it") {
    k::array<number> x = k::ones<number>({4096});
    k::array<number> d = k::zeros<number>({});
    k::graph step({&x, &d}, [&] {
        const k::array<number> kept = x + 1;
        d = k::sum(k::arange<number>(300'000)) + d;
        x = blur(x) * 0 + kept + d;
    });
    step(7);
    const number sum = number{300'000} * 299'999 / 2;
    CHECK(d.item() == 7 * sum);
    CHECK(tests::difference(x.to_host(), numbers(4096, 1 + 7 + 28 * sum)) == "");
}

TEST_CASE("sums along axes, of floats, have the bits that they have outside of a graph") {
    k::array<float> f = k::random::uniform<float>({200, 500}, 1), f1 = f;
    const auto body = [](k::array<float>& x) {
        x = x / k::sum(x, k::axis(1), k::keep_dims) + k::mean(x, k::axis(0)) * 0.5f - k::max(x);
    };
    k::graph step({&f}, [&] { body(f); });
    step(9);
    for (int i = 0; i < 9; ++i) body(f1);
    CHECK(tests::difference(f.to_host(), f1.to_host()) == "");
}

TEST_CASE("replaying nothing does nothing; less than nothing throws") {
    k::array<number> x = k::from_host(counting(10));
    k::graph step({&x}, [&] { x += 1; });
    CHECK(spent_on([&] { step.replay(0); }) == k::counters{});
    CHECK(tests::difference(x.to_host(), counting(10)) == "");
    CHECK_THROWS_AS(step.replay(-1), k::error);
}

TEST_CASE("numbers are those of when the graph was made, and so are arrays that it does not carry") {
    k::array<number> x = k::zeros<number>({4});
    number add = 1;
    k::array<number> times = k::full<number>({4}, 2);
    k::array<number> given = k::full<number>({}, 10);
    k::graph step({&x, &given}, [&] { x = x * times + add + given; });
    step();
    CHECK(tests::difference(x.to_host(), numbers(4, 11)) == "");
    add = 1000;
    times = times + 1000;                // another value of the array, in another buffer
    times(k::range(0, 2)) = number{77};  // and written through
    step();
    CHECK(tests::difference(x.to_host(), numbers(4, 33)) == "");
    given = k::full<number>({}, 20);  // but what it carries it reads anew
    step();
    CHECK(tests::difference(x.to_host(), numbers(4, 87)) == "");
}

TEST_CASE("copies of a carried array, and expressions of it, keep their values") {
    numbers expected = counting(100);
    k::array<number> x = k::from_host(expected);
    const k::array<number> first = x;
    k::graph step({&x}, [&] { x = blur(x); });
    std::vector<k::array<number>> kept;
    std::vector<numbers> values;
    for (int i = 0; i < 9; ++i) {
        step(i % 3);
        for (int n = 0; n < i % 3; ++n) expected = blurred(expected);
        kept.push_back(x);
        values.push_back(expected);
    }
    const auto sum = x + kept.front();
    const k::array<number> head = x(k::range(0, 10));
    auto slice = x(k::range(90, 100));
    step(64);
    CHECK(tests::difference(first.to_host(), counting(100)) == "");
    for (std::size_t i = 0; i < kept.size(); ++i) CHECK(tests::difference(kept[i].to_host(), values[i]) == "");
    numbers both = expected;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] += values.front()[i];
    CHECK(tests::difference(k::array<number>(sum).to_host(), both) == "");
    CHECK(tests::difference(head.to_host(), numbers(expected.begin(), expected.begin() + 10)) == "");
    CHECK(tests::difference(k::array<number>(slice).to_host(), numbers(expected.begin() + 90, expected.end())) == "");
    for (int n = 0; n < 64; ++n) expected = blurred(expected);
    CHECK(tests::difference(x.to_host(), expected) == "");
}

TEST_CASE("a carried array in place, and held by a copy: the copy costs one copy, once") {
    k::array<number> x = k::from_host(counting(100));
    k::graph step({&x}, [&] { x += 1; });
    step();
    const k::array<number> held = x;
    CHECK(spent_on([&] { step(); }).launches == 2);
    CHECK(spent_on([&] { step(); }).launches == 1);
    CHECK(tests::difference(held.to_host(), counting(100, 2)) == "");
    CHECK(tests::difference(x.to_host(), counting(100, 4)) == "");
}

TEST_CASE("what is done to the carried arrays between replays is where the next one starts") {
    numbers a = counting(40), b = counting(40, 500);
    k::array<number> f = k::from_host(a), g = k::from_host(b);
    k::graph step({&f, &g}, [&] {
        f = blur(f) + g;
        std::swap(f, g);
    });
    const auto expect = [&](int count) {
        for (int i = 0; i < count; ++i) {
            a = blurred(a);
            for (std::size_t e = 0; e < a.size(); ++e) a[e] += b[e];
            std::swap(a, b);
        }
        CHECK(tests::difference(f.to_host(), a) == "");
        CHECK(tests::difference(g.to_host(), b) == "");
    };
    for (const int count : {1, 2, 3, 40}) {
        step(count), expect(count);
        SUBCASE("one in place") {
            f += 5;
            for (number& each : a) each += 5;
        }
        SUBCASE("part of one") {
            g(k::range(0, 3)) = number{1};
            std::fill_n(b.begin(), 3, 1);
        }
        SUBCASE("a new array") {
            f = k::from_host(counting(40, 9));
            a = counting(40, 9);
        }
        SUBCASE("swapped") {
            std::swap(f, g);
            std::swap(a, b);
        }
        SUBCASE("one became the other") {
            f = g;
            a = b;
        }
        SUBCASE("through its pointer, on the host that computes") {
            if (!tests::device().is_cuda) f.data()[7] = a[7] = 3;
        }
    }
    f = k::from_host(counting(41));
    CHECK_THROWS_AS(step(), k::shape_error);
    CHECK(tests::difference(f.to_host(), counting(41)) == "");
}

TEST_CASE("a graph that is gone, or was moved, leaves the arrays their values") {
    k::array<number> x = k::from_host(counting(100'000));
    {
        k::graph step({&x}, [&] { x = x * 2; });
        step(3);
        k::graph moved = std::move(step);
        moved(2);  // may still run when it goes
    }
    x += 1;
    numbers expected = counting(100'000);
    for (number& each : expected) each = each * 32 + 1;
    CHECK(tests::difference(x.to_host(), expected) == "");
}

TEST_CASE("an array that is another carried one when the step ends is copied, not shared") {
    numbers a = counting(30), b = counting(30, 60);
    const numbers outside = counting(30, 1000);
    k::array<number> f = k::from_host(a), g = k::from_host(b), h = f;
    const k::array<number> constant = k::from_host(outside);
    k::graph step({&f, &g, &h}, [&] {
        f = blur(f) + g;
        g = f;
        h = constant;
    });
    step(3);
    for (int i = 0; i < 3; ++i) {
        a = blurred(a);
        for (std::size_t e = 0; e < a.size(); ++e) a[e] += b[e];
        b = a;
    }
    CHECK(tests::difference(f.to_host(), a) == "");
    CHECK(tests::difference(g.to_host(), b) == "");
    CHECK(tests::difference(h.to_host(), outside) == "");
    CHECK(tests::difference(constant.to_host(), outside) == "");
}

TEST_CASE("carried arrays without elements, and none at all") {
    k::array<float> none = k::zeros<float>({0, 3});
    k::array<number> x = k::zeros<number>({3});
    k::graph step({&none, &x}, [&] {
        none = none + 1;
        x += 1;
    });
    step(5);
    CHECK(none.shape() == k::shape{0, 3});
    CHECK(tests::difference(x.to_host(), numbers(3, 5)) == "");
    k::graph nothing({}, [] {});
    nothing(3);
}

TEST_CASE("memory of the user's on the device is read and written by each replay") {
    // A device of cubins has its memory from the host, which a GPU would not reach.
    if (tests::device().plans_cuda && !tests::device().is_cuda) return;
    k::array<number> in_memory = k::ones<number>({4}), out_memory = k::zeros<number>({4});
    const auto in = k::wrap(in_memory.data(), {4}), out = k::wrap(out_memory.data(), {4});
    k::array<number> x = k::zeros<number>({4});
    k::graph step({&x}, [&] {
        x += in;
        out = x * 2;
    });
    step();
    CHECK(out.to_host() == numbers(4, 2));
    in = number{10};
    step();
    CHECK(out.to_host() == numbers(4, 22));
}

// --- errors -----------------------------------------------------------------------------------------------------------

namespace {

/// What making a graph of `body` says; the array that it carries must be as it was, and usable.
template <class Error, class Body>
std::string refusal(Body body) {
    k::array<number> x = k::from_host(counting(20));
    const std::string said = message_of<Error>([&] { k::graph step({&x}, [&] { body(x); }); });
    CHECK(tests::difference(x.to_host(), counting(20)) == "");
    x += 1;
    CHECK(tests::difference(x.to_host(), counting(20, 2)) == "");
    k::graph step({&x}, [&] { x += 1; });
    step(3);
    CHECK(tests::difference(x.to_host(), counting(20, 5)) == "");
    return said;
}

}  // namespace

TEST_CASE("what waits for the device in a body is refused by name") {
    using array = k::array<number>;
    using refused = k::device_error;
    CHECK(contains(refusal<refused>([](array& x) { x += array(k::sum(x)).item(); }), "item()"));
    CHECK(contains(refusal<refused>([](array& x) { x += x.to_host()[0]; }), "to_host()"));
    CHECK(contains(refusal<refused>([](array& x) {
                       numbers into(20);
                       x.copy_to(into);
                   }),
                   "copy_to()"));
    CHECK(contains(refusal<refused>([](array& x) { x.wait(); }), "wait()"));
    CHECK(contains(refusal<refused>([](array&) { k::synchronize(); }), "synchronize()"));
    CHECK(contains(refusal<refused>([](array& x) { x += k::from_host(counting(20)); }), "from_host()"));
    CHECK(contains(refusal<refused>([](array& x) { static_cast<void>(x.data()); }), "data()"));
    CHECK(contains(refusal<refused>([](array& x) { k::put(x, k::zeros<int>({1}), number{1}); }), "put()"));
    CHECK(contains(refusal<refused>([](array& x) { k::put(x, k::zeros<int>({0}), number{1}); }), "put()"));
    CHECK(contains(refusal<refused>([](array& x) { k::put(x, k::zeros<int>({1}), x(0)); }), "put()"));
    CHECK(contains(refusal<refused>([](array&) { k::use_stream(nullptr); }), "use_stream()"));
    CHECK(contains(refusal<refused>([](array& x) { k::graph inner({&x}, [] {}); }), "graph()"));
    array y = k::zeros<number>({1});
    k::graph other({&y}, [&] { y += 1; });
    CHECK(contains(refusal<refused>([&](array&) { other(); }), "replay()"));
    other(2);
    CHECK(y.item() == 2);
}

TEST_CASE("memory of the host in a body is refused on a GPU") {
    if (!tests::device().is_cuda) return;
    numbers host(20);
    CHECK(contains(refusal<k::device_error>([&](k::array<number>& x) { x += k::wrap(host.data(), {20}); }), "wrap()"));
    CHECK(contains(refusal<k::device_error>([&](k::array<number>& x) { k::wrap(host.data(), {20}) = x; }), "wrap()"));
}

TEST_CASE("an exception of the body ends the recording, at its first call or a later one") {
    for (const int last : {1, 2}) {
        int calls = 0;
        CHECK(refusal<std::runtime_error>([&](k::array<number>& x) {
                  x = blur(x);
                  if (++calls == last) throw std::runtime_error("not that");
              }) == "not that");
        CHECK(calls == last);
    }
}

TEST_CASE("a carried array that changes shape, or loses its value, is refused") {
    const std::string said =
        refusal<k::shape_error>([](k::array<number>& x) { x = k::array<number>(x(k::range(1, 20))); });
    CHECK(contains(said, "(20"));
    CHECK(contains(said, "(19"));
    CHECK(contains(refusal<k::type_error>([](k::array<number>& x) { const k::array<number> gone = std::move(x); }),
                   "without a value"));
    k::array<float> empty;
    CHECK_THROWS_AS(k::graph({&empty}, [] {}), k::type_error);
    k::array<float> x = k::ones<float>({1});
    CHECK_THROWS_AS(k::graph({&x, &x}, [] {}), k::error);
    CHECK_THROWS_AS(k::graph({static_cast<k::array<float>*>(nullptr)}, [] {}), k::error);
}

TEST_CASE("an array that the graph does not carry and the body assigns to is refused") {
    k::array<number> y = k::from_host(counting(20, 50));
    SUBCASE("in place: it keeps its values") {
        CHECK(contains(refusal<k::error>([&](k::array<number>& x) { y = x * 2; }), "does not carry"));
        CHECK(tests::difference(y.to_host(), counting(20, 50)) == "");
        CHECK(contains(refusal<k::error>([&](k::array<number>& x) { y(k::range(0, 20)) = x; }), "does not carry"));
        CHECK(tests::difference(y.to_host(), counting(20, 50)) == "");
    }
    SUBCASE("into a new buffer") {
        const k::array<number> shared = y;
        CHECK(contains(refusal<k::error>([&](k::array<number>& x) { y = x * 2; }), "outlives"));
        CHECK(tests::difference(shared.to_host(), counting(20, 50)) == "");
    }
    SUBCASE("as a copy of one that it carries") {
        CHECK(contains(refusal<k::error>([&](k::array<number>& x) { y = x; }), "outlives"));
    }
    SUBCASE("in a container") {
        std::vector<k::array<number>> history;
        CHECK(contains(refusal<k::error>([&](k::array<number>& x) { history.push_back(k::sum(x)); }), "outlives"));
    }
    y = k::from_host(counting(20));
    CHECK(tests::difference(y.to_host(), counting(20)) == "");
}

// --- threads and streams ----------------------------------------------------------------------------------------------

TEST_CASE("graphs of several threads, which read one array, while another evaluates") {
    const k::array<number> shared = k::from_host(counting(500));
    std::vector<std::thread> threads;
    std::vector<numbers> got(6);
    for (std::size_t n = 0; n < got.size(); ++n)
        threads.emplace_back([&, n] {
            k::array<number> x = k::full<number>({500}, n);
            for (int round = 0; round < 20; ++round) {
                if (n % 3 == 2) {
                    for (int i = 0; i < 5; ++i) x = x * 3 + shared + k::sum(shared);
                    continue;
                }
                k::graph step({&x}, [&] { x = x * 3 + shared + k::sum(shared); });
                step(5);
            }
            got[n] = x.to_host();
        });
    for (std::thread& each : threads) each.join();
    for (std::size_t n = 0; n < got.size(); ++n) {
        numbers expected(500, n);
        for (int i = 0; i < 100; ++i)
            for (std::size_t e = 0; e < 500; ++e) expected[e] = expected[e] * 3 + (e + 1) + 500 * 501 / 2;
        CHECK(tests::difference(got[n], expected) == "");
    }
}

TEST_CASE("a graph follows its thread from stream to stream, and to another thread") {
    if (!tests::device().is_cuda) return;
    const tests::user_driver user;
    void* const a = user.make_stream();
    void* const b = user.make_stream();
    constexpr std::size_t size = 3'000'000;
    k::array<number> x = k::from_host(counting(size));
    k::array<number> d = k::zeros<number>({});
    k::use_stream(a);
    k::graph step({&x, &d}, [&] {
        x = blur(x) + d;
        d = k::sum(x);
    });
    numbers expected = counting(size);
    number sum = 0;
    const auto replay = [&](int count) {
        step(count);
        for (int i = 0; i < count; ++i) {
            expected = blurred(expected);
            for (number& each : expected) each += sum;
            sum = std::accumulate(expected.begin(), expected.end(), number{0});
        }
    };
    replay(2);
    k::use_stream(b);
    replay(3);
    k::use_stream(nullptr);
    replay(2);
    k::use_stream(a);
    replay(1);
    std::thread([&] {
        k::use_stream(b);
        replay(2);
        k::use_stream(nullptr);
    }).join();
    CHECK(tests::difference(x.to_host(), expected) == "");
    CHECK(d.item() == sum);
    k::use_stream(nullptr);
    user.destroy_stream(a);
    user.destroy_stream(b);
}

// --- any body ---------------------------------------------------------------------------------------------------------

TEST_CASE("random bodies: what a graph gives is what calling them gives") {
    using array = k::array<std::uint32_t>;
    std::mt19937 random(20261);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int round = 0; round < 150; ++round) {
        const std::size_t carried = 1 + below(4);
        struct act {
            std::size_t how, to, a, b;
        };
        std::vector<act> acts(1 + below(5));
        for (act& each : acts) each = {below(8), below(carried), below(carried), below(carried)};
        const array outside = k::arange<std::uint32_t>(64) * std::uint32_t{3};
        const auto body = [&](std::vector<array>& x) {
            for (const act& each : acts) {
                array& to = x[each.to];
                const array& a = x[each.a];
                const array& b = x[each.b];
                switch (each.how) {
                    case 0: to = a * std::uint32_t{3} + b; break;
                    case 1: to = k::shift(a, {1}) + b; break;
                    case 2: to += b; break;
                    case 3: to = array(a); break;
                    case 4: std::swap(to, x[each.a]); break;
                    case 5: to = outside; break;
                    case 6: to = a + k::cast<std::uint32_t>(k::sum(b)); break;
                    default:
                        to(k::range(0, 10)) = k::array<std::uint32_t>(a(k::range(5, 15)) + outside(k::range(0, 10)));
                }
            }
        };
        std::vector<array> x, expected;
        for (std::size_t i = 0; i < carried; ++i)
            x.push_back(i && below(3) == 0 ? x.back()
                                           : array(k::arange<std::uint32_t>(64) + static_cast<std::uint32_t>(i * 100)));
        expected = x;
        const k::scoped_options options({.fuse = below(4) != 0});
        const auto make = [&] {
            const auto call = [&] { body(x); };
            switch (carried) {
                case 1: return k::graph({&x[0]}, call);
                case 2: return k::graph({&x[0], &x[1]}, call);
                case 3: return k::graph({&x[0], &x[1], &x[2]}, call);
                default: return k::graph({&x[0], &x[1], &x[2], &x[3]}, call);
            }
        };
        k::graph step = make();
        std::vector<array> kept;
        std::vector<std::vector<std::uint32_t>> kept_values;
        for (int replay = 0; replay < 5; ++replay) {
            const int count = static_cast<int>(below(replay == 4 ? 90 : 8));
            step(count);
            for (int i = 0; i < count; ++i) body(expected);
            if (below(2)) {
                kept.push_back(x[below(carried)]);
                kept_values.push_back(kept.back().to_host());
            }
            if (below(3) == 0) {
                const std::size_t changed = below(carried);
                x[changed] += 1;
                expected[changed] += 1;
            }
        }
        for (std::size_t i = 0; i < carried; ++i)
            CHECK_MESSAGE(tests::difference(x[i].to_host(), expected[i].to_host()) == "", "round ", round);
        for (std::size_t i = 0; i < kept.size(); ++i)
            CHECK_MESSAGE(tests::difference(kept[i].to_host(), kept_values[i]) == "", "round ", round);
    }
}

TEST_CASE("graph: a carried array without a value is named by its place") {
    k::array<float> x = k::ones<float>({3});
    k::array<double> loss;
    CHECK_THROWS_WITH_AS(k::graph({&x, &loss}, [&] { x = x * 0.5f; }), doctest::Contains("carried array 2"),
                         k::type_error);
}

TEST_CASE("replay() of a graph that was moved from is an error; the one that it was moved to goes on") {
    k::array<number> u = k::from_host(counting(4));
    k::graph step({&u}, [&] { u = u + number{1}; });
    k::graph moved = std::move(step);
    CHECK(contains(message_of<k::error>([&] { step.replay(); }),
                   "moved from"));  // NOLINT(bugprone-use-after-move): it is what is tested
    moved.replay(2);
    CHECK(u.to_host() == counting(4, 3));
}

TEST_CASE("replay() of a graph whose carried array is gone is an error, and the others keep their values") {
    k::array<number> f = k::ones<number>({10});
    std::optional<k::array<number>> g = k::array<number>(k::ones<number>({10}));
    k::graph step({&f, &*g}, [&] { f += *g; });
    step.replay();
    g.reset();
    CHECK_THROWS_WITH_AS(step.replay(), doctest::Contains("carried array 2, counted from 1, is gone"), k::error);
    CHECK(f.to_host() == numbers(10, 2));
    // What lives at its address now is another array.
    g.emplace(k::ones<number>({10}));
    CHECK_THROWS_AS(step.replay(), k::error);
    // A new graph of the same arrays is none the worse.
    k::graph again({&f, &*g}, [&] { f += *g; });
    again.replay();
    CHECK(f.to_host() == numbers(10, 3));
}

TEST_CASE("carried arrays in a vector that grows are gone; one that was moved from has no value") {
    std::vector<k::array<number>> both(2, k::ones<number>({4}));
    both.shrink_to_fit();
    k::graph step({&both[0], &both[1]}, [&] { std::swap(both[0], both[1]); });
    both.reserve(100);
    CHECK_THROWS_WITH_AS(step.replay(), doctest::Contains("is gone"), k::error);

    k::array<number> f = k::ones<number>({4});
    k::graph twice({&f}, [&] { f += f; });
    k::array<number> elsewhere = std::move(f);
    CHECK_THROWS_WITH_AS(twice.replay(), doctest::Contains("moved from"), k::error);
    f = elsewhere;
    twice.replay();
    CHECK(f.to_host() == numbers(4, 2));
    CHECK(elsewhere.to_host() == numbers(4, 1));
}

TEST_CASE("a body that destroys a carried array is an error, and the others are as they were") {
    k::array<number> f = k::ones<number>({4});
    std::optional<k::array<number>> g = k::array<number>(f);
    CHECK_THROWS_WITH_AS(k::graph({&f, &*g}, [&] { g.reset(); }), doctest::Contains("is gone"), k::error);
    CHECK(f.to_host() == numbers(4, 1));
}

TEST_CASE("arrays die as they always did while graphs live, those of other threads too, and an array is one pointer") {
    static_assert(sizeof(k::array<number>) == sizeof(void*));
    k::array<number> f = k::ones<number>({4});
    k::graph step({&f}, [&] { f = f + 1; });
    std::thread([] {
        for (int i = 0; i < 1000; ++i) const k::array<number> other;
    }).join();
    { const k::array<number> copy = f; }
    step.replay(3);
    CHECK(f.to_host() == numbers(4, 4));
}
