// Columns of what is made of a row and of what the row comes to: one kernel that reads each row once (plan/policy/crossed_columns.cpp), to
// the bit as two.
#include "unfused.hpp"

#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace k = kiln;

namespace {

using k::axis;
using k::keep_dims;

template <class T>
k::array<T> noise(std::int64_t rows, std::int64_t columns, unsigned seed) {
    std::vector<T> out(static_cast<std::size_t>(rows * columns));
    for (T& each : out) {
        seed = seed * 1664525u + 1013904223u;
        each = static_cast<T>(static_cast<float>(static_cast<int>(seed >> 16) % 2001 - 1000) / 256);
    }
    return k::from_host<T>(out, {rows, columns});
}

/// The same, in one kernel where a GPU computes.
template <class T>
void check_once(const std::function<k::expr<T>()>& make) {
    const std::int64_t launches = tests::same_unfused<T>(make).launches;
    if (tests::device().is_cuda) CHECK(launches == 1);
}

template <class T>
void check_twice(const std::function<k::expr<T>()>& make) {
    const std::int64_t launches = tests::same_unfused<T>(make).launches;
    if (tests::device().is_cuda) CHECK(launches > 1);
}

template <class T>
void check_widths(tests::sample& widths) {
    for (const std::int64_t columns : {8, 20, 32, 100}) {
        if (!widths.takes_next()) continue;
        const std::int64_t rows = 32'768 + columns;
        CAPTURE(columns);
        const k::array<T> x = noise<T>(rows, columns, 1);
        const k::array<T> y = noise<T>(rows, columns, 2);
        const k::array<T> by_row = noise<T>(rows, 1, 3);
        const k::array<T> weights = noise<T>(1, columns, 4);
        check_once<T>([&] { return k::sum((k::sum(x * weights, axis(1), keep_dims) - by_row) * x, axis(0)); });
        check_once<T>([&] {
            return k::max(x * T(2) - k::max(x + y, axis(1), keep_dims) + by_row * weights, axis(0), keep_dims);
        });
    }
}

}  // namespace

TEST_CASE("crossed rows: read once for what they come to, and for columns that are made of it") {
    tests::sample widths(3);  // of four: what one type leaves out, another has
    check_widths<float>(widths);
    check_widths<double>(widths);
    check_widths<k::float16>(widths);
    check_widths<std::int64_t>(widths);
}

TEST_CASE("crossed rows: the gradient of a logistic regression, of numbers and of none") {
    const std::int64_t rows = 70'001;
    const k::array<float> x = noise<float>(rows, 32, 5);
    const k::array<float> label = noise<float>(1, rows, 6);
    const k::array<float> weights = noise<float>(1, 32, 7);
    const auto gradient = [](const auto& of, const k::array<float>& by, const k::array<float>& wanted) {
        return [=]() -> k::expr<float> {
            const auto guess = k::sigmoid(k::sum(of * by, axis(1), keep_dims));
            return k::mean((guess - k::reshape(wanted, {of.shape()[0], 1})) * of, axis(0));
        };
    };
    check_once<float>(gradient(x, weights, label));
    std::vector<float> odd = x.to_host();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    odd[3] = -0.0f;
    odd[32 * 1000 + 5] = infinity;
    odd[32 * 2000 + 31] = std::numeric_limits<float>::quiet_NaN();
    odd[32 * 70'000] = -infinity;
    check_once<float>(gradient(k::from_host<float>(odd, {rows, 32}), weights, label));
    std::vector<float> zeros(odd.size(), -0.0f);
    check_once<float>(gradient(k::from_host<float>(zeros, {rows, 32}), weights, label));
    // Rows that begin anywhere, of an array whose rows are longer, and of one whose first element is no vector's.
    const k::array<float> wide = noise<float>(33'000, 41, 8);
    const k::array<float> ones = k::ones<float>({33'000});
    check_once<float>([&] { return gradient(wide(k::all, k::range(3, 35)), weights, ones)(); });
    const k::array<float> line = noise<float>(1, 33'000 * 32 + 1, 9);
    const k::array<float> off =
        k::reshape(k::reshape(line, {33'000 * 32 + 1})(k::range(1, 33'000 * 32 + 1)), {33'000, 32});
    check_once<float>([&] { return gradient(off, weights, ones)(); });
}

TEST_CASE("crossed rows: over several axes, of several results, and of several columns") {
    const k::array<float> x = noise<float>(200 * 170, 36, 10);
    const auto cube = k::reshape(x, {200, 170, 36});
    const k::array<float> by_middle = noise<float>(170, 1, 11);
    check_once<float>([&] {
        const auto length = k::sum(cube * cube, axis(2), keep_dims);
        return k::sum(cube / k::sqrt(length + by_middle), k::axes(0, 1));
    });
    const auto make = [&] {
        const auto all = k::sum(x, axis(1), keep_dims);
        const auto most = k::max(x, axis(1), keep_dims);
        return k::sum((x - most) * all, axis(0));
    };
    check_once<float>([&]() -> k::expr<float> { return make(); });
    check_once<float>([&]() -> k::expr<float> { return k::sum(k::abs(x - k::mean(x, axis(1), keep_dims)), axis(0)); });
}

TEST_CASE("crossed rows: twice where a row cannot be in a warp, or is needed elsewhere") {
    const k::array<float> x = noise<float>(33'000, 32, 12);
    const k::array<float> odd = noise<float>(33'000, 33, 13);
    const k::array<float> wide = noise<float>(33'000, 260, 14);
    const k::array<float> few = noise<float>(200, 32, 15);
    const k::array<float> across = noise<float>(32, 33'000, 16);
    const auto of = [](const auto& m) {
        return [m]() -> k::expr<float> { return k::sum(k::sum(m, axis(1), keep_dims) * m, axis(0)); };
    };
    check_twice<float>(of(odd));
    check_twice<float>(of(wide));
    check_twice<float>(of(few));
    check_twice<float>([&]() -> k::expr<float> { return of(k::transpose(across))(); });
    check_twice<float>([&]() -> k::expr<float> {
        const auto all = k::sum(x, axis(1), keep_dims);
        return k::sum(all * x, axis(0)) * k::sum(all);
    });
}
