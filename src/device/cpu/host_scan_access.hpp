// kiln/device/cpu/host_scan_access: a step of a scan that reads or writes otherwise than it adds up (plan::scan_access), for a GPU that is
// stood in for: the CPU itself is given arrays of the type that is added up in.
// in: a launch   out: the same launch of arrays as a scan has them
#pragma once

#include <device/device.hpp>

#include <functional>

namespace kiln::backend {

/// `scan` is given arguments of plain arrays.
void through_accesses(const launch_arguments& arguments, const std::function<void(const launch_arguments&)>& scan);

}  // namespace kiln::backend
