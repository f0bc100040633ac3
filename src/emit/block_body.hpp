// kiln/emit/block_body: a kernel's steps as a function of a block of elements on the host, in vectors of float
// (plan/float_vectors.hpp, helpers/vectors_host.inc).
// in: a kernel that computes float vectors   out: functions of its text   knows nothing of: where blocks are
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

/// "vector_body", of a vector, and "block_body", which computes vectors side by side; of bytes by "words_body".
std::string block_body(const lower::program& program, const plan::kernel& kernel, const value_names& names);

}  // namespace kiln::emit
