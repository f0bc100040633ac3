// kiln/api/copies: an array's values, in other memory.
#pragma once

#include <capture/array_node.hpp>

namespace kiln::inline v0_1::detail {

/// In a buffer of their own.
handle<array_node> copy_of(const handle<array_node>& original);

/// In the memory of `target`, whoever shares it; of the same type and shape.
void copy_into(array_node& target, const handle<array_node>& from);

}  // namespace kiln::inline v0_1::detail
