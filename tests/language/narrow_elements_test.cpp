// Elements of a byte or two that lie anywhere: rows of odd length, pairs that are stacked, bytes whose rows have numbers of their own.
// The same bits as with a kernel for each operation, and nothing beside is stored to.
#include <language/unfused.hpp>
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace k = kiln;
using k::all;
using k::axis;
using k::newaxis;

namespace {

template <class T>
k::array<T> numbers(const k::shape& shape, unsigned seed) {
    std::mt19937 random(seed);
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float special[] = {inf, -inf, std::numeric_limits<float>::quiet_NaN(), -0.0f, 6e-8f, 1e-30f};
    std::vector<T> out;
    for (std::int64_t i = 0; i < shape.size(); ++i) {
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(random()));
        else if (random() % 7 == 0) out.push_back(T(special[random() % 6]));
        else out.push_back(T(static_cast<float>(random() % 10007) / 1250.5f - 4));
    }
    return k::from_host<T>(out, shape);
}

template <class E>
void check(const E& e) {
    tests::same_unfused<k::value_t<E>>([&] { return k::expr<k::value_t<E>>(e); });
}

/// The largest of what is around, as a user writes it: along rows, then of rows.
template <class T>
void check_dilated(std::int64_t height, std::int64_t width) {
    CAPTURE(width);
    const k::array<T> x = numbers<T>({height, width}, 1);
    const auto at = [&](std::int64_t b) { return x(all, k::range(b, width - 6 + b)); };
    const auto across = k::max(k::max(k::max(at(0), at(1)), k::max(at(2), at(3))), k::max(k::max(at(4), at(5)), at(6)));
    check(across);
    const k::array<T> made = across;
    const auto row = [&](std::int64_t a) { return made(k::range(a, height - 3 + a)); };
    check(k::max(k::max(row(0), row(1)), k::max(row(2), row(3))));
}

template <class T>
void check_normalised(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<std::uint8_t> x = numbers<std::uint8_t>({2, rows, columns, 3}, 2);
    const k::array<float> mean = numbers<float>({3}, 3), spread = numbers<float>({3}, 4);
    check(k::permute(k::cast<T>((k::cast<float>(x) / 255.0f - mean) / spread), {0, 3, 1, 2}));
}

template <class T>
void check_unpacked(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<std::uint8_t> p = numbers<std::uint8_t>({rows, columns}, 5);
    const k::array<T> scales = numbers<T>({rows, columns / 4}, 6);
    const auto low = k::cast<float>(p & std::uint8_t(15)) - 8.0f;
    const auto high = k::cast<float>(p >> std::uint8_t(4)) - 8.0f;
    const auto both = k::reshape(k::stack(axis(2), low, high), {rows, columns / 4, 8});
    check(k::reshape(k::cast<T>(both * k::cast<float>(scales(all, all, newaxis))), {rows, 2 * columns}));
}

}  // namespace

TEST_CASE("narrow elements: the largest of neighbours, of rows of any length") {
    for (const std::int64_t width : {1031, 1032, 1045, 2055, 4107}) {
        check_dilated<std::uint8_t>(9, width);
        check_dilated<std::int8_t>(5, width);
        check_dilated<k::float16>(5, width);
        check_dilated<k::bfloat16>(5, width);
        check_dilated<std::int16_t>(5, width);
    }
    check_dilated<std::uint8_t>(7, 7);
}

TEST_CASE("narrow elements: views of one row that begin anywhere, to their last element") {
    for (const std::int64_t count : {1, 2, 15, 17, 31, 33, 100, 4099}) {
        const k::array<k::float16> x = numbers<k::float16>({count + 9}, 7);
        const k::array<bool> flags = numbers<std::uint8_t>({count + 9}, 8) < std::uint8_t(100);
        for (const std::int64_t from : {1, 2, 7, 9}) {
            const auto later = k::range(from, from + count), first = k::range(0, count);
            check(x(later) * x(first) - x(first));
            check(flags(later) && flags(first));
        }
    }
}

TEST_CASE("narrow elements: what is stored beside rows of a view stays as it was") {
    k::array<std::uint8_t> wide = numbers<std::uint8_t>({5, 1100}, 9);
    const std::vector<std::uint8_t> before = wide.to_host();
    const k::array<std::uint8_t> x = numbers<std::uint8_t>({5, 1043}, 10), y = numbers<std::uint8_t>({5, 1043}, 11);
    const auto left = x(all, k::range(1, 1042)), right = y(all, k::range(2, 1043));
    wide(all, k::range(7, 1048)) = k::max(left, right);
    const std::vector<std::uint8_t> after = wide.to_host();
    const std::vector<std::uint8_t> a = x.to_host(), b = y.to_host();
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::size_t row = i / 1100, column = i % 1100;
        const bool is_stored = column >= 7 && column < 1048;
        const std::size_t at = row * 1043 + column - 7;
        REQUIRE(after[i] == (is_stored ? std::max(a[at + 1], b[at + 2]) : before[i]));
    }
}

TEST_CASE("narrow elements: colours of pixels become planes, each by numbers of its own") {
    for (const std::int64_t columns : {64, 65, 331}) {
        check_normalised<k::float16>(33, columns);
        check_normalised<float>(17, columns);
        check_normalised<k::bfloat16>(64, columns);
    }
    check_normalised<k::float16>(1, 1);
}

TEST_CASE("narrow elements: halves of bytes become pairs") {
    for (const std::int64_t columns : {4, 8, 64, 68, 2048}) {
        check_unpacked<k::bfloat16>(3, columns);
        check_unpacked<k::float16>(5, columns);
        check_unpacked<float>(2, columns);
        check_unpacked<double>(2, columns);
    }
}
