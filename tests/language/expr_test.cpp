// Graphs built at run time: loops, long chains, shared parts.
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

TEST_CASE("a polynomial built in a loop is Horner's rule") {
    const std::vector<float> at = tests::ordinary_values<float>(501);
    const k::array<float> x = k::from_host<float>(at);
    std::vector<k::array<float>> coefficients;
    for (int i = 0; i < 7; ++i) coefficients.push_back(k::full<float>({501}, static_cast<float>(i) - 2.5f));
    k::expr<float> poly = coefficients.back();
    for (auto i = coefficients.size() - 1; i-- > 0;) poly = poly * x + coefficients[i];
    std::vector<float> expected;
    for (const float value : at) {
        float sum = 3.5f;
        for (int i = 6; i-- > 0;) {
            sum = sum * value;
            sum = sum + (static_cast<float>(i) - 2.5f);
        }
        expected.push_back(sum);
    }
    CHECK_SAME(k::array<float>(poly).to_host(), expected);
}

TEST_CASE("a sum of 500 arrays is right, in as many kernels as their parameters need") {
    std::vector<k::array<std::int32_t>> terms;
    std::vector<std::int32_t> expected(33, 0);
    for (int i = 0; i < 500; ++i) {
        const std::vector<std::int32_t> values =
            tests::ordinary_values<std::int32_t>(33, static_cast<std::uint64_t>(i));
        terms.push_back(k::from_host<std::int32_t>(values));
        for (std::size_t j = 0; j < 33; ++j)
            expected[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(expected[j]) +
                                                    static_cast<std::uint32_t>(values[j]));
    }
    k::expr<std::int32_t> sum = k::zeros<std::int32_t>({33});
    for (const k::array<std::int32_t>& term : terms) sum = sum + term;
    const k::counters before = k::counters::now();
    const k::array<std::int32_t> total = sum;
    CHECK_SAME(total.to_host(), expected);
    const k::counters spent = k::counters::now() - before;
    CHECK(spent.launches >= 2);  // at most 448 parameters each, on the host 256
    CHECK(spent.launches <= 4);
}

TEST_CASE("a chain of 10,000 operations evaluates") {
    const k::array<std::int64_t> x = k::full<std::int64_t>({5}, std::int64_t{3});
    const k::array<std::int64_t> y = k::full<std::int64_t>({5}, std::int64_t{-5});
    k::expr<std::int64_t> chain = x;
    std::uint64_t expected = 3;
    for (int i = 0; i < 5000; ++i) {
        chain = (chain * x) + y;
        expected = expected * 3 + static_cast<std::uint64_t>(-5);
    }
    CHECK_SAME(k::array<std::int64_t>(chain).to_host(),
               std::vector<std::int64_t>(5, static_cast<std::int64_t>(expected)));
}

TEST_CASE("a graph of 10,000 nodes is cut where kernels have enough steps, and explain says so") {
    const k::array<float> x = k::ones<float>({3});
    k::expr<float> e = x;
    for (int i = 0; i < 9999; ++i) e = e * 0.5f + x;
    const k::explanation plan = k::explain(e);
    REQUIRE(plan.kernels.size() > 1);
    CHECK(plan.kernels.back().cut == "");
    bool said = false;
    for (std::size_t i = 0; i + 1 < plan.kernels.size(); ++i) {
        CHECK(plan.kernels[i].cut.rfind("after step ", 0) == 0);
        said |= plan.kernels[i].cut == "after step 1024 of 19998: a kernel has at most 1024 steps";
    }
    const bool by_parameters = plan.kernels[0].cut.find("bytes of parameters") != std::string::npos;
    CHECK((said || by_parameters));
    CHECK(to_string(plan).find("    cut: " + plan.kernels[0].cut) != std::string::npos);
    CHECK_SAME(k::array<float>(e).to_host(), std::vector<float>(3, 2.0f));
}

