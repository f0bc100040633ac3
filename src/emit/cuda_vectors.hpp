// kiln/emit/cuda_vectors: vector types of CUDA kernels, and how they move.
#pragma once

#include <plan/schedule.hpp>

#include <string>

namespace kiln::emit {

/// "f32x4"
std::string vector_type(element_type type, int elements);

/// Whether an operand's elements are read once by the whole kernel: nothing is gained by keeping them in a cache.
bool is_streamed(const plan::operand& of, const plan::kernel& in);

/// The vector types that the kernel's operands move in, with their loads ("load_f32x4" past the caches, "keep_f32x4"
/// through them) and stores, each where it is used.
std::string vector_definitions(const plan::kernel& of);

}  // namespace kiln::emit
