// On a GPU a sum of few elements stays in the parts of its kernel's blocks until somebody reads it. Nobody can tell: whoever
// reads it, and however, finds the bits that the host finds.
#include <language/noise.hpp>
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/partial_sum.hpp>

#include <kiln/kiln.hpp>

#include <atomic>
#include <complex>
#include <functional>
#include <thread>
#include <tuple>
#include <vector>

namespace k = kiln;

using tests::noise;
using tests::same_bits;

namespace {

constexpr std::int64_t many = 400000;         // of which a sum is in parts, of floats 391 of them
constexpr std::int64_t wide_count = 3000000;  // whose kernels have too many blocks to add those up in each

template <class Action>
k::counters spent_on(Action action) {
    const k::counters before = k::counters::now();
    action();
    return k::counters::now() - before;
}

/// As an array that was never in parts.
template <class T>
k::array<T> in_one(const k::array<T>& sum) {
    return k::from_host<T>({sum.item()}, sum.shape());
}

k::array<float> some(std::int64_t count = many, unsigned seed = 1) {
    return k::from_host<float>(noise(static_cast<std::size_t>(count), seed), {count});
}

template <class T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = T(static_cast<float>(i * 7 % 16));
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("partial sums: of every type that sums have, of every number of parts", T, float, double,
                   std::complex<float>, std::complex<double>, std::int64_t, std::uint64_t) {
    for (const std::int64_t count : {8192, 8193, 9216, 12288, 65537, 262144, 262145, 524287, 524288, 524289, 600000}) {
        CAPTURE(count);
        const k::array<T> x = k::from_host<T>(counted<T>(static_cast<std::size_t>(count)), {count});
        const k::array<T> sum = k::sum(x);
        const k::array<T> by_host = in_one(sum);
        // Each of these reads the parts in its own way: in its blocks, or from the place where a kernel has put the sum.
        CHECK_SAME(k::array<T>(x - sum).to_host(), k::array<T>(x - by_host).to_host());
        CHECK_SAME(k::array<T>(sum + sum).to_host(), k::array<T>(by_host + by_host).to_host());
        if (count == 262144 || count == 600000) {
            const k::array<T> wide = k::zeros<T>({wide_count});
            CHECK_SAME(k::array<T>(wide + sum).to_host(), k::array<T>(wide + by_host).to_host());
        }
        CHECK(same_bits(sum.item(), by_host.item()));
        // These are added without rounding.
        T exact{};
        for (const T each : counted<T>(static_cast<std::size_t>(count))) exact += each;
        CHECK(sum.item() == exact);
    }
}

TEST_CASE("partial sums: kernels of every order of threads add them up") {
    const k::array<float> x = some();
    const k::array<float> sum = k::sum(x), other = k::sum(x * x), one = in_one(sum), two = in_one(other);
    const k::array<float> m = k::from_host<float>(noise(300 * 301, 3), {300, 301});
    const k::array<float> square = m(k::all, k::range(0, 300));
    const k::array<std::uint8_t> bytes = k::cast<std::uint8_t>(k::arange<int>(many));
    const k::array<int> index = k::arange<int>(many) % 1000;
    const k::array<float> rows = k::from_host<float>(noise(400 * 128, 4), {400, 128});

    // Its second kernel reads the sum of the first.
    const auto unit = k::fuse([](auto a, auto b) { return a / k::sum(a * b); });

    using form = std::function<k::array<float>(const k::array<float>&, const k::array<float>&)>;
    const std::pair<const char*, form> forms[] = {
        {"vectors", [&](const auto& s, const auto&) { return k::array<float>(x * s); }},
        {"an odd address", [&](const auto& s, const auto&) { return k::array<float>(x(k::range(1, many)) / s); }},
        {"one in two", [&](const auto& s, const auto&) { return k::array<float>(x(k::range(0, many, 2)) / s); }},
        {"rows", [&](const auto& s, const auto&) { return k::array<float>(square - s); }},
        {"long rows",
         [&](const auto& s, const auto&) {
             return k::array<float>(k::reshape(x(k::range(0, 90000)), {30, 3000}) - s);
         }},
        {"tiles", [&](const auto& s, const auto&) { return k::array<float>(square + k::transpose(square) * s); }},
        {"blocks of 128", [&](const auto& s, const auto&) { return k::array<float>(k::cast<float>(bytes) * s); }},
        {"positions looked up", [&](const auto& s, const auto&) { return k::array<float>(k::take(x, index) - s); }},
        {"itself looked up",
         [&](const auto& s, const auto&) { return k::array<float>(k::take(s(k::newaxis), k::cast<int>(bytes) * 0)); }},
        {"a stencil", [&](const auto& s, const auto&) { return k::array<float>(k::shift(x, {1}) - s * x); }},
        {"two of one type", [&](const auto& s, const auto& t) { return k::array<float>(x * s + t); }},
        {"numbers alone", [&](const auto& s, const auto& t) { return k::array<float>(k::sqrt(t) / s); }},
        {"a total", [&](const auto& s, const auto&) { return k::array<float>(k::sum(x * s)); }},
        {"a total of rows", [&](const auto& s, const auto&) { return k::array<float>(k::sum(m * s, k::axis(1))); }},
        {"columns", [&](const auto& s, const auto&) { return k::array<float>(k::sum(m * s, k::axis(0))); }},
        {"few columns",
         [&](const auto& s, const auto&) {
             return k::array<float>(k::sum(k::reshape(x(k::range(0, 99999)), {33333, 3}) - s, k::axis(0)));
         }},
        {"persistent rows",
         [&](const auto& s, const auto&) {
             const auto e = rows * s;
             return k::array<float>(e - k::max(e, k::axis(1), k::keep_dims));
         }},
        {"a cumulative sum", [&](const auto& s, const auto&) { return k::array<float>(k::cumsum(x * s, k::axis(0))); }},
        {"a cumulative sum of one",
         [&](const auto& s, const auto&) {
             return k::array<float>(k::cumsum(k::array<float>(s(k::newaxis)), k::axis(0)));
         }},
        {"a view", [&](const auto& s, const auto&) { return k::array<float>(s(k::newaxis, k::newaxis) + s); }},
        {"a new shape",
         [&](const auto& s, const auto&) {
             return k::array<float>(k::reshape(s, {1, 1, 1}) * 2.0f);
         }},
        {"stretched",
         [&](const auto& s, const auto&) {
             return k::array<float>(k::broadcast_to(s, {10, 10}));
         }},
        {"side by side",
         [&](const auto& s, const auto& t) {
             return k::array<float>(k::concatenate(k::axis(0), s(k::newaxis), t(k::newaxis)));
         }},
        {"signs", [&](const auto& s, const auto&) { return k::array<float>(-(-s)); }},
        {"a part of an array",
         [&](const auto& s, const auto&) {
             k::array<float> y = k::zeros<float>({100});
             y(k::range(3, 7)) = s;
             return y;
         }},
        {"a graph built at run time",
         [&](const auto& s, const auto&) {
             k::expr<float> e = x;
             for (int i = 0; i < 5; ++i) e = e * s - x;
             return k::array<float>(e);
         }},
        {"a function that is looked at once", [&](const auto& s, const auto&) { return k::array<float>(unit(x, s)); }},
        {"without fusing",
         [&](const auto& s, const auto& t) {
             const k::scoped_options off({.fuse = false});
             return k::array<float>(x * s + t);
         }},
    };
    for (const std::pair<const char*, form>& each : forms) {  // clang++ 14 captures no structured binding
        CAPTURE(each.first);
        const form& of = each.second;
        CHECK_SAME(of(k::sum(x), k::sum(x * x)).to_host(), of(one, two).to_host());
        CHECK_SAME(of(sum, other).to_host(),
                   of(one, two).to_host());  // put together by one of those before, at the latest
    }
    const auto [far, near] = k::eval(x * k::array<float>(k::sum(x)), k::array<float>(k::sum(x)) + 1.0f);
    CHECK_SAME(far.to_host(), k::array<float>(x * one).to_host());
    CHECK_SAME(near.to_host(), k::array<float>(one + 1.0f).to_host());
}

TEST_CASE("partial sums: several of one kernel, beside elements, with axes kept") {
    const k::array<float> x = some();
    const k::array<double> y = k::cast<double>(x) * 2.0;
    const auto [doubled, first, second] = k::eval(x * 2.0f, k::sum(x, k::axis(0), k::keep_dims), k::sum(y));
    CHECK(first.shape() == k::shape{1});
    CHECK_SAME(k::array<double>(k::cast<double>(doubled) * k::cast<double>(first) - second).to_host(),
               k::array<double>(k::cast<double>(doubled) * k::cast<double>(in_one(first)) - in_one(second)).to_host());
}

TEST_CASE("partial sums: written to, shared, and given away") {
    const k::array<float> x = some();
    const k::array<float> one = in_one(k::array<float>(k::sum(x)));
    k::array<float> sum = k::sum(x);
    sum += 1.0f;
    CHECK(same_bits(sum.item(), one.item() + 1.0f));

    sum = k::sum(x);
    const k::array<float> kept = sum;
    sum = sum * 2.0f;
    CHECK(same_bits(kept.item(), one.item()));
    CHECK(same_bits(sum.item(), one.item() * 2.0f));

    sum = k::sum(x);
    sum = one * 3.0f;  // in the memory of what nobody has read
    CHECK(same_bits(sum.item(), one.item() * 3.0f));
    CHECK_SAME(k::array<float>(x * sum).to_host(), k::array<float>(x * (one * 3.0f)).to_host());

    k::array<float> part = k::sum(x, k::axis(0), k::keep_dims);
    part(k::range(0, 1)) = 3.0f;
    CHECK(part.item() == 3.0f);
    part = k::sum(x, k::axis(0), k::keep_dims);
    part(k::all) += part * 2.0f;
    CHECK(same_bits(part.item(), one.item() + one.item() * 2.0f));

    float on_host = 0;
    k::array_ref<float> outside = k::wrap(&on_host, {});
    outside = k::sum(x);
    CHECK(same_bits(on_host, one.item()));

    sum = k::sum(x);
    const float* const before = sum.data();  // in its place from here on
    if (!tests::device().is_cuda) CHECK(same_bits(*before, one.item()));
    CHECK(k::array<float>(k::wrap(before, {}) - one).item() == 0.0f);
    CHECK(same_bits(sum.item(), one.item()));
}

TEST_CASE("partial sums: what reading one costs") {
    if (!tests::device().is_cuda) return;
    const k::array<float> x = some();
    k::array<float> y = x * k::array<float>(k::sum(x));  // compiles
    const k::array<float> wide = k::zeros<float>({wide_count});
    k::array<float> z = wide + k::array<float>(k::sum(x));
    k::array<float> sum;
    CHECK(spent_on([&] { sum = k::sum(x); }).launches == 1);
    CHECK(spent_on([&] { static_cast<void>(sum.item()); }).launches == 0);
    CHECK(spent_on([&] { y = x * sum; }).launches == 1);
    CHECK(spent_on([&] { y = x * sum; }).synchronizations == 0);
    CHECK(spent_on([&] { z = wide + sum; }).launches == 2);
    CHECK(spent_on([&] { z = wide + sum; }).launches == 1);
    CHECK(spent_on([&] { y = x * sum; }).launches == 1);
    const k::array<float> one = in_one(sum);
    sum = k::sum(x);
    CHECK(spent_on([&] { sum = one * 2.0f; }).launches == 1);
    const k::counters all = spent_on([&] {
        for (int i = 0; i < 5; ++i) y = x / k::array<float>(k::sum(x * 2.0f));
    });
    CHECK(all.launches == 10);
}

TEST_CASE("partial sums: threads that read one at once") {
    const k::array<float> x = some();
    const float expected = k::array<float>(k::sum(x)).item();
    const k::array<float> wide = k::zeros<float>({wide_count});
    for (int round = 0; round < 10; ++round) {
        const k::array<float> sum = k::sum(x);
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                float found = 0;
                if (thread == 0) found = sum.item();
                if (thread == 1) found = k::array<float>(k::max(k::array<float>(wide + sum))).item();
                if (thread == 2) found = k::array<float>(x * 0.0f + sum).to_host()[99];
                if (thread == 3) found = k::array<float>(k::wrap(sum.data(), {}) + 0.0f).item();
                if (!same_bits(found, expected)) ++wrong;
            });
        for (std::thread& each : threads) each.join();
        CHECK(wrong == 0);
    }
}

