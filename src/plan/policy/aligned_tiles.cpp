// Element by element by tiles whose rows of the output begin at whole sectors: a row that begins within one leaves what comes before it to
// the block beside, and has as much of the next tile. So a block's tile has some rows more than it stores of each column, where any row of the
// output needs them. What is narrow moves in words: of an input those that lie in the tile's rows, its ends one by one.
#include <plan/policy/elementwise.hpp>

#include <plan/aligned_tiles.hpp>
#include <plan/policy/block_tile.hpp>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class aligned_tiles_policy {
public:
    aligned_tiles_policy(const lower::program& program, const kernel& of)
        : of_(of),
          output_(of.outputs.front()),
          width_(elements_of_word(output_.type)),
          start_(elements_of_start(output_.type)),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of) {}

    nest::tree run() {
        tiles_.assign(of_.inputs.size(), nest::none);
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (of_.tiled(of_.inputs[i]) && !of_.inputs[i].is_position)
                tiles_[i] = to_.shared("tile_" + operands_.input_name(i), types::element(of_.inputs[i].type),
                                       aligned_tile_of(of_, of_.inputs[i]).elements());
        // Of a sector that two blocks store to, the second cache keeps the one's part until the other's comes.
        constexpr int sector = 32;
        to_.made().memories[static_cast<std::size_t>(operands_.memory_of_output(0))].past_caches =
            start_ * bytes_of(output_.type) >= sector;
        block_ = to_.loop_of(runner::grid, "block");
        thread_ = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        operands_.begin_block(thread_);
        find_tile();
        // Found before the tile is on its way: floats of 8192 x 8192 take an H200 139 us otherwise, and 132 so.
        const words_of_output words = find_words();
        for (std::size_t i = 0; i < tiles_.size(); ++i)
            if (tiles_[i] != nest::none) copy(i);
        to_.barrier();
        store_words(words);
        store_first();
        return to_.finish();
    }

