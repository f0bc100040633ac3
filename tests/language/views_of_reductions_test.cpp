// Views of reductions and of cumulative sums: written like any view, they launch nothing; evaluated, they are views of the
// result. What they come to is held to the same views of arrays.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/ramp.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

namespace k = kiln;
using tests::ramp;

namespace {

template <class Action>
k::counters spent_on(Action action) {
    const k::counters before = k::counters::now();
    action();
    return k::counters::now() - before;
}

/// The same of an expression and of its value, as an array.
template <class E, class View>
void check_view(const E& reduced, View view) {
    const auto value = k::eval(reduced);
    CHECK(tests::difference(k::eval(view(reduced)).to_host(), k::eval(view(value)).to_host()) == "");
    CHECK(k::shape_of(view(reduced)) == k::eval(view(value)).shape());
}

}  // namespace

TEST_CASE("views of reductions: writing them launches nothing, copies nothing and compiles nothing") {
    const k::array<float> m = ramp({6, 40}, -3);
    const k::array<std::int64_t> at = k::from_host<std::int64_t>({3, 0, 3});
    const k::counters spent = spent_on([&] {
        const auto part = k::slice(k::sum(m, k::axis(0)), k::range(1, 9));
        const auto turned = k::transpose(k::max(m, k::axis(1), k::keep_dims)) + 1.0f;
        const auto taken = k::take(k::mean(m, k::axis(1)), at, k::axis(0));
        const auto again = k::flip(k::reshape(k::cumsum(m, k::axis(1)), {40, 6}));
        CHECK(k::shape_of(part) == k::shape{8});
        CHECK(k::shape_of(turned) == k::shape{1, 6});
        CHECK(k::shape_of(taken) == k::shape{3});
        CHECK(k::shape_of(again) == k::shape{40, 6});
    });
    CHECK(spent.launches == 0);
    CHECK(spent.synchronizations == 0);
    CHECK(spent.misses == 0);
}

TEST_CASE("views of reductions: of each kind of reduction and view, and views of those") {
    const k::array<float> m = ramp({6, 40}, -3);
    const k::array<std::int64_t> at = k::from_host<std::int64_t>({3, 0, 3, -1});
    const auto slice = [](const auto& e) { return k::slice(e, k::range(1, 5)); };
    const auto flip = [](const auto& e) { return k::flip(e); };
    const auto reshape = [](const auto& e) { return k::reshape(e, {2, -1}); };
    const auto roll = [](const auto& e) { return k::roll(e, 2, k::axis(0)); };
    const auto take = [&at](const auto& e) { return k::take(e, at, k::axis(0)); };
    const auto of_all = [&](const auto& e) {
        check_view(e, slice);
        check_view(e, flip);
        check_view(e, reshape);
        check_view(e, roll);
        check_view(e, take);
        check_view(e, [&](const auto& x) { return flip(slice(x)) * 2.0f + slice(flip(x)); });
        check_view(e, [&](const auto& x) { return take(flip(take(x))); });
        check_view(e, [&](const auto& x) { return k::sum(reshape(x), k::axis(0)); });
    };
    of_all(k::sum(m, k::axis(0)));
    of_all(k::sum(m, k::axis(1)));
    of_all(k::max(m * m, k::axis(0), k::keep_dims) * 1.0f + m);
    of_all(k::argmin(m, k::axis(0)));
    of_all(k::cumsum(m, k::axis(1)));
    of_all(k::cumsum(k::flip(m), k::axis(0)) - k::mean(m, k::axis(0)));
    of_all(m / k::sum(m, k::axis(1), k::keep_dims));
}

TEST_CASE("views of reductions: an index that is a reduction's result") {
    const k::array<float> m = ramp({6, 40}, -3);
    const auto largest = k::argmax(m, k::axis(1));
    CHECK(tests::difference(k::eval(k::take(k::sum(m, k::axis(0)), largest, k::axis(0))).to_host(),
                            k::eval(k::take(k::eval(k::sum(m, k::axis(0))), k::eval(largest), k::axis(0))).to_host()) ==
          "");
}

TEST_CASE("views of reductions: of no elements, and of one") {
    const k::array<float> none = k::zeros<float>({0, 5});
    CHECK(k::eval(k::flip(k::sum(none, k::axis(0)))).to_host() == std::vector<float>(5, 0.0f));
    CHECK(k::eval(k::flip(k::sum(none, k::axis(1)))).shape() == k::shape{0});
    CHECK(k::eval(k::broadcast_to(k::sum(ramp({7}, 1)), {3})).to_host() == std::vector<float>(3, 9.625f));
}

TEST_CASE("views of reductions: in a function that is fused, called with other arrays of the shape") {
    const auto neighbours = k::fuse([](auto m) {
        const auto sums = k::sum(m, k::axis(1));
        return std::tuple(k::shift(sums, {1}) - sums, k::sum(k::flip(sums)));
    });
    const auto part = k::fuse([](auto m) { return k::slice(k::cumsum(m, k::axis(0)), k::range(1, 3)); });
    for (const float from : {0.0f, 2.0f, -5.0f}) {
        const k::array<float> m = ramp({6, 40}, from);
        const auto [differences, whole] = neighbours(m);
        const k::array<float> sums = k::sum(m, k::axis(1));
        CHECK(tests::difference(differences.to_host(), k::eval(k::shift(sums, {1}) - sums).to_host()) == "");
        CHECK(tests::same_bits(whole.item(), k::eval(k::sum(k::flip(sums))).item()));
        const k::array<float> running = k::cumsum(m, k::axis(0));
        CHECK(tests::difference(part(m).to_host(), k::eval(k::slice(running, k::range(1, 3))).to_host()) == "");
    }
}

TEST_CASE("views of reductions: explained, the reduction's kernel comes before the view's") {
    const k::array<float> m = ramp({6, 40}, -3);
    const auto e = k::flip(k::sum(m, k::axis(0)));
    const k::explanation plan = k::explain(e);
    REQUIRE(plan.kernels.size() == 2);
    CHECK(plan.kernels.front().cut == "what follows needs the whole result of a reduction");
    CHECK(plan.temporary_bytes >= 40 * 4);
    k::prepare(e);
    const k::counters spent = spent_on([&] { static_cast<void>(k::eval(e)); });
    CHECK(spent.compiles == 0);
    CHECK(spent.launches == 2);
}
