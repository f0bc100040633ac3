// Values that are made of elements along one of the last two axes: products of matrices. Ranges are of tiles, a few rows of values and a few
// neighbours in each. A tile's accumulators stay in registers while elements go by; what neighbours are made of is computed before,
// side by side in panels that serve all rows. Each value has the order of plan/host_order.hpp: along the last axis pieces, each in lanes; along
// the one before parts of rows, and those in pairs.
#include <plan/policy/host_elementwise.hpp>

#include <lower/value_list.hpp>
#include <plan/host_order.hpp>
#include <plan/policy/host_column_parts.hpp>
#include <plan/policy/part_of_body.hpp>
#include <plan/side_by_side.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kiln::plan {

namespace {

using lower::value_id;
using nest::builder;
using nest::runner;
using nest::value;
using nest::value_or_number;
namespace types = nest::types;

constexpr int tile_columns = columns_of_tile;
// Tiles, one below the other, that take a panel in turn, and then the next of the same rows: what those are made of stays in the second cache.
// A product of 1024 x 1024 floats takes 14 ms so, and 18 by all rows of a panel.
constexpr int tiles_of_group = 32;

/// What elements are made of: values that rows of values have for themselves, and those that neighbours have.
struct parts_of_element {
    parts_of_element(const lower::program& program, const kernel& of) {
        const int beside = of.has_columns() ? of.rank - 1 : of.rank - 2;
        std::vector<bool> has_row(static_cast<std::size_t>(program.step_value(of.last_step)));
        std::vector<bool> has_column = has_row;
        const auto at = [](value_id each) { return static_cast<std::size_t>(each); };
        for (const operand& each : of.inputs)
            (each.axes_read() >> beside & 1 ? has_column : has_row)[at(each.value)] = true;
        for (int i = of.first_step; i < of.last_step; ++i) {
            const lower::step& step = program.steps[static_cast<std::size_t>(i)];
            const std::size_t made = at(program.step_value(i));
            for (int a = 0; a < step.arity; ++a) {
                has_row[made] = has_row[made] || has_row[at(step.args[a])];
                has_column[made] = has_column[made] || has_column[at(step.args[a])];
            }
            // A loop that loads bool is not vectorised (g++ 12): conditions are made again.
            has_row[made] = has_row[made] || (has_column[made] && step.result == element_type::boolean);
        }
        const auto add = [&](value_id each) {
            if (program.is_constant(each) || (has_row[at(each)] && has_column[at(each)])) return;
            lower::add_once(has_column[at(each)] ? of_columns : of_row, each);
        };
        for (int i = of.first_step; i < of.last_step; ++i) {
            const lower::step& step = program.steps[static_cast<std::size_t>(i)];
            const std::size_t made = at(program.step_value(i));
            for (int a = 0; a < step.arity && has_row[made] && has_column[made]; ++a) add(step.args[a]);
        }
        for (const operand& each : of.outputs) add(each.value);
    }

    std::vector<value_id> of_row, of_columns;
};

class tiles_policy {
public:
    tiles_policy(const lower::program& program, const kernel& of)
        : program_(program),
          of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          range_(to_.call_range()),
          made_(program, of),
          row_(part_of_body(program, of, "of_row", made_.of_row)),
          columns_(part_of_body(program, of, "of_columns", made_.of_columns)),
          element_(part_of_body(program, of, "element", results(), given())),
          positions_(static_cast<std::size_t>(of.rank)) {
        rows_ = rows_of_tile(of);
        for (std::size_t o = 0; o < of.outputs.size(); ++o) {
            sets_.push_back(to_.set({.members = {{o, of.reduced[o]}}, .side_by_side = true}));
            parts_.push_back(to_.own("parts_" + operands_.output_name(o), accumulators(o),
                                     most_parts_at_once * values_of_tile(), nest::line_bytes));
            if (of.has_columns()) continue;
            rows_so_far_.push_back(
                to_.own("all_" + operands_.output_name(o), accumulators(o), values_of_tile(), nest::line_bytes));
        }
        for (std::size_t i = 0; i < of.inputs.size(); ++i)
            if (const value_id each = of.inputs[i].value;
                reads(columns_, made_.of_columns, each) && lies_along(of.inputs[i]))
                turned_[i] = to_.scratch("turned_" + operands_.input_name(i), types::element(of.inputs[i].type));
        for (const value_id each : made_.of_columns) {
            const auto turned = std::find_if(turned_.begin(), turned_.end(),
                                             [&](const auto& one) { return of.inputs[one.first].value == each; });
            panels_.push_back(turned != turned_.end() ? turned->second
                                                      : to_.scratch("panel_" + std::to_string(panels_.size()),
                                                                    types::element(program.type_of(each))));
        }
        for (const value_id each : row_.of.outputs)
            made_of_rows_[each] = to_.scratch("made_of_rows", types::element(program.type_of(each)));
        for (part* const each : {&row_, &columns_, &element_})
            if (!each->of.outputs.empty()) each->number = to_.body(each->of);
    }

