// kiln/launch/kernel_store: the process's store of compiled kernels.
#pragma once

#include <jit_cache/store.hpp>

namespace kiln::launch {

/// From the environment, at the first call. Kernels that are not yet on disk are published when the process ends.
jit_cache::store& kernel_store();

}  // namespace kiln::launch
