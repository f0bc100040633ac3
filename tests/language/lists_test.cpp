// Shapes, axes, slices and parts from lists that the program makes as it runs.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <array>
#include <span>

namespace k = kiln;

TEST_CASE("lists: a shape from a vector, a span, an array of any integers") {
    const std::vector<std::int64_t> extents = {2, 3};
    CHECK(k::shape(extents) == k::shape{2, 3});
    CHECK(k::shape(std::vector<int>{4}) == k::shape{4});
    CHECK(k::shape(std::array<std::size_t, 2>{1, 2}) == k::shape{1, 2});
    CHECK(k::shape(std::span<const std::int64_t>(extents).first(1)) == k::shape{2});
    CHECK(k::shape(std::vector<int>{}) == k::shape{});
    CHECK(k::zeros<float>(extents).shape() == k::shape{2, 3});
    CHECK_THROWS_AS(k::shape(std::vector<int>(9, 1)), k::shape_error);
    CHECK_THROWS_AS(k::shape(std::vector<int>{-1}), k::shape_error);
    CHECK(k::reshape(k::arange<int>(6), std::vector<std::int64_t>{3, -1}).shape() == k::shape{3, 2});
}

TEST_CASE("lists: axes of reductions and of transpose") {
    const k::array<int> x = k::reshape(k::arange<int>(24), {2, 3, 4});
    const std::vector<int> outer = {0, 2};
    CHECK(k::sum(x, k::axes(outer)).to_host() == k::sum(x, k::axes(0, 2)).to_host());
    CHECK(k::sum(x, k::axes({0, 2})).to_host() == k::sum(x, k::axes(0, 2)).to_host());
    CHECK(k::sum(x, k::axes(std::span<const int>(outer)), k::keep_dims).shape() == k::shape{1, 3, 1});
    CHECK(k::sum(x, k::axes(std::vector<int>{})).shape() == x.shape());
    CHECK_THROWS_AS((void)k::axes(std::vector<int>(9, 0)), k::shape_error);
    CHECK(k::transpose(x, std::vector<int>{2, 0, 1}).to_host() == k::transpose(x, {2, 0, 1}).to_host());
    CHECK(k::permute(x, std::array<int, 3>{1, 0, 2}).shape() == k::shape{3, 2, 4});
}

TEST_CASE("lists: an index of ranges, or of ranges, positions and new axes") {
    k::array<int> m = k::reshape(k::arange<int>(12), {3, 4});
    const std::vector<k::range> block = {k::range(1, 3), k::range(0, 4, 2)};
    CHECK(m(block).to_host() == std::vector<int>{4, 6, 8, 10});
    const std::vector<k::index_item> row = {k::newaxis, 1};
    CHECK(m(row).shape() == k::shape{1, 4});
    CHECK((m + 1)(row).to_host() == std::vector<int>{5, 6, 7, 8});
    CHECK(k::slice(m, std::span<const k::range>(block).first(1)).shape() == k::shape{2, 4});
    m(block) = 0;
    CHECK(m.to_host() == std::vector<int>{0, 1, 2, 3, 0, 5, 0, 7, 0, 9, 0, 11});
    const k::array<int>& read = m;
    CHECK(read(block)(0).to_host() == std::vector<int>{0, 0});
    CHECK_THROWS_AS(m(std::vector<k::range>(3, k::all)), k::shape_error);
    CHECK_THROWS_AS(m(std::vector<k::range>(17, k::all)), k::shape_error);
}

TEST_CASE("stack and concatenate of one part are that part") {
    const k::array<float> x = k::arange<float>(6);
    CHECK_SAME(k::array<float>(k::concatenate(k::axis(0), x)).to_host(), x.to_host());
    const k::array<float> stacked = k::stack(k::axis(0), x * 2.0f);
    CHECK(stacked.shape() == k::shape{1, 6});
    CHECK_SAME(stacked.to_host(), k::array<float>(x * 2.0f).to_host());
    CHECK_THROWS_AS(k::concatenate(k::axis(1), x), k::shape_error);
}

TEST_CASE("lists: stack and concatenate of as many parts as there are, the same as of parts that are named") {
    std::vector<k::array<float>> parts;
    for (int i = 0; i < 5; ++i) parts.push_back(k::reshape(k::arange<float>(6), {2, 3}) + static_cast<float>(10 * i));
    for (const int axis : {0, 1, -1, 2}) {
        const k::array<float> stacked = k::stack(k::axis(axis), parts);
        const k::array<float> named = k::stack(k::axis(axis), parts[0], parts[1], parts[2], parts[3], parts[4]);
        CHECK(stacked.shape() == named.shape());
        CHECK_SAME(stacked.to_host(), named.to_host());
    }
    parts[1] = k::zeros<float>({2, 0});
    parts[3] = k::ones<float>({2, 1});
    const k::array<float> joined = k::concatenate(k::axis(1), parts);
    const k::array<float> named = k::concatenate(k::axis(-1), parts[0], parts[1], parts[2], parts[3], parts[4]);
    CHECK(joined.shape() == k::shape{2, 10});
    CHECK_SAME(joined.to_host(), named.to_host());
}

TEST_CASE("lists: parts that are expressions, one part, none, and parts that do not fit") {
    const k::array<float> x = k::arange<float>(3);
    const std::vector<k::expr<float>> powers = {x, x * x, x * x * x};
    CHECK(k::stack(k::axis(0), powers).to_host() == std::vector<float>{0, 1, 2, 0, 1, 4, 0, 1, 8});
    CHECK(k::concatenate(k::axis(0), std::span<const k::expr<float>>(powers).first(1)).to_host() ==
          std::vector<float>{0, 1, 2});
    CHECK_THROWS_AS(k::stack(k::axis(0), std::vector<k::array<float>>()), k::shape_error);
    CHECK_THROWS_AS(k::concatenate(k::axis(0), std::vector<k::array<float>>()), k::shape_error);
    CHECK_THROWS_AS(k::stack(k::axis(2), powers), k::shape_error);
    CHECK_THROWS_AS(k::stack(k::axis(0), std::vector<k::array<float>>{x, k::zeros<float>({4})}), k::shape_error);
    CHECK_THROWS_AS(k::concatenate(k::axis(1), powers), k::shape_error);
}
