// kiln/plan/policy/stored_rows: how a block stores a tile that groups of warps made: its sums, rounded, go to shared memory, from where each
// thread takes neighbouring values of a row, makes of them what the kernel is to store, and stores whole vectors of it. What it reads beside for
// a column is the same in every row that it takes.
// in: sums of tensor cores (nest/tile.hpp), what becomes of them   out: parts of a nest   knows nothing of: what was added up
#pragma once

#include <plan/policy/stored_counts.hpp>

#include <functional>

namespace kiln::plan {

struct rows_result {
    nest::id staged =
        nest::none;  // shared memory of `type`, with room for the tile, which other threads may still read
    element_type type = element_type::float16;
    int rows = 0;         // of the tile
    int columns = 0;      // of the tile
    int width = 1;        // neighbours that a thread takes
    int written_out = 1;  // rows that its loop takes at once
    nest::value row_extent, column_extent;
    nest::value thread;
    int threads = 0;
    std::function<nest::value(nest::value sum)> rounded;
    /// Stores what becomes of the vector `sums`, whose first value has that row and column; columns past the extent are not stored.
    std::function<void(nest::value row, nest::value column, nest::value sums)> store;
};
/// Of warps that have whole rows of the tile.
void store_rows(nest::builder& to, const warp_sums& of, const rows_result& out);

}  // namespace kiln::plan
