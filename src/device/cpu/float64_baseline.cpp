// kiln/device/cpu/float64_baseline: the float64 functions for what every processor has.
#include <device/cpu/float64_loops.hpp>

namespace kiln::backend {

static constexpr float64_functions table = made_float64("baseline");
const float64_functions* const float64_baseline = &table;

}  // namespace kiln::backend
