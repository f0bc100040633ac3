// Reductions of short rows, and of what rows and columns give, where the CPU's kernels reduce neighbouring values side by side, and of
// longer rows, whose elements they put to lanes as they make them: to the bit against the same without fusing, whose elements are reduced
// in memory, at every extent around which another way is taken; with zeros of both signs, infinities and NaN among the elements.
#include "unfused.hpp"

#include <plan/host_order.hpp>
#include <support/check.hpp>
#include <support/rooms.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace k = kiln;
using k::newaxis;

namespace {

constexpr std::int64_t around_lanes[] = {1, 3, 8, 15, 16, 17, 33, 100};
constexpr std::int64_t around_blocks[] = {15, 16, 127, 129, 300};

template <class T>
k::array<T> numbers(k::shape extents, unsigned seed, bool special = false) {
    std::vector<T> out;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float edges[] = {0.0f, -0.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
    for (std::int64_t i = 0; i < extents.size(); ++i) {
        seed = seed * 1664525u + 1013904223u;
        const unsigned chosen = seed >> 16;
        float value = static_cast<float>(chosen) * 0.00037f - 9.0f;
        if (special && chosen % 31 < 5) value = edges[chosen % 31];
        else if (special && chosen % 3 == 0) value = -0.0f;
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(chosen));
        else out.push_back(static_cast<T>(value));
    }
    return k::from_host<T>(out, extents);
}

template <class E>
void check_unfused(const E& e) {
    tests::same_unfused<k::value_t<E>>([&] { return k::expr<k::value_t<E>>(e); });
}

template <class T>
void check_pairs(std::int64_t rows, std::int64_t columns, std::int64_t depth, bool special) {
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(depth);
    const k::array<T> a = numbers<T>({rows, depth}, 1, special), b = numbers<T>({columns, depth}, 2, special);
    const k::array<T> turned = numbers<T>({depth, columns}, 3, special);
    const auto left = a(k::all, newaxis, k::all);
    const auto right = b(newaxis, k::all, k::all);
    check_unfused(k::sum((left - right) * (left - right), k::axis(2)));
    check_unfused(k::sum(left * k::transpose(turned)(newaxis, k::all, k::all), k::axis(2)));
    check_unfused(k::prod(left + right, k::axis(2)));
    check_unfused(k::mean(left * right, k::axis(2)));
    check_unfused(k::sum((left + T(1)) * (right - numbers<T>({depth}, 7, special)), k::axis(2)));
    if constexpr (!std::is_same_v<T, std::complex<float>>) {
        check_unfused(k::max(left + right, k::axis(2)));
        check_unfused(k::min(left + right, k::axis(2)));
        check_unfused(k::any(left < right, k::axis(2)));
    }
}

template <class T>
void check_rows(std::int64_t rows, std::int64_t depth, bool special) {
    CAPTURE(rows);
    CAPTURE(depth);
    const k::array<T> whole = numbers<T>({rows, depth}, 4, special),
                      wide = numbers<T>({rows + 3, depth + 2}, 5, special);
    const k::array<T> weights = numbers<T>({depth}, 6, special), of_row = numbers<T>({rows, 1}, 7, special);
    const k::array<T> columns = numbers<T>({depth, rows}, 8, special);
    const auto part = wide(k::range(1, rows + 1), k::range(1, depth + 1));  // begins anywhere
    const auto backwards =
        whole(k::range(k::range::open, k::range::open, -1), k::range(k::range::open, k::range::open, -1));
    check_unfused(k::sum(whole * weights, k::axis(1)));
    check_unfused(k::sum(part * weights, k::axis(1)));
    check_unfused(k::sum(part - of_row, k::axis(1)));
    check_unfused(k::sum(backwards * weights, k::axis(1)));
    check_unfused(k::sum(k::transpose(columns) * weights, k::axis(1)));
    check_unfused(k::sum(weights * of_row, k::axis(1)));
}

/// Products of matrices, and what else is made in tiles of rows of values and neighbours.
template <class T>
void check_tiles(std::int64_t rows, std::int64_t depth, std::int64_t columns, bool special) {
    CAPTURE(rows);
    CAPTURE(depth);
    CAPTURE(columns);
    const k::array<T> a = numbers<T>({rows, depth}, 1, special), b = numbers<T>({depth, columns}, 2, special);
    const k::array<T> across = numbers<T>({depth, rows}, 3, special), turned = numbers<T>({columns, depth}, 4, special);
    const k::array<T> of_columns = numbers<T>({columns}, 5, special), of_depth = numbers<T>({depth, 1}, 6, special);
    const auto left = a(k::all, k::all, newaxis);
    check_unfused(k::matmul(a, b));
    check_unfused(k::matmul(k::transpose(across), b));
    check_unfused(k::matmul(a(k::range(k::range::open, k::range::open, -1)), k::transpose(turned)));
    check_unfused(k::sum((left - b) * (left - b) * of_depth, k::axis(1)));
    check_unfused(k::mean(left * (b * of_columns + of_depth), k::axis(1)));
    check_unfused(k::prod(left + b, k::axis(1)));
    if constexpr (!std::is_same_v<T, std::complex<float>>) {
        check_unfused(k::matmul(k::max(a, T(1)), k::where(b < T(2), of_columns, b)));
        check_unfused(k::max(left + b, k::axis(1)));
        check_unfused(k::any(left < b, k::axis(1)));
        check_unfused(k::max(k::matmul(a, b), T(0)));
    }
    const auto [sums, products] = k::eval(k::sum(left + b, k::axis(1)), k::matmul(a, b));
    CHECK_SAME(sums.to_host(), k::eval(k::sum(left + b, k::axis(1))).to_host());
    CHECK_SAME(products.to_host(), k::eval(k::matmul(a, b)).to_host());
}

/// A column's sum as plan/host_order.hpp says: one element after the other, and parts in pairs.
float column_in_order(const std::vector<float>& of, std::int64_t columns) {
    using order = k::plan::host_order;
    const std::int64_t part = std::clamp(order::piece * order::pieces_of_part / std::min(columns, order::columns),
                                         order::least_rows_of_part, order::most_rows_of_part);
    std::vector<float> parts;
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (i % static_cast<std::size_t>(part) == 0) parts.push_back(-0.0f);
        parts.back() += of[i];
    }
    for (std::size_t apart = 1; apart < parts.size(); apart *= 2)
        for (std::size_t left = 0; left + apart < parts.size(); left += 2 * apart) parts[left] += parts[left + apart];
    return parts[0];
}

