// Nests of what no policy needs yet: copies in the background, clusters, tiles. Each in a right way, and in ways that go wrong on a
// GPU at times.
#pragma once

#include <plan/nest/nest.hpp>

#include <string>
#include <vector>

namespace tests {

struct exchange_nest {
    kiln::plan::nest::tree tree;
    std::string fault;  // what a run of it says; empty: it is right
};

/// Of tiles of `exchange_threads` elements, each reversed: y, x, how many tiles a block has. Two tiles are on chip: one is copied while the
/// other is read.
inline constexpr int exchange_threads = 128;
std::vector<exchange_nest> background_copies();

/// y of each warp is the sums of what its lanes' neighbours have, twice: y, x.
std::vector<exchange_nest> wave_sums();

/// y of each block is x of the next block of the cluster: y, x.
inline constexpr int exchange_cluster = 4;
std::vector<exchange_nest> remote_reads();
/// The same, sent, twice: y has the second block's after it.
std::vector<exchange_nest> remote_sends();

/// y, 16 x 8, is the sum of the products of x0's 16 rows and x1's 8 columns, both `tile_products` tiles deep.
inline constexpr int tile_products = 3;
std::vector<exchange_nest> tile_sums(kiln::plan::nest::tile_shape shape, bool by_squares);

}  // namespace tests
