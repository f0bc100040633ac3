// Arrays on two devices of one process: where expressions run, what may not meet, and what moves.
#include <support/device_pairs.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

using floats = std::vector<float>;

floats counted(std::size_t count) {
    floats out(count);
    std::iota(out.begin(), out.end(), 0.0f);
    return out;
}

k::array<float> on(const k::device& there, const floats& values) {
    const k::scoped_device here(there);
    return k::from_host(values);
}

template <class Call>
std::string said_by(Call&& call) {
    try {
        call();
    } catch (const k::device_error& thrown) {
        return thrown.what();
    }
    return "";
}

bool names_both(const std::string& said, const tests::device_pair& of) {
    const auto has = [&said](const std::string& words) { return said.find(words) != std::string::npos; };
    return has(of.one.name()) && has(of.other.name());
}

}  // namespace

TEST_CASE("arrays live on the device that their thread was on when they were made") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> usual = k::ones<float>({10});
        CHECK(usual.device() == one);
        const k::scoped_device here(other);
        const k::array<float> ones = k::ones<float>({10});
        CHECK(ones.device() == other);
        CHECK(k::from_host(floats{1, 2}).device() == other);
        CHECK(k::array<float>(k::zeros<float>({0})).device() == other);
        CHECK(k::array<float>(k::random::uniform<float>({10}, 7)).device() == other);
        CHECK(ones.to_host() == usual.to_host());
    }
}

TEST_CASE("an expression runs where its arrays are, whatever device the thread is on") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(other, counted(12));
        const k::array<float> y = x * x + 1;
        CHECK(y.device() == other);
        CHECK(y.to_host()[11] == 122);
        CHECK(k::array<float>(k::cast<float>(k::arange<int>(12)) + x).to_host()[11] == 22);
        CHECK(k::array<float>(k::cast<float>(k::arange<int>(12)) + x).device() == other);

        const k::array<float> part = x(k::range(2, 5)) + 0.5f;
        CHECK(part.device() == other);
        CHECK(part.to_host() == floats{2.5f, 3.5f, 4.5f});

        const auto [sum, twice] = k::eval(x + y, x * 2);
        CHECK(sum.device() == other);
        CHECK(twice.device() == other);

        // Of no elements, and what is made beside it of no array.
        const auto [none, ones] = k::eval(x(k::range(0, 0)) + 1, k::ones<float>({3, 1}));
        CHECK(none.device() == other);
        CHECK(ones.device() == other);
        none.wait();

        k::expr<float> grown = x;
        for (int i = 0; i < 3; ++i) grown = grown + x;
        const k::array<float> four = grown;
        CHECK(four.device() == other);
        CHECK(four.to_host()[11] == 44);
    }
}

TEST_CASE("reductions and scans run where their arrays are, with what they need of generators") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(other, counted(100));
        const k::array<float> total = k::sum(x);
        CHECK(total.device() == other);
        CHECK(total.item() == 4950);
        // A stage of generators alone.
        const k::array<float> shifted = x + k::sum(k::ones<float>({30}));
        CHECK(shifted.device() == other);
        CHECK(shifted.to_host()[99] == 129);
        const k::array<float> normed = (x - k::mean(x)) / k::stddev(x);
        CHECK(normed.device() == other);
        const k::array<float> running = k::cumsum(x, k::axis(0));
        CHECK(running.device() == other);
        CHECK(running.to_host()[99] == 4950);
        const auto [low, high] = k::eval(k::min(x), k::max(x));
        CHECK(low.device() == other);
        CHECK(high.item() == 99);
    }
}

