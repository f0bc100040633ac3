// kiln/emit/library: the inexact functions that host kernels and the interpreter share, so that both give the same bits.
// A host kernel gets a table of pointers, in this order: for each LIBRARY function of operation_table.def, its float32
// and then its float64 form; two words of the device's own; then each float32 function of a block; then each float64 one; then the runs of
// reductions; then how rows move; then 16-bit floats as floats, and the functions of those.
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/reduction.hpp>

#include <bit>
#include <string_view>

namespace kiln::emit {

// each(name, arity, who has it for float64). For float32 it is `nearest_name` of helpers/float32: correctly rounded.
//   float64: one of helpers/float64, `accurate`, `guarded` of those that have a shorter form for usual arguments, or `angle` and
//   `zeros` of those whose large arguments, or those next to zeros, have a form of their own (within 1 unit in the last place, the same bits everywhere).
// clang-format off
#define KILN_LIBRARY_FUNCTIONS(each)                                                                 \
    each(exp, 1, guarded) each(exp2, 1, accurate) each(expm1, 1, accurate)                           \
    each(log, 1, guarded) each(log2, 1, guarded) each(log10, 1, guarded)                             \
    each(log1p, 1, accurate) each(sin, 1, angle) each(cos, 1, angle)                                 \
    each(tan, 1, angle) each(asin, 1, accurate) each(acos, 1, accurate)                              \
    each(atan, 1, accurate) each(atan2, 2, accurate)                                                 \
    each(sinh, 1, accurate) each(cosh, 1, accurate) each(tanh, 1, accurate)                          \
    each(asinh, 1, accurate) each(acosh, 1, accurate) each(atanh, 1, accurate)                       \
    each(pow, 2, accurate) each(hypot, 2, accurate) each(cbrt, 1, accurate)                          \
    each(erf, 1, accurate) each(erfc, 1, accurate) each(erfinv, 1, accurate)                         \
    each(normcdf, 1, accurate) each(lgamma, 1, zeros) each(tgamma, 1, accurate)                      \
    each(sigmoid, 1, accurate) each(gelu, 1, accurate)
// clang-format on

enum class library_function : int {
#define KILN_EACH(name, arity, in_double) name##_f32, name##_f64,
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        count,
};

struct library_entry {
    std::string_view name;  // "exp"
    int arity;
};

inline constexpr library_entry library_entries[] = {
#define KILN_EACH(name, arity, in_double) {#name, arity},
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

inline constexpr int library_rows = static_cast<int>(library_function::count) / 2;

/// The row of that name; -1: there is none.
constexpr int row_of(std::string_view name) {
    for (int row = 0; row < library_rows; ++row)
        if (library_entries[row].name == name) return row;
    return -1;
}

/// In the table, too, after what says whether results go past the caches: void* (*)(long long bytes), memory of the calling
/// thread's own, 64-byte aligned, its content whatever. It is the kernel's until the thread asks again.
inline constexpr int thread_memory_slot = static_cast<int>(library_function::count) + 1;

enum class precision : int { float32, float64 };

/// Of a row's function, by the block: void (*)(const float* a, float* out, long long count), of double for float64, or with a `b` after
/// a. `out` may be an argument, element for element.
constexpr int block_slot(int row, precision of) {
    return thread_memory_slot + 1 + row + static_cast<int>(of) * library_rows;
}

/// What a run of values comes to, by a row of reduction_table.def and the type that it is accumulated in:
/// void (*)(void* accumulator, const void* values, long long count, long long first), as device/cpu/host_reducer.hpp's take_run.
constexpr int run_slot(detail::reduction_kind what, element_type accumulated) {
    return block_slot(library_rows, precision::float64) + static_cast<int>(what) * element_type_count +
           static_cast<int>(accumulated);
}

/// The same of rows that follow each other: void (*)(void* accumulators, const void* values, long long rows, long long extent), as take_rows
/// there. No kernel's text asks for a run of a user's reduction.
constexpr int rows_slot(detail::reduction_kind what, element_type accumulated) {
    return run_slot(detail::reduction_kind::user, element_type{}) + run_slot(what, accumulated) -
           run_slot(detail::reduction_kind{}, element_type{});
}

/// Functions of device/cpu/row_moves.hpp.
enum class row_move : int { copy, gather, spread, repeat, turn };

/// Of elements of 1, 2, 4, 8 or 16 bytes: void (*)(void* to, const void* from, long long rows, long long extent, long long apart) and, of
/// gather, how far a row's elements are apart; of repeat void (*)(void* to, long long period, long long count); of turn void (*)(void* to,
/// const void* from, long long apart, long long rows, long long extent, long long side).
constexpr int move_slot(row_move what, int bytes) {
    constexpr int sizes = 5;
    return rows_slot(detail::reduction_kind::user, element_type{}) + static_cast<int>(what) * sizes +
           std::countr_zero(static_cast<unsigned>(bytes));
}

/// A block of 16-bit floats as floats: void (*)(const void* from, float* to, long long count).
constexpr int widen_slot(element_type small) {
    return move_slot(row_move::turn, 16) + 1 + (small == element_type::bfloat16);
}

/// A row's functions of 16-bit floats, as device/cpu/float16_functions.hpp has them.
enum class form : int { of_element, of_block };
constexpr int small_slot(int row, form of, element_type small) {
    const int before = 2 * (2 * row + static_cast<int>(of)) + (small == element_type::bfloat16);
    return widen_slot(element_type::bfloat16) + 1 + before;
}

/// Words in the table.
inline constexpr int library_words = small_slot(library_rows, form::of_element, element_type::float16);

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
