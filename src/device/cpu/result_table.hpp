// kiln/device/cpu/result_table: a launch of a body of one operand of 16 bits. The kernel makes what the body gives of each of the 65,536
// values that such an operand can have, and the launch's elements are looked up: the same bits, whatever the body takes.
// in: a kernel that may look up, a launch   out: its elements   knows nothing of: when that pays
#pragma once

#include <device/cpu/cpu_kernel.hpp>
#include <device/cpu/thread_pool.hpp>

namespace kiln::backend {

void look_up_on_host(const cpu_kernel& kernel, const launch_arguments& arguments, stores how, thread_pool& threads);

}  // namespace kiln::backend
