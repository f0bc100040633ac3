// kiln/device/cpu/host_sort: a step of a sort on the CPU, the same whether kernels are compiled or interpreted.
// knows nothing of: what is sorted
#pragma once

#include <device/cpu/thread_pool.hpp>
#include <device/device.hpp>

namespace kiln::backend {

/// `arguments`: of a sort's step, its parameters as plan::sort_signature orders them.
void sort_on_host(const launch_arguments& arguments, thread_pool& threads);

}  // namespace kiln::backend