TEST_CASE("operands on two devices throw device_error naming both, and nothing has changed") {
    for (const tests::device_pair& both : tests::device_pairs()) {
        k::array<float> x = on(both.one, counted(12));
        k::array<float> y = on(both.other, counted(12));
        const auto refused = [&](auto&& call) {
            const std::string said = said_by(call);
            CAPTURE(said);
            CHECK(names_both(said, both));
            CHECK(said.find("k::to(") != std::string::npos);
        };
        refused([&] { static_cast<void>(k::array<float>(x + y)); });
        refused([&] { static_cast<void>(k::array<float>(k::cast<float>(k::arange<int>(12)) + x * y)); });
        refused([&] { static_cast<void>(k::array<float>(k::sum(x * y))); });
        refused([&] { static_cast<void>(k::array<float>(x + k::sum(y))); });
        refused([&] { static_cast<void>(k::array<float>(k::cumsum(x + y, k::axis(0)))); });
        refused([&] { static_cast<void>(k::eval(x + 1, y + 1)); });
        refused([&] { static_cast<void>(k::eval(k::sum(x), k::sum(y))); });
        refused([&] { k::prepare(x - y); });
        refused([&] { static_cast<void>(k::explain(x - y)); });
        refused([&] { static_cast<void>(k::explain(k::sum(x - y))); });
        refused([&] { y += x; });
        refused([&] { y(k::range(0, 3)) = x(k::range(0, 3)); });
        refused([&] { y(k::range(0, 3)) = k::sum(x); });
        refused([&] { y(k::range(0, 3)) += x(k::range(0, 3)); });
        refused([&] { static_cast<void>(k::array<float>(k::expr<float>(x) * k::expr<float>(y))); });
        const auto added = k::fuse([](const auto& a, const auto& b) { return a + b; });
        refused([&] { static_cast<void>(added(x, y)); });
        const auto with_captured = k::fuse([y](const auto& a) { return a + y; });
        refused([&] { static_cast<void>(with_captured(x)); });
        CHECK(x.device() == both.one);
        CHECK(y.device() == both.other);
        CHECK(x.to_host() == counted(12));
        CHECK(y.to_host() == counted(12));
    }
}

TEST_CASE("an assignment puts an array where the expression is; what writes into one stays where it is") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(other, counted(12));
        k::array<float> y = on(one, counted(12));
        y = x * 2;
        CHECK(y.device() == other);
        CHECK(y.to_host()[11] == 22);
        y += 1;
        CHECK(y.device() == other);
        y(k::range(0, 2)) = 7.0f;
        y(k::range(2, 4)) = k::full<float>({2}, 8.0f);
        y(x > 10.0f) = 9.0f;
        CHECK(y.device() == other);
        CHECK(y.to_host() == floats{7, 7, 8, 8, 9, 11, 13, 15, 17, 19, 21, 9});
        y = 3.0f;
        CHECK(y.device() == other);
        y = k::ones<float>({12});  // no array: the thread's device
        CHECK(y.device() == one);
    }
}

TEST_CASE("to() of an array that is there already is the same array") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(other, counted(12));
        const k::counters before = k::counters::now();
        const k::array<float> same = k::to(other, x);
        const k::counters spent = k::counters::now() - before;
        CHECK(same.kiln_node().get() == x.kiln_node().get());
        CHECK(spent.launches == 0);
        CHECK(spent.synchronizations == 0);
    }
}

TEST_CASE("to() takes elements of every type and number there and back") {
    for (const tests::device_pair& both : tests::device_pairs()) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{3'000'017}}) {
            const k::array<float> x = on(both.one, counted(count));
            const k::array<float> there = k::to(both.other, x);
            CHECK(there.device() == both.other);
            CHECK(there.shape() == x.shape());
            const k::array<float> back = k::to(both.one, there);
            CHECK(back.device() == both.one);
            CHECK((back.to_host() == counted(count)));
        }
        const std::vector<std::complex<double>> wide{{1, 2}, {3, -4}, {0, 5}};
        const k::array<std::complex<double>> z = k::from_host(wide);
        CHECK(k::to(both.other, z).to_host() == wide);
        const k::array<bool> flags = k::from_host<float>({1, 0, 1}) > 0.5f;
        CHECK(k::to(both.other, flags).to_host() == std::vector<bool>{true, false, true});
        const k::array<float> m = k::from_host<float>({1, 2, 3, 4, 5, 6}, {2, 3});
        CHECK(k::to(both.other, m).shape() == k::shape{2, 3});
    }
}

