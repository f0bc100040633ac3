// kiln/plan/split_axes: merged axes along which operands' index maps divide positions, cut where the quotients go up: elements that are
// repeated, reshaped views of what has strides. A quotient of such axes is a sum of positions, and the map's operand is one of strides.
// in: a call whose axes are merged   out: more axes   knows nothing of: programs, text
#pragma once

#include <plan/call_values.hpp>
#include <plan/reach.hpp>

namespace kiln::plan {

/// Cuts axes where all that every map does is to divide, and each of its quotients then is a sum of positions; else, and where axes would be
/// too many, leaves them as they are.
void split_axes(call_values& call);

/// Of a call whose axes are cut: such an operand's map is gone, and its quotients are in its strides.
void take_quotients(const call_values& call, reach& of);

}  // namespace kiln::plan