TEST_CASE("64 inputs are one kernel, and 64 strided ones as many as their parameters need") {
    k::expr<std::int32_t> flat = k::zeros<std::int32_t>({4, 6});
    k::expr<std::int32_t> strided = flat;
    std::vector<std::int32_t> sums(24);
    for (int i = 0; i < 64; ++i) {
        const std::vector<std::int32_t> values =
            tests::ordinary_values<std::int32_t>(48, static_cast<std::uint64_t>(i));
        std::vector<std::int32_t> seen;
        for (std::size_t at = 0; at < 24; ++at) seen.push_back(values[at / 6 * 12 + at % 6 * 2] / 64);
        for (std::size_t at = 0; at < 24; ++at) sums[at] += seen[at];
        flat = flat + k::from_host<std::int32_t>(seen, {4, 6});
        strided = strided + k::from_host<std::int32_t>(values, {4, 12})(k::all, k::range(0, 12, 2)) / 64;
    }
    CHECK(k::explain(flat).kernels.size() == 1);
    CHECK_SAME(k::array<std::int32_t>(flat).to_host(), sums);
    const k::explanation plan = k::explain(strided);
    for (std::size_t i = 0; i + 1 < plan.kernels.size(); ++i)
        CHECK(plan.kernels[i].cut.find("bytes of parameters") != std::string::npos);
    CHECK_SAME(k::array<std::int32_t>(strided).to_host(), sums);
}

TEST_CASE("without fusing, explain says that this is why there are several kernels") {
    const k::array<float> x = k::ones<float>({3});
    const k::scoped_options off({.fuse = false});
    const k::explanation plan = k::explain(k::sqrt(x * x + 1.0f));
    REQUIRE(plan.kernels.size() == 3);
    CHECK(plan.kernels[0].cut == "after step 1 of 3: options.fuse is off");
    CHECK(plan.kernels[2].cut == "");
}

TEST_CASE("a chain of 100,000 operations evaluates") {
    // Unequal scalars would be as many parameters; one array is one.
    const k::array<std::int32_t> x = k::ones<std::int32_t>({2});
    k::expr<std::int32_t> chain = x;
    for (int i = 0; i < 100'000; ++i) chain = chain + x;
    const std::int64_t before = k::counters::now().compiles;
    CHECK_SAME(k::array<std::int32_t>(chain).to_host(), {100'001, 100'001});
    // The first, the last, and those between, which are all the same.
    CHECK(k::counters::now().compiles - before <= 3);
}

TEST_CASE("a chain of a million operations is built and destroyed without a stack frame per operation") {
    const k::array<float> x = k::ones<float>({2});
    k::expr<float> chain = x;
    for (int i = 0; i < 1'000'000; ++i) chain = chain + x;
    k::expr<float> other = chain;
    chain = x;
    CHECK_SAME(k::array<float>(chain).to_host(), {1.0f, 1.0f});
}

TEST_CASE("what stands twice in a graph is computed once: 60 doublings are 60 operations, not 2^60") {
    k::expr<std::int64_t> e = k::array<std::int64_t>(k::ones<std::int64_t>({3}));
    for (int i = 0; i < 60; ++i) e = e + e;
    const k::explanation plan = k::explain(e);
    std::int64_t operations = 0;
    for (const k::kernel_explanation& kernel : plan.kernels) operations += kernel.operation_count;
    CHECK(operations == 60 * 3);
    CHECK_SAME(k::array<std::int64_t>(e).to_host(), std::vector<std::int64_t>(3, std::int64_t{1} << 60));
}

TEST_CASE("equal parts of a static expression are computed once") {
    const k::array<double> x = k::from_host<double>(tests::ordinary_values<double>(40));
    const auto part = k::sqrt(k::abs(x)) * x;
    const k::explanation plan = k::explain(part + part);
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].operation_count == 4 * 40);
    const k::explanation again = k::explain((k::sqrt(k::abs(x)) * x) + (k::sqrt(k::abs(x)) * x));
    REQUIRE(again.kernels.size() == 1);
    CHECK(again.kernels[0].operation_count == 4 * 40);
}

