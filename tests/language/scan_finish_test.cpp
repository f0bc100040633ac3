// What is made of a scan element by element, in its kernel on a GPU: against sums by hand of numbers that are added up exactly in any order, and
// to the bit what the scan and the rest make in steps.
#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

/// Of each way to divide a scan among threads: lines that are short, long, of few parts and many; columns, few and many, in rows that are
/// whole sectors or begin anywhere.
const std::vector<k::shape>& shapes() {
    static const std::vector<k::shape> all = {{1},         {301, 7},      {7, 301},   {3, 1025},  {5, 8192},
                                              {64, 1024},  {2, 20011},    {1, 70016}, {300007},   {3, 8191},
                                              {3, 40, 33}, {2, 1031, 67}, {1027, 64}, {70, 32771}};
    return all;
}

/// Sixteenths, whose sums a float has exactly.
std::vector<float> sixteenths(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> out;
    for (std::int64_t i = 0; i < count; ++i)
        out.push_back(static_cast<float>(static_cast<int>(random() % 33) - 16) / 16.0f);
    return out;
}

/// The same, and among them what is no number, infinite, or a zero with a sign.
std::vector<float> any_floats(std::int64_t count) {
    std::vector<float> out = sixteenths(count, 3);
    for (std::int64_t i = 0; i < count; ++i) {
        float& each = out[static_cast<std::size_t>(i)];
        each *= 1.1f;
        if (i % 401 == 7) each = -0.0f;
        if (i % 5003 == 4000) each = std::numeric_limits<float>::infinity();
        if (i % 9001 == 8000) each = std::numeric_limits<float>::quiet_NaN();
    }
    return out;
}

struct lines {
    std::int64_t outer = 1, count = 1, inner = 1;
    lines(const k::shape& of, int axis) {
        for (int i = 0; i < of.rank(); ++i) (i < axis ? outer : i == axis ? count : inner) *= of[i];
    }
    /// Calls each(the element's number, before it along the line; -1: none, its place in the line).
    template <class Each>
    void each(Each visit) const {
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t x = 0; x < count; ++x)
                for (std::int64_t i = 0; i < inner; ++i) {
                    const std::int64_t number = (o * count + x) * inner + i;
                    visit(number, x ? number - inner : -1, x);
                }
    }
};

std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }

/// 2 cumsum(x) + y b, with a b for each place in the line.
void check_by_hand(const k::shape& of, int axis) {
    const lines all(of, axis);
    const std::vector<float> x = sixteenths(of.size(), 1), y = sixteenths(of.size(), 2), b = sixteenths(all.count, 5);
    std::vector<float> sums(x.size()), wanted(x.size());
    all.each([&](std::int64_t number, std::int64_t before, std::int64_t place) {
        sums[at(number)] = (before < 0 ? 0.0f : sums[at(before)]) + x[at(number)];
        wanted[at(number)] = sums[at(number)] * 2.0f + y[at(number)] * b[at(place)];
    });
    k::shape along;
    {
        std::vector<std::int64_t> extents(at(of.rank()), 1);
        extents[at(axis)] = all.count;
        along = k::shape(extents);
    }
    const k::array<float> made = k::cumsum(k::from_host<float>(x, of), k::axis(axis)) * 2.0f +
                                 k::from_host<float>(y, of) * k::from_host<float>(b, along);
    CHECK_SAME(made.to_host(), wanted);
}

