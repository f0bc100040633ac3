// kiln/plan/iteration: what bind does when operands are not all contiguous and of one shape: shapes broadcast, axes that
// all operands walk alike are merged, each operand gets its class.
// in: bindings whose leaves are numbered   out: the rest of them   knows nothing of: programs, text
#pragma once

#include <plan/bind.hpp>

namespace kiln::plan {

/// Sets the iteration's shape, and the outputs' where they differ. Throws shape_error.
void resolve_shapes(bindings& call, const std::function<const output_leaves&()>* leaves_of);

/// Merges axes and writes an iteration_class and what each memory is like from `next` on, unless all operands are contiguous.
/// Returns where the class goes on. Short rows are classes of their own on the host.
std::uint8_t* classify(bindings& call, std::uint8_t* next, frame device);

}  // namespace kiln::plan
