// kiln/device/interpreter/tape: a kernel's steps, made ready for running block by block: functions looked up, values
// given slots, registers shared by values that never live at once.
// in: program and kernel   out: tape   knows nothing of: sizes, pointers, threads
#pragma once

#include <device/interpreter/blocks.hpp>
#include <plan/schedule.hpp>

#include <cstdint>
#include <vector>

namespace kiln::backend {

/// A slot is where a block of one value lies: in a register of the thread's scratch memory, or in an operand's memory.
struct slot {
    int bytes = 0;             // of one element
    int register_offset = -1;  // bytes per block element before it in the scratch memory; -1: never in a register
    int register_number = -1;
};

struct tape_instruction {
    block_function run = nullptr;  // nullptr: a gather
    int gathered = -1;             // of a gather: which of the tape's, its lookups are the arguments
    int out = 0;                   // slots
    int args[max_rank] = {};       // operands past the arity repeat the first; of a gather: its lookups
};

struct tape_operand {
    int slot = 0;
    int parameter = 0;
    int bytes = 0;
    plan::operand plan;
    /// Inputs: instructions may read the operand's memory itself. Outputs: the instruction that makes the value writes
    /// there where it has no gaps; otherwise the block is copied when all instructions have run.
    bool in_place = true;
};

struct tape_scalar {
    int slot = 0;
    int parameter = 0;
    int bytes = 0;
};

struct tape_constant {
    int slot = 0;
    int bytes = 0;
    std::uint64_t bits = 0;
};

struct tape {
    std::vector<slot> slots;
    std::vector<tape_operand> inputs;
    std::vector<tape_scalar> scalars;
    std::vector<tape_constant> constants;
    std::vector<tape_instruction> instructions;
    std::vector<tape_operand> outputs;
    std::vector<tape_operand> gathered;
    int layout_parameter = -1;  // -1: every operand is contiguous
    int rank = 1;               // of the layout
    int register_count = 0;
    int register_bytes = 0;  // of one element in all registers
    int touched_bytes = 0;  // the same and one element of each operand: what a block occupies in the cache, per element
    bool aliased = false;
};

/// Throws error naming the operation when the program has a step that its types do not allow.
tape make_tape(const lower::program& program, const plan::kernel& kernel, const block_table& blocks);

}  // namespace kiln::backend
