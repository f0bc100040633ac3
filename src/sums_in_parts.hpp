// kiln/sums_in_parts: a sum of few elements ends in the parts of its kernel's blocks (plan/reduction.hpp). Kernels that read
// it add them up by themselves; for all who want the sum in its place, here it is put there.
#pragma once

#include <capture/array_node.hpp>

namespace kiln::inline v0_1::detail {

/// Launches a kernel where `of`, or what it is a view of, is in parts. Throws what an evaluation throws.
void put_together(const array_node& of);

/// The sum, added up by the host from a copy of its parts: to the bit what a kernel would have made of them. Waits for the
/// stream. Of an array that is in parts.
void download_sum(const array_node& of, void* to);

}  // namespace kiln::inline v0_1::detail
