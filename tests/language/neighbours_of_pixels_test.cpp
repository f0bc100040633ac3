// Pictures of another size, each pixel of four neighbours that two index expressions say, as formulas: whether the places are
// computed where they are needed, are arrays, or numbers of one axis, the bits are the same, and those of a loop.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace k = kiln;

namespace {

/// Where a line of `count` pixels has those of one of `from`.
auto places(std::int64_t count, std::int64_t from) {
    const float rate = static_cast<float>(from) / static_cast<float>(count);
    return k::max(k::min((k::arange<float>(count) + 0.5f) * rate - 0.5f, static_cast<float>(from - 1)), 0.0f);
}

template <class Picture, class Y, class Next, class X, class After, class Down, class Right>
auto blended(const Picture& picture, const Y& y, const Next& below, const X& x, const After& beside, const Down& down,
             const Right& right) {
    const auto at = [&](const auto& line, const auto& column) {
        return k::take(k::take(picture, line, k::axis(1)), column, k::axis(2));
    };
    return (at(y, x) * (1.0f - right) + at(y, beside) * right) * (1.0f - down) +
           (at(below, x) * (1.0f - right) + at(below, beside) * right) * down;
}

void check_resized(std::int64_t planes, std::int64_t height, std::int64_t width, std::int64_t to_height,
                   std::int64_t to_width) {
    CAPTURE(height);
    CAPTURE(to_height);
    std::vector<float> pixels;
    for (std::int64_t i = 0; i < planes * height * width; ++i)
        pixels.push_back(static_cast<float>(i * 7919 % 1009) * 0.37f);
    const k::array<float> picture = k::from_host<float>(pixels, {planes, height, width});
    const auto ys = places(to_height, height);
    const auto xs = places(to_width, width);
    const auto y = k::cast<int>(k::floor(ys));
    const auto x = k::cast<int>(k::floor(xs));
    const auto below = k::min(y + 1, static_cast<int>(height - 1));
    const auto beside = k::min(x + 1, static_cast<int>(width - 1));
    const auto down = k::reshape(ys - k::floor(ys), {to_height, 1});
    const auto right = xs - k::floor(xs);
    const k::array<float> made = blended(picture, y, below, x, beside, down, right);
    CHECK(made.shape() == k::shape{planes, to_height, to_width});

    const k::array<int> known_y = y, known_below = below, known_x = x, known_beside = beside;
    const k::array<float> known_down = down, known_right = right;
    const k::array<float> by_arrays =
        blended(picture, known_y, known_below, known_x, known_beside, known_down, known_right);
    CHECK_SAME(made.to_host(), by_arrays.to_host());

    // Negative places count from the end, and those past either end are the last there.
    const auto from_end = k::cast<std::int64_t>(y) - height;
    const auto past = k::where(x >= static_cast<int>(width - 1), k::cast<std::int64_t>(x) + (std::int64_t{1} << 40),
                               k::cast<std::int64_t>(x));
    CHECK_SAME(made.to_host(), k::array<float>(blended(picture, from_end, below, past, beside, down, right)).to_host());

    const std::vector<int> rows = known_y.to_host(), next_rows = known_below.to_host();
    const std::vector<int> columns = known_x.to_host(), next_columns = known_beside.to_host();
    std::vector<float> nearest;
    for (std::int64_t p = 0; p < planes; ++p)
        for (const int row : next_rows)
            for (const int column : columns)
                nearest.push_back(pixels[static_cast<std::size_t>((p * height + row) * width + column)]);
    CHECK_SAME(k::array<float>(k::take(k::take(picture, below, k::axis(1)), x, k::axis(2))).to_host(), nearest);
}

}  // namespace

TEST_CASE("pixels between others: places are said once or four times, and are looked up alike") {
    check_resized(1, 20, 30, 41, 61);
    check_resized(3, 37, 64, 20, 2053);  // rows worth blocks of their own
    check_resized(2, 9, 5, 18, 10);
}

