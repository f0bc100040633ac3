// Ranges are of rows, each put to lanes a piece after the other, as its elements are made (plan/rows_in_lanes.hpp).
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
        reduced_ = to_.let("reduced", types::index, operands_.extent(inner()));
        if (inner() > 0) operands_.first_positions(range_.begin, 0, inner() - 1, positions_);
        to_.loop(
            runner::serial, "value", range_.begin, range_.end, 1, [&](value number) { take_row(number); },
            /*written_out=*/0, types::index);
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }

    void take_row(value number) {
        const value row = to_.let("row", types::index, number * reduced_);
        std::vector<value> all;
        for (const int set : sets_)
            all.push_back(to_.variable("all_" + std::to_string(set), types::accumulators(set), to_.identity(set)));
        to_.loop(
            runner::serial, "piece", 0, reduced_, host_order::piece,
            [&](value piece) {
                const value end = to_.let("piece_end", types::index, to_.least(piece + host_order::piece, reduced_));
                take_piece(piece, end, row, all);
            },
            /*written_out=*/0, types::index);
        for (std::size_t i = 0; i < all.size(); ++i)
            to_.assign(operands_.output(i, number), to_.finish(to_.member(all[i], i), i, reduced_));
        if (inner() > 0) operands_.next_positions(positions_, 0, inner() - 1);
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
