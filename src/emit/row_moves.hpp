// kiln/emit/row_moves: functions of the host's kernels that spread the elements of a block of rows, of an extent that is known, by
// shuffles. What else moves is in helpers/rows_host.inc.
// in: a row's extent   out: functions   knows nothing of: operands
#pragma once

#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

/// "spread_block_of_4", "spread_rows_of_4": of elements of 4 bytes.
std::string spread_block(int bytes);
std::string spread_blocks(int bytes);

/// Those that the text calls, defined.
std::string spread_functions(int extent, const std::string& text);

}  // namespace kiln::emit
