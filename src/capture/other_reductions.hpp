// kiln/capture/other_reductions: graphs with something else in place of some of their reductions, by rules of shapes and axes alone.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace kiln::inline v0_1::detail {

/// What is to be in place of a reduction of such extents over such axes, made of its operand as it is now; none: it stays.
using other_reduction = std::function<handle<term>(const term& reduction, const shape& extents, std::uint8_t axes,
                                                   const handle<term>& operand)>;

std::vector<handle<term>> with_other_reductions(const std::vector<handle<term>>& roots, const other_reduction& other);

}  // namespace kiln::inline v0_1::detail
