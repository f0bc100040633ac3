// kiln/device/interpreter/blocks: which table of block functions this processor runs.
#include <device/instruction_sets.hpp>
#include <device/interpreter/blocks.hpp>

namespace kiln::backend {

namespace {

by_instruction_set<block_table> all() { return {blocks_avx512, blocks_avx2, blocks_baseline}; }

}  // namespace

const block_table& blocks_for_this_processor() { return all().for_this_processor(); }

const block_table* blocks_named(const char* name) { return all().named(name); }

}  // namespace kiln::backend
