// kiln/run/tracing: while a thread calls a function for its expression (api/fused.cpp), arrays may stand for arguments, which
// have no memory.
#pragma once

#include <kiln/expression.hpp>

namespace kiln::inline v0_1::detail {

inline thread_local constinit bool is_tracing = false;

/// Throws kiln::error where a leaf has no memory.
void require_memory(const leaf* leaves, int leaf_count);

}  // namespace kiln::inline v0_1::detail