TEST_CASE_TEMPLATE("partial sums: where no GPU is, the kernels that add them up compile", T, float, double,
                   std::complex<float>, std::complex<double>, std::int64_t, std::uint64_t) {
    if (!tests::cubins_wanted()) return;
    const k::array<T> x = k::ones<T>({300, 400}), sum = k::ones<T>({}), other = k::ones<T>({1});
    const k::array<float> real = k::ones<float>({300, 400}), real_sum = k::ones<float>({});
    const tests::partial_sum first(sum, 300), second(other, 2), third(real_sum, 512);
    const tests::compiling_only compiling;
    k::prepare(x * sum + other);
    k::prepare(sum * other);
    const auto square = k::slice(x, k::all, k::range(0, 300));
    k::prepare(k::transpose(square) + square * sum);
    k::prepare(k::sum(x * sum, k::axis(1)));
    k::prepare(k::sum(x * sum));
    k::prepare(k::sum(x * sum, k::axis(0)));
    k::prepare(k::take(x, k::cast<int>(real) * 0, k::axis(0)) - sum);
    k::prepare(k::cast<float>(k::cast<std::uint8_t>(real)) * real_sum);
    k::prepare(real * real_sum - k::max(real * real_sum, k::axis(1), k::keep_dims));
}

// --- in loops -------------------------------------------------------------------------------------------------------------

