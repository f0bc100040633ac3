// Short rows that the CPU's kernels keep many at a time: of every length that tiles, lanes and vectors have, and of as many rows as do or do not
// fill a tile, with the bits of a kernel for each operation, and right by loops in double.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/device_under_test.hpp>
#include <support/rooms.hpp>
#include <support/sample.hpp>

#include <doctest/doctest.h>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace k = kiln;

namespace {

constexpr std::int64_t lengths[] = {2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  24, 31,
                                    32, 33, 47, 64, 100, 128, 129, 200, 255, 256, 257};

/// In (-4, 4); `special`: with NaN, infinities, zeros of both signs and a denormal among them.
template <class T>
k::array<T> numbers(const k::shape& of, unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < of.size(); ++i) {
        float value = static_cast<float>(random() % 100003) / 12500.4f - 4;
        if (special && random() % 97 == 0) {
            const float infinity = std::numeric_limits<float>::infinity();
            const float choices[] = {infinity, -infinity, std::nanf(""), -0.0f, 0.0f, 1e-40f};
            value = choices[random() % 6];
        }
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(std::isfinite(value) ? value * 20 : 0));
        else out.push_back(static_cast<T>(value));
    }
    return k::from_host<T>(out, of);
}

const auto over = k::axis(1);

template <class X>
auto softmax(const X& x) {
    const auto e = k::exp(x - k::max(x, over, k::keep_dims));
    return e / k::sum(e, over, k::keep_dims);
}

template <class X>
auto log_softmax(const X& x) {
    const auto below = x - k::max(x, over, k::keep_dims);
    return below - k::log(k::sum(k::exp(below), over, k::keep_dims));
}

template <class X, class S>
auto layer_norm(const X& x, const S& scale, const S& offset) {
    const auto centred = x - k::mean(x, over, k::keep_dims);
    return centred * k::rsqrt(k::var(x, over, k::keep_dims) + 1e-5f) * scale + offset;
}

