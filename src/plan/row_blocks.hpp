// kiln/plan/row_blocks: operands whose index maps keep neighbours together: of a concatenation's parts the position along a row is
// clamped, of a reshaped view it is divided. Where all of what that depends on are multiples of a vector, whole vectors are neighbours
// in memory, or beyond an end, or one element. Of what was stacked in pairs
// (low and high halves of bytes), each element is there twice, and which of the two it is alternates.
// in: a call whose axes are merged, an operand's reach   out: how its elements lie   knows nothing of: kernels, text
#pragma once

#include <plan/reach.hpp>
#include <plan/schedule.hpp>

#include <cstdint>

namespace kiln::plan {

struct row_blocks {
    row_block how = row_block::none;
    std::uint64_t multiples = 16;  // of elements: what vectors depend on are multiples of its lowest bit
};

/// Of an operand with a map, which is not a lookup's. Of rows: what a reduction goes along is read otherwise.
row_blocks blocks_of(const call_values& call, const reach& of, int memory);

}  // namespace kiln::plan
