// kiln/plan/policy/host_elementwise: kernels of the host as nests: a range of elements per call, so that each thread of the CPU
// device takes one.
// in: a planned kernel for the host   out: its nest
#pragma once

#include <plan/policy/host_row.hpp>

namespace kiln::plan {

/// `calls_library`: of functions that no vector unit has.
nest::tree host_elementwise_nest(const lower::program& program, const kernel& of, bool calls_library);
/// Rows of few elements, many at a time: host_short_rows.cpp.
nest::tree host_short_rows_nest(const lower::program& program, const kernel& of, bool calls_library);
/// Rows that stay in a thread's caches: host_persistent_rows.cpp.
nest::tree host_persistent_rows_nest(const lower::program& program, const kernel& of);
/// Short ones, many at a time: host_tiled_rows.cpp.
nest::tree host_tiled_rows_nest(const lower::program& program, const kernel& of);
/// Neighbouring values of a reduction side by side: host_side_by_side.cpp.
nest::tree host_side_by_side_nest(const lower::program& program, const kernel& of);
/// The same in tiles: host_tiles_of_values.cpp.
nest::tree host_tiles_of_values_nest(const lower::program& program, const kernel& of);
/// Rows that are reduced as their elements are made: host_rows_in_lanes.cpp.
nest::tree host_rows_in_lanes_nest(const lower::program& program, const kernel& of);
/// Columns that do: host_persistent_columns.cpp.
nest::tree host_persistent_columns_nest(const lower::program& program, const kernel& of);
/// Elements made of rows and of what these come to, to be reduced by columns: host_crossed_columns.cpp.
nest::tree host_crossed_columns_nest(const lower::program& program, const kernel& of);

/// The bodies of a kernel that calls functions for strips of elements, the first of them the whole; none of others. `along`: the axes that
/// a strip's elements differ in, as bits.
strip_bodies strips_of_kernel(nest::builder& to, const lower::program& program, const kernel& of, unsigned along);

/// All operands of a kernel where its memory has them.
row_elements elements_in_memory(nest::operands& operands, const kernel& of, bool calls_library,
                                const strip_bodies& in_strips);

}  // namespace kiln::plan
