// kiln/device/cpu/float64_avx512: the float64 functions for AVX-512 (F, BW, DQ, VL). The build gives this file its own options.
#include <device/cpu/float64_functions.hpp>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <device/cpu/float64_loops.hpp>

namespace kiln::backend {

static constexpr float64_functions table = made_float64("AVX-512");
const float64_functions* const float64_avx512 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::float64_functions* const kiln::backend::float64_avx512 = nullptr;
#endif