TEST_CASE("places in tables: all that 64 bits hold, before the first one and past the last") {
    const k::array<int> table = k::arange<int>(100) * 3;
    const std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> at{0,
                                       99,
                                       100,
                                       -1,
                                       -100,
                                       -101,
                                       least,
                                       most,
                                       1 << 31,
                                       -(std::int64_t{1} << 31),
                                       std::int64_t{1} << 32,
                                       -(std::int64_t{1} << 32),
                                       (std::int64_t{1} << 32) + 5,
                                       5 - (std::int64_t{1} << 32)};
    const k::array<std::int64_t> places_at = k::from_host<std::int64_t>(at, {std::ssize(at)});
    std::vector<int> wanted;
    for (const std::int64_t each : at) {
        const std::int64_t from_first = each < 0 ? each + 100 : each;
        wanted.push_back(static_cast<int>(std::clamp<std::int64_t>(from_first, 0, 99) * 3));
    }
    CHECK_SAME(k::array<int>(k::take(table, places_at)).to_host(), wanted);
    CHECK_SAME(k::array<int>(k::take(table, places_at + std::int64_t{0})).to_host(), wanted);
}

TEST_CASE("positions of a row and of all rows that are like it: shapes are those of each result") {
    const auto row = k::arange<int>(5);
    const auto all = k::broadcast_to(k::arange<int>(5), {3, 5});
    const k::array<int> sum = all + row;
    const k::array<int> other = row + all;
    std::vector<int> wanted;
    for (int i = 0; i < 15; ++i) wanted.push_back(2 * (i % 5));
    CHECK(sum.shape() == k::shape{3, 5});
    CHECK(other.shape() == k::shape{3, 5});
    CHECK_SAME(sum.to_host(), wanted);
    CHECK_SAME(other.to_host(), wanted);
    const auto [table, line] = k::eval(all * 2, row * 2);
    CHECK(table.shape() == k::shape{3, 5});
    CHECK(line.shape() == k::shape{5});
    CHECK_SAME(table.to_host(), wanted);
    CHECK_SAME(line.to_host(), std::vector<int>{0, 2, 4, 6, 8});
    // Of columns, whose positions are no row's; of one that begins elsewhere; of one that goes backwards.
    const auto columns = k::broadcast_to(k::reshape(k::arange<int>(5), {5, 1}), {5, 5});
    const k::array<int> mixed = columns * 10 + row;
    const k::array<int> later = k::broadcast_to(k::arange<int>(5), {2, 5}) * 10 + k::arange<int>(1, 6);
    const k::array<int> backwards = k::broadcast_to(k::arange<int>(5), {2, 5}) * 10 + k::flip(k::arange<int>(5));
    std::vector<int> of_mixed, of_later, of_backwards;
    for (int i = 0; i < 25; ++i) of_mixed.push_back(i / 5 * 10 + i % 5);
    for (int i = 0; i < 10; ++i) of_later.push_back(i % 5 * 11 + 1), of_backwards.push_back(i % 5 * 9 + 4);
    CHECK_SAME(mixed.to_host(), of_mixed);
    CHECK_SAME(later.to_host(), of_later);
    CHECK_SAME(backwards.to_host(), of_backwards);
}

TEST_CASE("what is the same all along an axis is what it is wherever it is taken there") {
    const auto rows = k::broadcast_to(k::reshape(k::arange<int>(3), {3, 1}), {3, 5});
    const k::array<int> at = k::from_host<int>({4, 0, -1, 2}, {4});
    std::vector<int> wanted;
    for (int i = 0; i < 12; ++i) wanted.push_back(i / 4);
    const k::array<int> taken = k::take(rows, at, k::axis(1));
    CHECK(taken.shape() == k::shape{3, 4});
    CHECK_SAME(taken.to_host(), wanted);
    CHECK_SAME(k::array<std::int64_t>(k::sum(k::take(rows, at, k::axis(1)), k::axis(0))).to_host(),
               std::vector<std::int64_t>{3, 3, 3, 3});
    const k::array<int> column = k::from_host<int>({7, 8, 9}, {3, 1});
    const auto repeated = k::broadcast_to(column, {3, 5});
    std::vector<int> of_column;
    for (int i = 0; i < 12; ++i) of_column.push_back(7 + i / 4);
    CHECK_SAME(k::array<int>(k::take(repeated, at, k::axis(1))).to_host(), of_column);
    CHECK_SAME(k::array<int>(k::take(repeated, at, k::axis(1)) + k::take(repeated, at + 1, k::axis(1))).to_host(),
               k::array<int>(k::from_host<int>(of_column, {3, 4}) * 2).to_host());
}
