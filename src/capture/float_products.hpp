// kiln/capture/float_products: which products of matrices of floats (kiln/matmul.hpp) have an order of their own on a GPU: of many values,
// whose sums one thread each makes. A rule of shape and axes alone, so that no bit depends on what is fused; all others are sums.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Of products over `axes`.
bool has_own_order(const shape& of, std::uint8_t axes);

/// Products of floats without an order of their own as sums, which share kernels with what is made of them. `all`: none has one here.
std::vector<handle<term>> with_products_as_sums(const std::vector<handle<term>>& roots, bool all);

}  // namespace kiln::inline v0_1::detail
