// Views beyond slices: transposed, reshaped, shifted, taken, joined; of arrays, of expressions, and of views.
#include <support/check.hpp>
#include <support/positions.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <array>
#include <complex>

namespace k = kiln;
using tests::distinct;
using tests::each_position;
using tests::position;

namespace {

constexpr k::range backwards{k::range::open, k::range::open, -1};

std::int64_t clamped(std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); }
std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }
/// By walking to and fro.
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
    while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
}

}  // namespace

TEST_CASE("transpose and permute reorder axes, of arrays and of what is made of them") {
    const auto m = distinct<float>({3, 5});
    const k::array<float> x = m.on_device();
    CHECK(k::shape_of(k::transpose(x)) == k::shape{5, 3});
    CHECK_SAME(k::eval(k::transpose(x)).to_host(), each_position({5, 3}, [&](const position& p) {
                   return m.at({p[1], p[0]}, 2);
               }));
    CHECK_SAME(k::eval(k::transpose(x * x + 1.0f)).to_host(), each_position({5, 3}, [&](const position& p) {
                   return m.at({p[1], p[0]}, 2) * m.at({p[1], p[0]}, 2) + 1.0f;
               }));
    const auto c = distinct<std::int32_t>({2, 3, 4});
    CHECK_SAME(k::eval(k::permute(c.on_device(), {2, 0, 1})).to_host(),
               each_position({4, 2, 3}, [&](const position& p) {
                   return c.at({p[1], p[2], p[0]}, 3);
               }));
    CHECK_THROWS_AS(k::permute(x, {0, 0}), k::shape_error);
    CHECK_THROWS_AS(k::permute(x, {0}), k::shape_error);
}

TEST_CASE("m + transpose(m) is one kernel without a temporary") {
    const auto m = distinct<float>({67, 67});
    const k::array<float> x = m.on_device();
    const k::counters before = k::counters::now();
    const k::array<float> t = x + k::transpose(x);
    CHECK((k::counters::now() - before).launches == 1);
    CHECK_SAME(t.to_host(), each_position({67, 67}, [&](const position& p) {
                   return m.at({p[0], p[1]}, 2) + m.at({p[1], p[0]}, 2);
               }));
}

namespace {

template <class T>
void check_transposed_sum(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto a = distinct<T>({rows, columns});
    const auto b = distinct<T>({columns, rows}, 7);
    const auto c = distinct<T>({columns, rows}, 3);
    const k::array<T> x = a.on_device(), y = b.on_device(), z = c.on_device();
    const k::array<T> sum = x + k::transpose(y) * x - k::transpose(z);
    CHECK_SAME(sum.to_host(), each_position({rows, columns}, [&](const position& p) {
                   const position swapped{p[1], p[0]};
                   return static_cast<T>(static_cast<T>(a.at(p, 2) + static_cast<T>(b.at(swapped, 2) * a.at(p, 2))) -
                                         c.at(swapped, 2));
               }));
}

}  // namespace

TEST_CASE("transposed operands of every width meet others, in whole tiles and in parts of them") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{64, 64},
                                        {128, 192},
                                        {33, 32},
                                        {65, 127},
                                        {32, 31},
                                        {3, 500},
                                        {1000, 70}}) {
        check_transposed_sum<std::uint8_t>(rows, columns);
        check_transposed_sum<std::int16_t>(rows, columns);
        check_transposed_sum<float>(rows, columns);
        check_transposed_sum<double>(rows, columns);
    }
}

namespace {

/// From memory that begins anywhere to memory that does, beside which nothing is stored.
template <class T, class To = T>
void check_turned(std::int64_t groups, std::int64_t rows, std::int64_t columns) {
    CAPTURE(groups);
    CAPTURE(rows);
    CAPTURE(columns);
    const std::int64_t count = groups * rows * columns;
    const auto all = distinct<T>({count + 8});
    const k::array<T> x = all.on_device();
    for (const std::int64_t begin : {0, 1, 3, 6}) {
        CAPTURE(begin);
        const auto turned =
            k::cast<To>(k::permute(k::reshape(x(k::range(begin, begin + count)), {groups, rows, columns}), {0, 2, 1}));
        const std::vector<To> wanted = each_position({groups, columns, rows}, [&](const position& p) {
            return static_cast<To>(all.values[static_cast<std::size_t>(begin + (p[0] * rows + p[2]) * columns + p[1])]);
        });
        CHECK_SAME(k::eval(turned).to_host(), wanted);
        k::array<To> further = k::full<To>({groups + 2, columns, rows}, To(77));
        further(k::range(1, groups + 1)) = turned;
        std::vector<To> elements = further.to_host();
        const auto first = elements.begin() + rows * columns;
        const auto last = first + count;
        CHECK_SAME(std::vector<To>(first, last), wanted);
        CHECK(std::count(elements.begin(), elements.end(), To(77)) - std::count(first, last, To(77)) ==
              2 * rows * columns);
    }
}

}  // namespace

