// Forms of CPU kernels that are chosen for their time, each with the bits of one kernel for every operation: chains of steps woven into
// one another, what is reduced put to lanes as it is made, rows that leave past the caches, complex numbers stored by parts, small
// integers saturated without choices.
#include <language/unfused.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

/// What the CPU is given of an expression that is one kernel.
template <class T>
std::string host_text(const k::expr<T>& e) {
    const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
    REQUIRE(made.size() == 1);
    return made.front().text;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

template <class X>
k::expr<float> polynomial(const X& x, int degree) {
    k::expr<float> out = 0.0625f * x + 0.125f;
    for (int i = 1; i < degree; ++i) out = out * x + (0.5f - 0.0625f * static_cast<float>(i));
    return out;
}

/// Numbers of both signs, and among them a NaN, infinities, a zero of each sign and a denormal.
k::array<float> numbers(const k::shape& extents, std::uint64_t seed) {
    const k::array<float> x = k::random::uniform<float>(extents, seed) * 4 - 2;
    std::vector<float> out = x.to_host();
    const float infinity = std::numeric_limits<float>::infinity();
    const float special[] = {std::nanf(""), infinity, -infinity, 0.0f, -0.0f, 1e-40f, 3e38f};
    for (std::size_t i = 0; i < std::size(special); ++i)
        if (const std::size_t at = i * 61 + 3; at < out.size()) out[at] = special[i];
    return k::from_host<float>(out, extents);
}

/// More than the last cache's half, so that results are stored past it; rows begin anywhere in a line.
constexpr std::int64_t many_rows = 4099;
constexpr std::int64_t odd_row = 1021;

}  // namespace

