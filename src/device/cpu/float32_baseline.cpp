// kiln/device/cpu/float32_baseline: the float32 functions for what every processor has.
#include <device/cpu/float32_loops.hpp>

namespace kiln::backend {

static constexpr float32_functions table = made_float32("baseline");
const float32_functions* const float32_baseline = &table;

}  // namespace kiln::backend
