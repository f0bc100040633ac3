// kiln/device/instruction_sets: what is compiled once for each instruction set, and which of it this processor runs.
// in: nothing   out: one of several tables
#pragma once

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kiln::backend {

#if defined(__x86_64__)
/// Conversions of float16. Not every compiler knows their name.
inline bool has_f16c() {
    static const bool is_there = [] {
        unsigned int a = 0, b = 0, c = 0, d = 0;
        return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
    }();
    return is_there;
}
#endif

/// nullptr: this build was not compiled for it. There is always a baseline.
template <class Table>
struct by_instruction_set {
    const Table* avx512;
    const Table* avx2;
    const Table* baseline;

    /// The best of them for this processor.
    [[nodiscard]] const Table& for_this_processor() const {
        if (const Table* const found = named("avx512")) return *found;
        if (const Table* const found = named("avx2")) return *found;
        return *baseline;
    }

    /// `name` is "avx512", "avx2" or "baseline". nullptr where the processor or the build has no such table.
    [[nodiscard]] const Table* named(const char* name) const {
#if defined(__x86_64__)
        const auto is = [name](const char* set) { return std::strcmp(name, set) == 0; };
        const bool has_both = __builtin_cpu_supports("fma") && has_f16c();
        if (is("avx512"))
            return has_both && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
                       ? avx512
                       : nullptr;
        if (is("avx2")) return has_both && __builtin_cpu_supports("avx2") ? avx2 : nullptr;
#endif
        return std::strcmp(name, "baseline") == 0 ? baseline : nullptr;
    }
};

}  // namespace kiln::backend