namespace {

/// x moves by its own sum.
struct loop {
    k::array<float> x = some();
    k::array<float> sum = k::full<float>({}, 1.0f);

    void step() { std::tie(x, sum) = k::eval(x * 0.5f + sum * 1e-6f, k::sum(x)); }
};

}  // namespace

TEST_CASE("partial sums: carried from step to step of a graph") {
    loop launched, replayed;
    k::graph steps({&replayed.x, &replayed.sum}, [&] { replayed.step(); });
    const auto compare = [&] {
        CHECK(same_bits(replayed.sum.item(), launched.sum.item()));
        CHECK_SAME(replayed.x.to_host(), launched.x.to_host());
    };
    const auto both = [&](int count) {
        for (int i = 0; i < count; ++i) launched.step();
        steps.replay(count);
    };
    for (const int count : {1, 2, 3, 100, 1, 7}) {
        both(count);
        compare();
    }
    SUBCASE("assigned to between replays") {
        launched.sum = k::full<float>({}, 2.0f);
        replayed.sum = k::full<float>({}, 2.0f);
        both(5);
        compare();
        launched.x = some(many, 7);
        replayed.x = some(many, 7);
        both(4);
        compare();
        launched.sum = k::sum(launched.x * 3.0f);
        replayed.sum = k::sum(replayed.x * 3.0f);
        both(3);
        compare();
    }
    SUBCASE("a copy of it kept") {
        const k::array<float> kept = replayed.sum;
        const float before = kept.item();
        both(6);
        compare();
        CHECK(same_bits(kept.item(), before));
        const k::array<float> larger = k::zeros<float>({wide_count}) + kept;
        both(1);
        CHECK(same_bits(larger.to_host()[5], before));
        compare();
    }
    SUBCASE("put in its place between replays") {
        CHECK(replayed.sum.data() != nullptr);
        both(3);
        compare();
        const k::array<float> larger = k::zeros<float>({wide_count}) + replayed.sum;
        both(4);
        compare();
    }
    SUBCASE("changed in place") {
        launched.sum += 1.0f;
        replayed.sum += 1.0f;
        both(2);
        compare();
    }
}

TEST_CASE("partial sums: in the body of a graph, from outside it, and for more than its blocks") {
    const k::array<float> wide = k::zeros<float>({wide_count});
    const k::array<float> x = some();
    const auto outside = [&] { return k::array<float>(k::sum(x * 2.0f)); };
    const auto body = [&](k::array<float>& y, k::array<float>& last, const k::array<float>& given) {
        const k::array<float> sum = k::sum(y);
        y = y * 0.5f + sum * 1e-6f;
        last = wide + sum * 0.5f + given;
    };
    k::array<float> y = x, last = wide;
    const k::array<float> given = outside();
    for (int i = 0; i < 7; ++i) body(y, last, given);

    k::array<float> replayed = x, replayed_last = wide;
    for (const bool seen : {false, true}) {
        replayed = x, replayed_last = wide;
        const k::array<float> theirs = outside();
        if (seen) static_cast<void>(k::array<float>(wide + theirs));
        k::graph steps({&replayed, &replayed_last}, [&] { body(replayed, replayed_last, theirs); });
        steps.replay(7);
        CHECK_SAME(replayed.to_host(), y.to_host());
        CHECK_SAME(replayed_last.to_host(), last.to_host());
    }
}
