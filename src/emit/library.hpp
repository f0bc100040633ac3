// kiln/emit/library: the inexact functions that host kernels and the interpreter share, so that both give the same bits.
// A host kernel gets a table of pointers, in this order: for each LIBRARY function of operation_table.def, its float32
// and then its float64 form.
#pragma once

#include <string_view>

namespace kiln::emit {

#define KILN_LIBRARY_FUNCTIONS(each) \
    each(exp, 1) each(log, 1) each(sin, 1) each(cos, 1) each(tanh, 1) each(pow, 2) each(atan2, 2) each(hypot, 2)

enum class library_function : int {
#define KILN_EACH(name, arity) name##_f32, name##_f64,
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        count,
};

struct library_entry {
    std::string_view name;  // "exp"
    int arity;
};

inline constexpr library_entry library_entries[] = {
#define KILN_EACH(name, arity) {#name, arity},
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

/// The functions whose result IEEE 754 or C fixes, for helpers: EXACT_sqrt(x) for float and double.
#define KILN_EXACT_FUNCTIONS(each) each(sqrt, 1) each(fabs, 1) each(copysign, 2)

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
