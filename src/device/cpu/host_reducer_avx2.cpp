// kiln/device/cpu/host_reducer_avx2: the reducers for AVX2. The build gives this file its own options.
#include <device/cpu/host_reducer.hpp>

#if defined(__AVX2__)
#include <device/cpu/host_reducer_loops.hpp>

namespace kiln::backend {

reducer_table* const reducers_avx2 = made_reducer;

}  // namespace kiln::backend
#else
kiln::backend::reducer_table* const kiln::backend::reducers_avx2 = nullptr;
#endif