TEST_CASE("what is turned, of every width, from and to memory that begins anywhere") {
    for (const auto& [groups, rows, columns] : {std::array<std::int64_t, 3>{1, 64, 64},
                                                {1, 64, 128},
                                                {3, 65, 127},
                                                {2, 200, 33},
                                                {5, 30, 130},
                                                {7, 2, 300},
                                                {2, 515, 2}}) {
        check_turned<std::uint8_t>(groups, rows, columns);
        check_turned<std::int16_t>(groups, rows, columns);
        check_turned<float>(groups, rows, columns);
        check_turned<double>(groups, rows, columns);
        check_turned<std::complex<double>>(groups, rows, columns);
        check_turned<std::uint8_t, float>(groups, rows, columns);
        check_turned<std::int16_t, std::int8_t>(groups, rows, columns);
    }
}

TEST_CASE("axes beside the transposed two are walked one by one") {
    const auto c = distinct<float>({3, 40, 2, 50});
    const k::array<float> x = c.on_device();
    CHECK_SAME(k::eval(k::permute(x, {0, 3, 2, 1}) * 2.0f).to_host(),
               each_position({3, 50, 2, 40}, [&](const position& p) {
                   return 2 * c.at({p[0], p[3], p[2], p[1]}, 4);
               }));
    CHECK_SAME(k::eval(k::permute(x, {3, 2, 1, 0}) * 2.0f).to_host(),
               each_position({50, 2, 40, 3}, [&](const position& p) {
                   return 2 * c.at({p[3], p[2], p[1], p[0]}, 4);
               }));
    CHECK_SAME(k::eval(k::permute(x, {1, 0, 2, 3}) + x(0, 0, 0, 0)).to_host(),
               each_position({40, 3, 2, 50}, [&](const position& p) {
                   return c.at({p[1], p[0], p[2], p[3]}, 4) + c.values[0];
               }));
    const auto rows = distinct<float>({2, 40, 50});
    const k::array<float> m = rows.on_device();
    const k::array<float> column = k::arange<float>(2);
    CHECK_SAME(k::eval(k::permute(m, {0, 2, 1}) + k::cast<float>(k::index(1)) * column(k::all, k::newaxis, k::newaxis))
                   .to_host(),
               each_position({2, 50, 40}, [&](const position& p) {
                   return rows.at({p[0], p[2], p[1]}, 3) + static_cast<float>(p[1]) * static_cast<float>(p[0]);
               }));
}

TEST_CASE("an index drops axes, adds axes and slices") {
    const auto c = distinct<float>({3, 4, 5});
    const k::array<float> x = c.on_device();
    CHECK(x(1).shape() == k::shape{4, 5});
    CHECK_SAME(x(1).to_host(), each_position({4, 5}, [&](const position& p) { return c.at({1, p[0], p[1]}, 3); }));
    CHECK_SAME(x(-1, 2, 3).to_host(), std::vector<float>{c.at({2, 2, 3}, 3)});
    CHECK(x(k::all, k::newaxis, 0).shape() == k::shape{3, 1, 5});
    CHECK_SAME(k::eval(x(k::all, k::newaxis, 0) * 1.0f).to_host(), each_position({3, 1, 5}, [&](const position& p) {
                   return c.at({p[0], 0, p[2]}, 3);
               }));
    const auto sliced = k::slice(x + x, 2, k::range(3, 0, -2), k::newaxis);
    CHECK(k::shape_of(sliced) == k::shape{2, 1, 5});
    CHECK_SAME(k::eval(sliced).to_host(), each_position({2, 1, 5}, [&](const position& p) {
                   return 2 * c.at({2, 3 - 2 * p[0], p[2]}, 3);
               }));
    CHECK_THROWS_AS(x(3), k::shape_error);
    CHECK_THROWS_AS(x(0, 0, 0, 0), k::shape_error);
    k::array<float> y = x;
    y(1, k::all, 0) = 7.0f;
    CHECK_SAME(y.to_host(),
               each_position({3, 4, 5}, [&](const position& p) { return p[0] == 1 && p[2] == 0 ? 7.0f : c.at(p, 3); }));
}