template <class T>
void check_rows_across(std::int64_t rows, std::int64_t depth, bool special) {
    CAPTURE(rows);
    CAPTURE(depth);
    const k::array<T> turned = numbers<T>({depth, rows}, 1, special),
                      wide = numbers<T>({depth + 3, rows + 2}, 2, special);
    const k::array<T> weights = numbers<T>({depth}, 3, special), of_row = numbers<T>({rows, 1}, 4, special);
    const auto across = k::transpose(turned);
    const auto part = k::transpose(wide(k::range(1, depth + 1), k::range(1, rows + 1)));
    check_unfused(k::sum(across, k::axis(1)));
    check_unfused(k::matmul(across, weights));
    check_unfused(k::mean(across * part + of_row, k::axis(1)));
    check_unfused(k::prod(across(k::all, k::range(k::range::open, k::range::open, -1)) + weights, k::axis(1)));
    const k::array<T> stack = numbers<T>({3, depth, rows}, 5, special);
    check_unfused(k::sum(k::permute(stack, {0, 2, 1}) * weights, k::axis(2)));
    if constexpr (!std::is_same_v<T, std::complex<float>>) check_unfused(k::max(part - of_row, k::axis(1)));
}

/// A row's sum as plan/host_order.hpp says.
float in_order(const std::vector<float>& of) {
    constexpr auto lanes = static_cast<std::size_t>(k::plan::host_order::lanes);
    std::vector<float> lane(lanes, -0.0f);
    for (std::size_t i = 0; i < of.size(); ++i) lane[i % lanes] += of[i];
    for (std::size_t apart = lanes / 2; apart > 0; apart /= 2)
        for (std::size_t j = 0; j < apart; ++j) lane[j] += lane[j + apart];
    return -0.0f + lane[0];
}

