// kiln/device/cpu/host_reducer_baseline: the reducers for every processor of the build's architecture.
#include <device/cpu/host_reducer_loops.hpp>

namespace kiln::backend {

reducer_table* const reducers_baseline = made_reducer;

}  // namespace kiln::backend