TEST_CASE("reshape keeps the row-major order, whatever the strides") {
    const auto m = distinct<float>({4, 6});
    const k::array<float> x = m.on_device();
    CHECK(k::shape_of(k::reshape(x, {3, -1})) == k::shape{3, 8});
    CHECK_SAME(k::eval(k::reshape(x, {3, 8})).to_host(), m.values);
    CHECK_SAME(k::eval(k::flatten(x * 2.0f)).to_host(), k::eval(x * 2.0f).to_host());
    const auto transposed = [&](std::int64_t i) { return m.at({i % 4, i / 4}, 2); };
    CHECK_SAME(k::eval(k::reshape(k::transpose(x), {3, 8})).to_host(),
               each_position({3, 8}, [&](const position& p) { return transposed(p[0] * 8 + p[1]); }));
    CHECK_SAME(k::eval(k::reshape(k::transpose(x), {2, 3, 2, 2})).to_host(),
               each_position({24}, [&](const position& p) { return transposed(p[0]); }));
    const auto row = distinct<float>({6}, 100);
    CHECK_SAME(k::eval(k::flatten(x + row.on_device())).to_host(),
               each_position({24}, [&](const position& p) { return m.values[p[0]] + row.values[p[0] % 6]; }));
    CHECK_SAME(k::eval(k::flip(k::flatten(k::transpose(x)))).to_host(),
               each_position({24}, [&](const position& p) { return transposed(23 - p[0]); }));
    CHECK_SAME(k::eval(k::transpose(k::reshape(k::transpose(x), {3, 8}))).to_host(),
               each_position({8, 3}, [&](const position& p) { return transposed(p[1] * 8 + p[0]); }));
    CHECK_THROWS_WITH_AS(k::reshape(x, {-1, -1}),
                         "kiln: reshape: one extent may be -1, whatever is left; of (-1, -1) more are", k::shape_error);
    CHECK_THROWS_WITH_AS(k::reshape(x, {23}), "kiln: reshape: the 24 elements of shape (4, 6) do not fill (23,)",
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::reshape(x, {5, -1}), "kiln: reshape: the 24 elements of shape (4, 6) do not fill (5, -1)",
                         k::shape_error);
    CHECK_THROWS_AS(k::reshape(x, {-1, -1}), k::shape_error);
    const auto odd = distinct<float>({9, 7});
    CHECK_SAME(k::eval(k::flatten(k::eval(odd.on_device())(k::range(0, 9, 2), k::range(1, 7, 3)))).to_host(),
               each_position({10}, [&](const position& p) {
                   return odd.at({p[0] / 2 * 2, 1 + p[0] % 2 * 3}, 2);
               }));
}

TEST_CASE("broadcast_to, flip, diagonal") {
    const auto row = distinct<float>({5});
    CHECK_SAME(k::eval(k::broadcast_to(row.on_device(), {3, 5})).to_host(),
               each_position({3, 5}, [&](const position& p) { return row.at(p, 2); }));
    CHECK_THROWS_AS(k::broadcast_to(row.on_device(), {5, 3}), k::shape_error);
    const auto m = distinct<float>({4, 5});
    const k::array<float> x = m.on_device();
    CHECK_SAME(k::eval(k::flip(x)).to_host(), each_position({4, 5}, [&](const position& p) {
                   return m.at({3 - p[0], 4 - p[1]}, 2);
               }));
    CHECK_SAME(k::eval(k::flip(x, k::axis(-1))).to_host(), each_position({4, 5}, [&](const position& p) {
                   return m.at({p[0], 4 - p[1]}, 2);
               }));
    for (const std::int64_t offset : {-5, -3, -1, 0, 1, 4, 5}) {
        CAPTURE(offset);
        const std::int64_t count = std::max<std::int64_t>(
            0, std::min(4 - std::max<std::int64_t>(0, -offset), 5 - std::max<std::int64_t>(0, offset)));
        CHECK_SAME(
            k::eval(k::diagonal(x + 1.0f, offset)).to_host(), each_position({count}, [&](const position& p) {
                return 1 +
                       m.at({p[0] + std::max<std::int64_t>(0, -offset), p[0] + std::max<std::int64_t>(0, offset)}, 2);
            }));
    }
    CHECK_THROWS_AS(k::diagonal(x, 0, k::axis(1), k::axis(1)), k::shape_error);
}

