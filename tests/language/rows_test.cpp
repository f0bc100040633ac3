// Views whose rows are plain but for their ends, and transposed ones: at extents around the runs and the tiles that kernels
// take at once, in several types, several outputs, on every axis.
#include <support/check.hpp>
#include <support/positions.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>

namespace k = kiln;
using tests::distinct;
using tests::each_position;
using tests::position;

namespace {

std::int64_t clamped(std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); }
std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }
/// By walking to and fro.
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
    while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
}

constexpr std::int64_t around_runs[] = {1, 2, 15, 16, 17, 31, 33, 100};

}  // namespace

TEST_CASE("rows of shifted operands are right at every length and distance") {
    for (const std::int64_t columns : around_runs) {
        const auto m = distinct<std::int32_t>({3, columns});
        const k::array<std::int32_t> x = m.on_device();
        for (const std::int64_t by : {std::int64_t{-40}, std::int64_t{-16}, std::int64_t{-1}, std::int64_t{1},
                                      std::int64_t{15}, std::int64_t{17}, columns / 2}) {
            CAPTURE(columns);
            CAPTURE(by);
            const auto check = [&](const auto& e, auto at) {
                CHECK_SAME(k::eval(e).to_host(), each_position({3, columns}, [&](const position& p) {
                               return m.at(p, 2) * 3 - m.at({p[0], at(p[1] - by, columns)}, 2);
                           }));
            };
            check(x * 3 - k::shift(x, {0, by}, k::boundary::clamp), clamped);
            check(x * 3 - k::shift(x, {0, by}, k::boundary::wrap), wrapped);
            check(x * 3 - k::shift(x, {0, by}, k::boundary::mirror), mirrored);
            CHECK_SAME(k::eval(x * 3 - k::shift(x, {0, by})).to_host(),
                       each_position({3, columns}, [&](const position& p) {
                           const std::int64_t j = p[1] - by;
                           return m.at(p, 2) * 3 - (j >= 0 && j < columns ? m.at({p[0], j}, 2) : 0);
                       }));
        }
    }
}

TEST_CASE("operands that are shifted differently end their plain stretches at different places") {
    for (const std::int64_t columns : {5, 40, 129}) {
        const auto m = distinct<double>({4, columns});
        const k::array<double> x = m.on_device();
        const auto at = [&](const position& p, auto of, std::int64_t by) {
            return m.at({p[0], of(p[1] - by, columns)}, 2);
        };
        const k::array<double> y = k::shift(x, {0, 20}, k::boundary::clamp) + k::shift(x, {0, -7}, k::boundary::wrap) -
                                   k::shift(x, {0, 3}, k::boundary::mirror) * k::roll(x, 33, k::axis(1));
        CHECK_SAME(y.to_host(), each_position({4, columns}, [&](const position& p) {
                       return at(p, clamped, 20) + at(p, wrapped, -7) - at(p, mirrored, 3) * at(p, wrapped, 33);
                   }));
    }
}

TEST_CASE("shifts of shifts, of reversed, of transposed and of every second column") {
    const auto m = distinct<std::int64_t>({70, 90});
    const k::array<std::int64_t> x = m.on_device();
    constexpr k::range backwards{k::range::open, k::range::open, -1};
    using k::boundary::clamp;
    const auto twice = k::shift(k::shift(x, {0, 3}, clamp), {0, -5}, k::boundary::wrap);
    CHECK_SAME(k::eval(twice + x).to_host(), each_position({70, 90}, [&](const position& p) {
                   return m.at({p[0], clamped(wrapped(p[1] + 5, 90) - 3, 90)}, 2) + m.at(p, 2);
               }));
    CHECK_SAME(k::eval(k::shift(x(k::all, backwards), {0, 2}, clamp) + x).to_host(),
               each_position({70, 90}, [&](const position& p) {
                   return m.at({p[0], 89 - clamped(p[1] - 2, 90)}, 2) + m.at(p, 2);
               }));
    CHECK_SAME(k::eval(k::slice(k::shift(x, {0, 2}, clamp), k::all, backwards) + x).to_host(),
               each_position({70, 90}, [&](const position& p) {
                   return m.at({p[0], clamped(89 - p[1] - 2, 90)}, 2) + m.at(p, 2);
               }));
    CHECK_SAME(k::eval(k::shift(k::transpose(x), {1, -2}, clamp) * 2).to_host(),
               each_position({90, 70}, [&](const position& p) {
                   return 2 * m.at({clamped(p[1] + 2, 70), clamped(p[0] - 1, 90)}, 2);
               }));
    CHECK_SAME(k::eval(k::shift(x(k::all, k::range(0, 90, 2)), {0, 1}, clamp) * 2).to_host(),
               each_position({70, 45}, [&](const position& p) {
                   return 2 * m.at({p[0], 2 * clamped(p[1] - 1, 45)}, 2);
               }));
    CHECK_SAME(k::eval(k::slice(k::shift(x, {0, 1}, clamp), k::all, k::range(0, 90, 2)) * 2).to_host(),
               each_position({70, 45}, [&](const position& p) {
                   return 2 * m.at({p[0], clamped(2 * p[1] - 1, 90)}, 2);
               }));
}

