// kiln/device/cpu/library: the CPU's one implementation of each inexact function, for compiled and interpreted kernels
// alike.
// in: nothing   out: the table of pointers that emit/library.hpp orders   knows nothing of: kernels
#pragma once

#include <device/cpu/streaming_store.hpp>

namespace kiln::backend {

/// By emit::library_function: float(*)(float), double(*)(double), ... as void pointers; then, at
/// emit::library_function::count, the store_function that an interpreted kernel passes its blocks of results to, or nullptr
/// where it shall store them itself; a compiled kernel has stores of its own and looks only whether there is one; then,
/// at emit::thread_memory_slot, what gives a kernel memory; then, at emit::block_slot of each row, its functions of a block, of float32 and of float64;
/// then runs of reductions, how rows move, 16-bit floats as floats, and the functions of 16-bit floats.
/// Lives for ever.
const void* const* library_table(stores how);

}  // namespace kiln::backend
