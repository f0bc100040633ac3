// kiln/emit/cuda_vectors: vector types of CUDA kernels, and how they move.
#pragma once

#include <plan/schedule.hpp>

#include <string>

namespace kiln::emit {

/// "f32x4"
std::string vector_type(element_type type, int elements);

/// Whether loads of this vector give its bits, "uint4", which become a vector once the rest at the end has met the others:
/// where the two ways meet, each element of a byte or two would take a register of its own (nvcc 13.0: 148 in place of 53
/// for 8 operands of bytes).
bool moves_as_bits(element_type type, const plan::kernel& in);
const char* vector_bits(element_type type, int elements);

/// The vector types that the kernel's operands move in, with their loads ("load_f32x4") and stores, each where it is used.
/// Stores are streamed, loads are not: on an H200 __ldcs took 5% more time than __ldg for two large inputs and one output,
/// and 45% more where the second cache holds the operands (__stcs: 0 to 3% less).
std::string vector_definitions(const plan::kernel& of);

}  // namespace kiln::emit
