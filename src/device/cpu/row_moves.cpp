// kiln/device/cpu/row_moves: which of them this processor runs.
#include <device/cpu/row_moves.hpp>
#include <device/instruction_sets.hpp>

namespace kiln::backend {

namespace {

by_instruction_set<row_move_table> all() { return {nullptr, row_moves_avx2, row_moves_baseline}; }

}  // namespace

const row_move_table& row_moves_for_this_processor() { return all().for_this_processor(); }

const row_move_table* row_moves_named(const char* name) { return all().named(name); }

}  // namespace kiln::backend
