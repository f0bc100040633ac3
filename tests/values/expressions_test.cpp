// An expression holds the values that its arrays had, whatever becomes of the arrays.
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <memory>
#include <optional>

namespace k = kiln;

namespace {

using floats = std::vector<float>;

k::array<float> counted(std::int64_t count) {
    return k::from_host<float>(k::array<float>(k::arange<float>(count)).to_host());
}

}  // namespace

TEST_CASE("an expression sees the values that its array had before the array was overwritten") {
    k::array<float> x = counted(5);
    auto e = x * x + x;
    x = x + 100.0f;
    CHECK_SAME(x.to_host(), floats{100, 101, 102, 103, 104});
    CHECK_SAME(k::array<float>(e).to_host(), floats{0, 2, 6, 12, 20});
}

TEST_CASE("a stored expression assigned to its own array, and then to another, is the old one both times") {
    k::array<float> x = counted(5);
    k::array<float> y;
    auto e = x * x + x;
    x = e;
    y = e;
    CHECK_SAME(x.to_host(), floats{0, 2, 6, 12, 20});
    CHECK_SAME(y.to_host(), floats{0, 2, 6, 12, 20});
    x = e;
    CHECK_SAME(x.to_host(), floats{0, 2, 6, 12, 20});
}

TEST_CASE("a moved-from stored expression may be assigned in place only to what nobody else reads") {
    k::array<float> x = counted(4);
    auto e = x + 1.0f;
    auto copy = e;
    x = std::move(e);
    CHECK_SAME(x.to_host(), floats{1, 2, 3, 4});
    CHECK_SAME(k::array<float>(copy).to_host(), floats{1, 2, 3, 4});
}

TEST_CASE("an expression that stands inside another keeps its values when the other is assigned in place") {
    k::array<float> x = counted(4);
    auto e = x + 1.0f;
    x = e * 2.0f;
    CHECK_SAME(x.to_host(), floats{2, 4, 6, 8});
    CHECK_SAME(k::array<float>(e).to_host(), floats{1, 2, 3, 4});
}

TEST_CASE("an expr that is part of a temporary keeps its values when the temporary is assigned in place") {
    k::array<float> x = counted(4);
    const k::expr<float> e = x + 1.0f;
    x = e * 2.0f;
    CHECK_SAME(x.to_host(), floats{2, 4, 6, 8});
    CHECK_SAME(k::array<float>(e).to_host(), floats{1, 2, 3, 4});
}

TEST_CASE("an expr that was copied keeps its values when the copy is moved into its array") {
    k::array<float> x = counted(4);
    k::expr<float> e = x + 1.0f;
    k::expr<float> copy = e;
    x = std::move(copy);
    CHECK_SAME(x.to_host(), floats{1, 2, 3, 4});
    CHECK_SAME(k::array<float>(e).to_host(), floats{1, 2, 3, 4});
}

TEST_CASE("a term that an expr shares with another keeps its values when one of them is assigned in place") {
    k::array<float> x = counted(4);
    k::expr<float> shared = x;
    k::expr<float> left = shared * 3.0f;
    x = k::expr<float>(shared + 1.0f);
    CHECK_SAME(x.to_host(), floats{1, 2, 3, 4});
    CHECK_SAME(k::array<float>(left).to_host(), floats{0, 3, 6, 9});
    CHECK_SAME(k::array<float>(shared).to_host(), floats{0, 1, 2, 3});
}

TEST_CASE("an expr assigned through a slice of its own array keeps its values") {
    k::array<float> x = counted(6);
    const k::expr<float> e = x(k::range(0, 3)) + 10.0f;
    x(k::range(3, 6)) = e * 1.0f;
    CHECK_SAME(x.to_host(), floats{0, 1, 2, 10, 11, 12});
    x(k::range(0, 3)) = e * 2.0f;
    CHECK_SAME(x.to_host(), floats{20, 22, 24, 10, 11, 12});
    CHECK_SAME(k::array<float>(e).to_host(), floats{10, 11, 12});
}

TEST_CASE("an expression outlives its arrays") {
    auto x = std::make_unique<k::array<float>>(counted(5));
    auto y = std::make_unique<k::array<float>>(k::full<float>({5}, 2.0f));
    const auto e = *x * *y - 1.0f;
    const k::expr<float> erased = *x * *y;
    const auto slice = (*x)(k::range(1, 4));
    x.reset();
    y.reset();
    for (int i = 0; i < 3; ++i) {  // what the arrays had may be handed out again
        const k::array<float> other = k::full<float>({5}, -9.0f);
        other.wait();
        CHECK_SAME(k::array<float>(e).to_host(), floats{-1, 1, 3, 5, 7});
        CHECK_SAME(k::array<float>(erased).to_host(), floats{0, 2, 4, 6, 8});
        CHECK_SAME(slice.to_host(), floats{1, 2, 3});
    }
}

TEST_CASE("an expression made of temporaries owns them") {
    const auto make = [](float by) { return counted(3) * by + k::array<float>(k::ones<float>({3})); };
    const auto e = make(2.0f);
    const auto f = make(3.0f);
    CHECK_SAME(k::array<float>(e + f).to_host(), floats{2, 7, 12});
}

TEST_CASE("an expression may be stored in a container, copied, and assigned out of order") {
    k::array<float> x = counted(3);
    std::vector<decltype(x + 1.0f)> steps;
    for (int i = 0; i < 4; ++i) {
        steps.push_back(x + static_cast<float>(i));
        x = x * 2.0f;
    }
    CHECK_SAME(x.to_host(), floats{0, 16, 32});
    CHECK_SAME(k::array<float>(steps[3]).to_host(), floats{3, 11, 19});
    CHECK_SAME(k::array<float>(steps[0]).to_host(), floats{0, 1, 2});
    CHECK_SAME(k::array<float>(steps[2]).to_host(), floats{2, 6, 10});
}

TEST_CASE("moving an array into an expression leaves the array without a value and the expression with it") {
    k::array<float> x = counted(3);
    auto e = std::move(x) + 1.0f;
    CHECK_FALSE(x.has_value());
    CHECK_SAME(k::array<float>(e).to_host(), floats{1, 2, 3});
    x = e;
    CHECK_SAME(x.to_host(), floats{1, 2, 3});
}
