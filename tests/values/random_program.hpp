// tests/values/random_program: a random program as plain numbers, and what it becomes: an expr of kiln and a tree of
// the oracle. Any numbers are a program (each is taken modulo what there is to choose from), so that rapidcheck may
// shrink them as it likes.
#pragma once

#include <support/operations.hpp>
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
    std::uint8_t shape = 0;        // which axes have one element (3 bits), and how many outer ones are missing; 0: none
    std::vector<raw_axis> slices;  // none: the whole array, contiguous
    std::uint8_t values = 0;       // of value_kind
};

enum class value_kind : std::uint8_t { mixed, small, ordinary, few_special };

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

struct raw_target {
    std::uint8_t kind = 0;         // of target_kind
    std::uint8_t choice = 0;       // of the mask
    std::uint8_t more = 0;         // how many outputs there are beside the first
    std::vector<raw_axis> slices;  // of a slice
};

enum class target_kind : std::uint8_t { fresh, reused, slice, mask };
[[nodiscard]] target_kind kind_of_target(const raw_target& from);

struct raw_program {
    std::vector<std::uint16_t> extents;
    std::vector<raw_array> arrays;
    std::vector<raw_scalar> scalars;
    std::vector<raw_step> steps;
    raw_target target;
};

std::ostream& operator<<(std::ostream& out, const raw_program& shown);

template <class... T>
using variant_of = std::variant<kiln::expr<T>...>;
using any_expr = variant_of<KILN_TEST_TYPES, KILN_TEST_COMPLEX>;

/// Calls make.operator()<T>() with the type that the number picks.
template <class Make>
auto for_type(std::uint8_t choice, Make make) {
    // Oftener those that have the most rules.
    switch (choice % 20) {
        case 0: return make.template operator()<float>();
        case 1: return make.template operator()<double>();
        case 2: return make.template operator()<std::int32_t>();
        case 3: return make.template operator()<std::uint8_t>();
        case 4: return make.template operator()<std::int64_t>();
        case 5: return make.template operator()<bool>();
        case 6: return make.template operator()<std::int8_t>();
        case 7: return make.template operator()<std::int16_t>();
        case 8: return make.template operator()<std::uint16_t>();
        case 9: return make.template operator()<std::uint32_t>();
        case 10: return make.template operator()<std::uint64_t>();
        case 11:
        case 12: return make.template operator()<kiln::float16>();
        case 13:
        case 14: return make.template operator()<kiln::bfloat16>();
        case 15:
        case 16: return make.template operator()<std::complex<float>>();
        case 17: return make.template operator()<std::complex<double>>();
        case 18: return make.template operator()<float>();
        default: return make.template operator()<double>();
    }
}

/// One value of a program: what kiln makes of it, and what it should be.
struct pair_of_values {
    any_expr kiln_side;
    oracle::tree oracle_side;
    kiln::shape extents;
    std::string text;    // "(v0 + v1)"
    int take_depth = 0;  // takes of takes: kernels of more take long to compile
};

struct built_program {
    std::vector<pair_of_values> outputs;  // one to three; what they broadcast to has the last of them
    pair_of_values mask;                  // boolean, broadcasts to the first output
};

[[nodiscard]] built_program build(const raw_program& from);
/// The arrays, the scalars and what each step makes, in this order; arrays are of the whole shape or broadcast to it.
[[nodiscard]] std::vector<pair_of_values> build_values(const raw_program& from, const kiln::shape& whole);

/// eval(a, b, c) of expressions whose types only a variant knows, in new memory that held rubbish.
using array_handles = std::vector<kiln::detail::handle<kiln::detail::array_node>>;
[[nodiscard]] array_handles eval_all(const std::vector<pair_of_values>& outputs);
/// prepare(a, b, c) of them.
void prepare_all(const std::vector<pair_of_values>& outputs);
/// Evaluates the outputs together, fused and unfused, and by the oracle; empty when all are the same to the last bit.
[[nodiscard]] std::string differences_of(const std::vector<pair_of_values>& outputs, const oracle::library& measured);

/// The slices that these choices make of an array, and the shape of the whole that they are cut from.
struct cut {
    kiln::shape whole;
    std::vector<kiln::range> slices;      // one per axis
    std::vector<std::int64_t> positions;  // in the whole, row-major, of each element of the slice
};
[[nodiscard]] cut make_cut(const kiln::shape& extents, const std::vector<raw_axis>& choices);

/// x(slices[0], slices[1], ...), for one to four axes.
template <class Array>
auto sliced(Array& x, const std::vector<kiln::range>& slices) {
    switch (slices.size()) {
        case 1: return x(slices[0]);
        case 2: return x(slices[0], slices[1]);
        case 3: return x(slices[0], slices[1], slices[2]);
        default: return x(slices[0], slices[1], slices[2], slices[3]);
    }
}

/// Programs stay small: what would grow past either is not built.
inline constexpr std::int64_t most_elements = 4000;
inline constexpr int most_axes = 4;

/// What two shapes broadcast to, by the tests' own rule; false where they do not, or where it would be too large.
[[nodiscard]] bool broadcast(const kiln::shape& left, const kiln::shape& right, kiln::shape& out);
/// The oracle's side of a value, in a shape that it broadcasts to.
[[nodiscard]] oracle::tree spread(const pair_of_values& from, const kiln::shape& to);

/// One step, on operands chosen from `known`; in random_steps.cpp.
[[nodiscard]] pair_of_values apply_step(const raw_step& step, const std::vector<pair_of_values>& known);
/// A view of `a`, or of `a` and `b` joined, which have one type; in random_views.cpp.
[[nodiscard]] pair_of_values apply_view(const raw_step& step, const pair_of_values& a, const pair_of_values& b);
/// One of the values; the latest most often, so that programs are deep and few steps are dead.
[[nodiscard]] const pair_of_values& pick(const std::vector<pair_of_values>& known, std::uint8_t choice);

}  // namespace tests