    nest::tree run() {
        columns_of_row_ = name("columns", operands_.extent(beside()));
        reduced_ = name("reduced", operands_.extent(along()));
        rows_of_panel_ = name("rows", operands_.extent(across()));
        if (of_.has_columns()) rows_of_part_ = name("part", rows_of_column_part(to_, columns_of_row_));
        to_.allocate(name("room", reduced_ * tile_columns));
        const value tiles = name("tiles", (rows_of_panel_ + (rows_ - 1)) / rows_);  // of all rows of a panel
        const value panels = name("panels", (columns_of_row_ + (tile_columns - 1)) / tile_columns);
        to_.loop_while_below("number", range_.begin, range_.end, [&](value number) {
            const value outer = name("outer", number / (tiles * panels));
            if (across() > 0) operands_.first_positions(outer, 0, across() - 1, positions_);
            const value in_outer = name("in_outer", number - outer * tiles * panels);
            const value group = name("group", in_outer / (panels * tiles_of_group) * tiles_of_group);
            const value of_group = name("of_group", to_.least(tiles - group, tiles_of_group));
            const value in_group = name("in_group", in_outer - group * panels);
            const value panel = name("panel", in_group / of_group);
            const value block = name("block", panel * tile_columns);
            const value count = name("count", to_.least(columns_of_row_ - block, tile_columns));
            make_panels(block, count);
            const value first = name("first", in_group - panel * of_group);
            const value left = name("left", range_.end - number);
            const value end = name("end", to_.least(of_group, first + left));
            loop("tile", first, end, 1, [&](value tile) {
                const value row = name("row", (group + tile) * rows_);
                take_tile(row);
                store_tile(row, outer * rows_of_panel_, block, count);
            });
            to_.assign(number, number + (end - first));
        });
        return to_.finish();
    }

private:
    using known_values = std::map<value_id, value>;
    struct part {
        part(nest::body is) : of(std::move(is)) {}  // NOLINT(google-explicit-constructor)
        nest::body of;
        int number = 0;
    };

    // Of what elements along the last axis came to, lanes; along the one before, parts that are not one yet, of a power of two each.
    static constexpr int most_parts_at_once = host_order::lanes;
    static_assert(most_tiled / host_order::least_rows_of_part < 1 << (most_parts_at_once - 1));

    [[nodiscard]] int beside() const { return of_.has_columns() ? of_.rank - 1 : of_.rank - 2; }  // neighbouring values
    [[nodiscard]] int along() const { return of_.has_columns() ? of_.rank - 2 : of_.rank - 1; }   // a value's elements
    [[nodiscard]] int across() const { return of_.rank - 3; }                                     // rows of values
    [[nodiscard]] int values_of_tile() const { return rows_ * tile_columns; }
    [[nodiscard]] nest::type accumulators(std::size_t output) const { return types::accumulators(sets_[output]); }
    [[nodiscard]] std::vector<value_id> results() const {
        std::vector<value_id> out;
        for (const operand& each : of_.outputs) out.push_back(each.value);
        return out;
    }
    [[nodiscard]] std::vector<value_id> given() const {
        std::vector<value_id> out = made_.of_row;
        out.insert(out.end(), made_.of_columns.begin(), made_.of_columns.end());
        return out;
    }
    value name(const char* as, value of) { return to_.let(as, types::index, of); }
    template <class Inside>
    void loop(const char* called, value_or_number from, value_or_number to, value_or_number step, Inside inside,
              runner by = runner::serial) {
        to_.loop(by, called, from, to, step, inside, /*written_out=*/0, types::index);
    }
    template <class Inside>
    void each_column(Inside inside) {
        loop("j", 0, tile_columns, 1, inside, runner::simd);
    }
    template <class Inside>
    void each_row_and_output(Inside inside) {
        for (int r = 0; r < rows_; ++r)
            for (std::size_t o = 0; o < of_.outputs.size(); ++o) inside(r, o);
    }

