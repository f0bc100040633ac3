// kiln/plan/partition: program and class of call to a schedule: which steps share a kernel.
// in: a program, the call's class   out: a schedule   knows nothing of: source text, pointers, sizes
#pragma once

#include <plan/call_class.hpp>
#include <plan/target.hpp>

namespace kiln::plan {

/// Past this many steps a kernel compiles slowly and spills registers.
inline constexpr int max_steps = 1024;

/// Without options.fuse: one kernel per operator (conversions that promotion put in go with the operator that needs them).
/// A program too large for one kernel's parameters is cut; values pass from kernel to kernel through temporaries.
schedule partition(lower::program program, const call_class& call, const target& on);

}  // namespace kiln::plan
