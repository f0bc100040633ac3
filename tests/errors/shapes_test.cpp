// Shapes that do not match, that cannot be, and that hold nothing.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

std::int64_t launches() { return k::counters::now().launches; }

}  // namespace

TEST_CASE("operands whose shapes do not broadcast throw shape_error, with both shapes printed") {
    const k::array<double> a = k::zeros<double>({4000, 5});
    const k::array<double> b = k::zeros<double>({5, 4000});
    const k::array<double> flat = k::zeros<double>({20000});
    CHECK_THROWS_WITH_AS(k::array<double>(a * b), doctest::Contains("(4000, 5) and (5, 4000)"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::array<double>(flat + a), doctest::Contains("(20000,) and (4000, 5)"), k::shape_error);
    CHECK_THROWS_AS(k::array<double>(k::expr<double>(a) + b), k::shape_error);
    CHECK_THROWS_AS(k::array<double>(k::where(a > 0, a, b)), k::shape_error);
    CHECK_THROWS_AS(k::prepare(a * b), k::shape_error);
    // And the operation where they meet, of several.
    CHECK_THROWS_WITH_AS(k::array<double>(k::exp(a * 2.0) - k::tanh(a + k::min(flat, a))),
                         "kiln: min: shapes (20000,) and (4000, 5) do not broadcast: from the right, 20000 meets 5",
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::eval(a + 1.0, k::sqrt(a) / b), doctest::Contains("div: shapes (4000, 5) and (5, 4000)"),
                         k::shape_error);
}

TEST_CASE("what does not broadcast to a target throws shape_error, with both shapes printed") {
    k::array<float> y = k::zeros<float>({10});
    CHECK_THROWS_WITH_AS(y(k::range(0, 5)) = k::ones<float>({6}),
                         doctest::Contains("shape (6,) does not broadcast to (5,)"), k::shape_error);
    std::vector<float> memory(4);
    CHECK_THROWS_WITH_AS(k::wrap(memory.data(), {2, 2}) = k::ones<float>({4}),
                         doctest::Contains("shape (4,) does not broadcast to (2, 2)"), k::shape_error);
    CHECK_SAME(y.to_host(), std::vector<float>(10, 0.0f));
}

TEST_CASE("nothing is launched when the shapes do not match") {
    const k::array<float> x = k::zeros<float>({3});
    const std::int64_t before = launches();
    CHECK_THROWS_AS(k::array<float>(x + x + k::ones<float>({4})), k::shape_error);
    CHECK(launches() == before);
}

TEST_CASE("item() of many elements, or of none, throws shape_error and says what to do") {
    const k::array<float> x = k::zeros<float>({2, 3});
    CHECK_THROWS_WITH_AS(static_cast<void>(x.item()), doctest::Contains("(2, 3)"), k::shape_error);
    CHECK_THROWS_WITH_AS(static_cast<void>(x.item()), doctest::Contains("to_host"), k::shape_error);
    const k::array<float> none = k::zeros<float>({0});
    CHECK_THROWS_AS(static_cast<void>(none.item()), k::shape_error);
    const k::array<float> one = k::full<float>({1, 1, 1}, 4.0f);
    CHECK(one.item() == 4.0f);
}

TEST_CASE("arrays of no elements launch nothing and are right") {
    const k::array<float> x = k::zeros<float>({0, 5});
    const k::array<std::int32_t> i = k::from_host<std::int32_t>(std::vector<std::int32_t>{});
    const std::int64_t before = launches();
    const k::array<float> y = x * 2.0f + x;
    CHECK(y.shape() == k::shape{0, 5});
    CHECK(y.size() == 0);
    CHECK(y.to_host().empty());
    CHECK(k::array<double>(i * 0.5).to_host().empty());
    auto [a, b] = k::eval(x + 1.0f, x < 1.0f);
    CHECK(a.shape() == k::shape{0, 5});
    CHECK(b.to_host().empty());
    k::array<float> z = k::ones<float>({0});
    z += 1.0f;
    z = z * z;
    CHECK(z.shape() == k::shape{0});
    CHECK(k::array<float>(k::expr<float>(x)).size() == 0);
    CHECK(launches() == before);
    CHECK(y.data() == nullptr);
}

TEST_CASE("slices of no elements are read and written without a launch") {
    k::array<float> x = k::arange<float>(5);
    const std::int64_t before = launches();
    x(k::range(3, 3)) = 9.0f;
    x(k::range(4, 2)) = k::zeros<float>({0});
    CHECK(k::array<float>(x(k::range(2, 2)) + 1.0f).size() == 0);
    CHECK(launches() == before);
    CHECK_SAME(x.to_host(), {0, 1, 2, 3, 4});
    k::array<float> none = k::zeros<float>({0});
    none(k::all) = 1.0f;
    CHECK(none.size() == 0);
    float* const nothing = nullptr;
    k::wrap(nothing, {0}) = k::zeros<float>({0});
}

TEST_CASE("an array of no elements that grows, and one that shrinks to none, has its new shape") {
    k::array<float> x = k::zeros<float>({0});
    x = k::ones<float>({3});
    CHECK_SAME(x.to_host(), {1, 1, 1});
    x = k::zeros<float>({2, 0});
    CHECK(x.shape() == k::shape{2, 0});
    CHECK(x.to_host().empty());
}

TEST_CASE("a rank past 8 and a negative extent throw shape_error and name it") {
    CHECK_THROWS_WITH_AS((k::shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), doctest::Contains("rank 9"), k::shape_error);
    CHECK_THROWS_WITH_AS((k::shape{3, -2}), doctest::Contains("-2"), k::shape_error);
    CHECK_THROWS_AS((k::shape{std::int64_t{1} << 40, std::int64_t{1} << 40}), k::shape_error);
    CHECK((k::shape{std::int64_t{1} << 40, std::int64_t{1} << 40, 0}.size()) == 0);
    CHECK((k::shape{1, 1, 1, 1, 1, 1, 1, 1}.rank()) == 8);
}

TEST_CASE("shapes print as NumPy's do") {
    CHECK(k::to_string(k::shape{}) == "()");
    CHECK(k::to_string(k::shape{3}) == "(3,)");
    CHECK(k::to_string(k::shape{4000, 5}) == "(4000, 5)");
    CHECK(k::to_string(k::shape{0}) == "(0,)");
}

TEST_CASE("from_host and copy_to want exactly as many elements as the shape has") {
    CHECK_THROWS_AS(k::from_host<float>(std::vector<float>(5), {2, 3}), k::shape_error);
    CHECK_THROWS_AS((k::from_host<float>({1.0f, 2.0f}, {3})), k::shape_error);
    const k::array<float> x = k::zeros<float>({4});
    std::vector<float> three(3);
    CHECK_THROWS_AS(x.copy_to(three), k::shape_error);
}

TEST_CASE("too many slices, and a step of 0, throw shape_error") {
    k::array<float> x = k::zeros<float>({4});
    CHECK_THROWS_AS(static_cast<void>(x(k::all, k::all)), k::shape_error);
    CHECK_THROWS_AS(static_cast<void>(x(k::range(0, 4, 0))), k::shape_error);
}

TEST_CASE("every error of kiln's is a kiln::error and a std::runtime_error") {
    const k::array<float> x = k::zeros<float>({4});
    CHECK_THROWS_AS(static_cast<void>(x.item()), k::error);
    CHECK_THROWS_AS(static_cast<void>(x.item()), std::runtime_error);
}