    // --- What elements are made of ---

    /// Whether a part starts with an input, or values that it makes are one.
    static bool reads(const part& of, const std::vector<value_id>& made, value_id input) {
        return lower::holds(of.of.inputs, input) || lower::holds(made, input);
    }
    /// Whether memory has a value's elements, not neighbours, beside each other.
    [[nodiscard]] bool lies_along(const operand& of) const {
        return of.address.unit_axes >> along() & 1 && !(of.address.unit_axes >> beside() & 1);
    }

    /// Where inputs of a part have their first element, by their numbers among all.
    using places = std::map<std::size_t, value>;
    places places_of(const part& of, const std::vector<value_id>& made, const std::vector<value>& positions,
                     const std::string& suffix) {
        places out;
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            if (reads(of, made, each.value))
                out[i] = name(("at_" + operands_.input_name(i) + suffix).c_str(),
                              operands_.linear(each.address, positions, {}));
        }
        return out;
    }
    /// These inputs so many steps further along an axis, and all numbers.
    known_values known_at(const places& first, value step, int axis) {
        known_values out;
        for (std::size_t i = 0; i < of_.scalars.size(); ++i) out[of_.scalars[i]] = operands_.scalar(i);
        for (const auto& [input, at] : first) {
            const operand& each = of_.inputs[input];
            out[each.value] = operands_.element(input, at + step * operands_.stride(each, axis));
        }
        return out;
    }
    /// And what a part makes of them.
    void make(const part& of, known_values& known) {
        if (of.of.outputs.empty()) return;
        std::vector<value> read, made;
        for (const value_id each : of.of.inputs) read.push_back(known.at(each));
        for (const value_id each : of.of.outputs)
            made.push_back(to_.variable("t", types::element(program_.type_of(each))));
        to_.compute(read, made, of.number);
        for (std::size_t i = 0; i < made.size(); ++i) known[of.of.outputs[i]] = made[i];
    }

