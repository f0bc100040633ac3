// kiln/device/cpu/float64_avx2: the float64 functions for AVX2 and FMA. The build gives this file its own options.
#include <device/cpu/float64_functions.hpp>

#if defined(__AVX2__) && defined(__FMA__)
#include <device/cpu/float64_loops.hpp>

namespace kiln::backend {

static constexpr float64_functions table = made_float64("AVX2");
const float64_functions* const float64_avx2 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::float64_functions* const kiln::backend::float64_avx2 = nullptr;
#endif
