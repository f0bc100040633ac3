// Values that share a long row, of which each lane has its own as in lane_values.cpp, and several accumulators each: those of all four
// places of a vector would fill its registers. A lane makes a place of a thread's vectors at a time, and the warp has the elements of all of
// them in a tile in shared memory: no warp waits for memory as often as it takes a vector.
#include <plan/policy/element_tile.hpp>
#include <plan/policy/values_of_lanes.hpp>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

/// Rounds of a thread's vectors that a tile has room for: an element for each lane.
constexpr int rounds_of_tile = warp / 4;
/// Of which a lane takes elements at once.
constexpr int rounds_at_once = 4;

class lane_tiles_policy : values_of_lanes {
public:
    lane_tiles_policy(const lower::program& program, const kernel& of)
        : values_of_lanes(program, of), tile_(to_, of, [this](std::size_t i) { return is_of_row(i); }) {}

    nest::tree run() {
        tile_.declare(warps() * warp);
        begin(threads_of_warp() * width());
        const int of_tile = rounds_of_tile * threads_.round();
        tiles_ = to_.let("tiles", types::small, (threads_.reduced + (of_tile - 1)) / of_tile);
        to_.loop(runner::serial, "thread_of_warp", 0, threads_of_warp(), 1, [&](value number) {
            const value vector = to_.let("vector", types::number, thread_of_value(number) * width());
            to_.loop(runner::serial, "k", 0, width(), 1, [&](value k) {
                take_place(vector, k);
                combine_complete(number * width() + k);
            });
        });
        finish();
        return to_.finish();
    }

private:
    // --- A place of a thread's vectors ---

    /// `vector`: the first element of the thread's first.
    void take_place(value vector, value k) {
        const value first = to_.let("first", types::number, vector + to_.convert(k, types::number));
        const value place = to_.let("place", types::small, warp_ * warp + k);
        if (has_tests()) is_right_ = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
        each_value([&](value v) { to_.assign(mine(v), to_.identity()); });
        to_.loop(runner::serial, "tile_of_row", 0, tiles_, 1, [&](value number) {
            const value from = to_.let("from", types::number,
                                       to_.convert(number, types::number) * (rounds_of_tile * threads_.round()));
            // All places' elements of a round are in the same tile.
            to_.when(k == 0 || tiles_ > 1, [&] { fill(vector + from); });
            take_rounds(
                first + from, rounds_of_tile, rounds_at_once, [&](value r) { tile_.load(place + r * width()); },
                [&](value element) { each_value([&](value v) { take(v, element, is_right_); }); });
        });
        if (has_tests()) to_.when(!is_right_, [&] { take_anew(first, place); });
    }

    /// By fast paths without a branch between them elements were taken, and a result of some value was not right: all of them once more,
    /// one at a time.
    void take_anew(value first, value place) {
        each_value([&](value v) { to_.assign(mine(v), to_.identity()); });
        take_rounds(
            first, 0, 1,
            [&](value r) {
                tile_.begin();
                to_.when(
                    tiles_ == 1, [&] { tile_.take(place + r * width()); },
                    [&] { fetch(first + to_.convert(r, types::number) * threads_.round()); });
            },
            [&](value element) { each_value([&](value v) { take(v, element, {}); }); });
    }

    /// The elements from `first` on, a round apart, `most` at most (0: all): `load` is given a round's number.
    template <class Load, class Take>
    void take_rounds(value first, int most, int written_out, Load load, Take take) {
        const value rounds = (threads_.reduced + (threads_.round() - 1) - first) / threads_.round();
        const value count = to_.let("rounds", types::small, most ? to_.least(rounds, most) : rounds);
        to_.loop(
            runner::serial, "r", 0, count, 1,
            [&](value r) {
                load(r);
                take(first + to_.convert(r, types::number) * threads_.round());
            },
            written_out);
    }

    void take(value v, value number, value is_right) {
        append(mine(v), one(
                            v, number, [this](std::size_t i) { return tile_.element(i); }, is_right));
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

    value tiles_ = {};     // that a thread's elements take
    value is_right_ = {};  // what fast paths of this place gave
    element_tile tile_;    // a part for each warp
};

}  // namespace

nest::tree lane_tiles_nest(const lower::program& program, const kernel& of) {
    return lane_tiles_policy(program, of).run();
}

}  // namespace kiln::plan