/// A total as plan/host_order.hpp says: pieces one after the other, parts in pairs.
float total_in_order(const std::vector<float>& of) {
    constexpr auto piece = static_cast<std::size_t>(k::plan::host_order::piece);
    constexpr auto part = piece * static_cast<std::size_t>(k::plan::host_order::pieces_of_part);
    std::vector<float> parts;
    for (std::size_t first = 0; first < of.size(); first += piece) {
        if (first % part == 0) parts.push_back(-0.0f);
        const auto begin = of.begin() + static_cast<std::ptrdiff_t>(first);
        parts.back() += in_order({begin, begin + static_cast<std::ptrdiff_t>(std::min(piece, of.size() - first))});
    }
    for (std::size_t apart = 1; apart < parts.size(); apart *= 2)
        for (std::size_t left = 0; left + apart < parts.size(); left += 2 * apart) parts[left] += parts[left + apart];
    return parts[0];
}

template <class E>
bool is_side_by_side(const E& e) {
    return tests::first_stage_schedule(k::plan::host_target, e).kernels.at(0).side_by_side;
}

template <class T>
void check_rows_in_lanes(std::int64_t rows, std::int64_t depth, bool special) {
    CAPTURE(rows);
    CAPTURE(depth);
    const k::array<T> a = numbers<T>({rows, depth}, 1, special), b = numbers<T>({rows, depth}, 2, special);
    const k::array<T> weights = numbers<T>({depth}, 3, special), of_row = numbers<T>({rows, 1}, 4, special);
    const k::array<T> wide = numbers<T>({rows + 3, depth + 2}, 5, special);
    const k::array<T> turned = numbers<T>({depth, rows}, 6, special);
    const auto part = wide(k::range(1, rows + 1), k::range(1, depth + 1));  // begins anywhere
    const auto backwards = a(k::all, k::range(k::range::open, k::range::open, -1));
    check_unfused(k::sum(a * b, k::axis(1)));
    check_unfused(k::mean(a * weights + of_row, k::axis(1)));
    check_unfused(k::max(part - of_row, k::axis(1)));
    check_unfused(k::min(backwards * weights, k::axis(1)));
    check_unfused(k::prod(k::transpose(turned) * weights, k::axis(1)));
}

template <class E>
bool is_in_lanes(const E& e) {
    return tests::first_stage_schedule(k::plan::host_target, e).kernels.at(0).rows_in_lanes;
}

template <class T>
void check_parts_in_lanes(std::int64_t count, bool special) {
    CAPTURE(count);
    const k::array<T> a = numbers<T>({count}, 1, special), b = numbers<T>({count}, 2, special);
    const k::array<T> whole = numbers<T>({count + 3}, 3, special), one = numbers<T>({}, 4);
    const auto part = whole(k::range(1, count + 1));
    check_unfused(k::sum(a * b));
    check_unfused(k::mean((a - one) * (a - one)));
    check_unfused(k::sum(k::where(a < b, a * T(0.5), part - b)));
    check_unfused(k::prod(part * one + T(1)));
    const auto [products, squares] = k::eval(k::sum(a * b), k::sum(a * a));
    CHECK_SAME(products.to_host(), k::array<T>(k::sum(k::array<T>(a * b))).to_host());
    CHECK_SAME(squares.to_host(), k::array<T>(k::sum(k::array<T>(a * a))).to_host());
}

template <class E>
bool adds_up_parts(const E& e) {
    return tests::first_stage_schedule(k::plan::host_target, e).kernels.at(0).parts_in_lanes;
}

}  // namespace

TEST_CASE("values side by side: contractions of every length have the bits of reductions in memory") {
    tests::sample sizes(11);
    for (const std::int64_t depth : around_lanes)
        for (const std::int64_t columns : around_blocks)
            for (const std::int64_t rows : {1, 2, 7})
                if (sizes.takes_next()) check_pairs<float>(rows, columns, depth, rows == 2);
    // Around a piece: lanes with elements of their own, and what pieces come to.
    for (const std::int64_t depth : {2047, 2048, 2049, 2056, 4100})
        if (sizes.takes_next()) check_pairs<float>(5, 35, depth, depth == 2049);
    tests::sample types(2);  // of five, and below of three: what one depth leaves out, the other has
    for (const std::int64_t depth : {17, 40}) {
        if (types.takes_next()) check_pairs<double>(3, 70, depth, true);
        if (types.takes_next()) check_pairs<std::complex<float>>(3, 70, depth, false);
        if (types.takes_next()) check_pairs<k::float16>(3, 130, depth, false);
        if (types.takes_next()) check_pairs<std::int32_t>(3, 130, depth, false);
        if (types.takes_next()) check_pairs<std::uint8_t>(3, 130, depth, false);
    }
}

