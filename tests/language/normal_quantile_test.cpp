// Normal numbers against the exact quantile of their draw: every piece of the approximations, their ends and where they meet.
#include <support/philox.hpp>
#include <support/poison.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace k = kiln;

namespace {

template <class E>
std::vector<k::value_t<E>> elements_of(const E& e) {
    return k::array<k::value_t<E>>(e).to_host();
}

/// The z >= 0 that the normal distribution leaves a share of p = 1/2 - q above, by Newton's method on erfc in long double.
long double exact_quantile(long double q, long double p) {
    const long double root_half = std::sqrt(0.5L);
    const long double root_two_pi = std::sqrt(8 * std::atan(1.0L));
    long double z = q < 0.4L ? q * root_two_pi : std::sqrt(-2 * std::log(p));
    for (int i = 0; i < 60; ++i) {
        // Where q is small the tail would lose its digits: erf there.
        const long double off = q < 0.4L ? std::erf(z * root_half) / 2 - q : p - std::erfc(z * root_half) / 2;
        const long double step = off * root_two_pi * std::exp(z * z / 2);
        z -= step / (1 + z * step / 2);  // Halley's correction
        if (std::fabs(step) <= 1e-19L * z) break;
    }
    return z;
}

/// Of (n + 1/2) / 2^64, n the draw. Both the distance from the middle and what is left to the end are exact.
long double exact_quantile(std::uint64_t draw) {
    const bool below = draw >> 63;
    const std::uint64_t distance = below ? ~draw : draw;
    const long double z = exact_quantile((static_cast<long double>(distance) + 0.5L) * 0x1p-64L,
                                         (static_cast<long double>(0x7fffffffffffffffu - distance) + 0.5L) * 0x1p-64L);
    return below ? -z : z;
}

/// Of (n + 1/2) / 2^32 from the end that the upper bit says, n the lower bits.
long double exact_quantile_32(std::uint32_t draw) {
    const long double p = (static_cast<long double>(draw & 0x7fffffffu) + 0.5L) * 0x1p-32L;
    const long double z = exact_quantile(0.5L - p, p);
    return draw >> 31 ? -z : z;
}

long double off_from_quantile_32(float z, std::uint32_t draw) {
    return std::fabs(static_cast<long double>(z) - exact_quantile_32(draw));
}

/// Relative.
long double off_from_quantile(double z, std::uint64_t draw) {
    const long double exact = exact_quantile(draw);
    return std::fabs((static_cast<long double>(z) - exact) / exact);
}

/// The text that all kernels get, here as a function of any draw.
namespace helpers {
#define KILN_HELPER [[maybe_unused]] static inline
#define KILN_HELPER_TABLE static const
KILN_HELPER double EXACT_sqrt(double a) { return std::sqrt(a); }
// clang-format off
#include <emit/helpers/bits_host.inc>
#include <emit/helpers/normal_table.inc>
#include <emit/helpers/random.inc>
// clang-format on
#undef KILN_HELPER_TABLE
#undef KILN_HELPER
}  // namespace helpers

}  // namespace

TEST_CASE("normal numbers are the exact quantile to 1e-15 of it") {
    const std::int64_t count = 20000;
    const std::vector<double> drawn = elements_of(k::random::normal<double>({count}, 7));
    long double worst = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto draw = static_cast<std::uint64_t>(oracle::draw(static_cast<std::uint64_t>(i), 7, 2));
        const double z = drawn[static_cast<std::size_t>(i)];
        worst = std::max(worst, off_from_quantile(z, draw));
        // The same bits as on the host: on every device, that is.
        REQUIRE(z == helpers::normal_quantile(draw));
    }
    INFO("worst relative error: ", static_cast<double>(worst));
    CHECK(worst < 1e-15L);
}

TEST_CASE("the quantile holds at draws that no test meets: the middle, both ends, and where its pieces meet") {
    std::vector<std::uint64_t> distances = {0, 1, 2, 3, 0x7fffffffffffffff, 0x7ffffffffffffffe};
    for (int power = 2; power < 63; ++power)
        for (const std::int64_t off : {-1, 0, 1}) {
            const std::uint64_t each = (std::uint64_t{1} << power) + static_cast<std::uint64_t>(off);
            distances.push_back(each);
            distances.push_back(0x7fffffffffffffff - each);
        }
    const auto middle = static_cast<std::uint64_t>(std::ldexp(0.425L, 64));
    const auto from_end = static_cast<std::uint64_t>(std::ldexp(std::exp(-25.0L), 64));
    for (const std::uint64_t around : {middle, 0x7fffffffffffffff - from_end})
        for (int off = -200; off <= 200; off += 8) distances.push_back(around + static_cast<std::uint64_t>(off));
    long double worst = 0;
    for (const std::uint64_t distance : distances) {
        const double above = helpers::normal_quantile(distance);
        worst = std::max(worst, off_from_quantile(above, distance));
        CHECK(above > 0);
        CHECK(helpers::normal_quantile(~distance) == -above);
    }
    INFO("worst relative error: ", static_cast<double>(worst));
    CHECK(worst < 1e-15L);
    CHECK(helpers::normal_quantile(0x7fffffffffffffff) < 9.16);
}

