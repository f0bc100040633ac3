// kiln/plan/tensor_contraction: contractions that tensor cores make: products of matrices of 16-bit floats, added up in float 16 of
// a value's elements at a time, first to last, whatever the tiles; and counts of the bits that are 1 in rows and columns both,
// which are exact. Their operands are two arrays. What is made of a product's values, one by one, their kernel makes, too.
// in: a planned kernel that reduces   out: its tiles   knows nothing of: text
#pragma once

#include <plan/bind.hpp>
#include <plan/reach.hpp>
#include <plan/schedule.hpp>
#include <stage/product_operands.hpp>

#include <optional>
#include <vector>

namespace kiln::plan {

// --- Facts of a call ---

inline constexpr int most_copied_bytes = 16;
/// `of_products`: what is multiplied are two of the call's arrays.
bool may_be_on_tensor_cores(const call_values& call, const iteration_class& of, bool of_products);
/// Whether it is one of those, as far as its strides say: it has elements for each of the terms.
bool is_multiplied(const call_values& call, const reach& of);
/// A number whose lowest bit is the most bytes that move at once from wherever neighbours of an operand are taken together.
std::uint64_t copied_multiples(const call_values& call, const reach& of, const detail::array_node& node);
/// Whether four neighbouring values of 4 bytes, from every fourth column on, are 16 aligned bytes of the output.
bool has_whole_fours(const call_values& call, const iteration_class& of);
/// Whether tiles below the diagonal are those above it, and not worth making.
bool has_mirrored_tiles(const call_values& call, const iteration_class& of);
/// For which tiles there are values enough to keep every multiprocessor busy: 1 to 3; 0: values are few; 4: for groups of warps, too.
int tiles_for(const call_values& call, const iteration_class& of);
/// The side of the small tile that holds a product's rows and columns, in few rounds: 32, 48 or 64; 0: none does.
int small_side(const call_values& call, const iteration_class& of);

/// Whether an operand is made once more for each tile that reads it, and not by a kernel before: of a product of shape (..., M, K, N), of
/// which the operand's M or N is 1.
bool is_made_by_tiles(const shape& product, const detail::operand_work& of);

// --- Kernels ---

/// Makes a kernel one where it is such a contraction and the device has tensor cores.
bool choose_tensor_contraction(kernel& into, const lower::program& program, const iteration_class& call,
                               const target& on);

/// The sum of products of a program that goes on with its values; -1: values are stored as they are.
lower::value_id finished_product(const lower::program& of);

/// An operand's part of a round in shared memory: `lines` of what lies side by side in the device's memory, too.
struct staged_operand {
    std::vector<std::size_t> inputs;  // what it is made of
    lower::value_id made = -1;        // -1: it is the one input
    element_type type = element_type::float16;
    int axis = 0;            // of the operand's rows, or columns
    bool is_turned = false;  // a line has neighbouring rows (columns) of one element each, not elements of one row
    int lines = 0;
    int length = 0;
    int pitch = 0;  // from line to line: further, so that 8 of them begin in different banks

    [[nodiscard]] int elements() const { return lines * pitch; }
};
struct staged_operands {
    staged_operand rows, columns;
};
/// Of a kernel with such a tile.
staged_operands staged_operands_of(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
