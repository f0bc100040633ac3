// kiln/run/partial_sums: a sum of few elements ends in the parts of its kernel's blocks (plan/reduction.hpp). Kernels that read
// it add them up by themselves; for all who want the sum in its place, here it is put there.
#pragma once

#include <capture/array_node.hpp>
#include <plan/bind.hpp>
#include <run/call_back.hpp>

namespace kiln::inline v0_1::detail {

/// Where `sum`, which owns its memory, is in parts, a kernel puts it in its place.
void finalize(const array_node& sum, evaluate_function evaluate);
/// The same of all arrays that a call reads as they are.
void finalize_operands(const plan::bindings& call, evaluate_function evaluate);

/// The sum, added up by the host from a copy of its parts: to the bit what a kernel would have made of them. Waits for the
/// stream. Of an array that is in parts.
void download_sum(const array_node& of, void* to);

}  // namespace kiln::inline v0_1::detail