TEST_CASE("an expr widens what it is given, and static expressions take it as an operand") {
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({1, 2, 3}, {3});
    const k::array<float> x = k::from_host<float>({0.5f, 0.25f, 0.125f}, {3});
    k::expr<double> e = i;
    e = e + x;
    CHECK_SAME(k::array<double>(e * 2).to_host(), {3.0, 4.5, 6.25});
    CHECK_SAME(k::array<double>(k::where(x > 0.2f, e, k::sqrt(e))).to_host(), {1.5, 2.25, std::sqrt(3.125)});
    const k::expr<bool> less = e < 2.0;
    CHECK_SAME(k::array<bool>(less).to_host(), {true, false, false});
    auto [sum, product] = k::eval(e + 1, e * x);
    CHECK_SAME(sum.to_host(), {2.5, 3.25, 4.125});
    CHECK_SAME(product.to_host(), {0.75, 0.5625, 0.390625});
}

TEST_CASE("an expr is of the type of what it begins with, where none is said") {
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({1, 2, 3}, {3});
    k::expr sum = i + 1.5;
    static_assert(std::is_same_v<decltype(sum), k::expr<double>>);
    k::expr number = 2.0f;
    static_assert(std::is_same_v<decltype(number), k::expr<float>>);
    const k::expr copied = sum;
    static_assert(std::is_same_v<decltype(copied), const k::expr<double>>);
    sum = sum * number;
    CHECK_SAME(k::array<double>(sum).to_host(), {5.0, 7.0, 9.0});
}

TEST_CASE("an expr holds the values that its arrays had, and may be evaluated any number of times") {
    k::array<float> x = k::full<float>({4}, 2.0f);
    const k::expr<float> e = x * x;
    x = x + 100.0f;
    CHECK_SAME(k::array<float>(e).to_host(), std::vector<float>(4, 4.0f));
    x = e;
    CHECK_SAME(x.to_host(), std::vector<float>(4, 4.0f));
    x = e;
    CHECK_SAME(k::array<float>(e).to_host(), std::vector<float>(4, 4.0f));
}

TEST_CASE("generators and slices take part in graphs built at run time") {
    const k::array<float> x = k::arange<float>(10);
    k::expr<float> e = k::full<float>({5}, 0.5f);
    e = e + x(k::range(0, 10, 2));
    e = e * k::arange<float>(5);
    CHECK_SAME(k::array<float>(e).to_host(), {0.0f, 2.5f, 9.0f, 19.5f, 34.0f});
    k::array<float> y = k::zeros<float>({10});
    y(k::range(9, k::range::open, -2)) = e;
    CHECK_SAME(y.to_host(), {0.0f, 34.0f, 0.0f, 19.5f, 0.0f, 9.0f, 0.0f, 2.5f, 0.0f, 0.0f});
}

TEST_CASE("an expr may begin as a number, or as nothing, which is 0") {
    const k::array<float> x = k::arange<float>(4);
    k::expr<float> sum = 0.5f;
    for (int i = 0; i < 3; ++i) sum = sum + x;
    CHECK_SAME(k::array<float>(sum).to_host(), {0.5f, 3.5f, 6.5f, 9.5f});
    k::expr<double> none;
    CHECK(k::array<double>(none).shape() == k::shape{});
    CHECK(k::array<double>(none).item() == 0);
    none = none + x;
    CHECK_SAME(k::array<double>(none).to_host(), {0.0, 1.0, 2.0, 3.0});
    CHECK(k::array<std::int64_t>(k::expr<std::int64_t>(7)).item() == 7);
    CHECK_THROWS_AS(k::expr<std::uint8_t>(300), k::type_error);
}
