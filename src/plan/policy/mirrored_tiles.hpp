// kiln/plan/policy/mirrored_tiles: which tile of a triangle is a block's, where those below the diagonal are those above it (mirrored.hpp).
// in: a block's place in a rectangle   out: a tile's, as values of a nest   knows nothing of: what is in the tiles
#pragma once

#include <plan/nest/builder.hpp>

namespace kiln::plan {

/// A tile's row and column.
struct tile_of_triangle {
    nest::value row, column;
};
/// Of a rectangle's (mirrored.hpp), of so many columns: `across`, of a triangle of `tiles` on each side.
tile_of_triangle unfolded(nest::builder& to, nest::value row, nest::value column, nest::value across,
                          nest::value tiles);

}  // namespace kiln::plan
