// kiln/emit/sort_text: a step of a sort as CUDA C++: a kernel around the pieces of emit/helpers/sort_cuda.inc,
// sort_network_cuda.inc or selection_cuda.inc.
// in: a step   out: its name and its complete source   knows nothing of: extents
#pragma once

#include <emit/source.hpp>
#include <plan/sort.hpp>

namespace kiln::emit {

/// "kiln_sort_f32_pass", whatever a step's extents are but for what its tile depends on.
std::string sort_name(const plan::sort_step& of);

source sort_source(const plan::sort_step& of);

}  // namespace kiln::emit