template <class T>
std::string host_text(const k::expr<T>& e) {
    const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
    REQUIRE(made.size() == 1);
    return made.front().text;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE(
    "tiled rows: functions are called for many rows at once, also of what rows come to; longer rows are taken one by "
    "one") {
    const std::string text = host_text<float>(log_softmax(k::array<float>(k::ones<float>({640, 100}))));
    CHECK(has(text, "rows_0(all_0, x0"));
    CHECK(has(text, "block_exp_f32(library, buffer, buffer2, "));
    CHECK(has(text, "block_log_f32(library, rows_t3 + strip, "));
    CHECK_FALSE(has(text, "run_0("));
    CHECK(has(host_text<float>(softmax(k::array<float>(k::ones<float>({640, 257})))), "run_0(all_0, "));
    // Of a few elements, functions alone are worth it.
    CHECK(has(host_text<float>(softmax(k::array<float>(k::ones<float>({640, 3})))), "rows_0(all_0, "));
    // Sums of squares go to lanes as they are made, where rows fill those.
    const auto unit = [](std::int64_t length) {
        const k::array<float> x = k::ones<float>({640, length});
        return host_text<float>(x / k::sqrt(k::sum(x * x, over, k::keep_dims)));
    };
    CHECK(has(unit(48), "lanes_0[16]"));
    CHECK(has(unit(47), "rows_0(all_0, "));
}

TEST_CASE("tiled rows: every length, in tiles that are full and that are not") {
    tests::sample sizes(3);
    for (const std::int64_t length : lengths)
        for (const std::int64_t rows : {1, 2, 5, 64, 129, 1031}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(length);
            CAPTURE(rows);
            const k::array<float> x = numbers<float>({rows, length}, 3, rows == 129);
            const k::array<float> scale = numbers<float>({length}, 4);
            const k::array<float> offset = numbers<float>({length}, 5);
            const k::array<float> column = numbers<float>({rows, 1}, 6);
            tests::same_unfused<float>([&] { return softmax(x); });
            tests::same_unfused<float>([&] { return log_softmax(x * scale + column); });
            tests::same_unfused<float>([&] { return layer_norm(x, scale, offset); });
            tests::same_unfused<float>([&] { return x - k::logsumexp(x, over, k::keep_dims); });
            tests::same_unfused<float>([&] { return x / k::sqrt(k::sum(k::square(x), over, k::keep_dims)) + column; });
            tests::same_unfused<float>([&] { return (x - k::min(x * scale, over, k::keep_dims)) * k::exp(column); });
            tests::same_unfused<std::int64_t>([&] {
                return k::argmax(k::exp(x), over, k::keep_dims) -
                       k::cast<std::int64_t>(x > k::mean(x, over, k::keep_dims));
            });
        }
}

TEST_CASE("tiled rows: softmax by loops in double") {
    for (const std::int64_t length : lengths) {
        CAPTURE(length);
        const std::int64_t rows = 77;
        const k::array<float> x = numbers<float>({rows, length}, 7);
        const std::vector<float> in = x.to_host();
        const std::vector<float> soft = k::array<float>(softmax(x)).to_host();
        const std::vector<float> logs = k::array<float>(log_softmax(x)).to_host();
        double worst = 0, worst_log = 0;
        for (std::int64_t row = 0; row < rows; ++row) {
            const float* const of = in.data() + row * length;
            const double largest = *std::max_element(of, of + length);
            double sum = 0;
            for (std::int64_t i = 0; i < length; ++i) sum += std::exp(of[i] - largest);
            for (std::int64_t i = 0; i < length; ++i) {
                const double expected = std::exp(of[i] - largest) / sum;
                const auto at = static_cast<std::size_t>(row * length + i);
                worst = std::max(worst, std::fabs(soft[at] - expected) / expected);
                worst_log = std::max(worst_log, std::fabs(logs[at] - (of[i] - largest - std::log(sum))));
            }
        }
        CHECK(worst < 1e-6);
        CHECK(worst_log < 3e-6);
    }
}

TEST_CASE("tiled rows: elements of every width, every reduction") {
    tests::sample kinds(2);
    for (const std::int64_t length : {3, 16, 19, 40, 250})
        for (const std::int64_t rows : {3, 200}) {
            if (!kinds.takes_next()) continue;
            CAPTURE(length);
            CAPTURE(rows);
            const k::shape of{rows, length};
            const k::array<double> d = numbers<double>(of, 8, true);
            tests::same_unfused<double>([&] { return softmax(d); });
            tests::same_unfused<double>([&] { return k::exp(d) * k::prod(d * 0.5, over, k::keep_dims); });
            const k::array<k::float16> h = numbers<k::float16>(of, 9, true);
            tests::same_unfused<k::float16>([&] { return k::exp(h) - k::mean(h, over, k::keep_dims); });
            tests::same_unfused<k::float16>([&] { return k::cast<k::float16>(softmax(k::cast<float>(h))); });
            const k::array<k::bfloat16> b = numbers<k::bfloat16>(of, 10);
            tests::same_unfused<k::bfloat16>([&] { return k::sin(b) / k::max(k::abs(b), over, k::keep_dims); });
            const k::array<std::int8_t> i = numbers<std::int8_t>(of, 11);
            tests::same_unfused<std::int8_t>([&] { return i - k::max(i, over, k::keep_dims); });
            tests::same_unfused<std::int64_t>([&] { return i * k::sum(i * 3, over, k::keep_dims); });
            const k::array<float> f = numbers<float>(of, 12, true);
            tests::same_unfused<bool>([&] { return k::any(k::exp(f) > 3.5f, over, k::keep_dims) == (f < 0.0f); });
            tests::same_unfused<float>([&] { return k::exp(f) * k::var(f, over, k::keep_dims, k::ddof(1)); });
            tests::same_unfused<float>([&] { return k::exp(f) * k::stddev(f, over, k::keep_dims); });
            tests::same_unfused<std::int64_t>([&] { return k::argmin(k::exp(f), over, k::keep_dims) + i; });
            const k::array<std::complex<float>> c = k::cast<std::complex<float>>(f) * std::complex<float>(0.6f, -0.8f);
            tests::same_unfused<std::complex<float>>([&] { return k::exp(c) - k::mean(c, over, k::keep_dims); });
        }
}

TEST_CASE("tiled rows: operands that lie otherwise are brought into order") {
    for (const std::int64_t length : {2, 6, 21, 60, 130}) {
        CAPTURE(length);
        const std::int64_t rows = 91;
        const k::array<float> turned = numbers<float>({length, rows}, 13);
        const k::array<float> wide = numbers<float>({rows + 3, 2 * length + 5}, 14);
        const k::array<float> flat = numbers<float>({rows * length + 7}, 15);
        const auto cut = wide(k::range(1, rows + 1), k::range(3, length + 3));
        tests::same_unfused<float>([&] { return softmax(k::transpose(turned)); });
        tests::same_unfused<float>([&] { return softmax(cut); });
        tests::same_unfused<float>([&] { return softmax(wide(k::range(0, rows), k::range(1, 2 * length + 1, 2))); });
        tests::same_unfused<float>([&] { return softmax(k::flip(cut)); });
        tests::same_unfused<float>([&] { return softmax(k::shift(cut, {1, 1})); });
        tests::same_unfused<float>([&] {
            return softmax(k::reshape(flat(k::range(3, rows * length + 3)), {rows, length}));
        });
        tests::same_unfused<float>([&] { return softmax(cut * k::transpose(turned)) + k::arange<float>(length); });
        // Rows of a cube over its last axis, and a matrix beside it that is the same in each of its layers.
        const k::array<float> cube = numbers<float>({7, 13, length}, 16);
        const k::array<float> layer = numbers<float>({13, length}, 17);
        const k::array<float> of_layers = numbers<float>({7, 1, 1}, 18);
        tests::same_unfused<float>([&] {
            const auto x = cube + layer * of_layers;
            const auto e = k::exp(x - k::max(x, k::axis(2), k::keep_dims));
            return e / k::sum(e, k::axis(2), k::keep_dims);
        });
        tests::same_unfused<float>([&] {
            const auto x = k::transpose(cube, {1, 0, 2});
            const auto e = k::exp(x - k::max(x, k::axis(2), k::keep_dims));
            return e / k::sum(e, k::axis(2), k::keep_dims);
        });
    }
}

TEST_CASE("tiled rows: results of rows beside those of elements, and in place of what they are made of") {
    for (const std::int64_t length : {3, 20, 33, 200}) {
        CAPTURE(length);
        const k::array<float> x = numbers<float>({333, length}, 19);
        const auto e = k::exp(x - k::max(x, over, k::keep_dims));
        const auto [soft, total, most] = k::eval(e / k::sum(e, over, k::keep_dims), k::sum(e, over), k::max(x, over));
        k::array<float> changed = k::array<float>(x + 0.0f);
        changed = softmax(changed);
        CHECK_SAME(changed.to_host(), soft.to_host());
        const k::scoped_options off({.fuse = false});
        CHECK_SAME(soft.to_host(), k::array<float>(softmax(x)).to_host());
        CHECK_SAME(total.to_host(), k::array<float>(k::sum(e, over)).to_host());
        CHECK_SAME(most.to_host(), k::array<float>(k::max(x, over)).to_host());
    }
}

TEST_CASE("tiled rows: results that leave past the caches, wherever a tile begins in a line") {
    for (const std::int64_t length : {17, 33, 100}) {
        CAPTURE(length);
        const k::array<float> x = numbers<float>({8'400'000 / length, length}, 20);
        tests::same_unfused<float>([&] { return softmax(x); });
    }
}

TEST_CASE("tiled rows: a reduction of the user's") {
    if (tests::cubins_wanted() || !tests::device().compiles) return;
    const auto farthest = k::reduction<float>(0, "a", "b", "return a * a < b * b ? b : a;");
    for (const std::int64_t length : {3, 9, 16, 33, 100}) {
        CAPTURE(length);
        const k::array<float> x = numbers<float>({130, length}, 21);
        tests::same_unfused<float>([&] { return k::exp(x) - farthest(x, over, k::keep_dims); });
    }
}
