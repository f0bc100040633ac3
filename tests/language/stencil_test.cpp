// Neighbours: what stands beside an element, and the element itself. On a GPU these are vectors whose left and right are
// read lane by lane, several rows to a thread, so rows that no thread's share divides are what may go wrong.
#include <support/check.hpp>
#include <support/positions.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <limits>

namespace k = kiln;
using tests::distinct;
using tests::each_position;
using tests::position;

namespace {

std::int64_t clamped(std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); }
std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }

/// Small integers: exact in every type here.
template <class T>
tests::host_array<T> small(const k::shape& extents) {
    tests::host_array<T> out{extents, {}};
    for (std::int64_t i = 0; i < extents.size(); ++i) out.values.push_back(static_cast<T>((i * 7 + i / 13) % 29));
    return out;
}

template <class T, class At>
T cross_at(const tests::host_array<T>& m, std::int64_t i, std::int64_t j, At at) {
    const std::int64_t rows = m.extents[0];
    const std::int64_t columns = m.extents[1];
    const auto value = [&](std::int64_t row, std::int64_t column) {
        return m.at({at(row, rows), at(column, columns)}, 2);
    };
    return static_cast<T>(value(i - 1, j) + value(i + 1, j) + value(i, j - 1) + value(i, j + 1) - T(4) * value(i, j));
}

template <class T, class Boundary, class At>
void check_cross(std::int64_t rows, std::int64_t columns, Boundary boundary, At at) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto m = small<T>({rows, columns});
    k::array<T> x = m.on_device();
    const auto cross = [&](const k::array<T>& u) {
        return k::shift(u, {1, 0}, boundary) + k::shift(u, {-1, 0}, boundary) + k::shift(u, {0, 1}, boundary) +
               k::shift(u, {0, -1}, boundary) - T(4) * u;
    };
    const auto expected =
        each_position({rows, columns}, [&](const position& p) { return cross_at<T>(m, p[0], p[1], at); });
    CHECK_SAME(k::eval(cross(x)).to_host(), expected);
    x = cross(x);  // whose neighbours must still be the old ones
    CHECK_SAME(x.to_host(), expected);
}

}  // namespace

TEST_CASE("a five-point stencil on rows and columns of every remainder") {
    tests::sample sizes(3);
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 30})
        for (const std::int64_t columns : {1, 2, 3, 4, 6, 8, 12, 20, 64, 1028}) {
            if (!sizes.takes_next()) continue;
            check_cross<float>(rows, columns, k::boundary::clamp, clamped);
            check_cross<float>(rows, columns, k::boundary::wrap, wrapped);
        }
}

TEST_CASE("a five-point stencil of narrow and of wide types") {
    for (const std::int64_t rows : {3, 8, 17})
        for (const std::int64_t columns : {16, 48, 50}) {
            check_cross<std::int32_t>(rows, columns, k::boundary::clamp, clamped);
            check_cross<double>(rows, columns, k::boundary::clamp, clamped);
            check_cross<std::int16_t>(rows, columns, k::boundary::wrap, wrapped);
            check_cross<std::int8_t>(rows, columns, k::boundary::clamp, clamped);
        }
}

TEST_CASE("a stencil in three axes, with a row and a column beside it, into a part of an array") {
    const k::shape extents{3, 5, 12};
    const auto m = small<float>(extents);
    const auto row = distinct<float>({12});
    const auto column = distinct<float>({5, 1});
    const k::array<float> x = m.on_device();
    k::array<float> whole = k::zeros<float>({3, 7, 16});
    whole(k::all, k::range(1, 6), k::range(4, 16)) =
        k::shift(x, {1, 0, 0}, k::boundary::wrap) + k::shift(x, {0, -1, 0}) +
        k::shift(x, {0, 0, 1}, k::boundary::constant(5.0f)) * row.on_device() - x * column.on_device();
    CHECK_SAME(whole.to_host(), each_position({3, 7, 16}, [&](const position& p) {
                   const std::int64_t a = p[0], b = p[1] - 1, c = p[2] - 4;
                   if (b < 0 || b >= 5 || c < 0) return 0.0f;
                   const float below = b + 1 < 5 ? m.at({a, b + 1, c}, 3) : 0.0f;
                   const float left = c > 0 ? m.at({a, b, c - 1}, 3) : 5.0f;
                   return m.at({wrapped(a - 1, 3), b, c}, 3) + below + left * row.at({a, b, c}, 3) -
                          m.at({a, b, c}, 3) * column.at({a, b, c}, 3);
               }));
}