/// The same in steps, whose results are arrays.
void check_in_steps(const k::shape& of, int axis, tests::sample& chosen) {
    const k::axis a(axis);
    const k::array<float> x = k::from_host<float>(any_floats(of.size()), of);
    const k::array<float> y = k::from_host<float>(sixteenths(of.size(), 4), of);
    const k::array<float> line = k::max(k::where(y > 0.0f, y, 0.5f), a, k::keep_dims);
    const k::array<float> scan = k::cumsum(x, a);
    const auto sums = k::cumsum(x, a);
    if (chosen.takes_next())
        CHECK_SAME(k::array<float>(k::exp(sums * 0.01f)).to_host(), k::array<float>(k::exp(scan * 0.01f)).to_host());
    if (chosen.takes_next()) CHECK_SAME(k::array<float>(sums - x).to_host(), k::array<float>(scan - x).to_host());
    if (chosen.takes_next())
        CHECK_SAME(k::array<float>(sums / line + y).to_host(), k::array<float>(scan / line + y).to_host());
    if (chosen.takes_next())
        CHECK_SAME(k::array<std::int32_t>(k::cast<std::int32_t>(k::where(sums > 0.0f, sums, -sums))).to_host(),
                   k::array<std::int32_t>(k::cast<std::int32_t>(k::where(scan > 0.0f, scan, -scan))).to_host());
    if (chosen.takes_next())
        CHECK_SAME(k::array<k::float16>(k::cast<k::float16>(sums * y)).to_host(),
                   k::array<k::float16>(k::cast<k::float16>(scan * y)).to_host());
    // Of what is computed before, and of 16-bit floats.
    if (chosen.takes_next())
        CHECK_SAME(k::array<float>(k::cumsum(x * y, a) * 3.0f + y).to_host(),
                   k::array<float>(k::array<float>(k::cumsum(k::array<float>(x * y), a)) * 3.0f + y).to_host());
    const k::array<k::bfloat16> half = k::cast<k::bfloat16>(x);
    const k::array<k::bfloat16> halves = k::cast<k::bfloat16>(k::cumsum(half, a));
    if (chosen.takes_next())
        CHECK_SAME(k::array<k::bfloat16>(k::cast<k::bfloat16>(k::cumsum(half, a)) * half).to_host(),
                   k::array<k::bfloat16>(halves * half).to_host());
    // Backwards.
    const k::array<float> back = k::flip(k::array<float>(k::cumsum(k::array<float>(k::flip(x, a)), a)), a);
    if (chosen.takes_next())
        CHECK_SAME(k::array<float>(k::flip(k::cumsum(k::flip(x, a), a), a) * y + line).to_host(),
                   k::array<float>(back * y + line).to_host());
}

}  // namespace

TEST_CASE("what is made of a scan element by element is what sums by hand come to") {
    for (const k::shape& of : shapes())
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(k::to_string(of));
            CAPTURE(axis);
            check_by_hand(of, axis);
        }
}

TEST_CASE("what is made of a scan has the bits of the scan, then the rest, however a scan is divided") {
    tests::sample chosen(3);  // of eight: what one axis leaves out, the next ones have
    for (const k::shape& of : shapes())
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(k::to_string(of));
            CAPTURE(axis);
            check_in_steps(of, axis, chosen);
        }
}

TEST_CASE("a scan and what is made of it are results together") {
    for (const k::shape& of : {k::shape{7, 301}, k::shape{3, 8192}, k::shape{2, 20011}, k::shape{1031, 67}}) {
        CAPTURE(k::to_string(of));
        const k::axis a(of[0] > of[1] ? 0 : 1);
        const k::array<float> x = k::from_host<float>(any_floats(of.size()), of);
        const k::array<float> scan = k::cumsum(x, a);
        const auto sums = k::cumsum(x, a);
        const auto [same, twice, rest] = k::eval(sums, sums * 2.0f, k::cast<k::float16>(sums - x));
        CHECK_SAME(same.to_host(), scan.to_host());
        CHECK_SAME(twice.to_host(), k::array<float>(scan * 2.0f).to_host());
        CHECK_SAME(rest.to_host(), k::array<k::float16>(k::cast<k::float16>(scan - x)).to_host());
        const auto [other, squares] = k::eval(x + 1.0f, sums * sums);
        CHECK_SAME(other.to_host(), k::array<float>(x + 1.0f).to_host());
        CHECK_SAME(squares.to_host(), k::array<float>(scan * scan).to_host());
    }
}

