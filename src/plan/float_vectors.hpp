// kiln/plan/float_vectors: elementwise kernels of the host with 16-bit floats, which are computed in float and rounded after each step: a
// block of elements at a time, in vectors of float that the text names (emit/block_body.hpp).
// in: a planned kernel   out: yes or no   knows nothing of: text
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// Whole lines of every output, and of every processor's vectors as many as are woven into one another.
inline constexpr int block_elements = 128;

/// Whether all of a kernel's steps are what vectors of float have.
bool computes_float_vectors(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