TEST_CASE("values side by side: short rows, whole, of views, turned, backwards") {
    tests::sample sizes(5);
    for (const std::int64_t depth : {1, 3, 8, 16, 17, 32, 33})
        for (const std::int64_t rows : {1, 16, 129, 1000})
            if (sizes.takes_next()) check_rows<float>(rows, depth, rows % 2 == 1);
    check_rows<float>(70000, 3, false);
    check_rows<float>(70000, 31, false);
    tests::sample types(2);
    for (const std::int64_t depth : {3, 17}) {
        if (types.takes_next()) check_rows<double>(129, depth, true);
        if (types.takes_next()) check_rows<std::uint8_t>(129, depth, false);
        if (types.takes_next()) check_rows<k::bfloat16>(129, depth, false);
    }
}

TEST_CASE("values side by side: rows that lie across memory, of every length") {
    tests::sample sizes(2);
    for (const std::int64_t depth : {33, 47, 48, 100, 2047, 2048, 2049, 2060, 4113})
        for (const std::int64_t rows : {16, 33, 130})
            if (sizes.takes_next()) check_rows_across<float>(rows, depth, rows == 33);
    check_rows_across<float>(300, 500, false);  // of several threads
    tests::sample types(2);
    for (const std::int64_t depth : {40, 70}) {
        if (types.takes_next()) check_rows_across<double>(20, depth, true);
        if (types.takes_next()) check_rows_across<std::complex<float>>(20, depth, false);
        if (types.takes_next()) check_rows_across<k::float16>(20, depth, false);
        if (types.takes_next()) check_rows_across<std::uint8_t>(20, depth, false);
    }
}

TEST_CASE("values side by side: a row's elements are added up in the CPU's order") {
    if (k::current_device().describe().is_cuda) return;
    for (const std::int64_t depth : {1, 7, 16, 19, 40, 300}) {
        CAPTURE(depth);
        const k::array<float> a = numbers<float>({5, depth}, 1), b = numbers<float>({131, depth}, 2);
        const std::vector<float> x = a.to_host(), y = b.to_host();
        std::vector<float> wanted;
        for (std::int64_t row = 0; row < 5; ++row)
            for (std::int64_t column = 0; column < 131; ++column) {
                std::vector<float> products;
                for (std::int64_t i = 0; i < depth; ++i)
                    products.push_back(x[static_cast<std::size_t>(row * depth + i)] *
                                       y[static_cast<std::size_t>(column * depth + i)]);
                wanted.push_back(in_order(products));
            }
        CHECK_SAME(
            k::array<float>(k::sum(a(k::all, newaxis, k::all) * b(newaxis, k::all, k::all), k::axis(2))).to_host(),
            wanted);
    }
}

TEST_CASE("values side by side: where they gain from it alone") {
    const k::array<float> a = k::ones<float>({50, 100}), b = k::ones<float>({70, 100});
    const k::array<float> rows = k::ones<float>({500, 20}), weights = k::ones<float>({20}),
                          long_weights = k::ones<float>({100});
    const auto left = a(k::all, newaxis, k::all);
    const auto right = b(newaxis, k::all, k::all);
    CHECK(is_side_by_side(k::sum(left * right, k::axis(2))));
    CHECK(is_side_by_side(k::sum(rows * weights, k::axis(1))));
    CHECK(is_side_by_side(k::max(rows + weights, k::axis(1))));
    CHECK_FALSE(is_side_by_side(k::sum(a * long_weights, k::axis(1))));  // long rows, each read once
    CHECK_FALSE(is_side_by_side(k::sum(b(k::range(0, 50)) * a, k::axis(1))));
    CHECK_FALSE(
        is_side_by_side(k::sum(k::ones<float>({50, 101})(k::all, k::range(0, 100)) * long_weights, k::axis(1))));
    CHECK_FALSE(is_side_by_side(k::sum(left * right, k::axis(1))));       // columns, each element of which is read once
    CHECK_FALSE(is_side_by_side(k::argmax(rows + weights, k::axis(1))));  // more than a value is known of elements
    CHECK_FALSE(is_side_by_side(k::sum(k::exp(rows * weights), k::axis(1))));  // functions are called for strips
    const k::array<float> turned = k::ones<float>({100, 50});
    CHECK(is_side_by_side(k::sum(k::transpose(turned), k::axis(1))));
    CHECK_FALSE(is_side_by_side(k::sum(k::transpose(turned) * a, k::axis(1))));  // the others would be as far apart
    const k::array<float> few = k::ones<float>({7, 20});
    CHECK_FALSE(is_side_by_side(k::sum(few * weights, k::axis(1))));  // no vector full of values
    const k::array<float> deep = k::ones<float>({2, 65537}), wide = k::ones<float>({16, 65537});
    CHECK_FALSE(is_side_by_side(k::sum(deep(k::all, newaxis, k::all) * wide(newaxis, k::all, k::all), k::axis(2))));
}

