// Rows of elements of a byte or two that stay on chip and begin anywhere: the same bits as unfused, wherever arrays begin, and nothing
// beside them is stored to.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        if constexpr (k::detail::small_float<T>) {
            const float inf = std::numeric_limits<float>::infinity();
            const float choices[] = {inf, -inf, std::nanf(""), -0.0f, 6e-8f};
            const bool is_special = random() % 4099 == 0;
            out.push_back(T(is_special ? choices[random() % 5] : static_cast<float>(random() % 10007) / 1250.5f - 4));
        } else if constexpr (std::is_floating_point_v<T>) {
            out.push_back(static_cast<T>(random()) / T(1u << 31) - T(1));
        } else {
            out.push_back(static_cast<T>(random() % 251));
        }
    }
    return out;
}

template <class T, class X, class W>
void check_rows(const X& x, const W& weights) {
    const auto h = k::cast<float>(x);
    const auto rms = k::sqrt(k::mean(h * h, k::axis(1), k::keep_dims) + 1e-6f);
    tests::same_unfused<T>([&] { return k::expr<T>(k::cast<T>(h / rms) * weights); });
    const auto e = k::exp(h - k::max(h, k::axis(1), k::keep_dims));
    tests::same_unfused<T>([&] { return k::expr<T>(k::cast<T>(e / k::sum(e, k::axis(1), k::keep_dims) * 100.0f)); });
    // Weights are read in a phase that reduces, too; and results are wider than what is read.
    const auto w = k::cast<float>(weights);
    tests::same_unfused<float>([&] { return k::expr<float>(h - k::sum(h * w, k::axis(1), k::keep_dims) * w); });
}

template <class T>
void check_type(const std::vector<std::int64_t>& extents, std::int64_t m = 7) {
    tests::sample begins(3);  // of four: each of some length, and each length with one
    for (const std::int64_t n : extents) {
        CAPTURE(n);
        const k::array<T> longer = k::from_host<T>(numbers<T>(m * n + 3, 1), {m * n + 3});
        const k::array<T> weights = k::from_host<T>(numbers<T>(n + 3, 2), {n + 3});
        for (const std::int64_t begin : {0, 1, 2, 3}) {
            if (!begins.takes_next()) continue;
            CAPTURE(begin);
            check_rows<T>(k::reshape(longer(k::range(begin, begin + m * n)), {m, n}),
                          weights(k::range(3 - begin, 3 - begin + n)));
        }
    }
}

}  // namespace

TEST_CASE("skewed rows: 16-bit floats have the bits of one kernel for each operation, wherever rows begin") {
    check_type<k::float16>({65, 127, 257, 641, 769, 1021, 4093, 4097, 5003, 16381});
    check_type<k::bfloat16>({67, 5003, 8191});
}

/// Rows enough for each to have a warp, or a part of one: those of a block move together.
TEST_CASE("skewed rows: many rows that begin anywhere have the bits of one kernel for each operation") {
    for (const std::int64_t m : {133, 136, 143}) check_type<k::float16>({9, 61, 257, 1021}, m);
    check_type<k::float16>({13, 62, 127, 129, 251, 385, 641, 769, 1022, 1023}, 150);
    check_type<k::bfloat16>({7, 30, 67, 258, 1023}, 139);
    check_type<std::int16_t>({66, 257}, 135);
}

/// Of one block each, which has them in slots where they are long.
TEST_CASE("skewed rows: many long rows have the bits of one kernel for each operation") {
    check_type<k::float16>({8193, 12289, 24001, 33331}, 133);
    check_type<k::bfloat16>({50257}, 135);
    check_type<std::int8_t>({16385, 50257}, 133);
    check_type<std::int16_t>({20003}, 134);
    check_type<float>({24001, 33331, 50257}, 133);
    check_type<double>({16387, 25001}, 133);
}

