// kiln/plan/operands: an operand as plans hold it, from one call of its class.
// in: classified bindings   out: no number but which axes and steps count   knows nothing of: programs, text
#pragma once

#include <plan/bind.hpp>

namespace kiln::plan {

/// What an operand is like: of the memories that a call starts with.
operand describe_operand(const bindings& call, int memory);

/// Elements of an operand's memory that a call reads or writes.
std::int64_t touched_elements(const bindings& call, int memory);

}  // namespace kiln::plan
