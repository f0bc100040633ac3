// kiln/stage/product_operands: what tensor cores are given to multiply: arrays, where there is much to multiply in whole rows, for which
// they are computed or copied before; or what the product's kernel makes of arrays as it reads them. And what the CPU is given.
// in: terms, and who adds a stage before   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <array>
#include <functional>
#include <optional>

namespace kiln::inline v0_1::detail {

/// Adds a stage that computes a term, and gives what stands for its result.
using computed_before = std::function<handle<array_node>(const handle<term>&)>;

/// What an operand takes that is made element by element of numbers and of arrays of 16-bit elements, which have one for each of its own.
struct operand_work {
    shape extents;
    int arrays = 0;
    int operations = 0;
    bool has_functions = false;  // some of those are more than a few instructions
};
/// None: it is no such operand.
std::optional<operand_work> work_of_operand(const term& of);

/// Whether rows of an operand, or of the array that it becomes, begin at multiples of 16 bytes.
bool will_have_whole_rows(const term& of);

/// Which of a product's operands its kernel makes.
using made_by_product = std::array<bool, 2>;
/// Of 16-bit floats as floats, over `of`.
handle<term> product_of_operands(const term& product, const shape& of, made_by_product made,
                                 const computed_before& before);

/// On the CPU, whose vectors are of neighbours along the last axis of `whole`: whether an array has them elsewhere in memory (a transposed
/// matrix), or, of a matrix that is the same for all of them, a value's elements; and each of its elements is read so often that a copy costs
/// less. That may be once where there is nothing but reductions of elements (`may_be_once`).
bool is_read_across(const array_node& of, const shape& whole, std::uint8_t axes, bool may_be_once);
/// What a reduction takes, with copies of those.
handle<term> with_copies_of_read_across(const handle<term>& computed, reduction_kind what, const shape& whole,
                                        std::uint8_t axes, bool are_only_reductions, const computed_before& before);

/// Counts of the bits that rows of two arrays have in common, over the last axis of `of`: as they are, or of copies.
handle<term> common_bits_of_whole_rows(const handle<term>& counted, const shape& of, const computed_before& before);

}  // namespace kiln::inline v0_1::detail
