// kiln/device/cpu/row_moves_avx2: how rows move by AVX2. The build gives this file its own options.
#include <device/cpu/row_moves.hpp>

#if defined(__AVX2__)
#include <device/cpu/row_moves_loops.hpp>

namespace kiln::backend {

static constexpr row_move_table table = made_row_moves();
const row_move_table* const row_moves_avx2 = &table;

}  // namespace kiln::backend
#else
const kiln::backend::row_move_table* const kiln::backend::row_moves_avx2 = nullptr;
#endif
