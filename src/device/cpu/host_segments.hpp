// kiln/device/cpu/host_segments: a step by segments on the CPU, the same whether kernels are compiled or interpreted.
// knows nothing of: what the segments are of
#pragma once

#include <device/cpu/thread_pool.hpp>
#include <device/device.hpp>

namespace kiln::backend {

/// `arguments`: of a step by segments, its parameters as plan::segment_signature orders them.
void segments_on_host(const launch_arguments& arguments, thread_pool& threads);
/// The same of a step of rows, as planned for a GPU: plan::segment_row_signature. One of the steps takes all.
void segment_rows_on_host(const launch_arguments& arguments, thread_pool& threads);

}  // namespace kiln::backend
