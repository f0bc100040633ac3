// Views that NumPy has by these names, against loops on the host: repeated elements, axes of one element, several axes at once, one
// position, differences of differences.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <vector>

namespace k = kiln;

namespace {

using view_values = std::vector<std::int32_t>;

k::array<std::int32_t> view_counted(const k::shape& extents) {
    return k::reshape(k::arange<std::int32_t>(extents.size()), extents);
}

/// What `at` says of the position (i, j) of an array of two axes.
template <class At>
view_values view_looped(std::int64_t rows, std::int64_t columns, At at) {
    view_values out;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) out.push_back(static_cast<std::int32_t>(at(i, j)));
    return out;
}

}  // namespace

TEST_CASE("tile repeats the whole of each axis, with counts from the right") {
    for (const auto& [rows, columns] : {std::pair{3, 4}, std::pair{1, 1}, std::pair{5, 33}, std::pair{2, 100}}) {
        const k::array<std::int32_t> m = view_counted({rows, columns});
        const auto at = [&, r = rows, c = columns](std::int64_t i, std::int64_t j) { return i % r * c + j % c; };
        CHECK_SAME(k::tile(m, {2, 3}).to_host(), view_looped(2 * rows, 3 * columns, at));
        CHECK_SAME(k::tile(m, 3).to_host(), view_looped(rows, 3 * columns, at));
        CHECK_SAME(k::tile(m + 1, std::vector<int>{2, 1}).to_host(),
                   view_looped(2 * rows, columns, [&](std::int64_t i, std::int64_t j) { return at(i, j) + 1; }));
    }
    CHECK(k::tile(view_counted({3}), {4, 2, 1}).shape() == k::shape{4, 2, 3});
    CHECK_SAME(k::tile(view_counted({3}), {2, 1}).to_host(), view_values{0, 1, 2, 0, 1, 2});
    CHECK_SAME(k::tile(k::full(k::shape(), 7), 3).to_host(), {7, 7, 7});
    CHECK(k::tile(view_counted({3, 4}), {0, 1}).shape() == k::shape{0, 4});
    CHECK_SAME(k::tile(view_counted({3}), {}).to_host(), view_values{0, 1, 2});
    CHECK_THROWS_AS(k::tile(view_counted({3}), {-1}), k::shape_error);
    CHECK_THROWS_WITH_AS(k::tile(view_counted({1, 1, 1, 1, 1}), {2, 2, 2, 2}),
                         doctest::Contains("are 9; 8 are the most"), k::shape_error);
}

TEST_CASE("repeat has each element several times, along an axis or of all") {
    for (const auto& [rows, columns] : {std::pair{3, 4}, std::pair{1, 1}, std::pair{5, 33}, std::pair{2, 100}}) {
        const k::array<std::int32_t> m = view_counted({rows, columns});
        CHECK_SAME(
            k::repeat(m, 3, k::axis(0)).to_host(),
            view_looped(3 * rows, columns, [c = columns](std::int64_t i, std::int64_t j) { return i / 3 * c + j; }));
        CHECK_SAME(k::repeat(m * 2, 2, k::axis(-1)).to_host(),
                   view_looped(rows, 2 * columns,
                               [c = columns](std::int64_t i, std::int64_t j) { return 2 * (i * c + j / 2); }));
        CHECK_SAME(k::repeat(m, 2).to_host(),
                   view_looped(1, 2 * rows * columns, [](std::int64_t, std::int64_t j) { return j / 2; }));
    }
    CHECK(k::repeat(view_counted({3, 4}), 0, k::axis(1)).shape() == k::shape{3, 0});
    CHECK_THROWS_WITH_AS(k::repeat(view_counted({3}), -1), doctest::Contains("repeat: -1 times"), k::shape_error);
    CHECK_THROWS_AS(k::repeat(view_counted({3}), 2, k::axis(1)), k::shape_error);
}

TEST_CASE("tile and repeat take part in an expression's kernel") {
    const k::array<std::int32_t> m = view_counted({3, 4});
    const auto e = k::tile(m, {1, 2}) + k::repeat(m, 2, k::axis(1));
    CHECK(k::explain(e).kernels.size() == 1);
    CHECK_SAME(e.to_host(),
               view_looped(3, 8, [](std::int64_t i, std::int64_t j) { return i * 4 + j % 4 + i * 4 + j / 2; }));
}

TEST_CASE("expand_dims adds an axis of one element where it is said, and squeeze takes such axes away") {
    const k::array<std::int32_t> m = view_counted({3, 4});
    CHECK(k::expand_dims(m, k::axis(0)).shape() == k::shape{1, 3, 4});
    CHECK(k::expand_dims(m, k::axis(1)).shape() == k::shape{3, 1, 4});
    CHECK(k::expand_dims(m, k::axis(-1)).shape() == k::shape{3, 4, 1});
    CHECK_SAME((k::expand_dims(m(0), k::axis(1)) + m(1)).to_host(),
               view_looped(4, 4, [](std::int64_t i, std::int64_t j) { return i + 4 + j; }));
    CHECK_THROWS_AS(k::expand_dims(m, k::axis(3)), k::shape_error);
    const k::array<std::int32_t> wide = view_counted({1, 3, 1, 4, 1});
    CHECK(k::squeeze(wide).shape() == k::shape{3, 4});
    CHECK(k::squeeze(wide, k::axis(-1)).shape() == k::shape{1, 3, 1, 4});
    CHECK(k::squeeze(wide, k::axes(0, 2)).shape() == k::shape{3, 4, 1});
    CHECK(k::squeeze(wide, k::axes(std::vector<int>{})).shape() == wide.shape());
    CHECK_SAME(k::squeeze(wide + 1).to_host(), (m + 1).to_host());
    CHECK(k::squeeze(view_counted({1})).shape() == k::shape());
    CHECK_THROWS_WITH_AS(k::squeeze(wide, k::axis(1)), doctest::Contains("squeeze: axis 1 of shape (1, 3, 1, 4, 1)"),
                         k::shape_error);
}

