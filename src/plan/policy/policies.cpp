#include <plan/policy/policies.hpp>

#include <plan/aligned_tiles.hpp>
#include <plan/policy/elementwise.hpp>
#include <plan/policy/host_elementwise.hpp>
#include <plan/policy/reduction.hpp>

namespace kiln::plan {

nest::tree nest_of(const lower::program& program, const kernel& of) {
    if (of.crossed) return crossed_columns_nest(program, of);
    if (of.nested_extent > 0) return nested_rows_nest(program, of);
    if (of.row_extent > 0) return interleaved_nest(program, of);
    if (of.panel.width > 1) return vector_columns_nest(program, of);
    if (of.panel.items) return persistent_columns_nest(program, of);
    if (of.persistent_rows) return persistent_rows_nest(program, of);
    if (of.has_window()) return windows_nest(program, of);
    if (of.is_stencil) return stencils_nest(program, of);
    if (of.has_row_tables) return row_tables_nest(program, of);
    if (!of.reduces() && of.skewed) return skewed_elements_nest(program, of);
    if (of.mapping == thread_mapping::tiles && has_aligned_tiles(of)) return aligned_tiles_nest(program, of);
    if (!of.reduces()) return elementwise_nest(program, of);
    if (of.contraction.warp_rows > 0) return tensor_contraction_nest(program, of);
    if (of.mapping == thread_mapping::contraction) return contraction_nest(program, of);
    if (of.values_in_lanes) return of.tiles_of_lanes ? lane_tiles_nest(program, of) : lane_values_nest(program, of);
    if (of.rows_per_thread > 1) return shared_rows_nest(program, of);
    if (of.free_rows) return free_rows_nest(program, of);
    return of.vector_width > 1 ? rows_nest(program, of) : columns_nest(program, of);
}

nest::tree host_nest_of(const lower::program& program, const kernel& of, bool calls_library) {
    if (of.has_persistent_columns()) return host_persistent_columns_nest(program, of);
    if (of.persistent_rows)
        return of.short_rows ? host_tiled_rows_nest(program, of) : host_persistent_rows_nest(program, of);
    if (of.side_by_side)
        return of.in_tiles ? host_tiles_of_values_nest(program, of) : host_side_by_side_nest(program, of);
    if (of.crossed) return host_crossed_columns_nest(program, of);
    if (of.rows_in_lanes || of.parts_in_lanes) return host_rows_in_lanes_nest(program, of);
    return of.short_rows ? host_short_rows_nest(program, of, calls_library)
                         : host_elementwise_nest(program, of, calls_library);
}

}  // namespace kiln::plan
