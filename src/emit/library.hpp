// kiln/emit/library: the inexact functions that host kernels and the interpreter share, so that both give the same bits.
// A host kernel gets a table of pointers, in this order: for each LIBRARY function of operation_table.def, its float32
// and then its float64 form.
#pragma once

#include <string_view>

namespace kiln::emit {

// each(name, arity, who has it): C's libm, or kiln where it has none or none that threads can share
// (device/cpu/library_functions.hpp).
// clang-format off
#define KILN_LIBRARY_FUNCTIONS(each)                                                                            \
    each(exp, 1, libm) each(exp2, 1, libm) each(expm1, 1, libm)                                                 \
    each(log, 1, libm) each(log2, 1, libm) each(log10, 1, libm) each(log1p, 1, libm)                            \
    each(sin, 1, libm) each(cos, 1, libm) each(tan, 1, libm)                                                    \
    each(asin, 1, libm) each(acos, 1, libm) each(atan, 1, libm) each(atan2, 2, libm)                            \
    each(sinh, 1, libm) each(cosh, 1, libm) each(tanh, 1, libm)                                                 \
    each(asinh, 1, libm) each(acosh, 1, libm) each(atanh, 1, libm)                                              \
    each(pow, 2, libm) each(hypot, 2, libm) each(cbrt, 1, libm)                                                 \
    each(erf, 1, libm) each(erfc, 1, libm) each(erfinv, 1, kiln) each(normcdf, 1, kiln)                         \
    each(lgamma, 1, kiln) each(tgamma, 1, libm)
// clang-format on

enum class library_function : int {
#define KILN_EACH(name, arity, who) name##_f32, name##_f64,
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        count,
};

struct library_entry {
    std::string_view name;  // "exp"
    int arity;
};

inline constexpr library_entry library_entries[] = {
#define KILN_EACH(name, arity, who) {#name, arity},
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

/// In the table, too, after what says whether results go past the caches: void* (*)(long long bytes), memory of the calling
/// thread's own, 64-byte aligned, its content whatever. It is the kernel's until the thread asks again.
inline constexpr int thread_memory_slot = static_cast<int>(library_function::count) + 1;

/// The functions whose result IEEE 754 or C fixes, for helpers: EXACT_sqrt(x) for float and double.
#define KILN_EXACT_FUNCTIONS(each) each(sqrt, 1) each(fabs, 1) each(floor, 1) each(copysign, 2) each(fmod, 2)

struct exact_entry {
    std::string_view name;  // "sqrt"
    int arity;
};

inline constexpr exact_entry exact_entries[] = {
#define KILN_EACH(name, arity) {#name, arity},
    KILN_EXACT_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

}  // namespace kiln::emit
