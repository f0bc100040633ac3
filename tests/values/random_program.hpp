// tests/values/random_program: a random program as plain numbers, and what it becomes: an expr of kiln and a tree of
// the oracle. Any numbers are a program (each is taken modulo what there is to choose from), so that rapidcheck may
// shrink them as it likes.
#pragma once

#include <support/oracle.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace tests {

struct raw_axis {
    std::uint8_t step = 0;   // which of 1, 1, 2, -1, -3
    std::uint8_t begin = 0;  // elements of the whole before the slice
};

struct raw_array {
    std::uint8_t type = 0;
    std::uint8_t seed = 0;
    std::vector<raw_axis> slices;  // none: the whole array, contiguous
};

struct raw_scalar {
    std::uint8_t type = 0;
    std::uint8_t value = 0;
};

struct raw_step {
    std::uint8_t code = 0;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
    std::uint8_t c = 0;
};

struct raw_program {
    std::vector<std::uint16_t> extents;
    std::vector<raw_array> arrays;
    std::vector<raw_scalar> scalars;
    std::vector<raw_step> steps;
    std::vector<raw_axis> target;  // none: a new array
};

std::ostream& operator<<(std::ostream& out, const raw_program& shown);

using any_expr = std::variant<kiln::expr<bool>, kiln::expr<std::uint8_t>, kiln::expr<std::int32_t>,
                              kiln::expr<std::int64_t>, kiln::expr<float>, kiln::expr<double>>;

/// One value of a program: what kiln makes of it, and what it should be.
struct pair_of_values {
    any_expr kiln_side;
    oracle::tree oracle_side;
    std::string text;  // "(v0 + v1)"
};

struct built_program {
    kiln::shape extents;
    pair_of_values result;
};

[[nodiscard]] built_program build(const raw_program& from);

/// The slices that these choices make of an array, and the shape of the whole that they are cut from.
struct cut {
    kiln::shape whole;
    std::vector<kiln::range> slices;      // one per axis
    std::vector<std::int64_t> positions;  // in the whole, row-major, of each element of the slice
};
[[nodiscard]] cut make_cut(const kiln::shape& extents, const std::vector<raw_axis>& choices);

/// x(slices[0], slices[1], ...), for one to three axes.
template <class Array>
auto sliced(Array& x, const std::vector<kiln::range>& slices) {
    switch (slices.size()) {
        case 1: return x(slices[0]);
        case 2: return x(slices[0], slices[1]);
        default: return x(slices[0], slices[1], slices[2]);
    }
}

/// One step, on operands chosen from `known`; in random_steps.cpp.
[[nodiscard]] pair_of_values apply_step(const raw_step& step, const std::vector<pair_of_values>& known);

}  // namespace tests
