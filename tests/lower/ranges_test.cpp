// What is known of values' ranges holds whatever the values are, and is what somebody would expect.
#include <lower/ranges.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace k = kiln;

namespace {

template <class E>
k::lower::range range_of(const E& of) {
    const k::lower::program code = tests::lowered(of).code;
    return k::lower::ranges(code)[code.outputs[0]];
}

k::array<float> some() { return k::ones<float>({3}); }

}  // namespace

TEST_CASE("nothing is known of an array's floats, and of integers what their type holds") {
    CHECK(range_of(some() + 0.0f).may_be_nan);
    CHECK(range_of(some() + 0.0f).low == -INFINITY);
    const k::lower::range bytes = range_of(k::cast<float>(k::ones<std::uint8_t>({3})));
    CHECK(bytes.is_within(0, 255.001));
    CHECK(bytes.low == 0);
    CHECK(bytes.high >= 255);
}

TEST_CASE("squares are not below 0, whatever they are of, and NaN is not forgotten") {
    const k::array<float> x = some();
    const k::array<float> y = some();
    for (const k::lower::range& each :
         {range_of(x * x + y * y), range_of(k::square(x)), range_of(k::abs(x)), range_of(k::exp(x))}) {
        CHECK(each.low == 0);
        CHECK(each.high == INFINITY);
        CHECK(each.may_be_nan);
    }
    CHECK(range_of(x * y).low == -INFINITY);
}

TEST_CASE("what is assumed goes on through sums, products, roots and quotients") {
    const auto x = k::assume<false>(some(), 1, 4);
    const auto about = [](const k::lower::range& of, double low, double high) {
        CHECK(of.is_within(low - std::abs(low) * 1e-4, high + std::abs(high) * 1e-4));
        CHECK(of.low <= low);
        CHECK(of.high >= high);
    };
    about(range_of(x + x), 2, 8);
    about(range_of(x - x), -3, 3);
    about(range_of(x * x), 1, 16);
    about(range_of(-x * x), -16, -1);
    about(range_of(k::sqrt(x)), 1, 2);
    about(range_of(k::rsqrt(x)), 0.5, 1);
    about(range_of(k::reciprocal(x)), 0.25, 1);
    about(range_of(x / k::sqrt(x)), 0.5, 4);
    about(range_of(k::max(x, k::assume<false>(some(), 3, 5))), 3, 5);
    about(range_of(k::where(some() < 1.0f, x, k::assume<false>(some(), -1, 0))), -1, 4);
}

TEST_CASE("a divisor that may be 0, infinities that may meet and underflow are seen") {
    const auto x = k::assume<false>(some(), 0, 4);
    CHECK(range_of(x / x).may_be_nan);
    CHECK(range_of(k::reciprocal(x)).high == INFINITY);
    CHECK(range_of(k::assume<false>(some(), 1, INFINITY) - k::assume<false>(some(), 1, INFINITY)).may_be_nan);
    const auto small = k::assume<false>(some(), 1e-30, 1);
    CHECK(range_of(small * small).low == 0);
    CHECK(range_of(k::assume<false>(some(), 1, 1e30) * k::assume<false>(some(), 1, 1e30)).high == INFINITY);
}

TEST_CASE("an assumption of what nobody computes goes with it, and two of one value both hold") {
    const k::array<float> x = some();
    const auto both = k::assume<false>(k::assume<false>(x, 0, 5), 1, 9);
    CHECK(range_of(both * 1.0f).low == -INFINITY);
    CHECK(range_of(both + both).is_within(1.99, 10.01));
    const k::lower::program code = tests::lowered(both + both).code;
    CHECK(code.steps.size() == 1);
    CHECK(code.assumptions.size() == 2);
}

TEST_CASE("sums and means of what is not below 0 are not either; of anything else nothing is known") {
    const k::array<float> x = k::ones<float>({3, 5});
    const auto e = k::exp(x);
    const auto of_rows = [](const auto& of) { return k::sum(of, k::axis(1), k::keep_dims); };
    const auto range_of_divisor = [](const auto& quotient) {
        const k::plan::schedule made = tests::first_stage_schedule(k::plan::cuda_target_of(90), quotient);
        return k::lower::ranges(made.program)[made.program.steps.back().args[1]];
    };
    CHECK(range_of_divisor(e / of_rows(e)).low == 0);
    CHECK(range_of_divisor(e / of_rows(e)).may_be_nan);
    CHECK(range_of_divisor(e / k::mean(e, k::axis(1), k::keep_dims)).low == 0);
    CHECK(range_of_divisor(e / of_rows(x)).low == -INFINITY);
    CHECK(range_of_divisor(e / k::max(e, k::axis(1), k::keep_dims)).low == -INFINITY);
}
