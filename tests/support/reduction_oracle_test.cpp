// What the oracle of reductions lets pass and what not.
#include <support/reduction_oracle.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

using oracle::reduction;
using oracle::type;

oracle::expectation expected(reduction what, const std::vector<float>& elements) {
    return oracle::reduced(what, type::f32, oracle::from_all(elements));
}

bool takes(reduction what, const std::vector<float>& elements, float value) {
    return expected(what, elements).holds(oracle::from(value));
}

}  // namespace

TEST_CASE("a sum that no order rounds is one value; one that does is within its bound, and no element is lost in it") {
    CHECK(takes(reduction::sum, {1, 2, 3.5f}, 6.5f));
    CHECK(!takes(reduction::sum, {1, 2, 3.5f}, std::nextafter(6.5f, 7.0f)));
    const std::vector<float> thirds(5, 1.0f / 3);
    CHECK(takes(reduction::sum, thirds, 5.0f / 3));
    CHECK(!takes(reduction::sum, thirds, 4.0f / 3));
    CHECK(takes(reduction::sum, {1e8f, 1, -1e8f}, 0));
    CHECK(takes(reduction::sum, {1e8f, 1, -1e8f}, 1));
    CHECK(!takes(reduction::sum, {1e8f, 1, -1e8f}, 30));
    CHECK(takes(reduction::mean, {1, 2}, 1.5f));
    CHECK(!takes(reduction::mean, {1, 2}, std::nextafter(1.5f, 2.0f)));
    CHECK(takes(reduction::prod, {3, -5, 0.5f}, -7.5f));
    CHECK(!takes(reduction::prod, {3, -5, 0.5f}, std::nextafter(-7.5f, 0.0f)));
}

TEST_CASE("the signs of zeros, infinities and NaN of sums and products are known where no order changes them") {
    CHECK(takes(reduction::sum, {-0.0f, -0.0f}, -0.0f));
    CHECK(!takes(reduction::sum, {-0.0f, -0.0f}, 0.0f));
    CHECK(!takes(reduction::sum, {-0.0f, 0.0f}, -0.0f));
    CHECK(!takes(reduction::sum, {}, -0.0f));
    CHECK(takes(reduction::sum, {INFINITY, 1}, INFINITY));
    CHECK(!takes(reduction::sum, {INFINITY, 1}, NAN));
    CHECK(takes(reduction::sum, {INFINITY, -INFINITY}, NAN));
    CHECK(!takes(reduction::sum, {INFINITY, -INFINITY}, INFINITY));
    CHECK(takes(reduction::sum, {3e38f, 3e38f, -3e38f}, INFINITY));  // as the order is
    CHECK(!takes(reduction::prod, {-1, 0}, 0.0f));
    CHECK(takes(reduction::prod, {0, INFINITY}, NAN));
    CHECK(!takes(reduction::max, {1, NAN}, 1));
    CHECK(takes(reduction::norm, {3e30f, INFINITY}, INFINITY));
    CHECK(takes(reduction::logsumexp, {-INFINITY, -INFINITY}, -INFINITY));
    CHECK(takes(reduction::var, {1, INFINITY}, NAN));
}

TEST_CASE("positions, counts and integers are exact") {
    const auto position = [](reduction what, const std::vector<float>& elements) {
        return static_cast<int>(expected(what, elements).whole);
    };
    CHECK(position(reduction::argmax, {1, 3, 3, 2}) == 1);
    CHECK(position(reduction::argmin, {0.0f, -0.0f}) == 0);
    CHECK(position(reduction::argmin, {1, NAN, -1, NAN}) == 1);
    CHECK(position(reduction::count, {0, NAN, -0.0f, 2}) == 2);
    const std::vector<std::int8_t> bytes(300, 127);
    const oracle::expectation sum = oracle::reduced(reduction::sum, type::i8, oracle::from_all(bytes));
    CHECK(sum.holds(oracle::from(std::int64_t{38100})));
    CHECK(!sum.holds(oracle::from(std::int32_t{38100})));
    const std::vector<std::uint64_t> large{~std::uint64_t{0}, 3};
    CHECK(oracle::reduced(reduction::prod, type::u64, oracle::from_all(large)).holds(oracle::from(~std::uint64_t{2})));
    CHECK(oracle::reduced(reduction::sum, type::u64, oracle::from_all(large)).holds(oracle::from(std::uint64_t{2})));
    const std::vector<float> wide{2, 3, 4};
    const auto running = oracle::cumulated(reduction::sum, type::f32, oracle::from_all(wide));
    CHECK(running.at(1).holds(oracle::from(5.0f)));
    CHECK(!running.at(1).holds(oracle::from(2.0f)));
}