TEST_CASE("values in tiles: products of matrices of every size have the bits of reductions in memory") {
    tests::sample sizes(7);
    for (const std::int64_t depth : {2, 3, 17, 64, 130})
        for (const std::int64_t columns : {2, 3, 15, 31, 32, 33, 100})
            for (const std::int64_t rows : {2, 4, 5, 17, 140})
                if (sizes.takes_next()) check_tiles<float>(rows, depth, columns, rows == 17);
    // Parts of 64 rows: one, several, and one more that is not whole.
    tests::sample parts(3);
    for (const std::int64_t depth : {64, 65, 128, 193, 320, 453, 512})
        if (parts.takes_next()) check_tiles<float>(17, depth, 1030, false);
    check_tiles<float>(16, 4200, 16, false);  // of 2048
    check_tiles<float>(3, 4, 5, true);
    tests::sample types(2);
    for (const std::int64_t depth : {5, 70}) {
        if (types.takes_next()) check_tiles<double>(18, depth, 70, true);
        if (types.takes_next()) check_tiles<std::complex<float>>(18, depth, 70, false);
        if (types.takes_next()) check_tiles<k::bfloat16>(18, depth, 70, false);
        if (types.takes_next()) check_tiles<std::int32_t>(18, depth, 70, false);
        if (types.takes_next()) check_tiles<std::uint8_t>(18, depth, 70, false);
    }
}

TEST_CASE("values in tiles: stacks of matrices, each by its own or all by one") {
    const k::array<float> a = numbers<float>({3, 2, 19, 40}, 1), b = numbers<float>({2, 40, 37}, 2),
                          one = numbers<float>({40, 37}, 3), wide = numbers<float>({3, 2, 21, 45}, 4);
    const auto part = wide(k::all, k::all, k::range(1, 20), k::range(2, 42));
    check_unfused(k::matmul(a, b));
    check_unfused(k::matmul(part, b));
    check_unfused(k::matmul(part, one));
    check_unfused(k::matmul(a, one));
    const k::array<float> rows = numbers<float>({2, 19, 1, 40}, 8), neighbours = numbers<float>({2, 1, 37, 40}, 9);
    check_unfused(k::sum(rows * neighbours, k::axis(3)));
    check_unfused(k::sum(rows * k::max(neighbours(0), 0.0f), k::axis(3)));
    check_unfused(k::matmul(a, numbers<float>({3, 2, 40, 37}, 5)));
    check_unfused(k::matmul(numbers<float>({500, 4, 4}, 10), numbers<float>({500, 4, 4}, 11)));
    check_unfused(k::matmul(numbers<float>({100, 3, 7, 2}, 12), numbers<float>({3, 2, 9}, 13)));
    check_unfused(k::matmul(numbers<float>({300, 20}, 6), numbers<float>({20, 300}, 7)));  // of several threads
}

TEST_CASE("values in tiles: a product's elements are added up in the CPU's order") {
    if (k::current_device().describe().is_cuda) return;
    for (const std::int64_t depth : {1, 64, 65, 200, 453}) {
        CAPTURE(depth);
        constexpr std::int64_t rows = 18, columns = 1025;
        const k::array<float> a = numbers<float>({rows, depth}, 1), b = numbers<float>({depth, columns}, 2);
        const std::vector<float> x = a.to_host(), y = b.to_host();
        std::vector<float> wanted;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column) {
                std::vector<float> products;
                for (std::int64_t i = 0; i < depth; ++i)
                    products.push_back(x[static_cast<std::size_t>(row * depth + i)] *
                                       y[static_cast<std::size_t>(i * columns + column)]);
                wanted.push_back(column_in_order(products, columns));
            }
        CHECK_SAME(k::array<float>(k::matmul(a, b)).to_host(), wanted);
    }
}

