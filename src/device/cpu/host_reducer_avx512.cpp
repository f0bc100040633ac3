// kiln/device/cpu/host_reducer_avx512: the reducers for AVX-512 (F, BW, DQ, VL). The build gives this file its own options.
#include <device/cpu/host_reducer.hpp>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <device/cpu/host_reducer_loops.hpp>

namespace kiln::backend {

reducer_table* const reducers_avx512 = made_reducer;

}  // namespace kiln::backend
#else
kiln::backend::reducer_table* const kiln::backend::reducers_avx512 = nullptr;
#endif
