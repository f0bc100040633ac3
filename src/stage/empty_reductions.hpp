// kiln/stage/empty_reductions: what reductions, and segments, of no elements come to.
// in: a reduction   out: an expression of its value   knows nothing of: stages
#pragma once

#include <capture/term.hpp>

namespace kiln::stage {

/// min and max throw shape_error, unless the result has no elements either: then nothing is computed.
kiln::detail::handle<kiln::detail::term> result_of_empty_reduction(const kiln::detail::term& of, const shape& extents);

}  // namespace kiln::stage
