// What a scan's kernel casts, and lines that it goes through backwards: to the bit what kernels before it and after it make.
#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

/// Numbers of many sizes, among floats a few that are none, infinite, or a zero with a sign.
template <class T>
std::vector<T> elements(std::int64_t count) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 16.0f;
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(random()));
        else if (i % 401 == 7) out.push_back(static_cast<T>(-0.0f));
        else if (i % 5003 == 4000) out.push_back(static_cast<T>(std::numeric_limits<float>::infinity()));
        else if (i % 9001 == 8000) out.push_back(static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// Of each way to divide a scan among threads: short lines and long ones, whose parts are few or many; columns, of which there are few, or
/// as many as a thread each takes, in rows that are whole sectors or begin anywhere.
const std::vector<k::shape>& shapes() {
    static const std::vector<k::shape> all = {{1},         {301, 7},      {7, 301},   {3, 1025},
                                              {64, 1024},  {2, 20011},    {1, 70016}, {300007},
                                              {3, 40, 33}, {2, 1031, 67}, {1027, 64}, {70, 32771}};
    return all;
}

template <class T>
using scanned = k::value_t<decltype(k::cumsum(std::declval<k::array<T>>(), k::axis(0)))>;

/// A cast of what is read and one of what is written, both backwards: as one expression, and in steps whose results are arrays.
template <class T, class To>
void check_both_ends(const k::array<T>& x, int number) {
    using R = scanned<T>;
    const k::axis a(number);
    const k::array<R> turned = k::flip(k::cast<R>(x), a);
    const k::array<R> sums = k::cumsum(turned, a);
    CHECK_SAME(k::array<To>(k::cast<To>(k::flip(k::cumsum(k::flip(x, a), a), a))).to_host(),
               k::array<To>(k::cast<To>(k::flip(sums, a))).to_host());
}

template <class T, class To>
void check_each_end(const k::array<T>& x, int number) {
    using R = scanned<T>;
    const k::axis a(number);
    const k::array<R> wide = k::cast<R>(x);
    const k::array<R> sums = k::cumsum(wide, a);
    CHECK_SAME(k::array<R>(k::cumsum(x, a)).to_host(), sums.to_host());
    CHECK_SAME(k::array<To>(k::cast<To>(k::cumsum(wide, a))).to_host(), k::array<To>(k::cast<To>(sums)).to_host());
    CHECK_SAME(k::array<R>(k::flip(k::cumsum(x, a), a)).to_host(), k::array<R>(k::flip(sums, a)).to_host());
    const k::array<R> turned = k::flip(wide, a);
    const k::array<R> back = k::cumsum(turned, a);
    CHECK_SAME(k::array<R>(k::cumsum(k::flip(x, a), a)).to_host(), back.to_host());
    const auto all = k::cast<To>(k::flip(k::cumsum(k::flip(x, a), a), a));
    const k::array<To> made = all;
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<To>(all).to_host(), made.to_host());
}

template <class T>
k::array<T> some(const k::shape& of) {
    return k::from_host<T>(elements<T>(of.size()), of);
}

/// Of types, where lines are short, long, and beside each other.
template <class T, class To>
void check_types(tests::sample& chosen) {
    for (const auto& lines : {std::pair{k::shape{7, 301}, 1}, {{2, 20011}, 1}, {{1031, 67}, 0}}) {
        if (!chosen.takes_next()) continue;
        const k::shape& of = lines.first;
        CAPTURE(k::to_string(of));
        check_both_ends<T, To>(some<T>(of), lines.second);
    }
}

}  // namespace

TEST_CASE("scans cast what they read and write, backwards, however a scan is divided") {
    for (const k::shape& of : shapes()) {
        CAPTURE(k::to_string(of));
        const k::array<std::int16_t> x = some<std::int16_t>(of);
        // Where vectors begin nowhere.
        const k::array<std::int16_t> longer = k::concatenate(k::axis(0), k::zeros<std::int16_t>({1}), k::flatten(x));
        for (int axis = 0; axis < of.rank(); ++axis) {
            CAPTURE(axis);
            check_both_ends<std::int16_t, std::int16_t>(x, axis);
            const auto part = k::reshape(longer(k::range(1, of.size() + 1)), of);
            CHECK_SAME(k::array<std::int64_t>(k::cumsum(part, k::axis(axis))).to_host(),
                       k::array<std::int64_t>(k::cumsum(k::cast<std::int64_t>(x) + 0, k::axis(axis))).to_host());
        }
    }
    // Of many parts, with a block that makes for all of them what comes before.
    check_both_ends<std::int32_t, float>(some<std::int32_t>({2, 2'200'011}), 1);
}

TEST_CASE("scans cast what they read or write, or go backwards through one of both") {
    for (const k::shape& of : {k::shape{3, 1025}, k::shape{2, 20011}, k::shape{1031, 67}, k::shape{1027, 64}}) {
        CAPTURE(k::to_string(of));
        const int axis = of[0] > of[1] ? 0 : 1;
        check_each_end<k::float16, k::float16>(some<k::float16>(of), axis);
    }
    check_each_end<std::uint8_t, float>(some<std::uint8_t>({70, 32771}), 0);
}

