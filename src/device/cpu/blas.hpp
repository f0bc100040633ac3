// kiln/device/cpu/blas: products of matrices by a BLAS, which is opened when somebody first asks for one (options.library).
// in: matrices in memory   out: their product   knows nothing of: expressions
#pragma once

#include <stage/library_products.hpp>

#include <cstddef>

namespace kiln::backend::blas {

/// Whether a BLAS is there, and multiplies these. The first question opens it: some milliseconds.
[[nodiscard]] bool can(const stage::product& of);

/// What it said that it can; in threads of its own. Throws device_error where the program is ending.
void multiply(const stage::product& of, std::byte* result, const std::byte* left, const std::byte* right);

}  // namespace kiln::backend::blas
