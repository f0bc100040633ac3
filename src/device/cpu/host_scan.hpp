// kiln/device/cpu/host_scan: a step of a scan on the CPU, the same whether kernels are compiled or interpreted.
// knows nothing of: what is summed up
#pragma once

#include <device/cpu/host_reducer.hpp>
#include <device/cpu/thread_pool.hpp>
#include <device/device.hpp>

namespace kiln::backend {

/// `arguments`: of a scan's step, its parameters as plan::scan_signature orders them.
void scan_on_host(const launch_arguments& arguments, thread_pool& threads);
/// By what a user combines.
void scan_on_host(const launch_arguments& arguments, thread_pool& threads, const host_reducer& by);

}  // namespace kiln::backend
