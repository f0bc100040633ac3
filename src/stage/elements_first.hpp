// kiln/stage/elements_first: what an evaluation stores and reduces, too, computed before it is reduced.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <stage/product_operands.hpp>

#include <vector>

namespace kiln::stage {

/// For kernels that store no elements beside what they are reduced to: each would compute them again (exp(m) beside its sums over
/// either axis 2.1 ms for 0.9; a million floats, one core of a Xeon, 2026-11). Of roots that are elements, or reductions of some, those
/// with functions in them that others reduce are arrays in their places, and so in the others. Where a root is made of reductions, rows
/// may be persistent, whose kernel stores elements: then all stay.
std::vector<kiln::detail::handle<kiln::detail::term>> with_elements_first(
    const std::vector<kiln::detail::handle<kiln::detail::term>>& roots, const kiln::detail::computed_before& before);

}  // namespace kiln::stage