TEST_CASE("values in tiles: where they gain from it alone") {
    const k::array<float> a = k::ones<float>({20, 50}), b = k::ones<float>({50, 70});
    CHECK(is_side_by_side(k::matmul(a, b)));
    CHECK(is_side_by_side(k::max(a(k::all, k::all, newaxis) + b, k::axis(1))));
    const auto schedule = tests::first_stage_schedule(k::plan::host_target,
                                                      k::sum(a(k::all, newaxis, k::all) * k::transpose(b), k::axis(2)));
    CHECK(schedule.kernels.at(0).in_tiles);
    CHECK_FALSE(is_side_by_side(k::sum(k::exp(a(k::all, k::all, newaxis) * b), k::axis(1))));  // called for strips
    CHECK_FALSE(is_side_by_side(k::sum(k::ones<float>({20, 50, 70}) * b, k::axis(1))));        // read once
    CHECK_FALSE(is_side_by_side(k::matmul(k::ones<float>({16, 65537}), k::ones<float>({65537, 16}))));
}

TEST_CASE("rows in lanes: rows of every length have the bits of reductions in memory") {
    tests::sample sizes(2);
    for (const std::int64_t depth : {33, 47, 48, 100, 2047, 2048, 2049, 4113})
        for (const std::int64_t rows : {1, 2, 7})
            if (sizes.takes_next()) check_rows_in_lanes<float>(rows, depth, rows == 2);
    check_rows_in_lanes<float>(2, 65536, false);
    check_rows_in_lanes<float>(2, 65537, false);
    check_rows_in_lanes<double>(3, 2100, true);
    check_rows_in_lanes<k::float16>(3, 130, false);
    const k::array<float> whole = numbers<float>({5000}, 7);
    check_unfused(k::sum(whole * whole));
}

TEST_CASE("rows in lanes: several reductions, of rows of several axes") {
    const k::array<float> x = numbers<float>({3, 5, 130}, 8), column = numbers<float>({5, 1}, 9);
    check_unfused(k::sum(x * column, k::axis(2)));
    check_unfused(k::sum((x - column) / k::sqrt(x * x + 1.0f), k::axis(2)));
    const k::array<float> of = numbers<float>({300}, 10);
    const auto apart = of - of(k::all, newaxis);
    const auto pull = 1.0f / (apart * apart + 0.25f);
    const auto [pulled, weight] = k::eval(k::sum(pull * apart, k::axis(1)), k::sum(pull, k::axis(1)));
    const k::array<float> pulls = pull * apart, weights = pull;
    CHECK(pulled.to_host() == k::array<float>(k::sum(pulls, k::axis(1))).to_host());
    CHECK(weight.to_host() == k::array<float>(k::sum(weights, k::axis(1))).to_host());
}

TEST_CASE("rows in lanes: where they gain from it alone") {
    const k::array<float> a = k::ones<float>({50, 100}), b = k::ones<float>({50, 100});
    CHECK(is_in_lanes(k::sum(a * b, k::axis(1))));
    CHECK(is_in_lanes(k::max(a - b, k::axis(1))));
    CHECK(is_in_lanes(k::sum(a * b)));
    CHECK_FALSE(is_in_lanes(k::sum(a, k::axis(1))));                                  // reduced where it lies
    CHECK_FALSE(is_in_lanes(k::sum(a * b, k::axis(0))));                              // columns
    CHECK_FALSE(is_in_lanes(k::sum(k::exp(a), k::axis(1))));                          // made in strips
    CHECK_FALSE(is_in_lanes(k::argmax(a * b, k::axis(1))));                           // where it is, is known, too
    CHECK_FALSE(is_in_lanes(k::any(a < b, k::axis(1))));                              // no vectors of conditions
    CHECK_FALSE(is_in_lanes(k::sum(k::shift(a, {0, 1}) * b, k::axis(1))));            // found one by one
    CHECK_FALSE(is_in_lanes(k::sum(k::ones<float>({40, 20}) * 2, k::axis(1))));       // too short for lanes
    CHECK_FALSE(is_in_lanes(k::sum(k::ones<float>({2, 65537}) * 2, k::axis(1))));     // of more than one part
    CHECK_FALSE(is_in_lanes(k::sum(k::ones<float>({4, 5, 60}) * 2, k::axes(0, 2))));  // of rows apart
}

