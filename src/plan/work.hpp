// kiln/plan/work: what a kernel's steps are to a device's arithmetic, for one element.
// in: a planned kernel   out: operations by kind   knows nothing of: devices, times
#pragma once

#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <kiln/rates.hpp>

namespace kiln::plan {

kernel_work work_of(const lower::program& program, const kernel& of, frame on);

}  // namespace kiln::plan
