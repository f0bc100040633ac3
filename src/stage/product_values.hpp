// kiln/stage/product_values: what is made of the values of a product of matrices, or of another reduction in tiles, one by one (a bias, an
// activation, a root), as a graph over its own iteration, so that the kernel that has the values goes on with them.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

namespace kiln::inline v0_1::detail {

/// Whether tensor cores are worth it: a function of the sizes alone, as the order is that follows from it. Of shape (..., M, K, N).
bool is_for_tiles(const shape& of);

/// Whether tensor cores' copies reach its elements where they lie.
bool is_plain_array(const term& of);

/// Whether it is operations on values of `product`, of shape (..., M, N), numbers, and arrays that kernels read where they lie.
bool is_made_of_values(const term& root, const term& product, const shape& values);

/// `root` over as many axes as are reduced, `rank`: `reduced`, which keeps those that go, in place of `product`; arrays have axes of extent 1
/// there.
handle<term> with_reduced_axes(const handle<term>& root, const term& product, const handle<term>& reduced, int rank,
                               std::uint8_t axes);

}  // namespace kiln::inline v0_1::detail
