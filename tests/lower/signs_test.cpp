// Where a value is said never to be -0, no operand makes it so.
#include <lower/signs.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

namespace {

template <class E>
bool is_never_negative_zero(const E& of) {
    const k::lower::program code = tests::lowered(of).code;
    return k::lower::is_never_negative_zero(code, code.outputs[0]);
}

}  // namespace

TEST_CASE(
    "squares, magnitudes, exponentials, what was an integer, and sums of those are never -0; other floats may be") {
    const k::array<float> x = k::ones<float>({3}), y = k::ones<float>({3});
    CHECK(is_never_negative_zero(x * x));
    CHECK(is_never_negative_zero(k::square(x - y)));
    CHECK(is_never_negative_zero(k::square(x - y) + y * y));
    CHECK(is_never_negative_zero(k::sqrt(k::abs(x)) - y));
    CHECK(is_never_negative_zero(x + k::exp(y)));
    CHECK(is_never_negative_zero(k::cast<float>(x < y)));
    CHECK(is_never_negative_zero(x + k::cast<float>(k::ones<std::int8_t>({3}))));
    CHECK_FALSE(is_never_negative_zero(k::cast<float>(k::cast<double>(x))));
    CHECK_FALSE(is_never_negative_zero(x + 0.5f));
    CHECK_FALSE(is_never_negative_zero(x * y));
    CHECK_FALSE(is_never_negative_zero(y - x * x));
    CHECK_FALSE(is_never_negative_zero(-(x * x)));
    CHECK_FALSE(is_never_negative_zero(k::sqrt(x)));
}