TEST_CASE("roll turns axes round") {
    const auto m = distinct<float>({4, 5});
    const k::array<float> x = m.on_device();
    for (const std::int64_t by : {-11, -5, -1, 0, 1, 3, 5, 7, 100}) {
        CAPTURE(by);
        CHECK_SAME(k::eval(k::roll(x, by, k::axis(1))).to_host(), each_position({4, 5}, [&](const position& p) {
                       return m.at({p[0], wrapped(p[1] - by, 5)}, 2);
                   }));
        CHECK_SAME(k::eval(k::roll(x * 2.0f, by, k::axis(0))).to_host(), each_position({4, 5}, [&](const position& p) {
                       return 2 * m.at({wrapped(p[0] - by, 4), p[1]}, 2);
                   }));
        CHECK_SAME(k::eval(k::roll(x, by)).to_host(), each_position({20}, [&](const position& p) {
                       return m.values[static_cast<std::size_t>(wrapped(p[0] - by, 20))];
                   }));
    }
}

TEST_CASE("shift has the boundary that is asked for") {
    for (const std::int64_t rows : {1, 2, 4})
        for (const std::int64_t columns : {1, 5, 300, 2500}) {
            const auto m = distinct<float>({rows, columns});
            const k::array<float> x = m.on_device();
            for (const std::int64_t down : {-9, -1, 0, 1, 3})
                for (const std::int64_t right : {-301, -2, 0, 1, 6}) {
                    CAPTURE(rows);
                    CAPTURE(columns);
                    CAPTURE(down);
                    CAPTURE(right);
                    const auto check = [&](const auto& e, auto at) {
                        CHECK_SAME(k::eval(e).to_host(), each_position({rows, columns}, [&](const position& p) {
                                       return m.at({at(p[0] - down, rows), at(p[1] - right, columns)}, 2);
                                   }));
                    };
                    check(k::shift(x, {down, right}, k::boundary::clamp), clamped);
                    check(k::shift(x, {down, right}, k::boundary::wrap), wrapped);
                    check(k::shift(x, {down, right}, k::boundary::mirror), mirrored);
                    const auto inside = [&](const position& p) {
                        const std::int64_t i = p[0] - down;
                        const std::int64_t j = p[1] - right;
                        return i >= 0 && i < rows && j >= 0 && j < columns;
                    };
                    CHECK_SAME(k::eval(k::shift(x, {down, right}, k::boundary::constant(-3.0f))).to_host(),
                               each_position({rows, columns}, [&](const position& p) {
                                   return inside(p) ? m.at({p[0] - down, p[1] - right}, 2) : -3.0f;
                               }));
                    CHECK_SAME(k::eval(k::shift(x, {down, right})).to_host(),
                               each_position({rows, columns}, [&](const position& p) {
                                   return inside(p) ? m.at({p[0] - down, p[1] - right}, 2) : 0.0f;
                               }));
                }
        }
    CHECK_THROWS_WITH_AS(k::shift(k::eval(k::ones<float>({2, 2})), {1}),
                         doctest::Contains("shift: 1 distance for shape (2, 2), which has 2 axes"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::shift(k::eval(k::ones<float>({2})), {1, 0}),
                         doctest::Contains("shift: 2 distances for shape (2,), which has 1 axis"), k::shape_error);
    CHECK_THROWS_WITH_AS(k::eval(k::ones<float>({2}))(0, 0),
                         doctest::Contains("an index of 2 axes into shape (2,), which has 1 axis"), k::shape_error);
}

TEST_CASE("views of views compose") {
    const auto m = distinct<float>({6, 8});
    const k::array<float> x = m.on_device();
    const auto composed = k::slice(k::roll(k::transpose(k::shift(x, {1, -2}, k::boundary::mirror)), 3, k::axis(0)),
                                   k::range(1, 7, 2), backwards);
    CHECK_SAME(k::eval(composed).to_host(), each_position({3, 6}, [&](const position& p) {
                   const std::int64_t rolled = wrapped(1 + 2 * p[0] - 3, 8);
                   return m.at({mirrored(5 - p[1] - 1, 6), mirrored(rolled + 2, 8)}, 2);
               }));
    const auto twice = k::shift(k::shift(x, {0, 3}, k::boundary::clamp), {0, -3}, k::boundary::clamp);
    CHECK_SAME(k::eval(twice).to_host(), each_position({6, 8}, [&](const position& p) {
                   return m.at({p[0], clamped(clamped(p[1] + 3, 8) - 3, 8)}, 2);
               }));
    const auto flat = k::reshape(k::roll(x, 1, k::axis(1)), {3, 16});
    CHECK_SAME(k::eval(flat).to_host(), each_position({3, 16}, [&](const position& p) {
                   const std::int64_t i = p[0] * 16 + p[1];
                   return m.at({i / 8, wrapped(i % 8 - 1, 8)}, 2);
               }));
    const auto rolled_flat = k::roll(flat, 5, k::axis(1));
    CHECK_SAME(k::eval(rolled_flat + 1.0f).to_host(), each_position({3, 16}, [&](const position& p) {
                   const std::int64_t i = p[0] * 16 + wrapped(p[1] - 5, 16);
                   return m.at({i / 8, wrapped(i % 8 - 1, 8)}, 2) + 1.0f;
               }));
}

TEST_CASE("a stencil of five points is one kernel") {
    const auto m = distinct<float>({40, 3001});
    const k::array<float> u = m.on_device();
    const auto at = [&](const position& p, std::int64_t down, std::int64_t right) {
        return m.at({clamped(p[0] - down, 40), clamped(p[1] - right, 3001)}, 2);
    };
    const k::counters before = k::counters::now();
    const k::array<float> next =
        u + 0.1f * (k::shift(u, {1, 0}, k::boundary::clamp) + k::shift(u, {-1, 0}, k::boundary::clamp) +
                    k::shift(u, {0, 1}, k::boundary::clamp) + k::shift(u, {0, -1}, k::boundary::clamp) - 4.0f * u);
    CHECK((k::counters::now() - before).launches == 1);
    CHECK_SAME(next.to_host(), each_position({40, 3001}, [&](const position& p) {
                   return at(p, 0, 0) +
                          0.1f * (at(p, 1, 0) + at(p, -1, 0) + at(p, 0, 1) + at(p, 0, -1) - 4.0f * at(p, 0, 0));
               }));
}

TEST_CASE("take looks elements up") {
    const auto m = distinct<float>({4, 5});
    const k::array<float> x = m.on_device();
    const std::vector<std::int32_t> picks{3, 0, -1, 2, 7, -9};
    const k::array<std::int32_t> index = k::from_host<std::int32_t>(picks);
    const auto resolve = [&](std::int64_t at, std::int64_t n) { return clamped(at < 0 ? at + n : at, n); };
    CHECK_SAME(k::eval(k::take(x, index, k::axis(0))).to_host(), each_position({6, 5}, [&](const position& p) {
                   return m.at({resolve(picks[static_cast<std::size_t>(p[0])], 4), p[1]}, 2);
               }));
    CHECK_SAME(k::eval(k::take(x * 2.0f, index + 1, k::axis(1))).to_host(),
               each_position({4, 6}, [&](const position& p) {
                   return 2 * m.at({p[0], resolve(picks[static_cast<std::size_t>(p[1])] + 1, 5)}, 2);
               }));
    CHECK_SAME(k::eval(k::take(x, index)).to_host(), each_position({6}, [&](const position& p) {
                   return m.values[static_cast<std::size_t>(resolve(picks[static_cast<std::size_t>(p[0])], 20))];
               }));
    const auto grid = k::reshape(index, {2, 3});
    CHECK(k::shape_of(k::take(x, grid, k::axis(1))) == k::shape{4, 2, 3});
    CHECK_SAME(k::eval(k::take(x, grid, k::axis(1))).to_host(), each_position({4, 2, 3}, [&](const position& p) {
                   return m.at({p[0], resolve(picks[static_cast<std::size_t>(p[1] * 3 + p[2])], 5)}, 2);
               }));
    CHECK_SAME(k::eval(k::take(k::arange<float>(10), index)).to_host(), each_position({6}, [&](const position& p) {
                   return static_cast<float>(resolve(picks[static_cast<std::size_t>(p[0])], 10));
               }));
    CHECK_SAME(k::eval(k::flip(k::take(x, index, k::axis(0)), k::axis(0)) + 1.0f).to_host(),
               each_position({6, 5}, [&](const position& p) {
                   return m.at({resolve(picks[static_cast<std::size_t>(5 - p[0])], 4), p[1]}, 2) + 1.0f;
               }));
    CHECK_SAME(k::eval(k::take(k::take(x, index, k::axis(0)), index, k::axis(1))).to_host(),
               each_position({6, 6}, [&](const position& p) {
                   return m.at({resolve(picks[static_cast<std::size_t>(p[0])], 4),
                                resolve(picks[static_cast<std::size_t>(p[1])], 5)},
                               2);
               }));
    CHECK_THROWS_AS(k::take(k::eval(k::ones<float>({0, 3})), index, k::axis(0)), k::shape_error);
}

TEST_CASE("takes of takes are one kernel, however deep") {
    constexpr std::int64_t count = 64;
    std::vector<std::int32_t> power(count), step(count);
    for (std::int32_t i = 0; i < count; ++i) power[static_cast<std::size_t>(i)] = i;
    for (std::int32_t i = 0; i < count; ++i) step[static_cast<std::size_t>(i)] = (5 * i + 3) % count;
    const k::array<std::int32_t> index = k::from_host<std::int32_t>(step);
    const k::array<float> x = k::arange<float>(count);

    k::expr<float> deep = x;
    k::expr<float> turned = k::take(x, index) * 2.0f;  // a graph of a taken leaf and a number
    for (int depth = 1; depth <= 20; ++depth) {
        CAPTURE(depth);
        deep = k::take(deep, index);
        std::vector<std::int32_t> next(count);
        for (std::size_t i = 0; i < count; ++i) next[i] = power[static_cast<std::size_t>(step[i])];
        power = next;
        if (depth > 5 && depth != 20) continue;
        const k::counters before = k::counters::now();
        const k::array<float> made = deep;
        CHECK((k::counters::now() - before).launches == 1);
        CHECK(made.to_host() == std::vector<float>(power.begin(), power.end()));
        if (depth == 3) {
            CHECK(k::eval(k::take(k::take(k::take(x, index), index), index)).to_host() == made.to_host());
            CHECK(k::eval(k::take(k::take(turned, index), index)).to_host() == k::eval(made * 2.0f).to_host());
        }
        if (depth == 5) {
            const auto five = k::take(k::take(k::take(k::take(k::take(x + 0.5f, index), index), index), index), index);
            CHECK(k::eval(five - 0.5f).to_host() == made.to_host());
        }
    }
}

TEST_CASE("an index along each of eight axes, and through shapes between them") {
    const k::shape extents{2, 3, 2, 3, 2, 3, 2, 3};
    const k::array<float> x = k::reshape(k::arange<float>(extents.size()), extents);
    k::expr<float> each = x;
    k::array<float> one_by_one = x;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const k::array<std::int32_t> index = k::from_host<std::int32_t>({extents[axis] == 2 ? 1 : -1, 0});
        each = k::take(each, index, k::axis(axis));
        one_by_one = k::take(one_by_one, index, k::axis(axis));
    }
    CHECK(k::array<float>(each).to_host() == one_by_one.to_host());

    const k::array<std::int32_t> index = k::from_host<std::int32_t>({7, -2, 0, 3, 11, 5});
    k::expr<float> through = x;
    one_by_one = x;
    for (const k::shape& between : {k::shape{24, 54}, k::shape{6, 54}, k::shape{4, 81}, k::shape{2, 18, 9}}) {
        through = k::take(k::reshape(through, between), index, k::axis(0));
        one_by_one = k::take(k::reshape(one_by_one, between), index, k::axis(0));
        CHECK(k::array<float>(through).to_host() == one_by_one.to_host());
        through = k::flatten(through)(k::range(0, 324));
        one_by_one = k::flatten(one_by_one)(k::range(0, 324));
    }
}

