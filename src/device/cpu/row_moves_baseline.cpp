// kiln/device/cpu/row_moves_baseline: how rows move on every processor. The build gives this file its own options.
#include <device/cpu/row_moves_loops.hpp>

namespace kiln::backend {

static constexpr row_move_table table = made_row_moves();
const row_move_table* const row_moves_baseline = &table;

}  // namespace kiln::backend
