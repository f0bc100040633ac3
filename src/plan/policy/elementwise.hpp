// kiln/plan/policy/elementwise: kernels whose every element is computed by itself, as nests: which thread takes which
// elements, and how their operands move.
// in: a planned kernel that reduces nothing   out: a nest
#pragma once

#include <plan/nest/nest.hpp>

namespace kiln::plan {

/// In the order of the elements' numbers, by rows, by tiles or in vectors, as kernel.mapping and kernel.vectorised say.
nest::tree elementwise_nest(const lower::program& program, const kernel& of);

/// Of those, the ones whose operands move in vectors, or are all contiguous: elementwise_vectors.cpp.
nest::tree vectors_nest(const lower::program& program, const kernel& of);

/// Where inputs are neighbours of an element in one memory: windows.cpp.
nest::tree windows_nest(const lower::program& program, const kernel& of);

/// Where vectors begin anywhere: skewed_elements.cpp.
nest::tree skewed_elements_nest(const lower::program& program, const kernel& of);

/// By tiles whose rows of the output begin at whole sectors: aligned_tiles.cpp.
nest::tree aligned_tiles_nest(const lower::program& program, const kernel& of);

/// Where a block looks up what its row's bytes become: row_tables.cpp.
nest::tree row_tables_nest(const lower::program& program, const kernel& of);

/// Where inputs are shifted by constant distances: stencils.cpp.
nest::tree stencils_nest(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