TEST_CASE("a filter of so many taps that its positions could be taken for types, of integers of 8, 16 and 64 bits") {
    const auto filter = [](auto one) {
        using T = decltype(one);
        constexpr std::int64_t taps = 19;
        const k::array<T> x = small<T>({200}).on_device();
        k::expr<T> sum = x;
        for (std::int64_t i = 1; i < taps; ++i)
            sum = sum + k::where(k::index(0) >= i, k::shift(x, {i}) * static_cast<T>(i % 3), static_cast<T>(i)) +
                  k::cast<T>(k::index(0) + i);
        CHECK_SAME(k::array<T>(sum).to_host(), each_position({200}, [&](const position& p) {
                       const auto host = small<T>({200});
                       auto all = static_cast<std::uint64_t>(host.values[static_cast<std::size_t>(p[0])]);
                       for (std::int64_t i = 1; i < taps; ++i) {
                           const std::uint64_t tap =
                               p[0] >= i ? static_cast<std::uint64_t>(host.values[static_cast<std::size_t>(p[0] - i)] *
                                                                      (i % 3))
                                         : static_cast<std::uint64_t>(i);
                           all += tap + static_cast<std::uint64_t>(p[0] + i);
                       }
                       return static_cast<T>(all);
                   }));
    };
    filter(std::int8_t{});
    filter(std::int16_t{});
    filter(std::int64_t{});
}

namespace {

template <class T>
void check_slices(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto m = small<T>({rows + 3, columns + 3});
    const k::array<T> x = m.on_device();
    const auto at = [&](std::int64_t i, std::int64_t j) { return x(k::range(i, i + rows), k::range(j, j + columns)); };
    const auto value = [&](const position& p, std::int64_t i, std::int64_t j) { return m.at({p[0] + i, p[1] + j}, 2); };
    k::expr<T> box = at(0, 0);
    for (int i = 1; i < 16; ++i) box = box + at(i / 4, i % 4);
    CHECK_SAME(k::array<T>(box).to_host(), each_position({rows, columns}, [&](const position& p) {
                   T sum = value(p, 0, 0);
                   for (int i = 1; i < 16; ++i) sum = static_cast<T>(sum + value(p, i / 4, i % 4));
                   return sum;
               }));
    const auto across = (at(0, 2) + T(2) * at(1, 2) + at(2, 2)) - (at(0, 0) + T(2) * at(1, 0) + at(2, 0));
    const auto expected = each_position({rows, columns}, [&](const position& p) {
        return static_cast<T>((value(p, 0, 2) + T(2) * value(p, 1, 2) + value(p, 2, 2)) -
                              (value(p, 0, 0) + T(2) * value(p, 1, 0) + value(p, 2, 0)));
    });
    CHECK_SAME(k::array<T>(across).to_host(), expected);
    k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(across).to_host(), expected);
}

}  // namespace

TEST_CASE("sums of slices that are rows and columns apart, of every remainder of rows") {
    tests::sample sizes(2);
    for (const std::int64_t rows : {1, 2, 5, 8, 9, 23})
        for (const std::int64_t columns : {1, 5, 1024, 1029, 2050}) {
            if (!sizes.takes_next()) continue;
            check_slices<float>(rows, columns);
            check_slices<double>(rows, columns);
            check_slices<std::int8_t>(rows, columns);
        }
}