TEST_CASE("concatenate and stack are expressions") {
    const auto a = distinct<float>({2, 3});
    const auto b = distinct<float>({4, 3}, 100);
    const auto none = distinct<float>({0, 3});
    const k::array<float> joined = k::concatenate(k::axis(0), a.on_device(), none.on_device(), b.on_device() * 2.0f);
    CHECK(joined.shape() == k::shape{6, 3});
    CHECK_SAME(joined.to_host(), each_position({6, 3}, [&](const position& p) {
                   return p[0] < 2 ? a.at(p, 2) : 2 * b.at({p[0] - 2, p[1]}, 2);
               }));
    const k::array<double> wider = k::concatenate(k::axis(-1), a.on_device(), k::cast<double>(a.on_device()) + 0.5);
    CHECK_SAME(
        wider.to_host(), each_position({2, 6}, [&](const position& p) {
            return p[1] < 3 ? static_cast<double>(a.at(p, 2)) : static_cast<double>(a.at({p[0], p[1] - 3}, 2)) + 0.5;
        }));
    const k::array<float> stacked = k::stack(k::axis(1), a.on_device(), -a.on_device());
    CHECK(stacked.shape() == k::shape{2, 2, 3});
    CHECK_SAME(stacked.to_host(), each_position({2, 2, 3}, [&](const position& p) {
                   return (p[1] == 0 ? 1.0f : -1.0f) * a.at({p[0], p[2]}, 2);
               }));
    CHECK_THROWS_AS(k::concatenate(k::axis(1), a.on_device(), b.on_device()), k::shape_error);
    CHECK_THROWS_WITH_AS(k::stack(k::axis(0), a.on_device(), b.on_device()),
                         "kiln: stack: shapes (2, 3) and (4, 3) differ", k::shape_error);
}

