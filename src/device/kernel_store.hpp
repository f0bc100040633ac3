// kiln/device/kernel_store: the process's store of compiled kernels.
#pragma once

#include <jit_cache/store.hpp>

namespace kiln::backend {

/// From the environment, at the first call, and for good: expressions are evaluated in destructors of static objects, too.
/// Kernels that are not yet on disk when main() returns are published then, later ones at once.
jit_cache::store& kernel_store();

}  // namespace kiln::backend
