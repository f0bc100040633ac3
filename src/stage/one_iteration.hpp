// kiln/stage/one_iteration: reductions whose operands are no run-time graphs: one stage without a walk.
// in: leaves   out: what becomes of each output   knows nothing of: devices
#pragma once

#include <capture/reduced.hpp>

#include <kiln/evaluate.hpp>
#include <kiln/reduction.hpp>

namespace kiln::stage {

/// Whether expressions of these leaves iterate over one shape, `whole`, and their reductions over the same axes; so that one
/// kernel computes them all, where it stores elements, too, or none is to be stored. If so, says in the outputs what becomes
/// of them. Throws shape_error.
bool one_iteration(const kiln::detail::leaf* leaves, const int* leaf_ends, const kiln::detail::reduction_call* calls,
                   kiln::detail::output* outputs, int output_count, bool stores_elements, shape& whole);

/// Then: whether an array that is reduced had better be copied first, on the CPU (product_operands.hpp).
bool reads_across(const kiln::detail::leaf* leaves, const int* leaf_ends, const kiln::detail::output* outputs,
                  int output_count, const shape& whole);

}  // namespace kiln::stage
