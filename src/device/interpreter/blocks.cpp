// kiln/device/interpreter/blocks: which table of block functions this processor runs.
#include <device/interpreter/blocks.hpp>

#include <cstring>

namespace kiln::backend {

namespace {

struct choice {
    const char* name;
    const block_table* table;
    bool (*runs_here)();
};

const choice choices[] = {
#if defined(__x86_64__)
    {"avx512", blocks_avx512,
     [] {
         return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("fma");
     }},
    {"avx2", blocks_avx2, [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }},
#endif
    {"baseline", blocks_baseline, [] { return true; }},
};

}  // namespace

const block_table& blocks_for_this_processor() {
    for (const choice& each : choices)
        if (each.table && each.runs_here()) return *each.table;
    return *blocks_baseline;
}

const block_table* blocks_named(const char* name) {
    for (const choice& each : choices)
        if (std::strcmp(each.name, name) == 0) return each.table && each.runs_here() ? each.table : nullptr;
    return nullptr;
}

}  // namespace kiln::backend
