// kiln/plan/side_by_side: reductions on the CPU whose kernels reduce by themselves, neighbouring values side by side: each step of a
// value is one of vectors, whatever the order of its elements. Of short rows, which are too few elements for vectors of their own;
// and of contractions, where each element of an operand goes into many values.
// in: a planned kernel that reduces   out: whether it pays   knows nothing of: nests
#pragma once

#include <plan/call_class.hpp>
#include <plan/call_values.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

/// Whether an output's accumulators are elements, which combine as elements are appended.
bool combines_elements(const reduced_output& of);

/// Values that are side by side at once. What is known of their elements, in lanes, stays in the first cache.
int values_side_by_side(const kernel& of);

/// The axes along which so many values stay that they fill vectors, and those that go; none where a value's elements are too many to be brought
/// together.
std::uint8_t axes_side_by_side(const call_values& call, std::uint8_t reduced_axes);

/// Whether the kernel had better do so; then it is planned that way. Of contractions: in tiles of rows of values and neighbours.
bool choose_side_by_side(kernel& into, const lower::program& program, const iteration_class& call, const target& on);

/// Neighbours of a tile: what a compiler makes vectors of, where it writes out loops of 16 before it looks for any.
inline constexpr int columns_of_tile = 32;
int rows_of_tile(const kernel& of);
/// Tiles of a kernel of so many rows of values, and neighbours in each.
std::int64_t tiles_of(const kernel& of, std::int64_t rows, std::int64_t neighbours);
/// Whether values of so many neighbours, each made of so many elements, are made in tiles: along the axis before the last (`has_columns`), or the
/// last.
bool are_tiled(bool has_columns, std::int64_t reduced, std::int64_t neighbours);
inline constexpr std::int64_t most_tiled = 65536;

// Of rows of a known length (kernel::row_extent) a value's elements are in registers, and nothing is in lanes.

/// Whether an input's elements are turned on their way, so that those of neighbouring values are neighbours.
bool is_turned(const kernel& of, const operand& input);

/// Then: whether they serve all rows of values.
bool serves_all_rows(const kernel& of, const operand& input);

}  // namespace kiln::plan
