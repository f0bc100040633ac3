// kiln/emit/row_moves: functions of the host's kernels that bring short rows into the order of the elements: gathered, copied,
// spread from one element each, repeated.
// in: a kernel's text   out: the functions that it calls   knows nothing of: operands
#pragma once

#include <plan/schedule.hpp>

#include <string>

namespace kiln::emit {

inline constexpr int block_rows = 8;
inline constexpr int widest_lanes = 32;  // bytes

/// "spread_block_of_4": of elements of 4 bytes.
std::string spread_block(int bytes);

/// The functions that the text calls, defined.
std::string row_move_functions(const plan::kernel& of, const std::string& text);

}  // namespace kiln::emit