template <class T>
void check_several(const std::vector<std::int64_t>& extents) {
    for (const std::int64_t n : extents) {
        CAPTURE(n);
        const std::int64_t m = 141;
        const k::array<T> a = k::from_host<T>(numbers<T>(m * n, 5), {m, n}),
                          b = k::from_host<T>(numbers<T>(m * n, 6), {m, n});
        const k::array<k::bfloat16> c = k::from_host<k::bfloat16>(numbers<k::bfloat16>(m * n, 7), {m, n});
        const k::array<T> column = k::from_host<T>(numbers<T>(m, 8), {m, 1});
        const auto both = [&](const auto& x, const auto& y) {
            const auto sum = k::cast<float>(x) + k::cast<float>(y) * k::cast<float>(column);
            const auto rms = k::sqrt(k::mean(sum * sum, k::axis(1), k::keep_dims) + 1e-6f);
            return k::eval(k::cast<T>(sum), k::cast<T>(sum / rms), k::max(sum, k::axis(1)));
        };
        const auto check = [&](const auto& x, const auto& y) {
            const auto [sum, scaled, largest] = both(x, y);
            const k::scoped_options off({.fuse = false});
            const auto [sum_of_many, scaled_of_many, largest_of_many] = both(x, y);
            CHECK_SAME(sum.to_host(), sum_of_many.to_host());
            CHECK_SAME(scaled.to_host(), scaled_of_many.to_host());
            CHECK_SAME(largest.to_host(), largest_of_many.to_host());
        };
        check(a, b);
        check(a, a);
        check(a, c);
        check(b, k::transpose(k::array<T>(k::transpose(a))));
    }
}

TEST_CASE("skewed rows: several arrays and results of many rows") {
    check_several<k::float16>({13, 129, 257, 1021, 5003, 16387});
    check_several<float>({129, 257, 1021, 4097});
    check_several<double>({513, 2047});
}

TEST_CASE("skewed rows: sums of several arrays, which begin where the first does or elsewhere") {
    for (const std::int64_t n : {5003, 8195, 16386}) {
        CAPTURE(n);
        const std::int64_t m = 70;
        const k::array<float> x = k::from_host<float>(numbers<float>(m * n, 5), {m, n});
        const k::array<float> y = k::from_host<float>(numbers<float>(m * n, 6), {m, n});
        const k::array<float> w = k::from_host<float>(numbers<float>(n + 3, 7), {n + 3});
        const k::array<k::bfloat16> z = k::from_host<k::bfloat16>(numbers<k::bfloat16>(m * n, 8), {m, n});
        for (const std::int64_t begin : {0, 1, 3}) {
            const auto v = w(k::range(begin, begin + n));
            tests::same_unfused<float>([&] { return k::expr<float>(k::sum(x * v, k::axis(1))); });
            tests::same_unfused<float>([&] { return k::expr<float>(k::max(v - x * y, k::axis(1))); });
        }
        tests::same_unfused<float>([&] { return k::expr<float>(k::matmul(x, w(k::range(0, n)))); });
        tests::same_unfused<float>([&] { return k::expr<float>(k::sum(x * y, k::axis(1))); });
        tests::same_unfused<float>([&] { return k::expr<float>(k::sum(k::cast<float>(z) * x + y, k::axis(1))); });
        tests::same_unfused<float>([&] { return k::expr<float>(k::sum(k::abs(k::diff(x, k::axis(0))))); });
    }
}

TEST_CASE("skewed rows: so have bytes and 16-bit integers") {
    check_type<std::uint8_t>({129, 1021, 5003});
    check_type<std::int16_t>({66, 1023});
}

TEST_CASE("skewed rows: parts of wider rows, and rows of no elements") {
    const k::array<k::float16> wide = k::from_host<k::float16>(numbers<k::float16>(9 * 1030, 3), {9, 1030});
    const k::array<k::float16> weights = k::ones<k::float16>({1021});
    check_rows<k::float16>(wide(k::all, k::range(3, 1024)), weights);
    const k::array<k::float16> none = k::zeros<k::float16>({0, 1021});
    const k::array<k::float16> out = none - k::max(none, k::axis(1), k::keep_dims);
    CHECK(out.shape() == k::shape{0, 1021});
}

TEST_CASE("skewed rows: what is written into part of an array leaves what is beside it, also where it is read itself") {
    for (const std::int64_t n : {65, 127, 513, 1021, 5003}) {
        CAPTURE(n);
        const std::int64_t m = n == 127 || n == 1021 ? 133 : 5;
        const std::vector<k::float16> host = numbers<k::float16>(m * n + 8, 4);
        for (const std::int64_t begin : {0, 1, 2, 3}) {
            k::array<k::float16> all = k::from_host<k::float16>(host, {m * n + 8});
            const auto x = k::reshape(all(k::range(begin, begin + m * n)), {m, n});
            const std::vector<k::float16> wanted =
                k::array<k::float16>(x - k::max(x, k::axis(1), k::keep_dims)).to_host();
            all(k::range(begin, begin + m * n)) = k::flatten(x - k::max(x, k::axis(1), k::keep_dims));
            std::vector<k::float16> expected = host;
            std::copy(wanted.begin(), wanted.end(), expected.begin() + begin);
            CHECK_SAME(all.to_host(), expected);
        }
    }
}
