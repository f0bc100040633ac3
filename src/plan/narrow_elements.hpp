// kiln/plan/narrow_elements: persistent rows of 16-bit floats that are computed in float32. What later phases need of an element is kept as
// it was read, and converted once more: of float32 a thread would keep twice as many registers, and a multiprocessor have fewer threads
// that wait for memory.
// in: a planned kernel of persistent rows   out: its phases   knows nothing of: text, order
#pragma once

#include <plan/row_phases.hpp>

namespace kiln::plan {

/// Two share a register, and one instruction makes a float32 of one.
constexpr bool is_narrow(element_type of) { return of == element_type::float16 || of == element_type::bfloat16; }

/// As phases_of(), but narrow elements are kept in place of what is cheap to make again of them, where less is kept so.
row_phases narrow_phases_of(const lower::program& program, const kernel& of);

/// Whether something is.
bool makes_again(const row_phases& phases);

}  // namespace kiln::plan
