// Values that share a long row, of which each lane has its own as in lane_values.cpp, and several accumulators each. A lane makes some
// places of a thread's vectors at a time, and the warp has the elements of all of them in a tile in shared memory: no warp waits for
// memory as often as it takes a vector.
#include <plan/policy/element_tile.hpp>
#include <plan/policy/values_of_lanes.hpp>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

/// Rounds of a thread's vectors that a tile has room for: an element for each lane.
constexpr int rounds_of_tile = warp / 4;
class lane_tiles_policy : values_of_lanes {
public:
    lane_tiles_policy(const lower::program& program, const kernel& of)
        : values_of_lanes(program, of), tile_(to_, of, [this](std::size_t i) { return is_of_row(i); }) {}

    nest::tree run() {
        tile_.declare(warps() * warp);
        begin();
        const int of_tile = rounds_of_tile * threads_.round();
        tiles_ = to_.let("tiles", types::small, (threads_.reduced + (of_tile - 1)) / of_tile);
        take_leaves([&](value thread, value is_right) { take_tiles(thread * width(), is_right); });
        finish();
        return to_.finish();
    }

private:
    // --- A thread's vectors ---

    /// `vector`: the first element of the thread's first.
    void take_tiles(value vector, value is_right) {
        to_.loop(runner::serial, "tile_of_row", 0, tiles_, 1, [&](value number) {
            const value from =
                to_.let("from", types::number,
                        vector + to_.convert(number, types::number) * (rounds_of_tile * threads_.round()));
            fill(from);
            // What is in the tile of each round, by its place there: a loop over rounds would make the place of each.
            const value begin = to_.let("begin", types::small, warp_ * warp);
            const value rounds =
                to_.least((whole() + (threads_.round() - 1) - from) / threads_.round(), rounds_of_tile);
            const value end = to_.let("end", types::small, begin + rounds * width());
            to_.loop(runner::serial, "position", begin, end, width(), [&](value position) {
                const value round = to_.convert((position - begin) / width(), types::number);
                take_vector(from + round * threads_.round(), is_right, [&](value k) {
                    tile_.load(position + k);
                    return [&](std::size_t i) { return tile_.element(i); };
                });
            });
        });
    }

    // --- The warp's tile ---

    /// Each lane has an element of it; where the row has none, its last.
    void fill(value vector) {
        to_.wave_barrier();  // all have read what was there
        tile_.begin();
        fetch(vector + to_.convert(lane_ % width() + lane_ / width() * threads_.round(), types::number));
        tile_.store(threads_.thread);
        to_.wave_barrier();
    }

    void fetch(value number) {
        const value there = to_.let("there", types::number, to_.least(number, threads_.reduced - 1));
        tile_.fetch([&](std::size_t i) { return element(i, there); });
    }

    value tiles_ = {};   // that a thread's elements take
    element_tile tile_;  // a part for each warp
};

}  // namespace

nest::tree lane_tiles_nest(const lower::program& program, const kernel& of) {
    return lane_tiles_policy(program, of).run();
}

}  // namespace kiln::plan