private:
    [[nodiscard]] int side() const { return of_.tile_side; }
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] value inner_extent() { return operands_.extent(inner()); }
    [[nodiscard]] value outer_extent() { return operands_.extent(of_.tile_axis); }

    void find_tile() {
        tile_ = tile_of_block(to_, operands_, of_, block_);
        all_begin_there_ =
            to_.let("all_begin_there", (inner_extent() & (start_ - 1)) == 0 &&
                                           to_.skew(operands_.memory_of_output(0), number_of(tile_.outer_first),
                                                    start_ * bytes_of(output_.type)) == 0);
        rows_ = to_.let(
            "rows", types::index,
            to_.least(inner_extent() - tile_.inner_first, to_.select(all_begin_there_, side(), side() + start_ - 1)));
    }

    /// Of the output's row at that position, the tile's first element.
    value number_of(value outer) { return number_at(operands_, of_, tile_.positions(of_, outer, tile_.inner_first)); }

    value in_tile(std::size_t input, value row, value across) {
        const aligned_tile tile = aligned_tile_of(of_, of_.inputs[input]);
        return to_.at(tiles_[input], row * tile.pitch + (across + tile.first));
    }

    /// Of an input, where the tile's row begins, and how many elements behind a word's begin that is.
    value begin_of_row(std::size_t input, value row) {
        return operands_.address(of_.inputs[input], operands_.input_name(input),
                                 tile_.positions(of_, tile_.outer_first, tile_.inner_first + row));
    }
    value skew_of(std::size_t input, value begin) {
        const element_type type = of_.inputs[input].type;
        const int width = elements_of_word(type);
        if (width == 1) return to_.constant(0, types::index);
        return to_.let("skew", types::index, to_.skew(operands_.memory_of_input(input), begin, width * bytes_of(type)));
    }

    /// Row by row, a lane for each word. Where words begin in a row depends on the row, as long as rows are no whole words; but a lane's rows are
    /// a multiple of a word's elements apart, so that they are whole words apart.
    void copy(std::size_t input) {
        const operand& each = of_.inputs[input];
        const int width = elements_of_word(each.type);
        const nest::id memory = operands_.memory_of_input(input);
        const nest::type word = width > 1 ? types::vector(each.type, width) : types::element(each.type);
        const int words = side() / width;
        const int at_once = of_.threads_per_block / words;
        const int turns = static_cast<int>(ceil_div(aligned_tile_of(of_, each).rows, at_once));
        const value first_row = to_.let("first_row", types::small, thread_ / words);
        const value from = begin_of_row(input, first_row);
        const value across = to_.let("across", types::index, thread_ % words * width - skew_of(input, from));
        const value is_whole = tile_.outer_first + across >= 0 && tile_.outer_first + across + width <= outer_extent();
        const value count = to_.let("count", types::index, to_.select(is_whole, rows_ - first_row, 0));
        const value stride = to_.let("stride", types::index, operands_.stride(each, inner()) * at_once);
        const value begin = to_.let("begin", types::index, from + across);
        const nest::id loaded = to_.own("words_" + operands_.input_name(input), word, turns);
        const row_ends ends = width > 1 ? load_ends(input) : row_ends{};
        const auto each_turn = [&](auto inside) {
            to_.unrolled("k", turns, [&](value k) { to_.when(k * at_once < count, [&] { inside(k); }); });
        };
        each_turn([&](value k) { to_.assign(to_.at(loaded, k), to_.at(memory, begin + k * stride, word)); });
        each_turn([&](value k) {
            const value row = first_row + k * at_once;
            if (width == 1) return to_.assign(in_tile(input, row, across), to_.at(loaded, k));
            const value moved = to_.let("moved", to_.at(loaded, k));
            to_.unrolled("e", width, [&](value e) { to_.assign(in_tile(input, row, across + e), to_.lane(moved, e)); });
        });
        if (width > 1) store_ends(ends, input);
    }

    /// Of a row that a thread has alone, elements outside of the words that lie in it: before them, and behind those that lanes have.
    struct row_ends {
        value before, first_behind, behind;  // how many, and where those behind begin
        nest::id loaded_before = nest::none;
        nest::id loaded_behind = nest::none;
    };
    row_ends load_ends(std::size_t input) {
        const element_type type = of_.inputs[input].type;
        const int width = elements_of_word(type);
        row_ends out;
        out.before = to_.variable("before", types::index, 0);
        out.first_behind = to_.variable("first_behind", types::index, 0);
        out.behind = to_.variable("behind", types::index, 0);
        out.loaded_before = to_.own("loaded_before", types::element(type), width - 1);
        out.loaded_behind = to_.own("loaded_behind", types::element(type), width - 1);
        to_.when(thread_ < rows_, [&] {
            const value from = begin_of_row(input, thread_);
            const value skew = skew_of(input, from);
            const value rest = to_.let("rest", types::index, outer_extent() - tile_.outer_first);
            const value to_word = to_.select(tile_.outer_first == 0, (to_.constant(width) - skew) & (width - 1), 0);
            to_.assign(out.before, to_.least(rest, to_word));
            const value in_words = to_.let("in_words", types::index, (rest + skew) & -width);
            const value end = to_.let("end", types::index, to_.least(in_words, side()) - skew);
            to_.assign(out.first_behind, to_.select(end < 0, 0, end));
            to_.assign(out.behind, to_.least(rest, side()) - out.first_behind);
            each_end(out, width, [&](nest::id loaded, value e, value across) {
                to_.assign(to_.at(loaded, e), operands_.element(input, from + across));
            });
        });
        return out;
    }
    void store_ends(const row_ends& of, std::size_t input) {
        to_.when(thread_ < rows_, [&] {
            each_end(of, elements_of_word(of_.inputs[input].type), [&](nest::id loaded, value e, value across) {
                to_.assign(in_tile(input, thread_, across), to_.at(loaded, e));
            });
        });
    }
    template <class Each>
    void each_end(const row_ends& of, int width, Each each) {
        to_.unrolled("e", width - 1, [&](value e) {
            to_.when(e < of.before, [&] { each(of.loaded_before, e, e); });
            to_.when(e < of.behind, [&] { each(of.loaded_behind, e, of.first_behind + e); });
        });
    }

    /// Of the output, a thread's words: one of each so manieth row, from where that begins on.
    struct words_of_output {
        int at_once = 0;                         // rows
        value first_across, first_number, word;  // the first row's, and where in it
        value skew, turn, count;                 // turn: from one of the rows to the next
    };
    words_of_output find_words() {
        const int words = side() / width_;
        words_of_output out;
        out.at_once = of_.threads_per_block / words;
        out.first_across = to_.let("first_across", types::small, thread_ / words);
        out.first_number = to_.let("first_number", types::number, number_of(tile_.outer_first + out.first_across));
        out.word = to_.let("word", types::small, thread_ % words * width_);
        out.skew = skew_of_output(out.first_number);
        value row_stride = inner_extent();
        for (int axis = inner() - 1; axis > of_.tile_axis; --axis) row_stride = row_stride * operands_.extent(axis);
        out.turn = to_.let("turn", types::index, row_stride * out.at_once);
        out.count = to_.let("count", types::index, outer_extent() - tile_.outer_first - out.first_across);
        return out;
    }

    /// A row's last elements one by one.
    void store_words(const words_of_output& of) {
        const nest::id memory = operands_.memory_of_output(0);
        to_.unrolled("k", side() / of.at_once, [&](value k) {
            to_.when(k * of.at_once < of.count, [&] {
                const value across = to_.let("across", types::small, of.first_across + k * of.at_once);
                const value number = to_.let("number", types::number, of.first_number + k * of.turn);
                const value row = to_.let("row", types::index, of.word + to_start(of.skew + k * of.turn));
                const value is_whole = tile_.inner_first + row + width_ <= inner_extent();
                if (width_ == 1) return to_.when(is_whole, [&] { store_one(across, number, row); });
                to_.when(
                    is_whole,
                    [&] {
                        const value made = to_.variable("v_y", types::vector(output_.type, width_));
                        to_.unrolled("e", width_,
                                     [&](value e) { compute(across, number, row + e, to_.lane(made, e)); });
                        to_.assign(to_.at(memory, number + row, made.is()), made);
                    },
                    [&] {
                        to_.loop(
                            runner::serial, "i", row, inner_extent() - tile_.inner_first, 1,
                            [&](value i) { store_one(across, number, i); }, 1, types::index);
                    });
            });
        });
    }

    /// What the output's rows have before the first tile's begin.
    void store_first() {
        to_.when(tile_.inner_first == 0 && !all_begin_there_, [&] {
            to_.loop(runner::serial, "item", thread_, side() * start_, of_.threads_per_block, [&](value item) {
                const value across = to_.let("across", types::small, item / start_);
                const value row = to_.let("row", types::index, item % start_);
                to_.when(tile_.outer_first + across < outer_extent() && row < inner_extent(), [&] {
                    const value number = to_.let("number", types::number, number_of(tile_.outer_first + across));
                    to_.when(row < to_start(skew_of_output(number)), [&] { store_one(across, number, row); });
                });
            });
        });
    }

    value skew_of_output(value number) {
        return to_.let("skew_y", types::index,
                       to_.skew(operands_.memory_of_output(0), number, start_ * bytes_of(output_.type)));
    }
    value to_start(value skew) { return (to_.constant(0) - skew) & (start_ - 1); }

    void store_one(value across, value number, value row) {
        compute(across, number, row, operands_.output(0, number + row));
    }
    void compute(value across, value number, value row, value to) {
        const std::vector<value> at = tile_.positions(of_, tile_.outer_first + across, tile_.inner_first + row);
        std::vector<value> elements(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            if (tiles_[i] != nest::none) elements[i] = in_tile(i, row, across);
            else if (each.how == access::contiguous) elements[i] = operands_.element(i, number + row);
            else elements[i] = operands_.element(i, operands_.address(each, operands_.input_name(i), at));
        }
        operands_.compute([&](std::size_t i) { return elements[i]; }, [&](std::size_t) { return to; }, at);
    }

    const kernel& of_;
    const operand& output_;
    const int width_;  // elements of the output that are stored at once
    const int start_;  // that rows of the output in tiles begin at a multiple of
    builder to_;
    nest::operands operands_;
    std::vector<nest::id> tiles_;  // of each input, if it goes through one
    value block_, thread_;
    block_tile tile_;
    value all_begin_there_;  // the output's rows, at a multiple of start_
    value rows_;             // that the tile has
};

}  // namespace

nest::tree aligned_tiles_nest(const lower::program& program, const kernel& of) {
    return aligned_tiles_policy(program, of).run();
}

}  // namespace kiln::plan