TEST_CASE("to() of an expression evaluates where its arrays are, then moves") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(one, counted(1000));
        const k::array<float> y = k::to(other, x(k::range(10, 13)) * 2);
        CHECK(y.device() == other);
        CHECK(y.to_host() == floats{20, 22, 24});
        // A sum that its kernel left in parts, too.
        const k::array<float> large = on(one, floats(1'000'000, 1.0f));
        const k::array<float> sum = k::to(other, k::sum(large));
        CHECK(sum.device() == other);
        CHECK(sum.item() == 1e6f);
        CHECK(k::to(other, k::transpose(k::reshape(x, {10, 100}))).to_host()[1] == 100);
        CHECK(k::to(other, k::ones<float>({3})).to_host() == floats{1, 1, 1});
    }
}

TEST_CASE("to() copies what the source held, whatever is written into it next, and what comes next sees the copy") {
    for (const auto& [one, other] : tests::device_pairs()) {
        k::array<float> x = on(one, floats(2'000'000, 0.0f));
        std::vector<k::array<float>> copies;
        for (int round = 0; round < 8; ++round) {
            x += 1;  // before the copy
            k::array<float> there = k::to(other, x);
            x = x * 1.0f;  // into the memory that is copied from
            x(k::range(0, 1'000'000)) = static_cast<float>(round + 1);
            there += 0.5f;  // after the copy, on the other device
            copies.push_back(std::move(there));
        }
        for (int round = 0; round < 8; ++round) {
            const floats got = copies[static_cast<std::size_t>(round)].to_host();
            CHECK(got == floats(2'000'000, static_cast<float>(round) + 1.5f));
        }
    }
}

TEST_CASE("memory of the host behind wrap() is read and written on whichever device the expression is") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const floats source = counted(100);
        floats target(100, -1.0f);
        for (const k::device& each : {one, other}) {
            const k::array<float> x = on(each, floats(100, 1.0f));
            const k::array<float> y = k::wrap(source.data(), {100}) + x;
            CHECK(y.device() == each);
            CHECK(y.to_host()[99] == 100);
            k::wrap(target.data(), {100}) = y * 2;
            CHECK(target[99] == 200);
            k::wrap(target.data(), {100})(k::range(0, 2)) = x(k::range(0, 2));
            CHECK(target[1] == 1);
            CHECK(k::array<float>(k::cumsum(k::wrap(source.data(), {100}), k::axis(0))).to_host()[99] == 4950);
        }
        const k::scoped_device here(other);
        CHECK(k::array<float>(k::wrap(source.data(), {100}) * 2).device() == other);
    }
}

TEST_CASE("memory of a device behind wrap() belongs to that device") {
    for (const auto& [one, other] : tests::device_pairs()) {
        k::array<float> x = on(other, counted(100));
        if (!other.is_cuda()) continue;
        const float* const theirs = std::as_const(x).data();
        CHECK(k::array<float>(k::wrap(theirs, {100}) * 2).device() == other);
        const k::array<float> here = on(one, counted(100));
        CHECK(said_by([&] { static_cast<void>(k::array<float>(k::wrap(theirs, {100}) + here)); }) != "");
    }
}

TEST_CASE("an array is waited for, read and printed wherever it is") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(other, floats{3});
        x.wait();
        CHECK(x.item() == 3);
        floats copy(1);
        x.copy_to(copy);
        CHECK(copy == floats{3});
        CHECK((x + 1).item() == 4);
        std::ostringstream few;
        few << x;
        CHECK(few.str() == "[3.]");
        std::ostringstream many;
        many << on(other, counted(5000));
        CHECK(many.str() == "[0.000e+00 1.000e+00 2.000e+00 ... 4.997e+03 4.998e+03 4.999e+03]");
        const k::array<float> shared = x;
        k::array<float> written = x;
        CHECK(written.data() != std::as_const(shared).data());  // a buffer of its own, there
        CHECK(written.device() == other);
    }
}

TEST_CASE("a fused function runs where its arguments are, and each device has stages of its own") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const auto normed = k::fuse([](const auto& a) { return a / k::sum(a); });
        for (int round = 0; round < 3; ++round)
            for (const k::device& each : {one, other}) {
                const k::array<float> got = normed(on(each, floats(100, 2.0f)));
                CHECK(got.device() == each);
                CHECK(got.to_host() == floats(100, 0.01f));
            }
        const k::array<float> kept = on(other, floats(3, 2.0f));
        const auto of_captured = k::fuse([kept](const auto& by) { return kept * by + k::sum(kept); });
        CHECK(of_captured(2.0f).device() == other);
        CHECK(of_captured(3.0f).to_host() == floats{12, 12, 12});
    }
}

