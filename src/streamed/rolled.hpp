// kiln/streamed/rolled: part of a host array that was rolled, as the one or two blocks of memory that it is made of: a chunk copies those, and
// not the whole array.
// in: a node with a map   out: nodes without one   knows nothing of: copies, chunks
#pragma once

#include <capture/array_node.hpp>

#include <optional>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;

struct rolled_part {
    handle<array_node> first;
    handle<array_node> second;  // from the array's beginning on; nullptr: the part does not go past its end
    int axis = 0;

    /// Positions along `axis` of what was rolled along it, where they lie together. Nothing for any other map.
    static std::optional<rolled_part> of(const array_node& part, int axis);
};

}  // namespace kiln::streamed
