// kiln/plan/neighbour_rows: persistent rows that begin anywhere, as rows of odd length do, so that their elements move one by one. Which
// have lanes that take neighbouring elements (policy/neighbour_lanes.hpp); and which long ones of narrow elements are copied to slots as
// memory has them: copies in the background are of aligned vectors, and a thread's elements are none. Nothing of such a row is in
// registers, so that two blocks of 1024 threads are on a multiprocessor at once: log-softmax of 1301 rows of 50257 bfloat16 takes an H200
// 109 us, where memory is read three times 199.
// in: a planned kernel of persistent rows, its slots   out: how its lanes take them   knows nothing of: text, order
#pragma once

#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

/// Elements that a block has in each of its arrays of slots.
int slots_of_block(const kernel& of);

/// Of a kernel whose slots are chosen (row_slots.hpp).
void choose_neighbour_lanes(kernel& into, const lower::program& program, const target& on);

}  // namespace kiln::plan
