#include <plan/policy/mirrored_tiles.hpp>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

// Of 5 tiles on each side (letters: rows of the triangle), and of 4:
//     a a a a a      d a a a a
//     e b b b b      c c b b b
//     d d c c c
tile_of_triangle unfolded(nest::builder& to, value row, value column, value across, value tiles) {
    const value moved = to.let("moved", types::number, across - tiles);
    const value is_row_itself = to.let("is_row_itself", types::boolean, row + moved <= column);
    const value tile_row = to.let("tile_row", types::number, to.select(is_row_itself, row, tiles - moved - row));
    const value first = to.select(is_row_itself, column - moved, tile_row + column);
    return {tile_row, to.let("tile_column", types::number, first)};
}

}  // namespace kiln::plan
