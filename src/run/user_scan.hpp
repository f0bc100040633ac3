// kiln/run/user_scan: on a host, a scan by a user's reduction, and one whose elements come in chunks, combines elements by the code of a
// kernel: of that reduction of the same elements.
// in: a stage, its leaves   out: that kernel   knows nothing of: how it is planned or written
#pragma once

#include <device/devices.hpp>
#include <run/executable.hpp>
#include <run/run_time_caches.hpp>
#include <stage/stages.hpp>

#include <memory>
#include <vector>

namespace kiln::inline v0_1::detail {

/// The spine's, of the first call of a class.
using build_function = made_executable (*)(backend::device& on, const graph& described, const plan::call_class& call,
                                           const char* label);

/// The kernel that a stage's graph, a reduction by a user's, is planned as. Throws what `build` throws.
std::shared_ptr<const backend::loaded_kernel> combining_kernel(backend::device& on, run_time_cache& cache,
                                                               const stage::stage& of, const std::vector<leaf>& leaves,
                                                               build_function build, const char* label);

/// nullptr: the stage needs none. Throws what `build` throws.
std::shared_ptr<const backend::loaded_kernel> user_scan_kernel(backend::known_device& where, run_time_cache& cache,
                                                               const stage::stage& of, const std::vector<leaf>& leaves,
                                                               build_function build, const char* label);

}  // namespace kiln::inline v0_1::detail