TEST_CASE("slices of what is written, and of a part of it, read what was there before") {
    const auto m = small<float>({19, 1300});
    const k::array<float> x = m.on_device();
    k::array<float> y = x;
    const auto at = [&](std::int64_t i, std::int64_t j) { return y(k::range(i, i + 17), k::range(j, j + 1298)); };
    y(k::range(1, 18), k::range(1, 1299)) = at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2);
    CHECK_SAME(y.to_host(), each_position({19, 1300}, [&](const position& p) {
                   const std::int64_t i = p[0], j = p[1];
                   if (i == 0 || i == 18 || j == 0 || j == 1299) return m.at({i, j}, 2);
                   return m.at({i - 1, j}, 2) + m.at({i + 1, j}, 2) + m.at({i, j - 1}, 2) + m.at({i, j + 1}, 2);
               }));
}

TEST_CASE("a part of an array becomes what is made of it and of slices of another, rows of any remainder at a time") {
    for (const std::int64_t rows : {3, 9, 10, 12, 27}) {
        CAPTURE(rows);
        const std::int64_t columns = 1100;
        const auto a = small<std::int32_t>({rows + 30, columns + 2});
        const auto b = distinct<std::int32_t>({rows + 30, columns + 2});
        const k::array<std::int32_t> u = a.on_device();
        const auto of = [&](const k::array<std::int32_t>& x, std::int64_t down, std::int64_t right) {
            return x(k::range(down, down + rows), k::range(right, right + columns));
        };
        const auto wave = [&](const auto& read, std::int64_t i, std::int64_t j) {
            return 3 * read(a, i, j) - read(b, i, j) + read(a, i - 1, j) * read(a, i + 1, j) + read(a, i, j - 1) -
                   read(a, i, j + 1);
        };
        const auto is_made = [&](const k::array<std::int32_t>& x, std::int64_t down, const auto& wanted) {
            CHECK_SAME(x.to_host(), each_position(b.extents, [&](const position& p) {
                           const bool is_inside = p[0] >= down && p[0] < down + rows && p[1] > 0 && p[1] <= columns;
                           return is_inside ? wanted(p[0], p[1]) : b.at(p, 2);
                       }));
        };
        const auto at = [](const auto& x, std::int64_t i, std::int64_t j) { return x.at({i, j}, 2); };
        k::array<std::int32_t> v = b.on_device();
        v(k::range(1, 1 + rows), k::range(1, 1 + columns)) =
            3 * of(u, 1, 1) - of(v, 1, 1) + of(u, 0, 1) * of(u, 2, 1) + of(u, 1, 0) - of(u, 1, 2);
        is_made(v, 1, [&](std::int64_t i, std::int64_t j) { return wave(at, i, j); });
        // Of the same memory as what is written, but rows above it.
        v = b.on_device();
        v(k::range(rows, 2 * rows), k::range(1, 1 + columns)) =
            of(v, 0, 1) * 2 - of(v, rows, 1) + of(u, 0, 1) + of(u, 1, 1);
        is_made(v, rows, [&](std::int64_t i, std::int64_t j) {
            return 2 * at(b, i - rows, j) - at(b, i, j) + at(a, i - rows, j) + at(a, i - rows + 1, j);
        });
    }
}

TEST_CASE("sums of slices of three axes, whose planes end between a thread's rows") {
    const auto m = small<float>({5, 13, 1100});
    const k::array<float> x = m.on_device();
    const auto at = [&](std::int64_t h, std::int64_t i, std::int64_t j) {
        return x(k::range(h, h + 3), k::range(i, i + 11), k::range(j, j + 1098));
    };
    CHECK_SAME(
        k::eval(at(0, 1, 1) + at(2, 1, 1) + at(1, 0, 1) + at(1, 2, 1) + at(1, 1, 0) + at(1, 1, 2) - 6.0f * at(1, 1, 1))
            .to_host(),
        each_position({3, 11, 1098}, [&](const position& p) {
            const auto value = [&](std::int64_t h, std::int64_t i, std::int64_t j) {
                return m.at({p[0] + h, p[1] + i, p[2] + j}, 3);
            };
            return value(0, 1, 1) + value(2, 1, 1) + value(1, 0, 1) + value(1, 2, 1) + value(1, 1, 0) + value(1, 1, 2) -
                   6.0f * value(1, 1, 1);
        }));
}

