// tests/bench/store_tool: what kiln-cache takes to answer, as whoever types it waits for it.
// in: the tool, a full folder   out: figures   knows nothing of: how the tool does it
#pragma once

#include "store_folder.hpp"
#include "support.hpp"

#include <string>

namespace kiln::bench {

/// Its start, ls, stats, and gc of 9 in 20 entries, each with its bound; the folder is full again afterwards. `where` begins
/// each figure's name.
void measure_tool(report& out, const std::string& tool, const std::string& where, stored_folder& full, int repeats);

}  // namespace kiln::bench
