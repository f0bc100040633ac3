// kiln/plan/operands: an operand as a call's class tells of it and as plans hold it: which axes and steps its address counts,
// and which of those by 1.
// in: how a memory is reached   out: bytes of a call_class, and an operand of them   knows nothing of: programs, text
#pragma once

#include <plan/bind.hpp>
#include <plan/reach.hpp>
#include <plan/schedule.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

/// Of a memory that is reached so, its vectors lying so, written into the call's class from `next` on. `known_stride`: of its neighbours, of
/// what is strided, where kernels are to know it. Returns where the class goes on. Throws error for a view of too many steps.
std::uint8_t* write_operand(bindings& call, const reach& of, access how, row_block blocks, int known_stride,
                            std::uint8_t* next);

/// Of each memory that a call starts with: arrays, then outputs. Their values and types are the program's to say.
std::vector<operand> operands_of(const call_class& call);
/// Of each of its arrays, whether index expressions say where its elements are.
std::vector<bool> looked_up(const call_class& call);

[[nodiscard]] bool all_contiguous(const kernel& of);
/// The bytes of the widest element that is read or written; 0 of none.
[[nodiscard]] int widest_of(const std::vector<operand>& operands);

}  // namespace kiln::plan
