// kiln/plan/work: what a kernel's steps are to a device's arithmetic, for one element.
// in: a planned kernel   out: operations by kind   knows nothing of: devices, times
#pragma once

#include <plan/call_values.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <kiln/rates.hpp>

namespace kiln::plan {

/// But for what is read again, which is a call's.
kernel_work work_of(const lower::program& program, const kernel& of, frame on);

/// kernel_work::read_again: the share of an element's bytes that views of an array bring which another one has brought.
double read_again(const kernel& of, const call_values& call);

}  // namespace kiln::plan
