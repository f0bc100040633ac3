// kiln/device/interpreter/blocks_avx2: the block functions for AVX2 with FMA. The build gives this file its own
// options.
#include <device/interpreter/blocks.hpp>

#if defined(__AVX2__) && defined(__FMA__)
#include <device/interpreter/block_functions.hpp>

namespace kiln::backend {

static constexpr block_table table = make_table("AVX2");
const block_table* const blocks_avx2 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::block_table* const kiln::backend::blocks_avx2 = nullptr;
#endif