TEST_CASE("what is beside a scan may be of any type, a view, a number, or where an element is") {
    const k::shape of{40, 1030};
    const k::axis a(1);
    const k::array<std::int32_t> x = k::cast<std::int32_t>(k::from_host<float>(sixteenths(of.size(), 1), of) * 16.0f);
    const k::array<std::int64_t> scan = k::cumsum(x, a);
    const auto sums = k::cumsum(x, a);
    const k::array<std::int8_t> narrow = k::cast<std::int8_t>(x);
    const k::array<double> wide = k::cast<double>(k::reshape(k::arange<double>(2 * of.size()), {80, 1030}));
    CHECK_SAME(k::array<std::int64_t>(sums % 7 + narrow).to_host(),
               k::array<std::int64_t>(scan % 7 + narrow).to_host());
    const auto every_second = wide(k::range(1, 80, 2), k::all);
    CHECK_SAME(k::array<double>(k::cast<double>(sums) * every_second).to_host(),
               k::array<double>(k::cast<double>(scan) * every_second).to_host());
    const auto turned = k::transpose(k::reshape(k::array<double>(wide(k::range(0, 40), k::all)), {1030, 40}));
    CHECK_SAME(k::array<double>(k::cast<double>(sums) - turned).to_host(),
               k::array<double>(k::cast<double>(scan) - turned).to_host());
    const auto back = k::flip(wide(k::range(0, 40), k::all), a);
    CHECK_SAME(k::array<double>(k::cast<double>(sums) - back).to_host(),
               k::array<double>(k::cast<double>(scan) - back).to_host());
    const auto place = k::arange<std::int64_t>(1030) + 1;
    CHECK_SAME(k::array<std::int64_t>(sums / place).to_host(), k::array<std::int64_t>(scan / place).to_host());
    const auto of_line = k::reshape(k::arange<std::int64_t>(40), {40, 1});
    CHECK_SAME(k::array<bool>(sums > of_line).to_host(), k::array<bool>(scan > of_line).to_host());
    // Means so far, and what is made of two scans, of a reduction, of what is looked up: all or some of it in other kernels.
    CHECK_SAME(
        k::array<std::int64_t>(sums * k::cumprod(x | 1, a)).to_host(),
        k::array<std::int64_t>(scan * k::array<std::int64_t>(k::cumprod(k::array<std::int32_t>(x | 1), a))).to_host());
    CHECK_SAME(k::array<std::int64_t>(sums - k::max(sums, a, k::keep_dims)).to_host(),
               k::array<std::int64_t>(scan - k::array<std::int64_t>(k::max(scan, a, k::keep_dims))).to_host());
    CHECK_SAME(k::array<std::int64_t>(sums * k::sum(x)).to_host(),
               k::array<std::int64_t>(scan * k::array<std::int64_t>(k::sum(x))).to_host());
    // In an axis between others, of whose strides those before it or after it bend.
    const k::shape cube{3, 5, 60, 4, 7};
    const k::array<float> c = k::from_host<float>(sixteenths(cube.size(), 1), cube);
    const k::array<float> of_cube = k::cumsum(c, k::axis(2));
    for (const k::shape& beside :
         {k::shape{5, 1, 1, 7}, k::shape{3, 1, 60, 1, 1}, k::shape{60, 4, 7}, k::shape{1, 5, 1, 4, 1}}) {
        CAPTURE(k::to_string(beside));
        const k::array<float> b = k::from_host<float>(sixteenths(beside.size(), 9), beside);
        CHECK_SAME(k::array<float>(k::cumsum(c, k::axis(2)) * b).to_host(), k::array<float>(of_cube * b).to_host());
    }
    // A shape that the rest has, and the scan has not; nothing at all.
    const k::array<float> one = k::from_host<float>(sixteenths(60, 1), {1, 60});
    CHECK_SAME(k::array<float>(k::cumsum(one, k::axis(1)) + k::ones<float>({9, 60})).to_host(),
               k::array<float>(k::array<float>(k::cumsum(one, k::axis(1))) + k::ones<float>({9, 60})).to_host());
    CHECK(k::array<float>(k::cumsum(k::zeros<float>({4, 0, 3}), k::axis(1)) * 2.0f).shape() == k::shape{4, 0, 3});
    // Numbers of 16 bytes, whose kernels are their own.
    const k::array<std::complex<double>> z = k::cast<std::complex<double>>(every_second);
    CHECK_SAME(
        k::array<std::complex<double>>(k::cumsum(z, a) * std::complex<double>(2, 3) + z).to_host(),
        k::array<std::complex<double>>(k::array<std::complex<double>>(k::cumsum(z, a)) * std::complex<double>(2, 3) + z)
            .to_host());
}

