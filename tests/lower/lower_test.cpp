// Graph to program: what is put in, what is merged, what is left out.
#include <support/rooms.hpp>

#include <doctest/doctest.h>

namespace k = kiln;
using k::element_type;
using k::operation;

namespace {

int count(const k::lower::program& in, operation code) {
    int out = 0;
    for (const k::lower::step& each : in.steps) out += each.code == code;
    return out;
}

}  // namespace

TEST_CASE("x + x + x + x + x is one array and four additions, in the order written") {
    const k::array<float> x = k::ones<float>({3});
    const k::lower::program code = tests::lowered(x + x + x + x + x).code;
    CHECK(code.arrays.size() == 1);
    REQUIRE(code.steps.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(code.steps[i].code == operation::add);
        CHECK(code.steps[i].args[0] == (i == 0 ? 0 : code.step_value(static_cast<int>(i) - 1)));
        CHECK(code.steps[i].args[1] == 0);
    }
    CHECK(code.outputs == std::vector<k::lower::value_id>{code.step_value(3)});
}

TEST_CASE("equal steps are one step, and steps that differ in type are not equal") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<float> y = k::ones<float>({3});
    CHECK(tests::lowered((x + y) * (x + y)).code.steps.size() == 2);
    CHECK(tests::lowered((x + y) * (y + x)).code.steps.size() == 3);
    CHECK(tests::lowered(k::sqrt(x), k::sqrt(x) + 1.0f).code.steps.size() == 2);
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({3});
    const k::array<std::int32_t> i = k::ones<std::int32_t>({3});
    CHECK(count(tests::lowered((u + u) + (k::cast<std::int32_t>(u) + i)).code, operation::add) == 3);
}

TEST_CASE("promotion puts each conversion in once, and marks it as its own") {
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({3});
    const k::array<double> d = k::ones<double>({3});
    const k::lower::program code = tests::lowered(u * d + u / d).code;
    CHECK(count(code, operation::cast) == 1);
    REQUIRE(code.steps.size() == 4);
    CHECK(code.steps[0].conversion);
    CHECK(code.steps[0].operands == element_type::uint8);
    CHECK(code.steps[0].result == element_type::float64);
    const k::lower::program written = tests::lowered(k::cast<double>(u) * d).code;
    CHECK_FALSE(written.steps[0].conversion);
}

TEST_CASE("a cast to the type that the value has is no step, and one there and back is two") {
    const k::array<double> d = k::ones<double>({3});
    CHECK(tests::lowered(k::cast<double>(d) + d).code.steps.size() == 1);
    CHECK(tests::lowered(k::cast<double>(k::cast<float>(d))).code.steps.size() == 2);
}

TEST_CASE("two scalars of equal value are two scalars") {
    const k::array<float> x = k::ones<float>({3});
    const k::lower::lowered out = tests::lowered(x * 2.0f + 2.0f);
    CHECK(out.code.scalars.size() == 2);
    CHECK(out.scalar_slots == std::vector<int>{1, 2});
    CHECK(tests::lowered(x * 2.0f + x * 2.0f).code.steps.size() == 3);
}

TEST_CASE("an expression that stands twice is computed once, its numbers with it") {
    const k::array<float> x = k::ones<float>({3});
    const auto d = k::sin(x * 2.0f) / 3.0f;
    const k::lower::lowered out = tests::lowered(d * d - d);
    CHECK(out.code.scalars.size() == 2);
    CHECK(out.scalar_slots == std::vector<int>{1, 2});
    CHECK(out.code.steps.size() == 5);  // times 2, sin, over 3; the product, the difference
}

TEST_CASE("copies of numbers of 16 bytes, of generators and of random draws are one, too") {
    const k::array<std::complex<double>> z = k::ones<std::complex<double>>({3});
    const auto turned = z * std::complex<double>(0, 1);
    CHECK(tests::lowered(turned + turned).code.steps.size() == 2);
    const auto ones = k::ones<float>({3});
    CHECK(tests::lowered(ones + ones).code.scalars.size() == 1);
    const auto drawn = k::random::uniform<float>({3}, 7);
    CHECK(tests::lowered(drawn + drawn).code.steps.size() == 3);  // the position as uint64, the draw, the sum
    CHECK(tests::lowered(drawn + k::random::uniform<float>({3}, 7)).code.scalars.size() == 2);
}

TEST_CASE("a copy with another value is another number") {
    // Threads count their captures by themselves, so that numbers of two of them may have one count.
    const k::array<float> x = k::ones<float>({3});
    auto twice = x * 2.0f;
    auto thrice = x * 3.0f;
    thrice.b.capture = twice.b.capture;
    CHECK(tests::lowered(twice + thrice).code.scalars.size() == 2);
    auto once = k::cast<std::int32_t>(x) * 0;
    once.b.capture = twice.b.capture;
    twice.b.value = 0;
    CHECK(tests::lowered(twice + once).code.scalars.size() == 2);
}

TEST_CASE("of expressions longer than bytes can number, copies are one, too") {
    const k::array<float> x = k::ones<float>({3});
    const auto scaled = x * 2.0f;
    k::expr<float> e = x;
    for (int i = 0; i < 200; ++i) e = e + scaled;
    const k::array<float> y = e;
    CHECK(y.to_host()[0] == 401.0f);
    std::int64_t operations = 0;
    for (const k::kernel_explanation& each : k::explain(e).kernels) operations += each.operation_count;
    CHECK(operations == 201 * y.size());  // one product
}

TEST_CASE("where converts its condition to bool and its choices to the type in which they meet") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<std::int32_t> i = k::ones<std::int32_t>({3});
    const k::lower::program code = tests::lowered(k::where(i, x, i)).code;
    REQUIRE(code.steps.size() == 3);
    const k::lower::step& chosen = code.steps.back();
    CHECK(code.type_of(chosen.args[0]) == element_type::boolean);
    CHECK(code.type_of(chosen.args[1]) == element_type::float32);
    CHECK(code.type_of(chosen.args[2]) == element_type::float32);
}

TEST_CASE("steps that no output needs are gone") {
    k::detail::graph g;
    const int x = k::detail::add_array(g, element_type::float32);
    const int used = k::detail::add_operation(g, operation::neg, element_type::float32, x);
    k::detail::add_operation(g, operation::mul, element_type::float32, used, used);
    const int last = k::detail::add_operation(g, operation::sqrt, element_type::float32, used);
    k::detail::add_output(g, last, element_type::float32);
    const k::lower::program code = k::lower::lower(g, {0}).code;
    REQUIRE(code.steps.size() == 2);
    CHECK(code.steps[1].code == operation::sqrt);
    CHECK(code.steps[1].args[0] == code.step_value(0));
}

TEST_CASE("an output of a wider type is converted at its end, and a leaf may be an output") {
    const k::array<std::int32_t> i = k::ones<std::int32_t>({3});
    k::detail::graph g = tests::graph_of(i + i, i);
    g.outputs[0].as = element_type::int64;
    const k::lower::program code = k::lower::lower(g, {0, 0, 0}).code;
    REQUIRE(code.steps.size() == 2);
    CHECK(code.type_of(code.outputs[0]) == element_type::int64);
    CHECK(code.outputs[1] == 0);
}

TEST_CASE("one array in two leaves is one operand; two arrays of equal elements are two") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<float> same = x;
    const k::array<float> other = k::ones<float>({3});
    CHECK(tests::lowered(x * same).code.arrays.size() == 1);
    CHECK(tests::lowered(x * other).code.arrays.size() == 2);
}