namespace {

/// Three parts of rows, of so many columns each, of which the second is computed.
template <class T>
void check_joined_rows(const std::vector<std::int64_t>& columns) {
    CAPTURE(columns);
    const std::int64_t rows = 3;
    std::vector<tests::host_array<T>> parts;
    for (const std::int64_t each : columns)
        parts.push_back(distinct<T>({rows, each}, static_cast<int>(parts.size()) * 17));
    std::vector<T> expected;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::size_t part = 0; part < parts.size(); ++part)
            for (std::int64_t i = 0; i < columns[part]; ++i) {
                const T element = parts[part].values[static_cast<std::size_t>(row * columns[part] + i)];
                expected.push_back(part == 1 ? static_cast<T>(element + element) : element);
            }
    const k::array<T> a = parts[0].on_device(), b = parts[1].on_device(), c = parts[2].on_device();
    const auto joined = k::concatenate(k::axis(1), a, b + b, c);
    CHECK_SAME(k::eval(joined).to_host(), expected);
    // Whose last column is another part's: the order in which parts stand is not that of memory.
    const k::array<T> turned =
        k::flip(k::concatenate(k::axis(1), k::flip(c, k::axis(1)), k::flip(b + b, k::axis(1)), k::flip(a, k::axis(1))),
                k::axis(1));
    CHECK_SAME(turned.to_host(), expected);
    CHECK_SAME(k::eval(k::sum(joined, k::axis(1))).to_host(), k::eval(k::sum(k::eval(joined), k::axis(1))).to_host());
}

}  // namespace

