// Sums of what short rows come to (a kernel density): one kernel that makes each row where it needs it (stage/written_out_rows.cpp), to the
// bit as two.
#include "unfused.hpp"

#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace k = kiln;

namespace {

using k::all;
using k::axis;
using k::newaxis;

template <class T>
k::array<T> noise(std::int64_t rows, std::int64_t columns, unsigned seed, std::vector<T> among = {}) {
    std::vector<T> out(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < out.size(); ++i) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = static_cast<T>(static_cast<float>(static_cast<int>(seed >> 16) % 2001 - 1000) / 512);
        if (!among.empty() && seed % 97 == 0) out[i] = among[i % among.size()];
    }
    return k::from_host<T>(out, {rows, columns});
}

/// So many that a GPU's thread has two of them: elements that lie apart are then read by half as many. The CPU has each by itself.
std::int64_t many_rows() { return tests::device().plans_cuda || tests::tries_every_combination() ? 4400 : 1100; }

template <class T>
void check_launches(bool is_one, const std::function<k::expr<T>()>& make) {
    const std::int64_t launches = tests::same_unfused<T>(make).launches;
    if (tests::device().is_cuda) CHECK((launches == 1) == is_one);
}

template <class T>
void check_lengths(bool are_one, std::initializer_list<std::int64_t> lengths) {
    tests::sample chosen(3);
    for (const std::int64_t features : lengths) {
        if (!chosen.takes_next()) continue;
        CAPTURE(features);
        const k::array<T> x = noise<T>(many_rows(), features, 1), z = noise<T>(1030, features, 2);
        const auto distance = [&] { return k::sum(k::square(x(all, newaxis) - z), axis(2)); };
        check_launches<T>(are_one, [&] { return k::mean(k::exp(distance() * T(-0.5)), axis(1)); });
        check_launches<T>(are_one, [&] { return k::sum(k::max(x(all, newaxis) * z, axis(2)), axis(1), k::keep_dims); });
        tests::same_unfused<T>([&] { return k::sum(k::sqrt(distance())); });
    }
}

}  // namespace

TEST_CASE("written out rows: sums and means of what short rows come to, in one kernel") {
    // Up to eight elements of a row come in vectors.
    check_lengths<float>(true, {2, 3, 4, 5, 6, 7, 8});
    check_lengths<double>(true, {2, 3, 4, 5, 6});
    // Lanes that read from the same banks take turns.
    check_lengths<float>(false, {9, 12});
    check_lengths<double>(false, {8, 9});
}

TEST_CASE("written out rows: as many values and as many rows as leave some of a thread's without one") {
    tests::sample sizes(2);
    for (const std::int64_t features : {3, 4, 5, 8})
        for (const std::int64_t left : {1, 2, 3}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(features);
            CAPTURE(left);
            const k::array<float> x = noise<float>(many_rows() + left, features, 15),
                                  z = noise<float>(1024 + left, features, 16);
            const auto distance = [&] { return k::sum(k::square(x(all, newaxis) - z), axis(2)); };
            check_launches<float>(true, [&] { return k::mean(k::exp(distance() * -0.5f), axis(1)); });
        }
}

TEST_CASE("written out rows: which do not begin in a vector, of which some elements are not read, and of two arrays") {
    const k::array<float> x = noise<float>(many_rows(), 5, 17), longer = noise<float>(1034, 5, 18),
                          w = noise<float>(1030, 5, 19);
    tests::sample begins(3);
    for (const std::int64_t begin : {0, 1, 2, 3, 4}) {
        if (!begins.takes_next()) continue;
        CAPTURE(begin);
        const auto z = longer(k::range(begin, begin + 1030));
        check_launches<float>(
            true, [&] { return k::sum(k::exp(-k::sum(k::square(x(all, newaxis) - z), axis(2))), axis(1)); });
        for (const std::int64_t first : {0, 1})
            check_launches<float>(true, [&] {
                const auto some = k::range(first, first + 4);
                return k::sum(k::exp(-k::sum(k::square(x(all, some)(all, newaxis) - z(all, some)), axis(2))), axis(1));
            });
        tests::same_unfused<float>(
            [&] { return k::sum(k::sum(k::square(x(all, newaxis) - z) * w, axis(2)), axis(1)); });
    }
}