TEST_CASE("reshaped views go from row to row in the middle of a row") {
    for (const std::int64_t columns : {3, 16, 40}) {
        const auto m = distinct<float>({24, 60});
        const k::array<float> x = m.on_device();
        const auto part = x(k::all, k::range(5, 5 + columns));
        const auto at = [&](std::int64_t i) { return m.at({i / columns, 5 + i % columns}, 2); };
        CHECK_SAME(k::eval(k::reshape(part, {24 * columns}) * 2.0f).to_host(),
                   each_position({24 * columns}, [&](const position& p) { return 2 * at(p[0]); }));
        CHECK_SAME(
            k::eval(k::reshape(part, {6, 4 * columns}) * 2.0f).to_host(),
            each_position({6, 4 * columns}, [&](const position& p) { return 2 * at(p[0] * 4 * columns + p[1]); }));
        const auto rolled = k::roll(k::reshape(part, {6, 4 * columns}), 7, k::axis(1));
        CHECK_SAME(k::eval(rolled * 2.0f).to_host(), each_position({6, 4 * columns}, [&](const position& p) {
                       return 2 * at(p[0] * 4 * columns + wrapped(p[1] - 7, 4 * columns));
                   }));
        const auto transposed = k::reshape(k::transpose(part), {columns * 24});
        CHECK_SAME(k::eval(transposed * 2.0f).to_host(), each_position({columns * 24}, [&](const position& p) {
                       return 2 * m.at({p[0] % 24, 5 + p[0] / 24}, 2);
                   }));
    }
}

namespace {

template <class T>
void check_tiles(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto a = distinct<T>({rows, columns});
    const auto b = distinct<T>({columns, rows}, 7);
    const k::array<T> x = a.on_device(), y = b.on_device();
    auto [sum, difference] = k::eval(x + k::transpose(y), k::transpose(y) - x);
    CHECK_SAME(sum.to_host(), each_position({rows, columns}, [&](const position& p) {
                   return static_cast<T>(a.at(p, 2) + b.at({p[1], p[0]}, 2));
               }));
    CHECK_SAME(difference.to_host(), each_position({rows, columns}, [&](const position& p) {
                   return static_cast<T>(b.at({p[1], p[0]}, 2) - a.at(p, 2));
               }));
}

}  // namespace

TEST_CASE_TEMPLATE("transposed operands in tiles, whole, in part and none", T, std::uint8_t, float,
                   std::complex<double>) {
    for (const std::int64_t rows : {1, 31, 32, 63, 65, 130})
        for (const std::int64_t columns : {1, 32, 33, 64, 129}) check_tiles<T>(rows, columns);
    check_tiles<T>(0, 40);
    check_tiles<T>(40, 0);
    check_tiles<T>(700, 513);  // on several threads
}

TEST_CASE("tiles meet operands of every other kind") {
    const auto a = distinct<float>({40, 100});
    const auto b = distinct<std::int16_t>({100, 40}, 3);
    const k::array<float> x = a.on_device();
    const k::array<std::int16_t> y = b.on_device();
    const auto flipped = [&](const position& p) { return static_cast<float>(b.at({p[1], p[0]}, 2)); };
    const auto turned = k::cast<float>(k::transpose(y));
    CHECK_SAME(k::eval(turned + k::shift(x, {1, -1}, k::boundary::clamp)).to_host(),
               each_position({40, 100}, [&](const position& p) {
                   return flipped(p) + a.at({clamped(p[0] - 1, 40), clamped(p[1] + 1, 100)}, 2);
               }));
    CHECK_SAME(k::eval(turned + x(0, k::newaxis, k::all) * x(k::all, k::range(0, 1))).to_host(),
               each_position({40, 100}, [&](const position& p) {
                   return flipped(p) + a.at({0, p[1]}, 2) * a.at({p[0], 0}, 2);
               }));
    CHECK_SAME(k::eval(turned + k::cast<float>(k::index(0) * 1000 + k::index(1))).to_host(),
               each_position({40, 100},
                             [&](const position& p) { return flipped(p) + static_cast<float>(p[0] * 1000 + p[1]); }));
    CHECK_SAME(k::eval(turned + k::take(x, k::arange<std::int64_t>(100) / 2, k::axis(1))).to_host(),
               each_position({40, 100}, [&](const position& p) {
                   return flipped(p) + a.at({p[0], p[1] / 2}, 2);
               }));
    const auto c = distinct<float>({100, 3, 40});
    const k::array<float> z = c.on_device();
    // Two operands whose neighbours are along two different axes.
    CHECK_SAME(
        k::eval(k::permute(z, {2, 1, 0}) + k::permute(k::reshape(z, {100, 40, 3}), {1, 2, 0})).to_host(),
        each_position({40, 3, 100}, [&](const position& p) {
            return c.at({p[2], p[1], p[0]}, 3) + c.values[static_cast<std::size_t>(p[2] * 120 + p[0] * 3 + p[1])];
        }));
}

TEST_CASE("outputs of several widths, larger than the caches") {
    constexpr std::int64_t count = 4'000'003;
    const k::array<float> x = k::cast<float>(k::arange<std::int64_t>(count) % 8191);
    const k::array<float> y = k::cast<float>((k::arange<std::int64_t>(count) * 7) % 8191);
    auto [sum, less, wide] = k::eval(x + y, x < y, k::cast<double>(x) * 0.5);
    std::vector<float> sums;
    std::vector<bool> lesser;
    std::vector<double> halves;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto a = static_cast<float>(i % 8191);
        const auto b = static_cast<float>(i * 7 % 8191);
        sums.push_back(a + b);
        lesser.push_back(a < b);
        halves.push_back(a * 0.5);
    }
    CHECK_SAME(sum.to_host(), sums);
    CHECK(less.to_host() == lesser);
    CHECK_SAME(wide.to_host(), halves);
}