TEST_CASE("a graph replays where its arrays are; a body or an array on another device is refused") {
    for (const tests::device_pair& both : tests::device_pairs()) {
        k::array<float> x = on(both.other, floats(50, 1.0f));
        k::array<float> y = on(both.other, floats(50, 0.0f));
        k::graph step({&x, &y}, [&] {
            y = x + k::sum(k::ones<float>({2}));
            x = y * 2;
        });
        step.replay(3);
        CHECK(x.device() == both.other);
        CHECK(x.to_host() == floats(50, 36.0f));
        CHECK(y.device() == both.other);

        const k::array<float> elsewhere = on(both.one, floats(50, 1.0f));
        x = elsewhere + 0;
        CHECK(names_both(said_by([&] { step.replay(1); }), both));
        x = k::to(both.other, elsewhere);
        step.replay(1);
        CHECK(x.to_host() == floats(50, 6.0f));

        CHECK(names_both(said_by([&] { k::graph({&x}, [&] { x = elsewhere * 2; }); }), both));
        k::array<float> z = elsewhere;
        CHECK(names_both(said_by([&] { k::graph({&x, &z}, [&] { x = x + 1; }); }), both));
        CHECK(x.to_host() == floats(50, 6.0f));
    }
}

TEST_CASE("put() and lists of parts go where their arrays are") {
    for (const auto& [one, other] : tests::device_pairs()) {
        k::array<float> y = on(other, floats(5, 0.0f));
        k::put(y, k::arange<int>(3), 2.0f);
        CHECK(y.device() == other);
        CHECK(y.to_host() == floats{2, 2, 2, 0, 0});
        const std::vector<k::expr<float>> parts{k::ones<float>({2}), y, k::zeros<float>({1})};
        const k::array<float> joined = k::concatenate(k::axis(0), parts);
        CHECK(joined.device() == other);
        CHECK(joined.to_host() == floats{1, 1, 2, 2, 2, 0, 0, 0});
        CHECK(k::explain(y + 1).kernels.size() == 1);
    }
}

TEST_CASE("one expression on two devices by turns finds the kernels of each") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> x = on(one, counted(500));
        const k::array<float> z = on(other, counted(500));
        const auto step = [](const k::array<float>& of) { return k::array<float>(of * of - of * 0.5f); };
        const k::array<float> first = step(x);
        const k::array<float> second = step(z);
        const k::counters before = k::counters::now();
        for (int round = 0; round < 10; ++round) {
            CHECK(step(x).device() == one);
            CHECK(step(z).device() == other);
        }
        const k::counters spent = k::counters::now() - before;
        CHECK(spent.misses == 0);
        CHECK(spent.disk_hits == 0);
        CHECK(spent.load_ns == 0);
        CHECK(first.to_host() == second.to_host());
    }
}

TEST_CASE("memory_use: what arrays hold, what waits for the next ones, and trim_memory gives back") {
    constexpr std::int64_t bytes = 64 << 20;
    const k::device here = k::current_device();
    const k::memory_use_info before = k::memory_use();
    k::array<float> x = k::ones<float>({bytes / 4});
    x.wait();
    const k::memory_use_info with = k::memory_use(here);
    CHECK(with.array_bytes - before.array_bytes >= bytes);
    CHECK(with.array_bytes - before.array_bytes < bytes + bytes / 4);
    CHECK(with.total_bytes > with.array_bytes);
    CHECK(with.free_bytes <= with.total_bytes);
    x = k::array<float>();
    const k::memory_use_info after = k::memory_use(here);
    CHECK(after.array_bytes == before.array_bytes);
    CHECK(after.spare_bytes >= bytes);
    k::trim_memory();
    CHECK(k::memory_use(here).spare_bytes < bytes);
    CHECK(k::memory_use(here).array_bytes == before.array_bytes);
}
