// The float32 functions: with every instruction set, of one element and of blocks of any length, the same bits.
#include <device/cpu/float32_functions.hpp>
#include <device/cpu/library.hpp>
#include <lower/function_body.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace kiln::backend;
namespace emit = kiln::emit;

/// Zeros, infinities, NaN, denormals, what functions have limits at, and any bits.
std::vector<float> arguments(std::size_t count, unsigned seed) {
    std::vector<float> out = {0.0f,        -0.0f,    1.0f,     -1.0f, 0.5f,   -0.5f,       1e-45f,
                              -1e-45f,     1e-38f,   3e38f,    88.7f, -104.f, 1.0f / 0.0f, -1.0f / 0.0f,
                              0.0f / 0.0f, 262143.f, 262145.f, -2.5f, 3.0f};
    std::mt19937 bits(seed);
    std::uniform_real_distribution<float> usual(-5, 5);
    while (out.size() < count)
        out.push_back(out.size() % 3 ? usual(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits())));
    out.resize(count);
    return out;
}

/// NaN is NaN: its sign and payload are nobody's promise.
std::uint32_t bits_of(float a) { return a != a ? 0x7fc00000u : std::bit_cast<std::uint32_t>(a); }

std::vector<float> one_by_one(const float32_function& of, const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> out;
    for (std::size_t i = 0; i < a.size(); ++i) out.push_back(of.of_one ? of.of_one(a[i]) : of.of_two(a[i], b[i]));
    return out;
}

void by_block(const float32_function& of, const float* a, const float* b, float* out, std::size_t count) {
    if (of.block_of_one) of.block_of_one(a, out, static_cast<long long>(count));
    else of.block_of_two(a, b, out, static_cast<long long>(count));
}

std::vector<const float32_functions*> all_sets() {
    std::vector<const float32_functions*> out;
    for (const char* name : {"baseline", "avx2", "avx512"})
        if (const float32_functions* const found = float32_named(name)) out.push_back(found);
    return out;
}

/// The first argument whose bits differ; the count where none does.
std::size_t first_difference(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t i = 0;
    while (i < a.size() && bits_of(a[i]) == bits_of(b[i])) ++i;
    return i;
}

}  // namespace

TEST_CASE("float32 functions have the same bits with every instruction set, one by one and in blocks") {
    const std::vector<float> a = arguments(3000, 1);
    std::vector<float> b = arguments(3000, 2);
    std::rotate(b.begin(), b.begin() + 7, b.end());
    for (int row = 0; row < emit::library_rows; ++row) {
        const std::vector<float> expected = one_by_one(float32_named("baseline")->rows[row], a, b);
        for (const float32_functions* const set : all_sets()) {
            const float32_function& of = set->rows[row];
            INFO(emit::library_entries[row].name << ", " << set->instruction_set);
            CHECK(first_difference(one_by_one(of, a, b), expected) == a.size());
            std::vector<float> out(a.size());
            by_block(of, a.data(), b.data(), out.data(), a.size());
            CHECK(first_difference(out, expected) == a.size());
        }
    }
}

TEST_CASE(
    "a block of a float32 function is of any length, begins anywhere, may be its argument, and ends where it ends") {
    const std::vector<float> a = arguments(1100, 3);
    const std::vector<float> b = arguments(1100, 4);
    for (const float32_functions* const set : all_sets())
        for (int row = 0; row < emit::library_rows; ++row) {
            const float32_function& of = set->rows[row];
            INFO(emit::library_entries[row].name << ", " << set->instruction_set);
            const std::vector<float> expected = one_by_one(of, a, b);
            for (const std::size_t count : {0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 255, 256, 257, 513})
                for (const std::size_t from : {0, 1, 19}) {
                    std::vector<float> in_place = a;
                    by_block(of, in_place.data() + from, b.data() + from, in_place.data() + from, count);
                    std::vector<float> whole = a;
                    std::copy_n(expected.begin() + static_cast<std::ptrdiff_t>(from), count,
                                whole.begin() + static_cast<std::ptrdiff_t>(from));
                    CHECK(first_difference(in_place, whole) == a.size());
                }
        }
}

TEST_CASE("the library's table has the float32 functions of this processor") {
    const void* const* const table = library_table(stores::cached);
    for (int row = 0; row < emit::library_rows; ++row) {
        const float32_function& of = float32_for_this_processor().rows[row];
        CHECK(table[2 * row] ==
              (of.of_one ? reinterpret_cast<const void*>(of.of_one) : reinterpret_cast<const void*>(of.of_two)));
        CHECK(table[emit::block_slot(row, emit::precision::float32)] ==
              (of.block_of_one ? reinterpret_cast<const void*>(of.block_of_one)
                               : reinterpret_cast<const void*>(of.block_of_two)));
    }
}

TEST_CASE("a body of the table of operations that is a function and nothing else has a block of its own") {
    using kiln::lower::function_of_body;
    CHECK(function_of_body("LIBRARY(exp)(a)") == "exp");
    CHECK(function_of_body("LIBRARY(pow)(a, b)") == "pow");
    CHECK(function_of_body("LIBRARY(atan2)(T(0), a)").empty());
    CHECK(function_of_body("a * LIBRARY(normcdf)(a)").empty());
    CHECK(function_of_body("a + b").empty());
}
