// kiln/plan/policy/block_tile: where the tile of a block lies, in a kernel of tiles: a grid of them along the innermost axis and the tile's
// other one, for each position on the axes beside.
// in: a kernel of tiles, its block's number   out: its first position on each axis   knows nothing of: what moves through it
#pragma once

#include <plan/nest/operands.hpp>

#include <vector>

namespace kiln::plan {

struct block_tile {
    nest::value inner_first, outer_first;  // on the innermost axis, and on tile_axis
    std::vector<nest::value> beside;       // on the axes that are not the tile's

    /// Of an element: on all axes, where it is there on the tile's two.
    [[nodiscard]] std::vector<nest::value> positions(const kernel& of, nest::value outer, nest::value inner) const;
};

block_tile tile_of_block(nest::builder& to, nest::operands& operands, const kernel& of, nest::value block);

/// The number, in row-major order, of the element with these positions.
nest::value number_at(nest::operands& operands, const kernel& of, const std::vector<nest::value>& positions);

}  // namespace kiln::plan
