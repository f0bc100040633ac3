// Element by element: in the order of the elements' numbers, by rows, or by tiles. Threads of a warp are on neighbouring
// elements, and each takes several, a block's threads apart, so that as many bytes are on their way as vectors would have.
#include <plan/policy/elementwise.hpp>

#include <plan/compile_weight.hpp>
#include <plan/nest/operands.hpp>
#include <plan/policy/block_tile.hpp>
#include <plan/row_window.hpp>

#include <optional>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class elementwise_policy {
public:
    elementwise_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          loads_first_(of.aliased || has_branches(program, of)) {}

    nest::tree run() {
        switch (of_.mapping) {
            case thread_mapping::linear: linear(); break;
            case thread_mapping::rows: rows(); break;
            case thread_mapping::tiles: tiles(); break;
            case thread_mapping::reduction:
            case thread_mapping::contraction: break;
        }
        return to_.finish();
    }

private:
    [[nodiscard]] int threads() const { return of_.threads_per_block; }
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    static std::string name_of(int axis) { return "p" + std::to_string(axis); }

    /// One element, by its number and its positions. `in_tiles`: of each input, its element where that is in a tile.
    void element(value number, const std::vector<value>& positions,
                 const std::vector<std::optional<value>>& in_tiles = {}) {
        const auto is_tiled = [&](std::size_t i) { return i < in_tiles.size() && in_tiles[i].has_value(); };
        std::vector<value> places(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (!of_.inputs[i].gathered && !is_tiled(i)) places[i] = place_of_input(i, {number, positions});
        std::vector<value> results;
        std::vector<value> guarded(of_.outputs.size());
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            const operand& each = of_.outputs[i];
            const std::string name = operands_.output_name(i);
            const value place = each.how == access::contiguous ? number : operands_.address(each, name, positions);
            results.push_back(operands_.output(i, place));
            if (each.guarded_axes) guarded[i] = to_.variable("v_" + name, types::element(each.type));
        }
        operands_.compute([&](std::size_t i) { return is_tiled(i) ? *in_tiles[i] : operands_.element(i, places[i]); },
                          [&](std::size_t i) { return guarded[i].is_there() ? guarded[i] : results[i]; }, positions);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (guarded[i].is_there())
                to_.when(is_stored(of_.outputs[i], positions), [&] { to_.assign(results[i], guarded[i]); });
    }

    struct element_place {
        value number;
        std::vector<value> positions;
    };
    using found_elements = std::vector<std::optional<value>>;

    // The compiler brings loads of one element before the steps of another, unless these have branches (a quotient's, for operands near
    // the limits) or calls: a thread would wait for its elements one by one. x * sigmoid(x) * y of rows of odd lengths took an H100
    // 139 us so, and takes 97. Nor does it bring them before another element's store, where that may be what they read.
    static bool has_branches(const lower::program& program, const kernel& of) {
        constexpr int of_quotient = 14;
        for (int i = of.first_step; i < of.last_step; ++i) {
            const lower::step& each = program.steps[static_cast<std::size_t>(i)];
            if (is_function(each.code) || compile_weight(each) >= of_quotient) return true;
        }
        return false;
    }

    /// `count` elements of a thread, the loads of all of them first where that pays.
    template <class At, class Known>
    void several(int count, At at, Known known) {
        constexpr int most_registers = 48;
        std::vector<nest::id> loaded(of_.inputs.size(), nest::none);
        const auto is_loaded = [&](const operand& each) {
            return !each.is_position && !each.gathered && !each.is_partial && each.row_group <= 0;
        };
        int registers = 0;
        for (const operand& each : of_.inputs)
            if (is_loaded(each)) registers += count * ((bytes_of(each.type) + 3) / 4);
        if (loads_first_ && registers <= most_registers) {
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (is_loaded(of_.inputs[i]))
                    loaded[i] = to_.own("all_" + operands_.input_name(i), types::element(of_.inputs[i].type), count);
            to_.unrolled("k", count, [&](value k) {
                const element_place of = at(k);
                for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                    if (loaded[i] != nest::none)
                        to_.assign(to_.at(loaded[i], k), operands_.element(i, place_of_input(i, of)));
            });
        }
        to_.unrolled("k", count, [&](value k) {
            const element_place of = at(k);
            found_elements found = known(k);
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (loaded[i] != nest::none) found[i] = to_.at(loaded[i], k);
            element(of.number, of.positions, found);
        });
    }

    value place_of_input(std::size_t i, const element_place& of) {
        return of_.inputs[i].how == access::contiguous
                   ? of.number
                   : operands_.address(of_.inputs[i], operands_.input_name(i), of.positions);
    }

    /// Of an output smaller than the iteration.
    value is_stored(const operand& of, const std::vector<value>& positions) {
        value out;
        for (int axis = 0; axis < of_.rank; ++axis) {
            if (!(of.guarded_axes >> axis & 1)) continue;
            const value first = positions[static_cast<std::size_t>(axis)] == 0;
            out = out.is_there() ? out && first : first;
        }
        return out;
    }

    void linear() {
        const int per_block = threads() * of_.elements_per_thread;
        const value count = to_.let("count", types::number, to_.word(0, types::word));
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads());
        operands_.begin_block(thread);
        const value first = to_.let("first", types::number, block * per_block + thread);
        const auto one = [&](value i) { element(i, operands_.positions(i, inner())); };
        if (of_.elements_per_thread == 1) {
            to_.when(first < count, [&] { one(first); });
            return;
        }
        to_.when(
            first - thread + per_block <= count,
            [&] {
                several(
                    of_.elements_per_thread,
                    [&](value k) -> element_place {
                        const value i = to_.let("i", types::number, first + k * threads());
                        return {i, operands_.positions(i, inner())};
                    },
                    [&](value) { return found_elements(of_.inputs.size()); });
            },
            [&] { to_.loop(runner::serial, "i", first, count, threads(), one, 1, types::number); });
    }

    // A block is as wide as it has threads, and several rows high: what the rows around read, too, is then found in the
    // first cache (a stencil's three rows), and what depends on the row alone is the same for the whole block. Where rows share
    // blocks, its threads go on with the rows below.
    void rows() {
        const int grid = of_.grid_word;
        const int height = of_.elements_per_thread;
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads());
        operands_.begin_block(thread);
        const bool shares = of_.rows_share_blocks;
        const value number = shares ? to_.let("number", types::number, block * threads() + thread) : block;
        const value group = to_.let("group", types::number, to_.quotient(number, grid, grid + 1));
        const value place = number - group * to_.word(grid);
        const value along = to_.let(name_of(inner()), types::index, shares ? place : place * threads() + thread);
        const value extent = to_.let("extent", types::index, operands_.extent(inner()));
        const value rows = to_.let("rows", types::number, to_.word(grid + 2, types::word));
        const value first_row = to_.let("first_row", types::number, group * height);
        to_.when(shares ? first_row >= rows : along >= extent, [&] { to_.end(); });
        const auto positions_of = [&](value row) {
            std::vector<value> positions = operands_.positions(row, inner() - 1);
            positions[static_cast<std::size_t>(inner())] = along;
            return positions;
        };
        const auto one = [&](value row) { element(row * extent + along, positions_of(row)); };
        value whole = first_row + height <= rows;
        value end = rows;
        std::vector<value> first;
        if (of_.has_row_groups()) {
            first = positions_of(first_row);
            // Rows of two planes are not as far apart as rows of one.
            if (of_.rank > 2) {
                whole = whole && first[static_cast<std::size_t>(inner() - 1)] + height <= operands_.extent(inner() - 1);
                end = to_.least(rows, first_row + height);
            }
        }
        to_.when(
            whole,
            [&] {
                const std::vector<nest::id> shared = load_row_groups({first_row * extent + along, first});
                several(
                    height,
                    [&](value k) -> element_place {
                        const value row = to_.let("row", types::number, first_row + k);
                        if (first.empty()) return {row * extent + along, positions_of(row)};
                        // Of one plane, as said above.
                        std::vector<value> positions = first;
                        value& of_row = positions[static_cast<std::size_t>(inner() - 1)];
                        of_row = of_row + k;
                        return {row * extent + along, positions};
                    },
                    [&](value k) {
                        found_elements known(of_.inputs.size());
                        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                            if (const operand& each = of_.inputs[i]; each.row_group > 0)
                                known[i] =
                                    to_.at(shared[static_cast<std::size_t>(each.row_group)], k + each.rows_from_first);
                        return known;
                    });
            },
            [&] { to_.loop(runner::serial, "row", first_row, end, 1, one, 1, types::number); });
    }

    /// Of each group, what the thread's rows need, each element once: the mean of 4 x 4 neighbours of 8 rows reads 44 in place of
    /// 128.
    std::vector<nest::id> load_row_groups(const element_place& first) {
        if (!of_.has_row_groups()) return {};
        const std::vector<row_group> groups = row_groups_of(of_);
        std::vector<nest::id> out(groups.size(), nest::none);
        for (std::size_t number = 1; number < groups.size(); ++number) {
            const row_group& group = groups[number];
            const operand& each = of_.inputs[group.first];
            if (each.row_group != static_cast<int>(number)) continue;
            const std::string& name = operands_.input_name(group.first);
            const int count = of_.elements_per_thread + group.span;
            out[number] = to_.own("rows_" + name, types::element(each.type), count);
            // What has no words in the layout lies as the elements are numbered.
            const bool is_numbered = each.how == access::contiguous;
            const value at = is_numbered ? to_.let("at_" + name, types::number, first.number)
                                         : operands_.address(each, name, first.positions);
            const value stride = is_numbered ? operands_.extent(inner()) : operands_.stride(each, inner() - 1);
            to_.unrolled("r", count, [&](value r) {
                to_.assign(to_.at(out[number], r), operands_.element(group.first, at + r * stride));
            });
        }
        return out;
    }

    // Through shared memory: an operand whose neighbours are along the tile's outer axis is read along it, and used along
    // the inner one. A column more than needed keeps both ways free of bank conflicts.
    void tiles() {
        const int side = of_.tile_side;
        std::vector<nest::id> tiles(of_.inputs.size(), nest::none);
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (of_.tiled(of_.inputs[i]))
                tiles[i] = to_.shared("tile_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                                      side * (side + 1));
        const auto in_tile = [&](std::size_t i, value along, value across) {
            return to_.at(tiles[i], along * (side + 1) + across);
        };
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads());
        operands_.begin_block(thread);
        const block_tile tile = tile_of_block(to_, operands_, of_, block);

        // Threads of a warp are neighbours along one axis of the tile, rounds go along the other.
        const auto each_place = [&](bool along_is_fast, auto what) {
            to_.unrolled("k", of_.elements_per_thread, [&](value k) {
                const value fast = to_.let(along_is_fast ? "along" : "across", types::small, thread % side);
                const value slow =
                    to_.let(along_is_fast ? "across" : "along", types::small, thread / side + k * (threads() / side));
                const value along = along_is_fast ? fast : slow;
                const value across = along_is_fast ? slow : fast;
                const value outer = to_.let(name_of(of_.tile_axis), types::index, tile.outer_first + across);
                const value along_inner = to_.let(name_of(inner()), types::index, tile.inner_first + along);
                const std::vector<value> at = tile.positions(of_, outer, along_inner);
                to_.when(outer < operands_.extent(of_.tile_axis) && along_inner < operands_.extent(inner()),
                         [&] { what(along, across, at); });
            });
        };
        each_place(false, [&](value along, value across, const std::vector<value>& at) {
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (tiles[i] != nest::none)
                    to_.assign(in_tile(i, along, across),
                               operands_.element(i, operands_.address(of_.inputs[i], operands_.input_name(i), at)));
        });
        to_.barrier();
        each_place(true, [&](value along, value across, const std::vector<value>& at) {
            std::vector<std::optional<value>> read(of_.inputs.size());
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (tiles[i] != nest::none) read[i] = in_tile(i, along, across);
            element(number_at(operands_, of_, at), at, read);
        });
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const bool loads_first_;
};

}  // namespace

nest::tree elementwise_nest(const lower::program& program, const kernel& of) {
    if (of.vectorised || !of.has_layout()) return vectors_nest(program, of);
    return elementwise_policy(program, of).run();
}

}  // namespace kiln::plan
