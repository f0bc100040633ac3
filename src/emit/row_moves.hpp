// kiln/emit/row_moves: functions of the host's kernels that move rows of few elements: those of the device's table (device/cpu/row_moves.hpp),
// and what spreads the elements of a block of rows, of an extent that is known, to registers by shuffles.
// in: a row's extent   out: functions   knows nothing of: operands
#pragma once

#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

/// Whether the table has it.
bool is_in_library(plan::nest::movement how);

/// "copy_rows_of_4", "spread_block_of_4": of elements of 4 bytes.
std::string move_name(plan::nest::movement how, int bytes);

/// Those that the text calls, defined.
std::string row_functions(int extent, const std::string& text);

}  // namespace kiln::emit
