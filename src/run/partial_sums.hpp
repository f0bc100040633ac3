// kiln/run/partial_sums: memory for a sum that ends in partial sums (plan/partial_sums.hpp). Kernels that read one finalize it by
// themselves; for all who want the sum in its place, here it is put there.
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>
#include <plan/call_values.hpp>
#include <run/call_back.hpp>

namespace kiln::inline v0_1::detail {

/// A sum that a kernel is about to leave in so many partial sums, of the sum's own type. Throws out_of_memory.
handle<array_node> make_partial_sums(backend::device& on, element_type type, const shape& extents, std::int32_t count,
                                     int stream);

/// Where `sum`, which owns its memory, is partial, a kernel puts it in its place.
void finalize(const array_node& sum, evaluate_function evaluate);
/// The same of all arrays that a call reads as they are.
void finalize_operands(const plan::call_values& call, evaluate_function evaluate);

/// The sum, added up by the host from a copy of its partial sums: to the bit what a kernel would have made of them. Waits
/// for the stream. Of an owner that is partial.
void download_sum(const array_node& of, void* to);

}  // namespace kiln::inline v0_1::detail