    /// Of `count` neighbours from `block` on, element after element. Those that are not there have what the first has.
    void make_panels(value block, value count) {
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(across())] = to_.constant(0);
        positions[static_cast<std::size_t>(beside())] = block;
        positions[static_cast<std::size_t>(along())] = to_.constant(0);
        for (const auto& [input, turned] : turned_) {
            const operand& of = of_.inputs[input];
            to_.move(nest::movement::turn,
                     {to_.place(turned, 0),
                      to_.place(operands_.memory_of_input(input), operands_.linear(of.address, positions, {})),
                      operands_.stride(of, beside()), count, reduced_},
                     tile_columns);
        }
        loop("k", 0, reduced_, 1, [&](value k) {
            positions[static_cast<std::size_t>(along())] = k;
            places first = places_of(columns_, made_.of_columns, positions, "");
            const value to = name("to", k * tile_columns);
            loop(
                "j", 0, count, 1,
                [&](value j) {
                    known_values known = known_at(first, j, beside());
                    for (const auto& [input, turned] : turned_) known[of_.inputs[input].value] = to_.at(turned, to + j);
                    make(columns_, known);
                    for (std::size_t i = 0; i < panels_.size(); ++i)
                        if (!is_turned(panels_[i]))
                            to_.assign(to_.at(panels_[i], to + j), known.at(made_.of_columns[i]));
                },
                runner::simd);
            loop("j", count, tile_columns, 1, [&](value j) {
                for (const nest::id each : panels_) to_.assign(to_.at(each, to + j), to_.at(each, to));
            });
        });
    }
    [[nodiscard]] bool is_turned(nest::id panel) const {
        return std::any_of(turned_.begin(), turned_.end(), [&](const auto& each) { return each.second == panel; });
    }

    /// Of each row of the tile. Those that are not there have what the last has that is.
    std::vector<places> first_of_rows(value row) {
        std::vector<places> out;
        for (int r = 0; r < rows_; ++r) {
            std::vector<value> positions = positions_;
            positions[static_cast<std::size_t>(across())] =
                r == 0 ? row : name("tile_row", to_.least(row + r, rows_of_panel_ - 1));
            positions[static_cast<std::size_t>(along())] = to_.constant(0);
            positions[static_cast<std::size_t>(beside())] = to_.constant(0);
            out.push_back(places_of(row_, made_.of_row, positions, "_" + std::to_string(r)));
        }
        return out;
    }
    /// What is computed of rows: as vectors, where a choice is no branch.
    void make_rows(const std::vector<places>& first) {
        if (row_.of.outputs.empty()) return;
        for (int r = 0; r < rows_; ++r)
            loop(
                "k", 0, reduced_, 1,
                [&](value k) {
                    known_values known = known_at(first[static_cast<std::size_t>(r)], k, along());
                    make(row_, known);
                    for (const value_id each : row_.of.outputs) to_.assign(made_of_row(each, r, k), known.at(each));
                },
                runner::simd);
    }
    value made_of_row(value_id of, int r, value k) { return to_.at(made_of_rows_.at(of), k + reduced_ * r); }
    /// What the `k`th elements take of a row.
    known_values values_of_row(const places& first, int r, value k) {
        known_values out = known_at(first, k, along());
        for (const value_id each : made_.of_row) {
            const value is = made_of_rows_.count(each) ? made_of_row(each, r, k) : out.at(each);
            out[each] = to_.let("of_row", is.is(), is);
        }
        return out;
    }

    /// Of a row and of the neighbour in that place of the panels, as accumulators of one element.
    std::vector<value> elements(known_values known, value place) {
        for (std::size_t i = 0; i < panels_.size(); ++i) known[made_.of_columns[i]] = to_.at(panels_[i], place);
        make(element_, known);
        std::vector<value> out;
        for (std::size_t o = 0; o < of_.outputs.size(); ++o) {
            out.push_back(to_.variable("one_" + operands_.output_name(o), accumulators(o), to_.identity(sets_[o])));
            to_.assign(to_.member(out.back(), o), known.at(of_.outputs[o].value));
        }
        return out;
    }

    // --- Tiles ---

    /// All elements of a tile's values, whose first row in its panels is that one: what they come to is at the first places in the end.
    void take_tile(value row) {
        const std::vector<places> first = first_of_rows(row);
        make_rows(first);
        if (of_.has_columns()) take_parts(first);
        else take_pieces(first);
    }

    void take_parts(const std::vector<places>& first) {
        const value at_once = to_.variable("at_once", types::index, to_.constant(0, types::index));
        const value parts = name("parts", (reduced_ + rows_of_part_ - 1) / rows_of_part_);
        loop("number", 0, parts, 1, [&](value number) {
            const value begin = name("part_begin", number * rows_of_part_);
            const value end = name("part_end", to_.least(begin + rows_of_part_, reduced_));
            add_up(first, {begin, end, 1}, at_once);
            to_.assign(at_once, at_once + 1);
            const value done = name("done", number + 1);
            to_.loop_while_below("apart", to_.constant(1, types::index), done, [&](value apart) {
                to_.when(
                    done % (apart * 2) == 0,
                    [&] {
                        combine_last_two(at_once);
                        to_.assign(apart, apart * 2);
                    },
                    [&] { to_.assign(apart, done); });
            });
        });
        to_.loop_while_below("left", to_.constant(1, types::index), at_once, [&](value) { combine_last_two(at_once); });
    }

    void take_pieces(const std::vector<places>& first) {
        for (std::size_t o = 0; o < parts_.size(); ++o)
            each_value([&](value j) { to_.assign(to_.at(rows_so_far_[o], j), to_.identity(sets_[o])); });
        loop("piece", 0, reduced_, host_order::piece, [&](value piece) {
            const value end = name("piece_end", to_.least(piece + host_order::piece, reduced_));
            const value filled = name("filled", to_.least(end - piece, host_order::lanes));
            loop("lane", 0, filled, 1, [&](value lane) {
                add_up(first, {piece + lane, end, host_order::lanes}, lane);
            });
            // Lanes without elements are left out: what they have changes nothing.
            to_.halving(
                "apart", host_order::lanes / 2,
                [&](value apart) {
                    loop("lane", 0, to_.least(filled - apart, apart), 1,
                         [&](value lane) { combine(parts_, lane, parts_, lane + apart); });
                },
                runner::serial);
            const value none = to_.constant(0, types::index);
            combine(rows_so_far_, none, parts_, none);
        });
        for (std::size_t o = 0; o < parts_.size(); ++o)
            each_value([&](value j) { to_.assign(to_.at(parts_[o], j), to_.at(rows_so_far_[o], j)); });
    }

    template <class Inside>
    void each_value(Inside inside) {
        loop("j", 0, values_of_tile(), 1, inside, runner::simd);
    }

    /// A tile's values in one place of a memory of each output, with those in another.
    void combine(const std::vector<nest::id>& into, value place, const std::vector<nest::id>& from, value other) {
        const value to = name("to", place * values_of_tile());
        const value of = name("of", other * values_of_tile());
        for (std::size_t o = 0; o < into.size(); ++o)
            each_value([&](value j) {
                const value mine = to_.at(into[o], to + j);
                to_.assign(mine, to_.combine(mine, to_.at(from[o], of + j)));
            });
    }
    void combine_last_two(value at_once) {
        to_.assign(at_once, at_once - 1);
        combine(parts_, at_once - 1, parts_, at_once);
    }

    /// Elements from `begin` on, each `step`th.
    struct stretch {
        value begin, end;
        std::int64_t step;
    };
    /// One after the other, in registers; their sum to a place of the parts.
    void add_up(const std::vector<places>& first, const stretch& of, value place) {
        std::vector<std::vector<nest::id>> sums(static_cast<std::size_t>(rows_));
        const auto sum = [&](int r, std::size_t o) { return sums[static_cast<std::size_t>(r)][o]; };
        each_row_and_output([&](int r, std::size_t o) {
            sums[static_cast<std::size_t>(r)].push_back(to_.own("tile_" + std::to_string(r) + "_" + std::to_string(o),
                                                                accumulators(o), tile_columns, nest::line_bytes));
            each_column([&](value j) { to_.assign(to_.at(sum(r, o), j), to_.identity(sets_[o])); });
        });
        loop("k", of.begin, of.end, of.step, [&](value k) {
            for (int r = 0; r < rows_; ++r) {
                const known_values of_row = values_of_row(first[static_cast<std::size_t>(r)], r, k);
                each_column([&](value j) {
                    const std::vector<value> ones = elements(of_row, k * tile_columns + j);
                    for (std::size_t o = 0; o < ones.size(); ++o) {
                        const value into = to_.at(sum(r, o), j);
                        to_.assign(into, to_.combine(into, ones[o]));
                    }
                });
            }
        });
        const value to = name("to", place * values_of_tile());
        each_row_and_output([&](int r, std::size_t o) {
            each_column(
                [&](value j) { to_.assign(to_.at(parts_[o], to + j + r * tile_columns), to_.at(sum(r, o), j)); });
        });
    }

    /// Of rows that are there. `before`: those outside.
    void store_tile(value row, value before, value block, value count) {
        const value there = name("there", to_.least(rows_of_panel_ - row, rows_));
        loop("r", 0, there, 1, [&](value r) {
            const value begin = name("row_begin", (before + row + r) * columns_of_row_ + block);
            loop(
                "j", 0, count, 1,
                [&](value j) {
                    for (std::size_t o = 0; o < of_.outputs.size(); ++o) {
                        const value all = to_.at(parts_[o], j + r * tile_columns);
                        to_.assign(operands_.output(o, begin + j), to_.finish(to_.member(all, o), o, reduced_));
                    }
                },
                runner::simd);
        });
    }

    const lower::program& program_;
    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const builder::range range_;
    const parts_of_element made_;
    part row_, columns_, element_;
    int rows_ = 1;                                 // of a tile
    std::vector<int> sets_;                        // of each output
    std::vector<nest::id> parts_;                  // of each output: what parts of rows came to
    std::vector<nest::id> rows_so_far_ = {};       // of each output, along the last axis: what pieces came to
    std::map<std::size_t, nest::id> turned_ = {};  // of inputs whose elements, not neighbours, lie beside each other
    std::vector<nest::id> panels_;                 // of each value that neighbours have
    std::map<value_id, nest::id> made_of_rows_;
    std::vector<value> positions_;  // on the axes outside
    value columns_of_row_, reduced_, rows_of_panel_, rows_of_part_;
};

}  // namespace

nest::tree host_tiles_of_values_nest(const lower::program& program, const kernel& of) {
    return tiles_policy(program, of).run();
}

}  // namespace kiln::plan