TEST_CASE("flip and roll along several axes, along none, and along one that stands twice") {
    const k::array<std::int32_t> m = view_counted({3, 4});
    CHECK_SAME(k::flip(m, k::axes(0, 1)).to_host(), k::flip(m).to_host());
    CHECK_SAME(k::flip(m, k::axes(1, -2)).to_host(),
               view_looped(3, 4, [](std::int64_t i, std::int64_t j) { return (2 - i) * 4 + 3 - j; }));
    CHECK_SAME(k::flip(m, k::axes(std::vector<int>{})).to_host(), m.to_host());
    CHECK_THROWS_WITH_AS(k::flip(m, k::axes(0, -2)), doctest::Contains("axis 0 stands twice"), k::shape_error);
    CHECK_SAME(k::roll(m, {1, -2}, k::axes(0, 1)).to_host(),
               view_looped(3, 4, [](std::int64_t i, std::int64_t j) { return (i + 2) % 3 * 4 + (j + 2) % 4; }));
    // As in NumPy distances along one axis add up, which the largest numbers must survive.
    CHECK_SAME(k::roll(m, {1, 1}, k::axes(0, 0)).to_host(), k::roll(m, 2, k::axis(0)).to_host());
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_SAME(k::roll(m, {most, most}, k::axes(0, 0)).to_host(), k::roll(m, 2 * (most % 3), k::axis(0)).to_host());
    CHECK_THROWS_WITH_AS(k::roll(m, {1, 2}, k::axis(0)), doctest::Contains("2 distances along 1 axis of shape (3, 4)"),
                         k::shape_error);
}

TEST_CASE("take at one position is what an index there is, and throws where there is none") {
    const k::array<std::int32_t> m = view_counted({3, 4});
    CHECK_SAME(k::take(m, 2, k::axis(1)).to_host(), m(k::all, 2).to_host());
    CHECK_SAME(k::take(m, -1, k::axis(0)).to_host(), m(2).to_host());
    CHECK(k::take(m * 2, 5).item() == 10);
    CHECK(k::take(m, std::uint8_t{11}).shape() == k::shape());
    CHECK_THROWS_AS(k::take(m, 4, k::axis(1)), k::shape_error);
    CHECK_THROWS_AS(k::take(m, 12), k::shape_error);
    CHECK_THROWS_AS(k::take(m, 0, k::axis(2)), k::shape_error);
}

TEST_CASE("diff of diff: so many times, in the operand's type") {
    const k::array<std::int32_t> m = k::square(view_counted({3, 5}));
    CHECK_SAME(k::array<std::int32_t>(k::diff(m, 2)).to_host(), view_values(9, 2));
    CHECK_SAME(k::array<std::int32_t>(k::diff(m, 2, k::axis(0))).to_host(), view_values(5, 50));
    CHECK_SAME(k::array<std::int32_t>(k::diff(m, 3)).to_host(), view_values(6, 0));
    CHECK_SAME(k::array<std::int32_t>(k::diff(m, 0)).to_host(), m.to_host());
    CHECK(k::diff(m, 9).shape() == k::shape{3, 0});
    CHECK(k::diff(m, 2147483647).shape() == k::shape{3, 0});
    CHECK_SAME(k::array<bool>(k::diff(m > 4, 2)).to_host(), k::array<bool>(k::diff(k::diff(m > 4))).to_host());
    CHECK_THROWS_WITH_AS(k::diff(m, -1), doctest::Contains("diff: -1 times"), k::shape_error);
}

TEST_CASE("functions take a number for a shape of one axis") {
    CHECK(k::zeros<float>(3).shape() == k::shape{3});
    CHECK(k::ones<float>(std::size_t{2}).shape() == k::shape{2});
    CHECK_SAME(k::full<float>(2, 7).to_host(), {7, 7});
    CHECK(k::broadcast_to(k::full(k::shape(), 1), 5).shape() == k::shape{5});
    CHECK_SAME(k::random::uniform<float>(9, 1).to_host(), k::random::uniform<float>({9}, 1).to_host());
    CHECK_SAME(k::reshape(view_counted({2, 3}), -1).to_host(), k::flatten(view_counted({2, 3})).to_host());
    CHECK(k::reshape(view_counted({1, 1}), 1).shape() == k::shape{1});
    CHECK_THROWS_AS(k::zeros<float>(-1), k::shape_error);
}
