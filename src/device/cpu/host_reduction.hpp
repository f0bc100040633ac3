// kiln/device/cpu/host_reduction: reductions on the CPU. Kernels, compiled or interpreted, compute the elements into a buffer
// that stays in the first cache; what is here makes one of many. The order is a function of the shape alone, and neither the
// kernel nor the number of threads has a say in it.
// knows nothing of: programs, text
#pragma once

#include <device/cpu/cpu_kernel.hpp>
#include <device/cpu/thread_pool.hpp>

namespace kiln::backend {

void reduce_on_host(const cpu_kernel& elements, const launch_arguments& arguments, thread_pool& threads);

}  // namespace kiln::backend
