// kiln/device/interpreter/blocks_avx512: the block functions for AVX-512 (F, BW, DQ, VL). The build gives this file its
// own options.
#include <device/interpreter/blocks.hpp>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <device/interpreter/block_functions.hpp>

namespace kiln::backend {

static constexpr block_table table = make_table("AVX-512");
const block_table* const blocks_avx512 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::block_table* const kiln::backend::blocks_avx512 = nullptr;
#endif
