// kiln/plan/nest/check: whether a device can run a nest, as far as that is seen without running it.
// in: a nest, a device's target   out: what is wrong with it   knows nothing of: elements, text
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/target.hpp>

#include <string>

namespace kiln::plan::nest {

/// Empty where nothing is; else the first of what is found: more threads, shared memory, registers, bytes of parameters or blocks of a cluster
/// than there may be; something that the device does not have; a barrier, an exchange or a tile that some of its threads may not
/// meet; a store to memory that the kernel only reads. What threads meet is told from conditions: one that is the same for all
/// of them and does not look it is found wrong, too.
std::string why_wrong(const tree& of, const target& on);

}  // namespace kiln::plan::nest
