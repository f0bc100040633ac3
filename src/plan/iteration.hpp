// kiln/plan/iteration: what bind does when operands are not all contiguous and of one shape: shapes broadcast, axes that
// all operands walk alike are merged, each operand gets its class.
// in: bindings whose leaves are numbered   out: the rest of them   knows nothing of: programs, text
#pragma once

#include <plan/bind.hpp>

namespace kiln::plan {

/// Sets the iteration's shape, and the outputs' where they differ. Throws shape_error.
void resolve_shapes(bindings& call, const std::function<const output_leaves&()>* leaves_of);

/// Merges axes, sets classes, alignment and index width, and writes what tells one class of call from another into the
/// key from `next` on. Returns where the key goes on. Short rows are classes of their own on the host.
std::uint8_t* classify(bindings& call, std::uint8_t* next, frame device);

/// Room for `bytes` more (and the last word's rest) in the key from `next` on, which may move.
std::uint8_t* make_room(bindings& call, std::uint8_t* next, std::size_t bytes);

/// Which of the collapsed axes go: axes of both kinds never merge.
std::uint8_t collapsed_reduced_axes(const bindings& call);

}  // namespace kiln::plan
