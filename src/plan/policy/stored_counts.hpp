// kiln/plan/policy/stored_counts: how a warp stores the values that it has of a block's tile, where nothing is made of them that asks where
// they are: in fours, where a row begins at a whole one; else line by line, a neighbour for each lane. And once more in the places of rows and
// columns exchanged, where those are values, too (mirrored.hpp).
// in: sums of tensor cores (nest/tile.hpp), what they become   out: parts of a nest   knows nothing of: what was added up
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/nest/tile.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace kiln::plan {

/// Of a tile's sums a warp's: so many tiles of 16 rows, and of 8 columns.
struct warp_sums {
    nest::id sums = nest::none;
    int row_tiles = 0;
    int column_tiles = 0;
    nest::value first_row, first_column;  // of the block's tile
    nest::value warp_row, warp_column;    // from there
    nest::value lane;

    [[nodiscard]] int of_row() const { return column_tiles * nest::tile::sums_of_thread; }
    /// The first of a thread's four in a tile.
    [[nodiscard]] nest::value of_tile(nest::value i, nest::value j) const {
        return i * of_row() + j * nest::tile::sums_of_thread;
    }
    /// The first of its two in half `i` of the tiles of rows, of which the upper and the lower one take turns.
    [[nodiscard]] nest::value of_half(nest::value i, nest::value j) const {
        return i / 2 * of_row() + j * nest::tile::sums_of_thread + i % 2 * 2;
    }
};

class stored_counts {
public:
    struct output {
        nest::id memory = nest::none;
        element_type type = element_type::int32;
        nest::value rows, columns;                                              // how many there are
        std::function<nest::value(nest::value row, nest::value column)> place;  // of a value
        std::function<nest::value(nest::value sum)> finished;
    };
    stored_counts(nest::builder& to, const warp_sums& of, output out) : to_(to), of_(of), out_(std::move(out)) {}

    void fours();
    void lines();
    void turned_fours();
    void turned_lines();

private:
    using eight = std::array<nest::value, 8>;

    void exchange(std::span<nest::value> values, int lane_bit, std::size_t number_bit);
    void store_four(nest::value four, nest::value row, nest::value column);
    void store_one(nest::value sum, nest::value row, nest::value column);

    nest::builder& to_;
    const warp_sums of_;
    const output out_;
};

}  // namespace kiln::plan
