// kiln/device/interpreter/blocks_baseline: the block functions for every processor of the build's architecture.
#include <device/interpreter/block_functions.hpp>

namespace kiln::backend {

static constexpr block_table table = make_table("baseline");
const block_table* const blocks_baseline = &table;

}  // namespace kiln::backend
