// kiln/stage/stand_in: what a plan is made with where there is no array yet: results of earlier stages, and the arguments of
// a function that is called for its expression alone.
// in: a type and a shape   out: a node   knows nothing of: devices
#pragma once

#include <capture/array_node.hpp>

namespace kiln::stage {

/// A contiguous array that has a place of its own, and no memory.
kiln::detail::handle<kiln::detail::array_node> stand_in(element_type type, const shape& extents);

/// It is one, or a view of one.
bool is_stand_in(const kiln::detail::array_node& node) noexcept;

}  // namespace kiln::stage