TEST_CASE("written out rows: rows of up to 32 elements, whose kernels have two threads for each") {
    for (const std::int64_t features : {15, 16, 17}) {
        CAPTURE(features);
        const k::array<float> x = noise<float>(many_rows(), features, 3), z = noise<float>(1030, features, 4);
        tests::same_unfused<float>([&] { return k::mean(k::sum(k::abs(x(all, newaxis) - z), axis(2)), axis(1)); });
    }
}

TEST_CASE("written out rows: of no numbers, of infinities, and of zeros of both signs") {
    const float inf = std::numeric_limits<float>::infinity();
    const k::array<float> x =
        noise<float>(many_rows(), 5, 5, {std::numeric_limits<float>::quiet_NaN(), inf, -inf, -0.0f, 0.0f, 1e38f});
    const k::array<float> z = noise<float>(1030, 5, 6, {-0.0f, inf, 0.0f});
    check_launches<float>(true, [&] { return k::mean(k::exp(-k::sum(x(all, newaxis) * z, axis(2))), axis(1)); });
    check_launches<float>(true, [&] { return k::sum(1.0f / k::min(x(all, newaxis) * z, axis(2)), axis(1)); });
    check_launches<float>(true, [&] { return k::sum(1.0f / k::prod(x(all, newaxis) * z, axis(2)), axis(1)); });
    const k::array<float> zeros = k::zeros<float>({many_rows(), 5}) * -1.0f, ones = k::ones<float>({1030, 5});
    check_launches<float>(true, [&] { return k::sum(1.0f / k::sum(zeros(all, newaxis) * ones, axis(2)), axis(1)); });
}

TEST_CASE("written out rows: views that begin anywhere, and what is beside the rows") {
    const k::array<float> from = noise<float>(many_rows() + 10, 11, 7);
    const auto x = from(k::range(3, many_rows() + 3), k::range(1, 11, 2)), z = from(k::range(5, 1035), k::range(5, 10));
    const k::array<float> row = noise<float>(1, 1030, 8), column = noise<float>(many_rows(), 1, 9);
    check_launches<float>(true, [&] {
        const auto near = k::sum(k::square(x(all, newaxis) - z), axis(2));
        return k::sum(k::exp(-near) * row + column, axis(1));
    });
    check_launches<float>(true, [&] {
        const auto near = k::sum(k::square(x(all, newaxis) - z), axis(2));
        const auto along = k::sum(x(all, newaxis) * z, axis(2));
        return k::sum(near * along, axis(1));
    });
}

TEST_CASE("written out rows: not where the rows are needed besides, or are read once") {
    const k::array<float> x = noise<float>(1100, 5, 10), z = noise<float>(1030, 5, 11);
    const auto near = [&] { return k::sum(k::square(x(all, newaxis) - z), axis(2)); };
    check_launches<float>(false, [&] { return near() + k::sum(k::exp(near()), axis(1), k::keep_dims); });
    const k::array<float> own = noise<float>(1100 * 1030, 5, 12);
    const auto cube = [&] { return k::reshape(own, {1100, 1030, 5}); };
    check_launches<float>(false, [&] { return k::sum(k::exp(k::sum(k::square(cube()), axis(2))), axis(1)); });
}

TEST_CASE("written out rows: of no rows, and of rows of no elements") {
    const k::array<float> x = noise<float>(many_rows(), 5, 13), z = noise<float>(1030, 5, 14);
    const auto sums = [](const auto& a, const auto& b) {
        return k::sum(k::exp(-k::sum(k::square(a(all, newaxis) - b), axis(2))), axis(1));
    };
    tests::same_unfused<float>([&] { return sums(x(k::range(0, 0)), z); });
    tests::same_unfused<float>([&] { return sums(x, z(k::range(0, 0))); });
    tests::same_unfused<float>([&] { return sums(x(all, k::range(0, 0)), z(all, k::range(0, 0))); });
    tests::same_unfused<float>([&] { return sums(x(all, k::range(0, 1)), z(all, k::range(0, 1))); });
}