TEST_CASE("what is made of a scan may be assigned to what it is made of, and to a part of an array") {
    const k::shape of{9, 2049};
    const k::axis a(1);
    const k::array<float> x = k::from_host<float>(sixteenths(of.size(), 1), of);
    k::array<float> y = k::from_host<float>(sixteenths(of.size(), 2), of);
    const k::array<float> wanted = k::array<float>(k::cumsum(x, a)) * 2.0f + y;
    y = k::cumsum(x, a) * 2.0f + y;
    CHECK_SAME(y.to_host(), wanted.to_host());
    k::array<float> into = k::zeros<float>({9, 3000});
    into(k::all, k::range(10, 2059)) = k::cumsum(x, a) * 2.0f + into(k::all, k::range(10, 2059));
    CHECK_SAME(k::array<float>(into(k::all, k::range(10, 2059))).to_host(),
               k::array<float>(k::array<float>(k::cumsum(x, a)) * 2.0f).to_host());
}

TEST_CASE("a function of arguments and numbers whose scans go on takes other ones in each call") {
    const k::shape of{5, 2000};
    const auto f =
        k::fuse([](const auto& x, const auto& b, const auto& number) { return k::cumsum(x, k::axis(1)) * number + b; });
    for (unsigned seed = 1; seed < 4; ++seed) {
        const k::array<float> x = k::from_host<float>(sixteenths(of.size(), seed), of);
        const k::array<float> b = k::from_host<float>(sixteenths(of[1], seed), {of[1]});
        const float number = 0.5f * static_cast<float>(seed);
        const k::array<float> made = f(x, b, number);
        CHECK_SAME(made.to_host(), k::array<float>(k::array<float>(k::cumsum(x, k::axis(1))) * number + b).to_host());
    }
}

TEST_CASE("what is beside a scan may lie otherwise in the next call: what is known of one is not taken for another") {
    const k::shape of{5, 2000};
    const k::array<float> x = k::from_host<float>(sixteenths(of.size(), 4), of);
    const k::array<float> sums = k::cumsum(x, k::axis(1));
    const k::array<float> rows = k::from_host<float>(sixteenths(of.size(), 5), of);
    const k::array<float> columns = k::from_host<float>(sixteenths(of.size(), 6), {of[1], of[0]});
    const k::array<float> wide = k::from_host<float>(sixteenths(2 * of.size(), 7), {of[0], 2 * of[1]});
    const std::vector<k::expr<float>> besides = {rows, k::transpose(columns), wide(k::all, k::range(1, 2001)),
                                                 wide(k::all, k::range(0, 4000, 2)),
                                                 wide(k::all, k::range(2000, 4000))};
    for (int turn = 0; turn < 2; ++turn)
        for (const k::expr<float>& b : besides)
            CHECK_SAME(k::array<float>(k::cumsum(x, k::axis(1)) * 0.5f + b).to_host(),
                       k::array<float>(sums * 0.5f + b).to_host());
}

TEST_CASE("a graph goes on with scans of what it has carried") {
    const k::shape of{3, 20011};
    const k::array<float> b = k::from_host<float>(sixteenths(of.size(), 2), of);
    k::array<float> x = k::from_host<float>(sixteenths(of.size(), 1), of);
    k::array<float> wanted = x;
    k::graph step({&x}, [&] { x = k::cumsum(x, k::axis(1)) * 0.001f + b; });
    step(3);
    for (int turn = 0; turn < 3; ++turn) {
        const k::array<float> sums = k::cumsum(wanted, k::axis(1));
        wanted = sums * 0.001f + b;
    }
    CHECK_SAME(x.to_host(), wanted.to_host());
}
