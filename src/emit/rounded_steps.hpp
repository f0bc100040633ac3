// kiln/emit/rounded_steps: steps of float16 on the host, of which one takes what another made.
// in: lines of steps   out: the same steps with fewer conversions   knows nothing of: programs
#pragma once

#include <string>
#include <string_view>

namespace kiln::emit {

/// A float16 is computed in float and rounded, and goes back into a float where a later step takes it. What rounds here rounds in
/// float, too (f16_rounded), and steps that round take that: of NaN, whose bits may be others there, they make the same. Ten steps take
/// a third of the time to compile, and less to run.
std::string round_in_float(std::string_view steps);

}  // namespace kiln::emit
