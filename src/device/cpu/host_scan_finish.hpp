// kiln/device/cpu/host_scan_finish: what is made of a scan's values (plan/scan_finish.hpp), by the interpreter, where the host stands in for
// a GPU whose kernels do so.
// in: values, arrays beside   out: what is stored   knows nothing of: scans
#pragma once

#include <device/device.hpp>

#include <cstddef>

namespace kiln::backend {

/// `values`: of the step's value_type(), in the order of its results. `arguments`: all of the launch's.
void finish_scan_on_host(const plan::scan_step& step, std::byte* values, const launch_arguments& arguments);

}  // namespace kiln::backend
