// kiln/plan/rows_in_lanes: reductions of rows on the CPU whose kernels put elements to lanes as they are made, and store none for the device
// to reduce: of rows that are of one part (host_order.hpp) kernels make the values, of longer ones what parts come to.
// in: a planned kernel that reduces   out: whether it pays   knows nothing of: nests
#pragma once

#include <plan/call_class.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

/// Whether rows of so many elements fill lanes, and are of one part.
bool is_row_of_part(std::int64_t elements);

/// Whether the kernel had better do so; then it is planned that way.
bool choose_rows_in_lanes(kernel& into, const lower::program& program, const iteration_class& call, const target& on);

}  // namespace kiln::plan