TEST_CASE("scans cast what they read and write, of every type") {
    tests::sample chosen(2);  // of three kinds of lines: what one type leaves out, the next has
    check_types<std::uint8_t, float>(chosen);
    check_types<std::int32_t, double>(chosen);
    check_types<bool, std::int32_t>(chosen);
    check_types<std::int8_t, std::uint8_t>(chosen);
    check_types<std::uint32_t, std::int64_t>(chosen);
    check_types<std::int64_t, std::int8_t>(chosen);
    check_types<k::bfloat16, double>(chosen);
    check_types<float, k::bfloat16>(chosen);
    check_types<double, float>(chosen);
}

TEST_CASE("scans of what a cast makes of other types, and of complex numbers backwards") {
    for (const k::shape& of : {k::shape{3, 20011}, k::shape{1027, 67}}) {
        for (int axis = 0; axis < 2; ++axis) {
            const k::axis a(axis);
            const k::array<float> x = k::from_host<float>(elements<float>(of.size()), of);
            const k::array<double> wide = k::cast<double>(x);
            CHECK_SAME(k::array<double>(k::cumprod(k::cast<double>(x), a)).to_host(),
                       k::array<double>(k::cumprod(wide, a)).to_host());
            CHECK_SAME(k::array<float>(k::cummax(k::cast<float>(wide), a)).to_host(),
                       k::array<float>(k::cummax(x, a)).to_host());
            const k::array<std::int64_t> whole = k::cast<std::int64_t>(x);  // by no plain conversion
            CHECK_SAME(k::array<std::int64_t>(k::cumsum(k::cast<std::int64_t>(x), a)).to_host(),
                       k::array<std::int64_t>(k::cumsum(whole, a)).to_host());
            const k::array<std::complex<float>> z = k::cast<std::complex<float>>(x) * std::complex<float>(0.5f, -0.25f);
            const k::array<std::complex<float>> turned = k::flip(z, a);
            const k::array<std::complex<float>> sums = k::cumsum(turned, a);
            CHECK_SAME(k::array<std::complex<float>>(k::flip(k::cumsum(k::flip(z, a), a), a)).to_host(),
                       k::array<std::complex<float>>(k::flip(sums, a)).to_host());
        }
    }
}

TEST_CASE("a scan whose result is read twice, or seen otherwise, is an array of its own") {
    const k::shape of{40, 1030};
    const k::array<std::int32_t> x = k::from_host<std::int32_t>(elements<std::int32_t>(of.size()), of);
    const k::array<std::int64_t> sums = k::cumsum(x, k::axis(1));
    const auto scan = k::cumsum(x, k::axis(1));
    CHECK_SAME(k::array<std::int64_t>(scan + k::flip(scan, k::axis(1))).to_host(),
               k::array<std::int64_t>(sums + k::flip(sums, k::axis(1))).to_host());
    CHECK_SAME(k::array<std::int64_t>(k::flip(scan)).to_host(), k::array<std::int64_t>(k::flip(sums)).to_host());
    CHECK_SAME(k::array<std::int64_t>(k::flip(scan, k::axis(0))).to_host(),
               k::array<std::int64_t>(k::flip(sums, k::axis(0))).to_host());
    CHECK_SAME(k::array<float>(k::transpose(k::cast<float>(scan))).to_host(),
               k::array<float>(k::transpose(k::cast<float>(sums))).to_host());
    CHECK_SAME(k::array<float>(k::cast<float>(scan)(k::range(3, 9), k::range(5, 900))).to_host(),
               k::array<float>(k::cast<float>(sums)(k::range(3, 9), k::range(5, 900))).to_host());
    const k::array<float> floats = k::cast<float>(sums);
    CHECK_SAME(k::array<float>(k::flip(k::cast<float>(scan), k::axis(1)) + k::cast<float>(scan)).to_host(),
               k::array<float>(k::flip(floats, k::axis(1)) + floats).to_host());
    CHECK_SAME(k::array<std::int64_t>(k::cumsum(k::flip(x), k::axis(1))).to_host(),
               k::array<std::int64_t>(k::cumsum(k::array<std::int32_t>(k::flip(x)), k::axis(1))).to_host());
    // Into part of an array.
    k::array<float> into = k::zeros<float>({40, 2000});
    into(k::all, k::range(10, 1040)) = k::cast<float>(scan);
    CHECK_SAME(k::array<float>(into(k::all, k::range(10, 1040))).to_host(), floats.to_host());
    CHECK(k::array<float>(k::cast<float>(k::cumsum(k::zeros<std::int8_t>({4, 0, 3}), k::axis(1)))).shape() ==
          k::shape{4, 0, 3});
    CHECK(k::array<float>(k::flip(k::cumsum(k::flip(k::zeros<float>({0, 5}), k::axis(1)), k::axis(1)), k::axis(1)))
              .shape() == k::shape{0, 5});
}
