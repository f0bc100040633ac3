// kiln/emit/reduction_text: what is known of some elements of a reduction as a type of the kernel, and how two of those
// become one. The row of reduction_table.def says by which operation.
// knows nothing of: threads
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

/// struct states, with a member for each output; nothing(), of no element; combine(a, b); and finish_0(state, count), ...:
/// the results.
std::string reduction_functions(const plan::kernel& of);

/// "float", or "found_f32": a value and where it was.
std::string state_type(const plan::reduced_output& of);

}  // namespace kiln::emit
