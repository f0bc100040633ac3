#include <launch/kernel_store.hpp>

namespace kiln::launch {

jit_cache::store& kernel_store() {
    static jit_cache::store store(jit_cache::settings_from_environment());
    return store;
}

}  // namespace kiln::launch
