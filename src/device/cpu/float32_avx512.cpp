// kiln/device/cpu/float32_avx512: the float32 functions for AVX-512 (F, BW, DQ, VL). The build gives this file its own options.
#include <device/cpu/float32_functions.hpp>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <device/cpu/float32_loops.hpp>

namespace kiln::backend {

static constexpr float32_functions table = made_float32("AVX-512");
const float32_functions* const float32_avx512 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::float32_functions* const kiln::backend::float32_avx512 = nullptr;
#endif
