// kiln/plan/policy/segments: a step by segments as a nest: blocks whose tables come together in one, or elements that are combined
// there at once, as plan/segments.hpp says.
// in: a step   out: a nest
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/segments.hpp>

#include <string>

namespace kiln::plan {

/// "kiln_segment_sum_i32_f32_shared": whatever a step's extents are.
std::string segment_name(const segment_step& of);

/// "segments: sum of float32"
std::string segment_text(const segment_step& of);

/// Of a stream's counters, the one that blocks count themselves in; those before it are segments'.
inline constexpr int segment_block_counter = 8191;

/// Whether the tables of a GPU's blocks come together in the stream's counters, in the place of words: the last block makes
/// the result of them, and leaves them as they were, all 0. No step before it clears anything.
bool ends_in_counters(const segment_step& of);

/// Whether elements are counted one by one, since a block's table has so many copies that equal ones are no cliff: in place of
/// those of a warp together.
bool counts_plainly(const segment_step& of);

nest::tree segment_nest(const segment_step& of);

}  // namespace kiln::plan
