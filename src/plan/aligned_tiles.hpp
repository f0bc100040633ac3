// kiln/plan/aligned_tiles: tiles whose rows of the output begin at whole sectors of memory, wherever the rows do: of a sector that two blocks
// share, each writes a part, and memory reads it to write it. Floats of (8191, 8189), turned, take an H200 182 us so and 141 by whole
// sectors. Elements of a byte or two move in words: float16 of (32, 181, 179, 64) to (32, 64, 181, 179) takes 91 us one by one, and 72.
// in: a kernel of tiles   out: whether it is one, what a tile has   knows nothing of: nests
#pragma once

#include <plan/schedule.hpp>

#include <algorithm>

namespace kiln::plan {

/// Elements that move at once between memory and a tile.
constexpr int elements_of_word(element_type of) { return std::max(1, 4 / bytes_of(of)); }

/// Elements that a tile's rows of the output begin at a multiple of. What lies before it comes with the tile's neighbour, which reads as
/// much more: of bytes this would be half a tile, and their rows begin at words (8191 x 8189 of them: 80 us by sectors, 61 by words).
constexpr int elements_of_start(element_type of) { return bytes_of(of) == 1 ? 4 : 32 / bytes_of(of); }

/// An input's, in shared memory: for each position along the innermost axis a row of those along the other.
struct aligned_tile {
    int rows = 0;   // beside the side's, what a row of the output has that begins at the last of them
    int pitch = 0;  // of rows, odd in elements: those of a column that a warp reads are in different banks
    int first = 0;  // of a row, before which it has what a word has before it

    [[nodiscard]] int elements() const { return rows * pitch; }
};
aligned_tile aligned_tile_of(const kernel& of, const operand& input);

/// Whether a GPU's kernel of tiles has these.
bool has_aligned_tiles(const kernel& of);

/// In shared memory, of all inputs that go through tiles.
int bytes_of_aligned_tiles(const kernel& of);

}  // namespace kiln::plan
