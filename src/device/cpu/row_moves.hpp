// kiln/device/cpu/row_moves: how rows of few elements, and squares, move in memory, for kernels that bring operands into the order of their elements
// (plan/policy/host_short_rows.cpp): compiled once for each instruction set, where in a kernel's text they took a compiler longer than all else.
// in: nothing   out: functions   knows nothing of: kernels
#pragma once

namespace kiln::backend {

/// What may be moved beyond a row's end lies under the next row, and behind the last one there is room for it.
inline constexpr int row_moves_room = 16;  // elements

/// Of elements of one size. Rows follow each other at `to`; extents and distances are in elements, the latter below 0 where rows are read
/// backwards.
struct row_moves {
    /// to[row * extent + i] = from[row * apart + i]
    void (*copy)(void* to, const void* from, long long rows, long long extent, long long apart);
    /// to[row * extent + i] = from[row * apart + i * stride]
    void (*gather)(void* to, const void* from, long long rows, long long extent, long long apart, long long stride);
    /// to[row * extent + i] = from[row * apart]
    void (*spread)(void* to, const void* from, long long rows, long long extent, long long apart);
    /// to[n] = to[n % period], of the elements from `period` on
    void (*repeat)(void* to, long long period, long long count);
    /// to[i * side + row] = from[row * apart + i], i being less than `extent`. Nothing else is written.
    void (*turn)(void* to, const void* from, long long apart, long long rows, long long extent, long long side);
};

/// By the logarithm of an element's bytes: 1, 2, 4, 8, 16.
struct row_move_table {
    row_moves of[5];
};
extern const row_move_table* const row_moves_baseline;
extern const row_move_table* const row_moves_avx2;  // nullptr: this build was not compiled for it

const row_move_table& row_moves_for_this_processor();
/// Those of one instruction set, as instruction_sets.hpp names it; nullptr where the processor or the build has none.
const row_move_table* row_moves_named(const char* name);

}  // namespace kiln::backend