TEST_CASE(
    "parts of rows: shorter than a piece that is worth a loop, longer than what is kept of what is beyond an edge, and "
    "none") {
    for (const std::vector<std::int64_t>& columns : std::vector<std::vector<std::int64_t>>{{1, 1, 1},
                                                                                           {15, 16, 17},
                                                                                           {100, 3, 40},
                                                                                           {0, 20, 30},
                                                                                           {40, 0, 17},
                                                                                           {64, 65, 0},
                                                                                           {5000, 17, 4097},
                                                                                           {16, 9000, 2}}) {
        check_joined_rows<std::uint8_t>(columns);
        check_joined_rows<std::int64_t>(columns);
        check_joined_rows<float>(columns);
        check_joined_rows<double>(columns);
    }
}

TEST_CASE("in place, what is read elsewhere is read before it is written") {
    const auto m = distinct<float>({500});
    k::array<float> x = m.on_device();
    x = x + k::shift(x, {1});
    CHECK_SAME(x.to_host(), each_position({500}, [&](const position& p) {
                   return m.values[static_cast<std::size_t>(p[0])] +
                          (p[0] ? m.values[static_cast<std::size_t>(p[0] - 1)] : 0.0f);
               }));
    x = m.on_device();
    x = k::flip(x);
    CHECK_SAME(x.to_host(),
               each_position({500}, [&](const position& p) { return m.values[static_cast<std::size_t>(499 - p[0])]; }));
    x = m.on_device();
    x(k::range(1, 500)) = k::slice(x, k::range(0, 499));
    CHECK_SAME(x.to_host(), each_position({500}, [&](const position& p) {
                   return m.values[static_cast<std::size_t>(p[0] ? p[0] - 1 : 0)];
               }));
    x = m.on_device();
    x += k::roll(x, 1, k::axis(0));
    CHECK_SAME(x.to_host(), each_position({500}, [&](const position& p) {
                   return m.values[static_cast<std::size_t>(p[0])] +
                          m.values[static_cast<std::size_t>((p[0] + 499) % 500)];
               }));
}

