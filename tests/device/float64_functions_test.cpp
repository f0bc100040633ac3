// The float64 functions: with every instruction set, of one element and of blocks of any length, the same bits; special values.
#include <device/cpu/float64_functions.hpp>
#include <device/cpu/library.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace kiln::backend;
namespace emit = kiln::emit;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Zeros, infinities, NaN, denormals, what functions have limits at, and any bits.
std::vector<double> arguments(std::size_t count, unsigned seed) {
    std::vector<double> out = {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               -0.5,
                               5e-324,
                               -5e-324,
                               1e-308,
                               1e308,
                               709.8,
                               -745,
                               -745.2,
                               1024.0,
                               infinity,
                               -infinity,
                               unknown,
                               0x1p20,
                               -1048577.,
                               0x1.8p300,
                               -2.5,
                               3.0,
                               0.8125,
                               1.1484375,
                               -1.1484375,
                               0x1.62e42fefa39efp-2,
                               0x1.921fb54442d18p0};
    std::mt19937_64 bits(seed);
    std::uniform_real_distribution<double> usual(-5, 5);
    while (out.size() < count) out.push_back(out.size() % 3 ? usual(bits) : std::bit_cast<double>(bits()));
    out.resize(count);
    return out;
}

/// NaN is NaN: its sign and payload are nobody's promise.
std::uint64_t bits_of(double a) { return a != a ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(a); }

std::vector<double> one_by_one(const float64_function& of, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::size_t i = 0; i < a.size(); ++i) out.push_back(of.of_one ? of.of_one(a[i]) : of.of_two(a[i], b[i]));
    return out;
}

void by_block(const float64_function& of, const double* a, const double* b, double* out, std::size_t count) {
    if (of.block_of_one) of.block_of_one(a, out, static_cast<long long>(count));
    else of.block_of_two(a, b, out, static_cast<long long>(count));
}

std::vector<const float64_functions*> all_sets() {
    std::vector<const float64_functions*> out;
    for (const char* name : {"baseline", "avx2", "avx512"})
        if (const float64_functions* const found = float64_named(name)) out.push_back(found);
    return out;
}

/// The first argument whose bits differ; the count where none does.
std::size_t first_difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::size_t i = 0;
    while (i < a.size() && bits_of(a[i]) == bits_of(b[i])) ++i;
    return i;
}

double one(std::string_view name, double a) { return float64_for_this_processor().rows[emit::row_of(name)].of_one(a); }
double two(std::string_view name, double a, double b) {
    return float64_for_this_processor().rows[emit::row_of(name)].of_two(a, b);
}

void check_bits(double got, double expected) {
    CAPTURE(got);
    CAPTURE(expected);
    CHECK(bits_of(got) == bits_of(expected));
}

}  // namespace

TEST_CASE("float64 functions have the same bits with every instruction set, one by one and in blocks") {
    const std::vector<double> a = arguments(3000, 1);
    std::vector<double> b = arguments(3000, 2);
    std::rotate(b.begin(), b.begin() + 7, b.end());
    for (int row = 0; row < emit::library_rows; ++row) {
        const std::vector<double> expected = one_by_one(float64_named("baseline")->rows[row], a, b);
        for (const float64_functions* const set : all_sets()) {
            const float64_function& of = set->rows[row];
            INFO(emit::library_entries[row].name << ", " << set->instruction_set);
            CHECK(first_difference(one_by_one(of, a, b), expected) == a.size());
            std::vector<double> out(a.size());
            by_block(of, a.data(), b.data(), out.data(), a.size());
            CHECK(first_difference(out, expected) == a.size());
        }
    }
}

TEST_CASE(
    "a block of a float64 function is of any length, begins anywhere, may be its argument, and ends where it ends") {
    const std::vector<double> a = arguments(1100, 3);
    const std::vector<double> b = arguments(1100, 4);
    for (const float64_functions* const set : all_sets())
        for (int row = 0; row < emit::library_rows; ++row) {
            const float64_function& of = set->rows[row];
            INFO(emit::library_entries[row].name << ", " << set->instruction_set);
            const std::vector<double> expected = one_by_one(of, a, b);
            for (const std::size_t count : {0, 1, 7, 8, 9, 15, 16, 17, 31, 255, 256, 257, 513})
                for (const std::size_t from : {0, 1, 19}) {
                    std::vector<double> in_place = a;
                    by_block(of, in_place.data() + from, b.data() + from, in_place.data() + from, count);
                    std::vector<double> whole = a;
                    std::copy_n(expected.begin() + static_cast<std::ptrdiff_t>(from), count,
                                whole.begin() + static_cast<std::ptrdiff_t>(from));
                    CHECK(first_difference(in_place, whole) == a.size());
                }
        }
}

