// kiln/plan/bind: one call's leaves and outputs to what the kernels need of them: the iteration's shape, which leaves are
// one array, axes collapsed, each operand's class. Happens at every call and does not allocate for expressions of the
// usual size.
// in: leaves, output places   out: bindings, and the key that picks the recipe   knows nothing of: programs, text
#pragma once

#include <capture/array_node.hpp>
#include <kiln/evaluate.hpp>
#include <plan/schedule.hpp>
#include <plan/scratch.hpp>

#include <cstdint>

namespace kiln::plan {

inline constexpr std::size_t usual_leaves = 32;
inline constexpr std::size_t usual_outputs = 4;

/// Everything that one call is, but for the scalars' values.
struct bindings {
    explicit bindings(int leaf_count, int output_count)
        : array_of_slot(static_cast<std::size_t>(leaf_count)),
          arrays(static_cast<std::size_t>(leaf_count)),
          classes(static_cast<std::size_t>(leaf_count) + static_cast<std::size_t>(output_count)),
          reused(static_cast<std::size_t>(output_count)),
          key(static_cast<std::size_t>(key_header + key_per_leaf * leaf_count + output_count)) {}

    static constexpr int key_header = 4;
    static constexpr int key_per_leaf = 5;

    const shape* iteration = nullptr;  // of the outputs
    std::int64_t element_count = 0;
    int array_count = 0;

    scratch<std::int32_t, usual_leaves> array_of_slot;             // distinct array number; -1 where no array is
    scratch<const detail::array_node*, usual_leaves> arrays;       // distinct arrays, by first appearance
    scratch<access, usual_leaves + usual_outputs> classes;         // of the distinct arrays, then of the outputs
    scratch<bool, usual_outputs> reused;                           // the output goes into its target's own memory
    bool aliased = false;                                          // an output is an array's memory

    int rank = 1;  // of the collapsed axes; 1 when every operand is contiguous
    std::int64_t extents[max_rank];
    int inner_axis[max_rank];  // of each collapsed axis: the innermost axis in it, whose stride is the collapsed one's
    bool all_contiguous = true;
    bool wide_index = false;
    int alignment = 16;  // bytes that every contiguous operand's address is a multiple of: 1, 2, 4, 8 or 16

    scratch<std::uint8_t, key_header + key_per_leaf * usual_leaves + usual_outputs> key;
    std::size_t key_length = 0;
};

/// Throws shape_error naming both shapes, type_error for an array without a value. `salt` tells devices and options apart.
void bind(bindings& call, const detail::leaf* leaves, int leaf_count, const detail::output* outputs, int output_count,
          std::uint8_t salt);

/// Whether two pieces of memory share a byte.
bool overlap(const detail::array_node& left, const detail::array_node& right) noexcept;
/// Whether element i of one is element i of the other, for every i.
bool same_elements(const detail::array_node& left, const detail::array_node& right) noexcept;

}  // namespace kiln::plan
