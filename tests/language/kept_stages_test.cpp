// Expressions with several reductions, evaluated again: their stages are kept from the second time on, for other arrays of the same
// shapes and other numbers, and for nothing else.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace {

namespace k = kiln;

k::array<float> some(std::int64_t rows, std::int64_t columns, float seed) {
    return k::reshape(k::sin(k::cast<float>(k::arange<std::int64_t>(rows * columns)) * seed), {rows, columns});
}

/// With a result of one reduction in another, and beside it.
template <class A, class B>
auto centred(const A& x, const B& y, float by) {
    return k::sum((x - k::mean(x, k::axis(1), k::keep_dims)) * y, k::axis(1)) * by + k::max(y, k::axis(1));
}

std::vector<float> by_hand(const k::array<float>& x, const k::array<float>& y, float by) {
    const k::array<float> mean = k::mean(x, k::axis(1), k::keep_dims);
    const k::array<float> sum = k::sum((x - mean) * y, k::axis(1));
    const k::array<float> largest = k::max(y, k::axis(1));
    return k::array<float>(sum * by + largest).to_host();
}

}  // namespace

TEST_CASE("an expression of other arrays and numbers is computed of those") {
    for (int round = 0; round < 5; ++round) {
        const float seed = 0.3f + static_cast<float>(round);
        const k::array<float> x = some(7, 33, seed);
        const k::array<float> y = some(7, 33, seed + 0.5f);
        CHECK_SAME(k::array<float>(centred(x, y, seed)).to_host(), by_hand(x, y, seed));
        CHECK_SAME(k::array<float>(centred(y, x, 2 * seed)).to_host(), by_hand(y, x, 2 * seed));
        CHECK_SAME(k::array<float>(centred(x, x, seed)).to_host(), by_hand(x, x, seed));  // one array in two places
        const k::array<float> wide = some(7, 40, seed);
        CHECK_SAME(k::array<float>(centred(wide, wide, 1.0f)).to_host(), by_hand(wide, wide, 1.0f));
    }
}

TEST_CASE("views are told apart by where they begin, how they go, and of what they are") {
    for (int round = 0; round < 4; ++round) {
        const k::array<float> whole = some(9, 40, 0.7f + static_cast<float>(round));
        for (const std::int64_t first : {0, 1, 7}) {
            CAPTURE(first);
            const k::array<float> copy = whole(k::all, k::range(first, first + 33));
            const auto view = whole(k::all, k::range(first, first + 33));
            CHECK_SAME(k::array<float>(centred(view, view, 1.5f)).to_host(), by_hand(copy, copy, 1.5f));
            const k::array<float> turned = k::flip(copy, k::axis(1));
            CHECK_SAME(k::array<float>(centred(k::flip(view, k::axis(1)), view, 1.5f)).to_host(),
                       by_hand(turned, copy, 1.5f));
        }
    }
}

TEST_CASE("several results, and one over what it is made of") {
    for (int round = 0; round < 4; ++round) {
        k::array<float> x = some(5, 64, 1.1f + static_cast<float>(round));
        const k::array<float> before = k::array<float>(x + 0.0f);
        const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
        const auto [soft, total] = k::eval(e / k::sum(e, k::axis(1), k::keep_dims), k::sum(e, k::axis(1)));
        const k::array<float> kept = k::exp(x - k::array<float>(k::max(x, k::axis(1), k::keep_dims)));
        const k::array<float> sums = k::sum(kept, k::axis(1));
        CHECK_SAME(total.to_host(), sums.to_host());
        CHECK_SAME(soft.to_host(), k::array<float>(kept / sums(k::all, k::newaxis)).to_host());
        x = x - k::mean(x, k::axis(0)) * k::max(x, k::axis(1), k::keep_dims);
        const k::array<float> mean = k::mean(before, k::axis(0));
        const k::array<float> largest = k::max(before, k::axis(1), k::keep_dims);
        CHECK_SAME(x.to_host(), k::array<float>(before - mean * largest).to_host());
    }
}

TEST_CASE("options and threads have stages of their own") {
    const k::array<float> x = some(6, 50, 0.9f);
    const std::vector<float> expected = by_hand(x, x, 1.0f);
    const auto look = [&] {
        for (int round = 0; round < 3; ++round) {
            CHECK_SAME(k::array<float>(centred(x, x, 1.0f)).to_host(), expected);
            const k::scoped_options apart({.fuse = false});
            CHECK_SAME(k::array<float>(centred(x, x, 1.0f)).to_host(), expected);
        }
    };
    look();
    std::thread(look).join();
}

TEST_CASE("a thread forgets the stages that it used long ago") {
    const k::array<float> x = some(3, 40, 0.4f);
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 100; ++i) {
            const std::int64_t columns = 8 + i % 32;
            const k::array<float> part = x(k::all, k::range(0, columns));
            CHECK_SAME(k::array<float>(centred(part, part, static_cast<float>(i))).to_host(),
                       by_hand(part, part, static_cast<float>(i)));
        }
}

TEST_CASE("a view in several places is one operand in kept stages, too: they have the kernels of the first time") {
    const k::array<float> x = some(1, 300, 0.6f)(0);
    const auto apart = x - x(k::all, k::newaxis);
    const auto pull = apart / (apart * apart + 1.0f);
    const auto take = [&] { return k::array<float>(k::sum(pull * apart, k::axis(1)) + k::max(pull, k::axis(1))); };
    const std::vector<float> expected = take().to_host();
    const k::counters before = k::counters::now();
    for (int round = 0; round < 3; ++round) CHECK_SAME(take().to_host(), expected);
    const k::counters made = k::counters::now() - before;
    CHECK(made.misses + made.disk_hits == 0);
}
