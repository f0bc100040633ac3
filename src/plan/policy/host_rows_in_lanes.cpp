// Elements are put to lanes as they are made, a piece of a row after the other (plan/rows_in_lanes.hpp). Ranges are of rows; or, of rows
// longer than a part, of elements of one part, whose outputs are what its pieces came to so far.
#include <plan/policy/host_elementwise.hpp>

#include <plan/policy/lanes_of_row.hpp>

#include <vector>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class rows_in_lanes_policy {
public:
    rows_in_lanes_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          range_(to_.call_range()),
          positions_(static_cast<std::size_t>(of.rank)) {
        for (std::size_t i = 0; i < of.outputs.size(); ++i)
            sets_.push_back(to_.set({.members = {{i, of.reduced[i]}}, .side_by_side = true}));
    }

    nest::tree run() {
        if (of_.parts_in_lanes) take_part();
        else take_rows();
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }

    void take_part() {
        const value first = to_.constant(0, types::index);
        std::vector<value> all;
        for (std::size_t i = 0; i < sets_.size(); ++i) all.push_back(variable_of(sets_[i], operands_.output(i, first)));
        take_pieces(range_.begin, range_.end, {}, all);
        for (std::size_t i = 0; i < all.size(); ++i) to_.assign(operands_.output(i, first), to_.member(all[i], i));
    }

    void take_rows() {
        reduced_ = to_.let("reduced", types::index, operands_.extent(inner()));
        if (inner() > 0) operands_.first_positions(range_.begin, 0, inner() - 1, positions_);
        to_.loop(
            runner::serial, "value", range_.begin, range_.end, 1, [&](value number) { take_row(number); },
            /*written_out=*/0, types::index);
    }

    void take_row(value number) {
        const value row = to_.let("row", types::index, number * reduced_);
        std::vector<value> all;
        for (const int set : sets_) all.push_back(variable_of(set, to_.identity(set)));
        take_pieces(to_.constant(0, types::index), reduced_, row, all);
        for (std::size_t i = 0; i < all.size(); ++i)
            to_.assign(operands_.output(i, number), to_.finish(to_.member(all[i], i), i, reduced_));
        if (inner() > 0) operands_.next_positions(positions_, 0, inner() - 1);
    }

    value variable_of(int set, value first) {
        return to_.variable("all_" + std::to_string(set), types::accumulators(set), first);
    }

    /// Of elements [begin, end) of what is numbered from `row` on.
    void take_pieces(value begin, value end, value row, const std::vector<value>& all) {
        to_.loop(
            runner::serial, "piece", begin, end, host_order::piece,
            [&](value piece) {
                const value piece_end = to_.let("piece_end", types::index, to_.least(piece + host_order::piece, end));
                take_piece(piece, piece_end, row, all);
            },
            /*written_out=*/0, types::index);
    }

    void take_piece(value piece, value end, value row, const std::vector<value>& all) {
        std::vector<lanes_of_row> lanes;
        for (const int set : sets_) lanes.emplace_back(to_, set);
        row_elements elements = elements_in_memory(operands_, of_, /*calls_library=*/false, {});
        elements.line = 0;
        for (std::size_t i = 0; i < elements.outputs.size(); ++i) {
            row_operand& each = elements.outputs[i];
            each.of = &anywhere_;
            each.is_elsewhere = true;
            each.element = [](value) { return value(); };
            each.made = types::element(of_.reduced[i].accumulated);
        }
        elements.lanes = host_order::lanes;
        elements.append = [&](value lane, const std::vector<value>& made) {
            for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].append(lane, made[i]);
        };
        add_row(to_, operands_, inner(), elements, {piece, end, row, positions_}, {});
        for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].put_to(all[i]);
    }

    const operand anywhere_ = {};  // elements are stored nowhere
    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    const nest::builder::range range_;
    std::vector<value> positions_;  // of the row
    std::vector<int> sets_;         // of each output
    value reduced_;
};

}  // namespace

nest::tree host_rows_in_lanes_nest(const lower::program& program, const kernel& of) {
    return rows_in_lanes_policy(program, of).run();
}

}  // namespace kiln::plan