TEST_CASE("parts in lanes: totals of every length have the bits of reductions in memory") {
    tests::sample sizes(3);
    for (const std::int64_t count : {0, 1, 5, 16, 17, 32, 65'536, 65'537, 65'553, 67'584, 131'072, 200'001})
        for (const bool special : {false, true})
            if (sizes.takes_next()) check_parts_in_lanes<float>(count, special);
    check_parts_in_lanes<float>(1'000'003, false);
    check_parts_in_lanes<double>(131'089, true);
    const k::array<float> rows = numbers<float>({3, 70'001}, 5), others = numbers<float>({3, 70'001}, 6);
    check_unfused(k::sum(rows * others, k::axis(1)));
    check_unfused(k::sum(rows * others));
    // An element for each row, contiguous and not; a mean of each.
    const k::array<float> of_row = numbers<float>({3, 1}, 7), table = numbers<float>({3, 4}, 8);
    const k::array<double> wide = k::cast<double>(rows);
    check_unfused(k::sum(rows * of_row, k::axis(1)));
    check_unfused(k::sum(rows * table(k::all, k::range(0, 1)), k::axis(1)));
    check_unfused(k::prod(rows * table(k::range(k::range::open, k::range::open, -1), k::range(2, 3)), k::axis(1)));
    check_unfused(k::mean((rows - of_row) * (others - of_row)));
    check_unfused(k::sum(k::reshape(numbers<float>({3, 70'010}, 9), {3, 10, 7'001}) * k::reshape(of_row, {3, 1, 1}),
                         k::axes(1, 2)));
    check_unfused(k::var(wide + k::cast<double>(of_row), k::axis(1)));
    const std::vector<double> variances =
        k::array<double>(k::var(wide + 10.0 * k::arange<double>(3)(k::all, newaxis), k::axis(1))).to_host();
    const std::vector<double> same = k::array<double>(k::var(wide, k::axis(1))).to_host();
    for (std::size_t i = 0; i < same.size(); ++i) CHECK(variances[i] == doctest::Approx(same[i]).epsilon(1e-12));
}

TEST_CASE("parts in lanes: a total is added up in the CPU's order") {
    if (k::current_device().describe().is_cuda) return;
    for (const std::int64_t count : {20, 65'537, 400'000}) {
        CAPTURE(count);
        const k::array<float> a = numbers<float>({count}, 1), b = numbers<float>({count}, 2);
        const std::vector<float> x = a.to_host(), y = b.to_host();
        std::vector<float> products(x.size());
        std::transform(x.begin(), x.end(), y.begin(), products.begin(), std::multiplies<>());
        CHECK_SAME(k::array<float>(k::sum(a * b)).to_host(), std::vector<float>{total_in_order(products)});
    }
}

TEST_CASE("parts in lanes: where they gain from it alone") {
    const k::array<float> a = k::ones<float>({100'000}), b = k::ones<float>({100'000});
    const k::array<float> rows = k::ones<float>({3, 70'000}), of_columns = k::ones<float>({70'000});
    const k::array<k::float16> halves = k::ones<k::float16>({100'000});
    const k::array<std::uint8_t> bytes = k::ones<std::uint8_t>({100'000});
    CHECK(adds_up_parts(k::sum(a * b)));
    CHECK(adds_up_parts(k::mean((a - 1.5f) * (a - b))));
    CHECK(adds_up_parts(k::sum(rows * rows, k::axis(1))));
    CHECK(adds_up_parts(k::sum(k::cast<double>(a) * k::cast<double>(b))));
    CHECK_FALSE(adds_up_parts(k::sum(a)));                              // reduced where it lies
    CHECK_FALSE(adds_up_parts(k::max(a - b)));                          // best in any order
    CHECK_FALSE(adds_up_parts(k::sum(k::exp(a) * b)));                  // made in strips
    CHECK_FALSE(adds_up_parts(k::sum(k::cast<int>(a) * 2)));            // no lanes of these integers
    CHECK_FALSE(adds_up_parts(k::sum(halves * b)));                     // in blocks of their own
    CHECK_FALSE(adds_up_parts(k::sum(k::cast<float>(bytes) * b)));      // in longer runs
    CHECK_FALSE(adds_up_parts(k::sum(a(k::range(0, 99'999, 2)) * 2)));  // elements apart
    CHECK_FALSE(adds_up_parts(k::sum(rows * of_columns, k::axis(1))));
    CHECK_FALSE(adds_up_parts(k::sum(rows * k::array<float>(k::ones<float>({3, 1})), k::axis(1))));
    CHECK_FALSE(adds_up_parts(k::sum(rows * rows, k::axis(0))));
}
