// tests/values/random_reductions: random programs of reductions and cumulative sums as plain numbers, on top of the
// element-wise ones of random_program, and what they become. Any numbers are a program.
#pragma once

#include <support/reduction_oracle.hpp>
#include <values/random_program.hpp>

#include <functional>

namespace tests {

/// What is reduced, or not, after the element-wise program.
struct raw_reducing_step {
    std::uint8_t form = 0;  // of step_form
    std::uint8_t what = 0;  // which reduction, of those that there are for the type
    std::uint8_t axes = 0;  // 0: all; else the low four bits, and in the high ones in which order, from which end
    std::uint8_t keep = 0;  // odd: keep_dims; each fourth: of a sum of all, dot
    raw_step step;          // picks the operand; the operation, where it is no reduction
};

/// `beside`: an operation on what was reduced last and its reduction, as softmax and a layer's norm have it.
enum class step_form : std::uint8_t { reduce, beside, scan, element_wise };

struct raw_reductions {
    std::vector<std::uint16_t> extents;  // of one to four axes
    raw_program operands;                // its arrays, scalars and steps
    std::vector<raw_reducing_step> steps;
    std::uint8_t outputs = 0;  // how many there are beside the last value, and which
};

std::ostream& operator<<(std::ostream& out, const raw_reductions& shown);

/// A reduction or a scan, not evaluated yet.
struct reduction_of {
    oracle::reduction what = oracle::reduction::sum;
    bool cumulates = false;
    pair_of_values operand;
    pair_of_values result;                         // without an oracle's side
    std::vector<std::vector<std::int64_t>> parts;  // of each value, or each line of a scan, its elements in order

    [[nodiscard]] bool of_nothing() const;  // there is no such value
};

/// Evaluates it, checks it, and says what it is: what follows is then right to the bit, though a sum is right to a bound.
/// Null where it has no value.
using measure_reduction = std::function<oracle::tree(const reduction_of&)>;

/// One to three, the last of the program first.
[[nodiscard]] std::vector<pair_of_values> build(const raw_reductions& from, const measure_reduction& measure);

/// kiln's side; `users`: reductions of the user's own, where there is one.
[[nodiscard]] any_expr reduced(oracle::reduction what, bool users, const any_expr& of, const kiln::axis_list& over,
                               bool keep);
[[nodiscard]] any_expr dot_with_itself(const any_expr& of);
[[nodiscard]] any_expr cumulated(oracle::reduction sum_or_prod, const any_expr& of, int axis);

}  // namespace tests
