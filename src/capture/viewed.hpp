// kiln/capture/viewed: views of leaves.
// in: an array's node and what a view does to positions   out: a node that reaches the same memory at other places
// knows nothing of: devices, text
#pragma once

#include <capture/array_node.hpp>

#include <kiln/view_spec.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// The node's shape broadcasts to by.from.
handle<array_node> viewed(const handle<array_node>& of, const view_spec& by);

/// The same view, without the steps of its map that move nothing. `live`: of the lookups that are left, which they were.
handle<array_node> without_dead_steps(const handle<array_node>& of, std::vector<int>& live);

/// Row-major positions: 0, 1, 2, ...
handle<array_node> make_position(const shape& extents);
/// The position along one axis.
handle<array_node> make_position(const shape& extents, int along);
/// The position along an axis of whatever the leaf meets. Lives for ever. `along` from -max_rank to max_rank - 1.
const array_node* free_position(int along);

bool is_row_major(const array_node& node) noexcept;

}  // namespace kiln::inline v0_1::detail