TEST_CASE(
    "a long chain of steps is woven with those of its neighbours; of steps side by side, or of many arrays, none is") {
    const k::array<float> x = k::ones<float>({100'000});
    const std::string woven = host_text(polynomial(x, 16));
    CHECK(has(woven, "schedule-insns"));
    CHECK(has(woven, "first_of_line += 64"));
    CHECK_FALSE(has(host_text(polynomial(x, 5)), "schedule-insns"));
    CHECK_FALSE(has(host_text<float>(polynomial(x, 12) + polynomial(x * 0.5f, 12)), "schedule-insns"));
    k::expr<float> sum = x;
    for (int i = 0; i < 15; ++i) sum = sum + k::array<float>(k::ones<float>({100'000}));
    CHECK_FALSE(has(host_text(sum), "schedule-insns"));
}

TEST_CASE("a woven chain has its bits at every length, from any element on, small and past the caches") {
    for (const std::int64_t length : {0, 1, 15, 63, 64, 65, 129, 1000}) {
        const k::array<float> x = numbers({length + 3}, 7);
        tests::same_unfused<float>([&] { return polynomial(x, 16); });
        tests::same_unfused<float>([&] { return polynomial(x(k::range(1, length + 1)), 16); });
    }
    const k::array<float> large = numbers({5'000'011}, 8);
    tests::same_unfused<float>([&] { return polynomial(large, 13); });
    // Rows of a matrix with a column beside them, each a loop of its own.
    const k::array<float> m = numbers({37, 203}, 9);
    const k::array<float> column = numbers({37, 1}, 10);
    tests::same_unfused<float>([&] { return polynomial(m, 14) * column; });
}

TEST_CASE("two lines of a body of many steps that wait for one another are woven, with their bits") {
    const auto iterated = [](const auto& x, const auto& y, int times) {
        k::expr<float> zr = x, zi = y;
        for (int i = 0; i < times; ++i) {
            const k::expr<float> rr = zr * zr, ii = zi * zi;
            const k::expr<bool> inside = rr + ii < 4.0f;
            zi = k::where(inside, 2.0f * zr * zi + y, zi);
            zr = k::where(inside, rr - ii + x, zr);
        }
        return k::expr<float>(zr - zi);
    };
    const k::array<float> many = k::ones<float>({100'000});
    const std::string woven = host_text(iterated(many, many * 0.5f, 16));
    CHECK(has(woven, "schedule-insns"));
    CHECK(has(woven, "first_of_line += 32"));
    CHECK_FALSE(has(host_text(iterated(many, many * 0.5f, 8)), "schedule-insns"));  // a core sees the next elements
    // As many steps side by side.
    k::expr<float> apart = many;
    for (int i = 0; i < 50; ++i) {
        const float number = static_cast<float>(i);
        apart = k::max(apart, (many + number) * (many - number));
    }
    CHECK_FALSE(has(host_text(apart), "schedule-insns"));
    for (const std::int64_t length : {1, 31, 32, 33, 1000}) {
        const k::array<float> x = numbers({length + 1}, 7);
        tests::same_unfused<float>([&] { return iterated(x, x * 0.25f, 16); });
        tests::same_unfused<float>([&] { return iterated(x(k::range(1, length + 1)), x(k::range(0, length)), 16); });
    }
    const k::array<float> row = numbers({203}, 9);
    const k::array<float> column = numbers({37, 1}, 10);
    tests::same_unfused<float>([&] { return iterated(row, column, 16); });
}

TEST_CASE("what a row's reductions take is put to lanes as it is computed, unless functions of the library make it") {
    const k::array<float> x = k::ones<float>({640, 1000});
    const std::string text = host_text<float>(x / k::sqrt(k::mean(x * x, k::axis(1), k::keep_dims)));
    CHECK(has(text, "lanes_0[16]"));
    CHECK_FALSE(has(text, "piece_t0"));
    CHECK(has(text, "store_nontemporal"));
    const std::string of_functions = host_text<float>(k::exp(x) / k::sum(k::exp(x), k::axis(1), k::keep_dims));
    CHECK_FALSE(has(of_functions, "lanes_0[16]"));
}

TEST_CASE("runs of persistent rows are the library's: no kernel has loops for them") {
    const k::array<float> x = k::ones<float>({640, 1000});
    const std::string text = host_text<float>(k::exp(x) / k::sum(k::exp(x), k::axis(1), k::keep_dims));
    CHECK(has(text, "run_0(all_0, "));
    CHECK_FALSE(has(text, "lane["));
}

TEST_CASE("rows in lanes have the bits of rows in pieces, whatever their length and their elements") {
    for (const std::int64_t length : {33, 47, 48, 64, 1000, 2047, 2048, 2049, 4111}) {
        const k::array<float> x = numbers({13, length}, 11);
        const k::array<float> scale = numbers({length}, 12);
        const auto rows = [&](const auto& reduced) { return x * scale - reduced; };
        tests::same_unfused<float>([&] { return rows(k::sum(x * x - scale, k::axis(1), k::keep_dims)); });
        tests::same_unfused<float>([&] { return rows(k::mean(k::abs(x), k::axis(1), k::keep_dims)); });
        tests::same_unfused<float>([&] { return rows(k::max(x * scale, k::axis(1), k::keep_dims)); });
        tests::same_unfused<float>([&] { return rows(k::min(-x, k::axis(1), k::keep_dims)); });
        tests::same_unfused<float>([&] { return rows(k::prod(1 + 1e-3f * scale * x, k::axis(1), k::keep_dims)); });
        // Several of one phase, one of them of an array as it is, and one of a value that is kept.
        tests::same_unfused<float>([&] {
            const auto square = x * x;
            return (square - k::max(x, k::axis(1), k::keep_dims)) /
                   (k::sum(square, k::axis(1), k::keep_dims) + k::min(x + scale, k::axis(1), k::keep_dims));
        });
        const k::array<std::int32_t> i = k::random::integers<std::int32_t>({13, length}, -9, 9, 5);
        tests::same_unfused<std::int64_t>(
            [&] { return k::cast<std::int64_t>(i) - k::sum(k::cast<std::int64_t>(i) * 3, k::axis(1), k::keep_dims); });
    }
}

TEST_CASE("rows that leave past the caches have their bits, wherever a row begins in a line") {
    const k::array<float> x = numbers({many_rows, odd_row}, 13);
    tests::same_unfused<float>([&] { return x / k::sqrt(k::mean(x * x, k::axis(1), k::keep_dims) + 1e-6f); });
    tests::same_unfused<float>([&] {
        const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
        return e / k::sum(e, k::axis(1), k::keep_dims);
    });
    // Elements and what a row comes to, both of them results.
    const auto apart = x - k::mean(x + 1, k::axis(1), k::keep_dims);
    const auto [elements, means] = k::eval(apart, k::sum(x + 2, k::axis(1)));
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(elements.to_host(), k::array<float>(apart).to_host());
    CHECK_SAME(means.to_host(), k::array<float>(k::sum(x + 2, k::axis(1))).to_host());
}

TEST_CASE("sums of columns are the same however many columns a thread goes down at once") {
    for (const std::int64_t columns : {1023, 1024, 1025, 2048, 2050, 5000}) {
        const k::array<float> a = numbers({1100, columns}, 14);
        const k::array<float> b = numbers({1100, columns}, 15);
        const auto made = tests::same_unfused<float>([&] { return k::sum(a * b, k::axis(0)); });
        CHECK(static_cast<std::int64_t>(made.elements.size()) == columns);
    }
}

TEST_CASE("complex numbers are stored by parts, and have their bits") {
    using complex = std::complex<float>;
    for (const std::int64_t length : {1, 7, 16, 17, 1000}) {
        const std::vector<float> one = numbers({length}, 16).to_host();
        const std::vector<float> other = numbers({length}, 17).to_host();
        std::vector<complex> there, back;
        for (std::size_t i = 0; i < one.size(); ++i) {
            there.emplace_back(one[i], other[i]);
            back.emplace_back(other[i], one[i]);
        }
        const k::array<complex> z = k::from_host<complex>(there);
        const k::array<complex> w = k::from_host<complex>(back);
        tests::same_unfused<complex>(
            [&] { return k::where(k::square(k::real(z)) + k::square(k::imag(z)) < 0.5f, z * w, z); });
        if (length == 1000) CHECK(has(host_text<complex>(k::where(k::real(z) < 0.5f, z * w, z)), "y0.im = "));
    }
}

TEST_CASE("small integers of floating numbers are saturated without a choice between constants") {
    const k::array<float> x = k::ones<float>({1000});
    CHECK(has(host_text<std::uint8_t>(k::cast<std::uint8_t>(x * 3)), "saturated_unsigned<u8>("));
    CHECK(has(host_text<std::int16_t>(k::cast<std::int16_t>(x * 3)), "saturated_signed<i16>("));
    CHECK_FALSE(has(host_text<std::int32_t>(k::cast<std::int32_t>(x * 3)), "saturated"));
}
