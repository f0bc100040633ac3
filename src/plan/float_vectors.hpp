// kiln/plan/float_vectors: elementwise kernels of the host with 16-bit floats, which are computed in float and rounded after each step, and
// of bytes that are computed in float: a block of elements at a time, in vectors of float that the text names (emit/block_body.hpp).
// in: a planned kernel   out: yes or no   knows nothing of: text
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// Whether all arrays are of bytes: a vector of float has one of each four.
bool is_of_bytes(const kernel& of);

/// Whole lines of every output, and of every processor's vectors as many as are woven into one another. Of bytes, whose element takes 0.2 ns,
/// four times as many, so that what a block begins and ends with is a hundredth of it.
inline int block_elements(const kernel& of) { return is_of_bytes(of) ? 512 : 128; }

/// Whether all of a kernel's steps are what vectors of float have.
bool computes_float_vectors(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
