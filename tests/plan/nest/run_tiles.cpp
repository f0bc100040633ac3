#include "cluster_run.hpp"

#include <algorithm>
#include <bit>

namespace tests::runs {

std::int64_t cluster_run::part_or_one(const cell& of, std::int64_t number) const {
    return of.parts.empty() ? of.one : part(of, number);
}

void cluster_run::load_tile(const statement& of, const mask& now) {
    const expression& row = tree_.at(of.b);
    const nest::memory& from = tree_.memories[at(row.number)];
    const int bytes = kiln::bytes_of(from.is.of);
    const std::int64_t elements = 16 / bytes;
    // Of words of 64 bits each half by itself.
    const std::int64_t halves = bytes == 8 ? 2 : 1;
    const lanes places = value(row.a, now);
    const expression& registers = tree_.at(of.a);
    const lanes begin = value(registers.a, now);
    each_warp(now, "a tile", [&](std::size_t first) {
        const auto element = [&](int square, std::int64_t y, std::int64_t x, std::size_t reader) {
            const std::size_t pointing = first + at(square * 8 + y);
            expression vector = row;
            vector.is = nest::types::vector(from.is.of, static_cast<int>(elements));
            check_shared_vector(vector, places[pointing].one);
            const std::int64_t one =
                read_shared(shared_at(row, places[pointing].one + x / halves, pointing, now), reader).one;
            return halves == 1 || one == poison ? one : one >> (x % 2 * 32) & 0xffffffff;
        };
        for (std::size_t lane = 0; lane < warp; ++lane)
            for (int square = 0; square < of.extent; ++square) {
                const auto y = static_cast<std::int64_t>(lane / 4);
                const auto x = static_cast<std::int64_t>(lane % 4);
                cell& to = own_[at(registers.number)].at(first + lane).at(at(begin[first + lane].one + square));
                to.parts.clear();
                // Of elements of 16 bits alone: others move as if they were parts of those.
                for (std::int64_t k = 0; k < std::max(1, 4 / bytes); ++k)
                    to.parts.push_back(of.is_turned ? element(square, std::max(1, 4 / bytes) * x + k, y, first + lane)
                                                    : element(square, y, std::max(1, 4 / bytes) * x + k, first + lane));
                if (to.parts.size() == 1) to = {to.parts[0], {}};
            }
    });
}

void cluster_run::multiply_tile(const statement& of, const mask& now) {
    const nest::tile& tile = nest::info(of.shape);
    const lanes from[] = {value(tree_.at(of.a).a, now), value(tree_.at(of.b).a, now), value(tree_.at(of.c).a, now)};
    const auto own = [&](int which, std::size_t thread, int number) -> cell& {
        const id where = which == 0 ? of.a : which == 1 ? of.b : of.c;
        return own_[at(tree_.at(where).number)].at(thread).at(at(from[which][thread].one + number));
    };
    each_warp(now, "a tile", [&](std::size_t first) {
        const auto depth = at(tile.depth);
        std::vector<std::int64_t> a(nest::tile::rows * depth);
        std::vector<std::int64_t> b(depth * nest::tile::columns);
        for (int lane = 0; lane < warp; ++lane) {
            const std::size_t thread = first + at(lane);
            for (int k = 0; k < tile.parts; ++k) {
                for (int r = 0; r < nest::tile::registers_of_a; ++r)
                    a[at(nest::tile_row_of_a(lane, r)) * depth + at(nest::tile_depth_of_a(tile, lane, r) + k)] =
                        part_or_one(own(1, thread, r), k);
                for (int r = 0; r < nest::tile::registers_of_b; ++r)
                    b[at(nest::tile_column_of_b(lane)) * depth + at(nest::tile_depth_of_b(tile, lane, r) + k)] =
                        part_or_one(own(2, thread, r), k);
            }
        }
        for (int lane = 0; lane < warp; ++lane)
            for (int r = 0; r < nest::tile::sums_of_thread; ++r) {
                std::int64_t& sum = own(0, first + at(lane), r).one;
                if (sum == poison) fault("adds to what was never set");
                for (std::size_t k = 0; k < depth; ++k) {
                    const std::int64_t x = a[at(nest::tile_row_of_sum(lane, r)) * depth + k];
                    const std::int64_t y = b[at(nest::tile_column_of_sum(lane, r)) * depth + k];
                    if (x == poison || y == poison) fault("multiplies what was never set");
                    sum += of.shape == nest::tile_shape::b1 ? std::popcount(static_cast<std::uint32_t>(x & y)) : x * y;
                }
            }
    });
}

void cluster_run::multiply_group(const statement& of, const mask& now) {
    constexpr std::size_t threads = warp * nest::warps_of_group;
    constexpr int depth = nest::line_of_group;
    const lanes from[] = {value(tree_.at(of.a).a, now), value(tree_.at(of.b).a, now), value(tree_.at(of.c).a, now)};
    for (std::size_t first = 0; first < threads_; first += threads) {
        if (std::count(now.begin() + static_cast<std::ptrdiff_t>(first),
                       now.begin() + static_cast<std::ptrdiff_t>(first + threads),
                       1) != static_cast<std::ptrdiff_t>(threads))
            fault("a product of a group is of four warps, all of whose threads are here");
        const auto matrix = [&](int which, bool is_turned, int extent) {
            const expression& at_first = tree_.at(which == 1 ? of.b : of.c);
            const std::int64_t begin = from[which][first].one;
            if (begin % (8 * nest::line_of_group)) fault("lines of a group that begin between eight of them");
            std::vector<std::int64_t> out;
            for (int x = 0; x < extent; ++x)
                for (int k = 0; k < depth; ++k) {
                    const int line = is_turned ? x / nest::line_of_group * depth + k : x;
                    const int in_line = is_turned ? x % nest::line_of_group : k;
                    // Eight lines, 16 bytes of which are elsewhere in each.
                    const int place = line * 64 + ((in_line / 8) ^ (line % 8)) * 8 + in_line % 8;
                    out.push_back(read_shared(shared_at(at_first, begin + place, first, now), first).one);
                    if (out.back() == poison) fault("multiplies what was never set");
                }
            return out;
        };
        const std::vector<std::int64_t> a = matrix(1, of.is_turned, nest::rows_of_group);
        const std::vector<std::int64_t> b = matrix(2, of.is_turned_too, of.extent);
        for (std::size_t thread = 0; thread < threads; ++thread)
            for (int v = 0; v < of.extent / 2; ++v) {
                const auto lane = static_cast<int>(thread % warp);
                const int row = static_cast<int>(thread / warp) * 16 + nest::tile_row_of_sum(lane, v % 4);
                const int column = v / 4 * 8 + nest::tile_column_of_sum(lane, v % 4);
                std::int64_t& sum =
                    own_[at(tree_.at(of.a).number)].at(first + thread).at(at(from[0][first + thread].one + v)).one;
                if (sum == poison) fault("adds to what was never set");
                for (int k = 0; k < depth; ++k) sum += a[at(row * depth + k)] * b[at(column * depth + k)];
            }
    }
}

}  // namespace tests::runs