TEST_CASE("the library's table has the float64 functions of this processor") {
    const void* const* const table = library_table(stores::cached);
    for (int row = 0; row < emit::library_rows; ++row) {
        const float64_function& of = float64_for_this_processor().rows[row];
        CHECK(table[2 * row + 1] ==
              (of.of_one ? reinterpret_cast<const void*>(of.of_one) : reinterpret_cast<const void*>(of.of_two)));
        CHECK(table[emit::block_slot(row, emit::precision::float64)] ==
              (of.block_of_one ? reinterpret_cast<const void*>(of.block_of_one)
                               : reinterpret_cast<const void*>(of.block_of_two)));
    }
}

TEST_CASE("float64 functions at zeros, infinities, NaN and the ends of their range are C's") {
    for (const char* odd : {"sin", "tan", "asin", "atan", "sinh", "tanh", "expm1", "log1p", "cbrt", "erf"}) {
        INFO(odd);
        check_bits(one(odd, 0.0), 0.0);
        check_bits(one(odd, -0.0), -0.0);
        if (odd != std::string_view("cbrt")) check_bits(one(odd, 5e-324), 5e-324);
        check_bits(one(odd, unknown), unknown);
    }
    for (const char* none : {"sin", "cos", "tan"}) check_bits(one(none, infinity), unknown);
    check_bits(one("exp", -infinity), 0.0);
    check_bits(one("exp", 709.782712893384), 0x1.fffffffffff2ap1023);
    check_bits(one("exp", 709.7827128933841), infinity);
    check_bits(one("exp", -745.1332191019412), 0.0);
    check_bits(one("exp", 0.0), 1.0);
    check_bits(one("exp2", -1074.0), 5e-324);
    check_bits(one("exp2", 1024.0), infinity);
    check_bits(one("expm1", -infinity), -1.0);
    check_bits(one("log", 0.0), -infinity);
    check_bits(one("log", -1.0), unknown);
    check_bits(one("log", 1.0), 0.0);
    check_bits(one("log1p", -1.0), -infinity);
    check_bits(one("tanh", infinity), 1.0);
    check_bits(one("cosh", -infinity), infinity);
    check_bits(one("erf", -infinity), -1.0);
    check_bits(one("erfc", infinity), 0.0);
    check_bits(one("sigmoid", -infinity), 0.0);
    check_bits(one("gelu", -infinity), unknown);
    check_bits(one("gelu", infinity), infinity);
    check_bits(one("acos", 1.0), 0.0);
    check_bits(one("asin", 1.5), unknown);
    for (int k = -1074; k < 1024; ++k) check_bits(one("log2", std::ldexp(1.0, k)), k);
    for (int k = -1074; k < 1024; ++k) check_bits(one("exp2", k), std::ldexp(1.0, k));
    for (int k = 0; k <= 22; ++k) check_bits(one("log10", std::pow(10.0, k)), k);
    // The worst of all doubles: 2^-60.9 from a multiple of pi / 2.
    check_bits(one("cos", 6381956970095103.0 * 0x1p797), -0x1.14ae72e6ba22fp-61);
    check_bits(two("pow", -0.0, -3.0), -infinity);
    check_bits(two("pow", -8.0, 1.0 / 3.0), unknown);
    check_bits(two("pow", -2.0, 3.0), -8.0);
    check_bits(two("pow", 1.0, unknown), 1.0);
    check_bits(two("pow", unknown, 0.0), 1.0);
    check_bits(two("pow", -1.0, infinity), 1.0);
    check_bits(two("pow", 2.0, -1074.0), 5e-324);
    check_bits(two("atan2", -0.0, -0.0), -0x1.921fb54442d18p1);
    check_bits(two("atan2", infinity, -infinity), 0x1.2d97c7f3321d2p1);
    check_bits(two("hypot", infinity, unknown), infinity);
    check_bits(two("hypot", 3e-320, 4e-320), 5e-320);
    check_bits(two("hypot", 3e307, 4e307), 5e307);
}