TEST_CASE("an expr is viewed as what it was made of") {
    const auto m = distinct<float>({4, 5});
    const k::array<float> x = m.on_device();
    k::expr<float> e = x;
    for (int i = 0; i < 3; ++i) e = e + k::shift(e, {0, 1}, k::boundary::wrap);
    auto expected = m;
    for (int i = 0; i < 3; ++i) {
        const auto before = expected;
        expected.values = each_position({4, 5}, [&](const position& p) {
            return before.at(p, 2) + before.at({p[0], wrapped(p[1] - 1, 5)}, 2);
        });
    }
    CHECK_SAME(k::eval(e).to_host(), expected.values);
    const k::expr<float> t = k::transpose(k::expr<float>(x + k::cast<float>(k::index(0))));
    CHECK_SAME(k::eval(t).to_host(), each_position({5, 4}, [&](const position& p) {
                   return m.at({p[1], p[0]}, 2) + static_cast<float>(p[1]);
               }));
    const k::array<std::int32_t> index = k::from_host<std::int32_t>({2, 0});
    CHECK_SAME(k::eval(k::take(k::expr<float>(x * x), index, k::axis(0))).to_host(),
               each_position({2, 5}, [&](const position& p) {
                   const float value = m.at({p[0] ? 0 : 2, p[1]}, 2);
                   return value * value;
               }));
}

TEST_CASE("linspace and eye are made in the kernel") {
    CHECK_SAME(k::eval(k::linspace(0.0, 1.0, 5)).to_host(), std::vector<double>{0, 0.25, 0.5, 0.75, 1});
    CHECK_SAME(k::eval(k::linspace(3.0f, 3.5f, 1)).to_host(), std::vector<float>{3.0f});
    CHECK(k::eval(k::linspace(3.0f, 3.5f, 0)).size() == 0);
    CHECK_THROWS_AS(k::linspace(0.0f, 1.0f, -1), k::shape_error);
    CHECK(k::eval(k::linspace(0.1f, 0.7f, 1000)).to_host().back() == 0.7f);
    CHECK_SAME(k::eval(k::eye<float>(3, 4, 1)).to_host(),
               each_position({3, 4}, [](const position& p) { return p[1] == p[0] + 1 ? 1.0f : 0.0f; }));
    CHECK_SAME(k::eval(k::transpose(k::eye<std::int32_t>(2, 3))).to_host(),
               each_position({3, 2}, [](const position& p) { return p[0] == p[1] ? 1 : 0; }));
}

TEST_CASE("what has no elements is reshaped to other shapes of none") {
    const k::array<float> x = k::zeros<float>({0, 3});
    CHECK(k::eval(k::reshape(x, {0}) + 1.0f).shape() == k::shape{0});
    CHECK(k::eval(k::reshape(k::transpose(x), {2, 0, 7})).shape() == k::shape{2, 0, 7});
}

TEST_CASE("a take of nothing is joined to what has elements") {
    const k::array<float> x = k::full<float>({1}, 7.0f);
    const k::array<std::int32_t> index = k::zeros<std::int32_t>({0});
    CHECK_SAME(k::eval(k::concatenate(k::axis(0), k::take(x, index), x)).to_host(), {7.0f});
    CHECK_SAME(k::eval(k::concatenate(k::axis(0), x, k::take(x, index))).to_host(), {7.0f});
}
