// kiln/device/cpu/float32_functions: which of them this processor runs.
#include <device/cpu/float32_functions.hpp>

#include <cstring>

namespace kiln::backend {

namespace {

struct choice {
    const char* name;
    const float32_functions* functions;
    bool (*runs_here)();
};

const choice choices[] = {
#if defined(__x86_64__)
    {"avx512", float32_avx512,
     [] {
         return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("fma");
     }},
    {"avx2", float32_avx2, [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }},
#endif
    {"baseline", float32_baseline, [] { return true; }},
};

}  // namespace

const float32_functions& float32_for_this_processor() {
    for (const choice& each : choices)
        if (each.functions && each.runs_here()) return *each.functions;
    return *float32_baseline;
}

const float32_functions* float32_named(const char* name) {
    for (const choice& each : choices)
        if (std::strcmp(each.name, name) == 0) return each.functions && each.runs_here() ? each.functions : nullptr;
    return nullptr;
}

}  // namespace kiln::backend