namespace {

/// The sum of (2 reach + 1)^2 neighbours, of which one is out of place by `extra`: with weights that tell them apart where they are exact.
template <class T>
void check_box(const tests::host_array<T>& m, std::int64_t reach, std::int64_t extra) {
    CAPTURE(reach);
    CAPTURE(extra);
    const k::array<T> x = m.on_device();
    const std::int64_t rows = m.extents[0];
    const std::int64_t columns = m.extents[1];
    const auto distance = [&](std::int64_t i, std::int64_t j) { return i == reach && j == reach ? j + extra : j; };
    k::expr<T> sum = x;
    for (std::int64_t i = -reach; i <= reach; ++i)
        for (std::int64_t j = -reach; j <= reach; ++j)
            sum = k::expr<T>(sum + k::shift(x, {i, distance(i, j)}) * static_cast<T>((i - 2 * j) % 3));
    CHECK_SAME(k::array<T>(sum).to_host(), each_position({rows, columns}, [&](const position& p) {
                   T out = m.at({p[0], p[1]}, 2);
                   for (std::int64_t i = -reach; i <= reach; ++i)
                       for (std::int64_t j = -reach; j <= reach; ++j) {
                           const std::int64_t r = p[0] - i;
                           const std::int64_t c = p[1] - distance(i, j);
                           const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
                           const T weight = static_cast<T>((i - 2 * j) % 3);
                           out = static_cast<T>(out + static_cast<T>((inside ? m.at({r, c}, 2) : T{}) * weight));
                       }
                   return out;
               }));
}

}  // namespace

TEST_CASE(
    "sums of squares of neighbours: rows of every remainder, fewer than neighbours, other distances in the next call") {
    tests::sample sizes(3);
    for (const std::int64_t rows : {1, 3, 5, 8, 21})
        for (const std::int64_t columns : {1024, 1031}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(rows);
            CAPTURE(columns);
            check_box(small<float>({rows, columns}), 1, 0);
            check_box(small<float>({rows, columns}), 1, 3);
            check_box(small<std::int32_t>({rows, columns}), 2, 0);
        }
    check_box(small<float>({30, 1100}), 3, 0);
    check_box(small<double>({30, 1100}), 3, 1);
    check_box(small<std::int8_t>({30, 1100}), 2, 0);
    check_box(small<std::int64_t>({30, 1100}), 2, -1);
}

TEST_CASE("sums of squares of neighbours: step by step, and cut into kernels that have few shifts each") {
    {
        const k::scoped_options apart({.fuse = false});
        for (const std::int64_t rows : {2, 21}) check_box(small<float>({rows, 1031}), 1, 0);
        check_box(small<std::int16_t>({9, 1024}), 1, 0);
    }
    // More weights than a kernel has parameters: 225 shifts.
    check_box(small<float>({17, 1030}), 7, 0);
}

TEST_CASE("sums of squares of neighbours: NaN and infinities reach their neighbours, and no others") {
    auto m = small<float>({12, 1030});
    for (const std::int64_t at : {0, 1029, 1030, 4 * 1030 + 500, 11 * 1030 + 1029})
        m.values[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
    for (const std::int64_t at : {515, 7 * 1030, 9 * 1030 + 31})
        m.values[static_cast<std::size_t>(at)] = std::numeric_limits<float>::infinity();
    check_box(m, 1, 0);
    check_box(m, 2, 0);
}
