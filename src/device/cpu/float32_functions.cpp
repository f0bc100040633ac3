// kiln/device/cpu/float32_functions: which of them this processor runs.
#include <device/cpu/float32_functions.hpp>
#include <device/instruction_sets.hpp>

namespace kiln::backend {

namespace {

by_instruction_set<float32_functions> all() { return {float32_avx512, float32_avx2, float32_baseline}; }

}  // namespace

const float32_functions& float32_for_this_processor() { return all().for_this_processor(); }

const float32_functions* float32_named(const char* name) { return all().named(name); }

}  // namespace kiln::backend
