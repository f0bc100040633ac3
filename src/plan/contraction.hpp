// kiln/plan/contraction: which reductions are contractions: sums (or any others) of what two groups of operands give, of which one
// does not know the rows of the values and the other not their columns, as of a product of matrices. Each element of an
// operand then goes into as many values as a block has on the other side.
// in: a planned kernel that reduces   out: its tiles   knows nothing of: sizes, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/call_values.hpp>
#include <plan/nest/nest.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

#include <span>

namespace kiln::plan {

/// Values along a kept axis, and elements of each value, from which on a block's tile is not mostly empty.
inline constexpr std::int64_t least_contracted = 32;
/// Columns of values that one thread each makes, whose tiles may be narrow, and elements: of fewer, columns alone that are no whole vectors.
inline constexpr std::int64_t least_columns_of_one_thread = 2;
inline constexpr std::int64_t least_of_one_thread = 16;
/// Values from which on tiles leave no multiprocessor without a block, and larger tiles.
inline constexpr std::int64_t enough_values = std::int64_t{1} << 17;
inline constexpr std::int64_t many_values = std::int64_t{1} << 19;

/// Threads of a value, and vectors of each, whose elements one thread may take instead.
inline constexpr int most_serial_lanes = 4;
inline constexpr int most_serial_items = 4;

/// Elements by which the last rounds of a kernel may go past an operand's end, in numbers alone: nothing is read there.
inline constexpr std::int64_t most_past_end = 256;

/// Of what is copied in the background at once, for each value, at most.
inline constexpr std::int64_t round_elements = 32;

/// Whether each value's elements are a multiple of them.
bool has_whole_rounds(const call_values& call, const iteration_class& of);

inline constexpr std::int64_t most_narrow_columns = 32;

/// Says which axes are worth a tile, if it may be a contraction by its sizes, and what of those its tiles depend on.
void divide_contraction(reduction_class& into, const reduction_sizes& sizes, std::span<const std::int64_t> extents,
                        std::uint8_t reduced_axes);

/// The reduction that a program goes on with, value by value; -1: values are stored as they are.
lower::value_id reduced_value(const lower::program& of);
/// What a program reduces, in a kernel that goes on with it: its steps, and what they read.
nest::body body_of_elements(const lower::program& program, const kernel& of);
/// Whether an input is one of what is reduced, and not read beside its values.
bool is_reduced(const nest::body& elements, const operand& input);

/// Makes a kernel that reduces a contraction, where it is one and gains from it: every order stays as it was.
bool choose_contraction(kernel& into, const lower::program& program, const iteration_class& call, const target& on);

// Of a contraction's operand whose elements are copied in the background.

/// Whether those of a row lie side by side in shared memory, too, and not those of neighbouring rows.
bool is_line(const kernel& of, std::size_t input);
/// Neighbours that move at once.
int copied_at_once(const kernel& of, std::size_t input);
/// From row to row, in shared memory.
int staged_pitch(const kernel& of, std::size_t input);
/// Of a round there.
int staged_elements(const kernel& of, std::size_t input);

}  // namespace kiln::plan