TEST_CASE("normal numbers of float are the exact quantile to 6e-7") {
    const std::int64_t count = 20000;
    const std::vector<float> drawn = elements_of(k::random::normal<float>({count}, 7));
    long double worst = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t draw = oracle::word(static_cast<std::uint64_t>(i), 7);
        const float z = drawn[static_cast<std::size_t>(i)];
        worst = std::max(worst, off_from_quantile_32(z, draw));
        // The same bits as on the host: on every device, that is.
        REQUIRE(z == helpers::normal_quantile_32(draw));
    }
    INFO("worst error: ", static_cast<double>(worst));
    CHECK(worst < 6e-7L);
}

TEST_CASE("the quantile of float holds at draws that no test meets: both ends of every cubic, the middle, the last") {
    std::vector<std::uint32_t> distances = {0, 0x7fffffff, 0x7fffffbf, 0x7fffffc0};
    for (int power = 0; power < 31; ++power)
        for (std::uint32_t eighth = 8; eighth < 16; ++eighth)
            for (const int off : {-1, 0, 1, 2}) {
                const auto from = static_cast<std::int64_t>((std::uint64_t{eighth} << power) / 8) + off;
                if (from >= 0) distances.push_back(static_cast<std::uint32_t>(from));
            }
    long double worst = 0;
    for (const std::uint32_t distance : distances) {
        const float above = helpers::normal_quantile_32(distance);
        worst = std::max(worst, off_from_quantile_32(above, distance));
        CHECK(above >= 0);
        CHECK(helpers::normal_quantile_32(distance | 0x80000000u) == -above);
        CHECK(std::signbit(helpers::normal_quantile_32(distance | 0x80000000u)));
    }
    INFO("worst error: ", static_cast<double>(worst));
    CHECK(worst < 6e-7L);
    CHECK(helpers::normal_quantile_32(0) < 6.34f);
    CHECK(helpers::normal_quantile_32(0) > 6.33f);
}

TEST_CASE("of the draws of float as many give a number past each bound as the distribution says") {
    for (const double bound : {0.01, 0.1, 0.5, 0.6744897501960817, 1.0, 2.0, 3.0, 4.0, 5.0, 5.5}) {
        // Numbers become smaller with the distance from the end: those past the bound are the first ones.
        std::uint32_t first = 0;
        std::uint32_t last = 0x7fffffff;
        while (first < last) {
            const std::uint32_t middle = first + (last - first) / 2;
            if (static_cast<double>(helpers::normal_quantile_32(middle)) > bound) first = middle + 1;
            else last = middle;
        }
        const double share = std::ldexp(static_cast<double>(first), -32);
        const double exact = std::erfc(bound * std::sqrt(0.5)) / 2;
        CAPTURE(bound);
        // Of a share of p, an error of 6e-7 in a number makes 6e-7 of the density; and a draw more or less is 2^-32.
        const double density = std::exp(-bound * bound / 2) / std::sqrt(8 * std::atan(1.0));
        CHECK(std::fabs(share - exact) < 6e-7 * density + 0x1p-32);
    }
}

TEST_CASE("a cubic of the table goes through the exact quantile at the nodes of its range") {
    const double pi = 4 * std::atan(1.0);
    for (std::size_t row = 0; row < 256; ++row) {
        const double begin = std::ldexp(1 + static_cast<double>(row % 8) / 8, static_cast<int>(row / 8) - 1);
        const double length = std::ldexp(0.125, static_cast<int>(row / 8) - 1);
        const double origin = static_cast<double>(std::nextafter(static_cast<float>(begin + length), 0.0f));
        const helpers::normal_cubic& of = helpers::normal_cubics[row];
        for (int node = 0; node < 4; ++node) {
            const double f = begin + length * (0.5 - 0.5 * std::cos((2 * node + 1) * pi / 8));
            const double t = f - origin;
            const double made =
                static_cast<double>(of.a) +
                t * (static_cast<double>(of.b) + t * (static_cast<double>(of.c) + t * static_cast<double>(of.d)));
            const long double p = static_cast<long double>(f) * 0x1p-32L;
            const auto exact = static_cast<double>(exact_quantile(0.5L - p, p));
            CHECK(std::fabs(made - exact) < 1e-7 * std::max(exact, 0.1));  // coefficients are rounded
        }
    }
}
