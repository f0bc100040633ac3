// kiln/plan/row_limits: what kernels of a device can do beside reducing: which rows they have room to keep, and whether they
// store elements, too.
// in: a device's properties   out: what stage/ asks before it makes one stage of several   knows nothing of: text
#pragma once

#include <plan/target.hpp>
#include <stage/reduction_walk.hpp>

namespace kiln::plan {

/// `fuse`: as the thread's options say. Without it every reduction is a stage of its own.
kiln::detail::reducing_kernels row_limits(const target& device, bool fuse);

}  // namespace kiln::plan
