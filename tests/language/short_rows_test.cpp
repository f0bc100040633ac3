// Arrays whose last axis is short, beside operands that repeat along it or are not in its order: colours of an image, points
// of a few coordinates. Extents around those at which another way is taken, more rows than are taken at once.
#include <support/check.hpp>
#include <support/positions.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>

namespace k = kiln;
using tests::distinct;
using tests::each_position;
using tests::position;

namespace {

using k::boundary::clamp;
using k::boundary::wrap;

constexpr std::int64_t around_vectors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33};
constexpr std::int64_t around_chunks[] = {1, 7, 683, 2111};
constexpr k::range backwards{k::range::open, k::range::open, -1};

template <class T>
void check_broadcasts(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::shape whole{rows, columns};
    const auto m = distinct<T>(whole);
    const auto row = distinct<T>({columns}, 3);
    const auto column = distinct<T>({rows, 1}, 5);
    const k::array<T> x = m.on_device();
    const k::array<T> r = row.on_device();
    const k::array<T> c = column.on_device();
    const auto check = [&](const auto& e, auto value) {
        CHECK_SAME(k::eval(e).to_host(),
                   each_position(whole, [&](const position& p) { return static_cast<T>(value(p)); }));
    };
    check(x + r, [&](const position& p) { return m.at(p, 2) + row.at(p, 2); });
    check(c - x, [&](const position& p) { return column.at(p, 2) - m.at(p, 2); });
    check(c + r, [&](const position& p) { return column.at(p, 2) + row.at(p, 2); });
}

}  // namespace

TEST_CASE("short rows beside a row and a column are right at every length, in elements of every size") {
    tests::sample sizes(3);
    for (const std::int64_t columns : around_vectors)
        for (const std::int64_t rows : around_chunks) {
            if (!sizes.takes_next()) continue;
            check_broadcasts<float>(rows, columns);
            if (columns > 5 && columns < 31) continue;
            check_broadcasts<std::uint8_t>(rows, columns);
            check_broadcasts<std::int16_t>(rows, columns);
            check_broadcasts<double>(rows, columns);
            check_broadcasts<std::complex<double>>(rows, columns);
        }
}

TEST_CASE("short rows of views: parts of longer rows, reversed, turned, every second one") {
    for (const std::int64_t columns : around_vectors)
        for (const std::int64_t rows : around_chunks) {
            CAPTURE(rows);
            CAPTURE(columns);
            const k::shape whole{rows, columns};
            const auto m = distinct<double>(whole);
            const auto wide = distinct<double>({2 * rows, columns + 2}, 7);
            const auto turned = distinct<double>({columns, rows}, 9);
            const k::array<double> x = m.on_device();
            const k::array<double> w = wide.on_device();
            const k::array<double> t = turned.on_device();
            CHECK_SAME(
                k::eval(x * w(k::range(0, 2 * rows, 2), k::range(1, 1 + columns)) - x(backwards, k::all)).to_host(),
                each_position(whole, [&](const position& p) {
                    return m.at(p, 2) * wide.at({2 * p[0], 1 + p[1]}, 2) - m.at({rows - 1 - p[0], p[1]}, 2);
                }));
            CHECK_SAME(k::eval(x(k::all, backwards) * x - k::transpose(t)).to_host(),
                       each_position(whole, [&](const position& p) {
                           return m.at({p[0], columns - 1 - p[1]}, 2) * m.at(p, 2) - turned.at({p[1], p[0]}, 2);
                       }));
            CHECK_SAME(k::eval(x + k::cast<double>(k::index(0)) * k::cast<double>(k::index(1))).to_host(),
                       each_position(whole, [&](const position& p) {
                           return m.at(p, 2) + static_cast<double>(p[0]) * static_cast<double>(p[1]);
                       }));
        }
}

TEST_CASE("short rows less other rows: shifted along either axis, with every boundary") {
    for (const std::int64_t columns : {2, 3, 5, 16, 17})
        for (const std::int64_t rows : around_chunks)
            for (const std::int64_t by : {-3, 1, 700}) {
                CAPTURE(rows);
                CAPTURE(columns);
                CAPTURE(by);
                const k::shape whole{rows, columns};
                const auto m = distinct<std::int32_t>(whole);
                const k::array<std::int32_t> x = m.on_device();
                const auto clamped = [](std::int64_t i, std::int64_t n) {
                    return std::clamp<std::int64_t>(i, 0, n - 1);
                };
                const auto wrapped = [](std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; };
                CHECK_SAME(k::eval(x - k::shift(x, {by, 0}, clamp)).to_host(),
                           each_position(whole, [&](const position& p) {
                               return m.at(p, 2) - m.at({clamped(p[0] - by, rows), p[1]}, 2);
                           }));
                CHECK_SAME(k::eval(x - k::shift(x, {by, 1}, wrap)).to_host(),
                           each_position(whole, [&](const position& p) {
                               return m.at(p, 2) - m.at({wrapped(p[0] - by, rows), wrapped(p[1] - 1, columns)}, 2);
                           }));
                CHECK_SAME(k::eval(x - k::roll(x, by, k::axis(0))).to_host(),
                           each_position(whole, [&](const position& p) {
                               return m.at(p, 2) - m.at({wrapped(p[0] - by, rows), p[1]}, 2);
                           }));
                CHECK_SAME(k::eval(x - k::shift(x, {by, 0})).to_host(), each_position(whole, [&](const position& p) {
                               const std::int64_t i = p[0] - by;
                               return m.at(p, 2) - (i >= 0 && i < rows ? m.at({i, p[1]}, 2) : 0);
                           }));
                CHECK_SAME(k::eval(x - k::shift(k::shift(x, {by, 0}, wrap), {2, 0}, clamp)).to_host(),
                           each_position(whole, [&](const position& p) {
                               return m.at(p, 2) - m.at({wrapped(clamped(p[0] - 2, rows) - by, rows), p[1]}, 2);
                           }));
            }
}

