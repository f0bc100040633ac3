// What is reduced over several axes of parts of an array: the same bits as of the elements that are stored first, wherever an innermost row
// begins and ends, with operands of roots and quotients near the limits.
#include <language/unfused.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <vector>

namespace k = kiln;

namespace {

/// Between -4 and 4; `specials`: one of so many is none of those; 0: all are.
template <class T>
k::array<T> numbers(const k::shape& extents, unsigned seed, unsigned specials) {
    using limits = std::numeric_limits<float>;
    constexpr float choices[] = {0.0f, -0.0f, limits::denorm_min(), limits::min(), limits::max(), limits::infinity()};
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < extents.size(); ++i) {
        const bool is_special = specials > 0 && random() % specials == 0;
        const float usual = static_cast<float>(random() % 10007) / 1250.5f - 4;
        out.push_back(static_cast<T>(is_special ? choices[random() % std::size(choices)] : usual));
    }
    return k::from_host<T>(out, extents);
}

template <class T>
void check(std::int64_t rows, std::int64_t extent, unsigned specials) {
    CAPTURE(rows);
    CAPTURE(extent);
    const k::array<T> x = numbers<T>({3, rows + 1, extent + 2}, 1, specials);
    const k::array<T> row = numbers<T>({extent}, 2, specials);
    const k::array<T> column = numbers<T>({rows, 1}, 3, specials);
    const auto part = [&](std::int64_t down, std::int64_t along) {
        return x(k::all, k::range(down, down + rows), k::range(along, along + extent));
    };
    const auto here = part(0, 0), right = part(0, 1), below = part(1, 0);
    for (const k::axis_list& axes : {k::axes(1, 2), k::axes(0, 1, 2)}) {
        tests::same_unfused<T>([&] { return k::expr<T>(k::sum(right, axes)); });
        tests::same_unfused<T>([&] { return k::expr<T>(k::sum(k::abs(right - here) + k::abs(below - here), axes)); });
        tests::same_unfused<T>([&] { return k::expr<T>(k::max(k::sqrt(right * right + below * below), axes)); });
        tests::same_unfused<T>([&] { return k::expr<T>(k::min(right / below, axes)); });
        tests::same_unfused<T>([&] { return k::expr<T>(k::sum((here - column) * row, axes)); });
        tests::same_unfused<std::int64_t>([&] { return k::expr<std::int64_t>(k::argmax(here * below, axes)); });
    }
}

}  // namespace

TEST_CASE(
    "innermost rows: parts of floats, doubles and 16-bit floats come to what they do when they are stored first") {
    tests::sample takes(2);
    for (const std::int64_t extent : {1, 3, 31, 97, 131, 517, 1021, 5003}) {
        const std::int64_t rows = 20'011 / extent + 1;  // of which threads take several rounds
        check<float>(rows, extent, 0);
        if (takes.takes_next()) check<float>(rows, extent, 997);
        if (takes.takes_next()) check<double>(rows, extent, 997);
        if (takes.takes_next()) check<k::float16>(rows, extent, 0);
    }
}

TEST_CASE("innermost rows: all axes of what is split over blocks of several rounds") {
    const k::array<float> x = numbers<float>({2100, 2103}, 5, 4099);
    const auto part = [&](std::int64_t down, std::int64_t along) {
        return x(k::range(down, down + 2099), k::range(along, along + 2101));
    };
    tests::same_unfused<float>([&] {
        return k::expr<float>(k::max(k::sqrt(k::square(part(0, 1) - part(0, 0)) + k::square(part(1, 0) - part(0, 0)))));
    });
    tests::same_unfused<float>([&] { return k::expr<float>(k::sum(k::tanh(part(1, 2)) * part(0, 1))); });
    tests::same_unfused<std::int64_t>([&] { return k::expr<std::int64_t>(k::argmin(part(0, 1))); });
}
