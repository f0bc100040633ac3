// kiln/device/cpu/float32_avx2: the float32 functions for AVX2 and FMA. The build gives this file its own options.
#include <device/cpu/float32_functions.hpp>

#if defined(__AVX2__) && defined(__FMA__)
#include <device/cpu/float32_loops.hpp>

namespace kiln::backend {

static constexpr float32_functions table = made_float32("AVX2");
const float32_functions* const float32_avx2 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::float32_functions* const kiln::backend::float32_avx2 = nullptr;
#endif
