// kiln/plan/chain: whether each step of a body waits for the one before, so that a core has nothing else to do meanwhile.
// in: a planned kernel   out: yes or no   knows nothing of: how the body is written
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

/// Whether one element's steps are a chain so long that elements have to be computed side by side: a polynomial by Horner's rule. Of
/// shorter ones a core reaches the next elements by itself.
bool has_long_chain(const lower::program& program, const kernel& of);

/// Whether one element's steps are more than a core looks ahead, and wait for one another: steps of an iteration. The core is not done with
/// one vector before it sees the next.
bool outlasts_window(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
