// kiln/device/cpu/float64_functions: which of them this processor runs.
#include <device/cpu/float64_functions.hpp>
#include <device/instruction_sets.hpp>

namespace kiln::backend {

namespace {

by_instruction_set<float64_functions> all_float64() { return {float64_avx512, float64_avx2, float64_baseline}; }

}  // namespace

const float64_functions& float64_for_this_processor() { return all_float64().for_this_processor(); }

const float64_functions* float64_named(const char* name) { return all_float64().named(name); }

}  // namespace kiln::backend