TEST_CASE("short rows of more axes: what repeats along each, reshaped views") {
    for (const std::int64_t columns : {2, 3, 5, 17}) {
        CAPTURE(columns);
        const k::shape whole{6, 4, 113, columns};
        const auto m = distinct<float>(whole);
        const auto of_1 = distinct<float>({4, 1, 1}, 2);
        const auto of_2 = distinct<float>({113, 1}, 3);
        const auto of_13 = distinct<float>({4, 1, columns}, 4);
        const auto of_03 = distinct<float>({6, 1, 1, columns}, 5);
        const k::array<float> x = m.on_device();
        CHECK_SAME(k::eval(x + of_1.on_device() * of_2.on_device()).to_host(),
                   each_position(whole, [&](const position& p) { return m.at(p, 4) + of_1.at(p, 4) * of_2.at(p, 4); }));
        CHECK_SAME(k::eval(x + of_13.on_device() * of_03.on_device() - k::shift(x, {0, 1, -2, 0}, clamp)).to_host(),
                   each_position(whole, [&](const position& p) {
                       const position from{p[0], std::max<std::int64_t>(p[1] - 1, 0),
                                           std::min<std::int64_t>(p[2] + 2, 112), p[3]};
                       return m.at(p, 4) + of_13.at(p, 4) * of_03.at(p, 4) - m.at(from, 4);
                   }));
        const auto reshaped = k::reshape(k::permute(x, {1, 0, 2, 3}), whole);
        CHECK_SAME(k::eval(x * 2.0f + reshaped).to_host(), each_position(whole, [&](const position& p) {
                       const std::int64_t outer = p[0] * 4 + p[1];
                       return m.at(p, 4) * 2.0f + m.at({outer % 6, outer / 6, p[2], p[3]}, 4);
                   }));
    }
}

TEST_CASE("short rows in place, of several results, reduced, and of a range for each thread") {
    const std::int64_t rows = 200'003;
    const k::shape whole{rows, 3};
    const auto m = distinct<double>(whole);
    const auto row = distinct<double>({3}, 2);
    const auto column = distinct<double>({rows, 1}, 7);
    k::array<double> x = m.on_device();
    const k::array<double> r = row.on_device();
    const k::array<double> c = column.on_device();
    const auto product = [&](const position& p) { return m.at(p, 2) * row.at(p, 2); };
    const auto sum = [&](const position& p) { return m.at(p, 2) + column.at(p, 2); };
    auto [products, sums] = k::eval(x * r, x + c);
    CHECK_SAME(products.to_host(), each_position(whole, product));
    CHECK_SAME(sums.to_host(), each_position(whole, sum));
    const k::array<double> of_rows = k::sum(x * r, k::axis(1));
    CHECK_SAME(of_rows.to_host(), each_position({rows}, [&](const position& p) {
                   return product({p[0], 0}) + product({p[0], 1}) + product({p[0], 2});
               }));
    const k::array<double> greatest = k::max(x * r - c, k::axis(0));
    CHECK_SAME(greatest.to_host(), each_position({3}, [&](const position& p) {
                   double most = product({0, p[0]}) - column.at({0, 0}, 2);
                   for (std::int64_t i = 1; i < rows; ++i)
                       most = std::max(most, product({i, p[0]}) - column.at({i, 0}, 2));
                   return most;
               }));
    x *= r;
    CHECK_SAME(x.to_host(), each_position(whole, product));
    x -= c;
    CHECK_SAME(x.to_host(), each_position(whole, [&](const position& p) { return product(p) - column.at(p, 2); }));
    x += c;
    x(k::all, k::range(0, 2)) += c;
    CHECK_SAME(x.to_host(), each_position(whole, [&](const position& p) {
                   return p[1] < 2 ? product(p) + column.at(p, 2) : product(p);
               }));
}

TEST_CASE("short rows beside more operands than buffers are made for") {
    const auto m = distinct<std::int64_t>({900, 3});
    const k::array<std::int64_t> x = m.on_device();
    std::vector<tests::host_array<std::int64_t>> columns;
    k::expr<std::int64_t> sum = x;
    for (int i = 0; i < 12; ++i) {
        columns.push_back(distinct<std::int64_t>({900, 1}, i));
        sum = sum * columns.back().on_device();
    }
    CHECK_SAME(k::eval(sum).to_host(), each_position({900, 3}, [&](const position& p) {
                   auto all = static_cast<std::uint64_t>(m.at(p, 2));
                   for (const auto& each : columns) all *= static_cast<std::uint64_t>(each.at(p, 2));
                   return static_cast<std::int64_t>(all);
               }));
}
