// Ranges are of rows: what later phases need of a row is in memory of the thread's own, small enough for its caches, so that a row
// comes from memory once. Which value is computed in which phase is said in plan/row_phases.hpp; the order of a reduction, in
// plan/host_order.hpp.
#include <plan/policy/host_elementwise.hpp>
#include <plan/policy/host_phases.hpp>

#include <plan/host_order.hpp>
#include <plan/policy/lanes_of_row.hpp>

#include <algorithm>
#include <optional>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::runner;
using nest::value;
namespace types = nest::types;

// What is kept of each value begins at a multiple of so many elements of it: whole lines.
constexpr int multiple_kept = 64;

class host_rows_policy final : host_phases {
public:
    host_rows_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : host_phases(program, of, to, operands),
          range_(to.call_range()),
          positions_(static_cast<std::size_t>(of.rank)) {
        while (kept_axes_ < of.rank && !(of.reduced_axes >> kept_axes_ & 1)) ++kept_axes_;
        one_reduced_axis_ = kept_axes_ + 1 >= of.rank;
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                sets_.resize(std::max(sets_.size(), number + 1));
                sets_[number].members.push_back({number, {each.reduces, each.operands, each.result}});
            });
        for (int phase = 0; phase < phases_.count; ++phase) {
            in_lanes_.push_back(reduces_in_lanes(phase));
            if (in_lanes_.back())
                each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                    sets_[number].side_by_side = !are_neighbours(each.args[0], phase);
                });
        }
        for (const reduction_set& each : sets_) to_.set(each);
    }

    void run() {
        value reduced = operands_.extent(kept_axes_ < of_.rank ? kept_axes_ : inner());
        if (kept_axes_ >= of_.rank) reduced = to_.constant(1, types::index);
        for (int axis = kept_axes_ + 1; axis < of_.rank; ++axis) reduced = reduced * operands_.extent(axis);
        reduced_ = to_.let("reduced", types::index, reduced);
        memory();
        if (one_reduced_axis_ && stores_lines())
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
        if (kept_axes_ > 0) operands_.first_positions(range_.begin, 0, kept_axes_ - 1, positions_);
        compute_row(0);
        to_.loop(
            runner::serial, "value", range_.begin, range_.end, 1, [&](value row) { take_row(row); }, /*written_out=*/0,
            types::index);
    }

private:
    void memory() {
        bool keeps = false;
        each_step([&](const step&, value_id result, int) {
            if (!is_kept(result)) return;
            kept_[at(result)] = to_.scratch("row_" + name_of(result), type_of(result));
            keeps = true;
        });
        if (keeps)
            to_.allocate(
                to_.let("room", types::index, (reduced_ + (multiple_kept - 1)) / multiple_kept * multiple_kept));
        for (int phase = 0; phase < phases_.count; ++phase)
            for (const value_id each : computed_to_reduce(phase))
                if (!in_lanes_[static_cast<std::size_t>(phase)] && pieces_[at(each)] == nest::none)
                    pieces_[at(each)] = to_.own("piece_" + name_of(each), type_of(each), host_order::piece, line_bytes);
    }

    void take_row(value number) {
        row_ = to_.let("row", types::index, number * reduced_);
        for (int phase = 0; phase < phases_.count; ++phase) take_phase(phase);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (!of_.stores_elements(i)) to_.assign(operands_.output(i, number), row_value(of_.outputs[i].value));
        if (kept_axes_ > 0) operands_.next_positions(positions_, 0, kept_axes_ - 1);
    }

    void take_phase(int phase) {
        std::vector<value> all(sets_.size());
        bool reduces = false;
        each_reduction(phase, [&](const step&, value_id, std::size_t number) {
            const int set = static_cast<int>(number);
            all[number] = to_.variable("all_" + std::to_string(number), types::accumulators(set), to_.identity(set));
            reduces = true;
        });
        if (!reduces) return compute(phase, to_.constant(0), reduced_);  // in one piece
        to_.loop(
            runner::serial, "piece", 0, reduced_, host_order::piece,
            [&](value piece) {
                const value end = to_.let("piece_end", types::index, to_.least(piece + host_order::piece, reduced_));
                if (in_lanes_[static_cast<std::size_t>(phase)]) compute_in_lanes(phase, piece, end, all);
                else compute(phase, piece, end);
                each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                    if (sets_[number].side_by_side) return;
                    value from = neighbours(each.args[0], phase, piece);
                    if (!from.is_there()) from = to_.place(pieces_[at(each.args[0])], 0);
                    to_.append_run(all[number], from, end - piece, piece);
                });
            },
            /*written_out=*/0, types::index);
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            row_value(result) = to_.let(name_of(result), to_.finish(to_.member(all[number], number), number, reduced_));
        });
        compute_row(phase + 1);
    }

    value neighbours(value_id of, int phase, value piece) override {
        if (!are_neighbours(of, phase)) return {};
        if (is_kept(of)) return to_.place(kept_[at(of)], piece);
        const operand& array = *input(of);
        const nest::id memory = operands_.memory_of_input(static_cast<std::size_t>(&array - of_.inputs.data()));
        if (array.how == access::contiguous) return to_.place(memory, row_ + piece);
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(inner())] = piece;
        return to_.place(memory, operands_.linear(array.address, positions, {}));
    }
    [[nodiscard]] bool are_neighbours(value_id of, int phase) const override {
        if (is_kept(of) && phase_of(of) <= phase) return true;
        const operand* const array = input(of);
        if (!array || array->is_position || !array->steps.empty()) return false;
        return array->how == access::contiguous || (array->how == access::row && one_reduced_axis_);
    }

    [[nodiscard]] bool is_alike(value_id of) const override { return of_row(of); }
    row_operand element_input(value_id of, value line) override {
        row_operand out{&anywhere_, name_of(of), {}, true, nest::none, of};
        if (const operand* const array = input(of)) {
            const auto which = static_cast<std::size_t>(array - of_.inputs.data());
            out.of = array;
            out.is_elsewhere = false;
            out.element = [this, which](value place) { return operands_.element(which, place); };
        } else {
            out.element = [this, of, line](value i) { return to_.at(kept_[at(of)], line.is_there() ? line + i : i); };
        }
        return out;
    }
    [[nodiscard]] value linear() const override { return row_; }

    // --- What is computed to be reduced, put to accumulators as it is made ---

    /// Whether a phase's elements need not be stored for their reductions: run_ of emit/host_runs.cpp and these come to the same bits.
    [[nodiscard]] bool reduces_in_lanes(int phase) {
        if (!one_reduced_axis_ || computed_to_reduce(phase).empty()) return false;
        bool fits = true;
        each_reduction(phase, [&](const step&, value_id, std::size_t number) {
            const reduced_output& of = sets_[number].members.front().of;
            fits = fits && !of.keeps_state() && !of.finds_position() && of.definition == 0;
        });
        if (!fits) return false;
        const std::vector<phase_result> results = results_of(phase, {});
        const nest::body body = elements_body(phase, values_of(results));
        return strips_of(program_, body, alike_in(body)).phases.empty() &&
               goes_evenly(elements(body, 0, results, {}, {}), inner());
    }

    void compute_in_lanes(int phase, value piece, value end, const std::vector<value>& all) {
        const std::vector<phase_result> results = results_of(phase, piece);
        const nest::body body = elements_body(phase, values_of(results));
        const int number = to_.body(body);
        row_elements in_lanes = elements(body, number, results, {}, {});
        std::vector<std::optional<lanes_of_row>> lanes(sets_.size());
        each_reduction(phase, [&](const step&, value_id, std::size_t set) {
            if (sets_[set].side_by_side) lanes[set].emplace(to_, static_cast<int>(set));
        });
        in_lanes.lanes = host_order::lanes;
        in_lanes.append = [&](value lane, const std::vector<value>& made) {
            each_reduction(phase, [&](const step& each, value_id, std::size_t set) {
                if (!lanes[set]) return;
                const auto found = std::find(body.outputs.begin(), body.outputs.end(), each.args[0]);
                lanes[set]->append(lane, made[static_cast<std::size_t>(found - body.outputs.begin())]);
            });
        };
        add_row(to_, operands_, inner(), in_lanes, {piece, end, row_, positions_}, {});
        each_reduction(phase, [&](const step&, value_id, std::size_t set) {
            if (lanes[set]) lanes[set]->put_to(all[set]);
        });
    }

    // --- A phase's elements from `piece` to `end` ---

    void compute(int phase, value piece, value end) {
        const std::vector<phase_result> results = results_of(phase, piece);
        if (results.empty()) return;
        const nest::body body = elements_body(phase, values_of(results));
        if (widens_alone(body, phase, results)) return widen(body.steps[0], phase, piece, end - piece);
        const int number = to_.body(body);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, alike_in(body)));
        if (one_reduced_axis_) {
            row_elements all = elements(body, number, results, {}, in_strips);
            if (all_leave(results) && nontemporal_.is_there()) all.line = elements_per_line(all.outputs);
            add_row(to_, operands_, inner(), all, {piece, end, row_, positions_}, nontemporal_);
            return;
        }
        std::vector<value> positions = positions_;
        operands_.first_positions(piece, kept_axes_, inner(), positions);
        const value along = positions[static_cast<std::size_t>(inner())];
        to_.loop_while_below("first", piece, end, [&](value first) {
            const value row_begin = to_.let("row_begin", types::index, along);
            const value row_end =
                to_.let("row_end", types::index, to_.least(operands_.extent(inner()), along + (end - first)));
            const value line = to_.let("line", types::index, first - row_begin);
            const value linear = to_.let("linear", types::index, row_ + line);
            add_row(to_, operands_, inner(), elements(body, number, results, line, in_strips),
                    {row_begin, row_end, linear, positions}, {});
            to_.assign(first, first + (row_end - row_begin));
            to_.assign(along, 0);
            operands_.next_positions(positions, kept_axes_, inner() - 1);
        });
    }

    const nest::builder::range range_;
    std::vector<value> positions_;  // of the row
    std::vector<reduction_set> sets_;
    std::vector<bool> in_lanes_;  // by phase
    value nontemporal_;           // whether results go past the caches, where they may
    int kept_axes_ = 0;           // the outermost ones; the others go
    bool one_reduced_axis_ = true;
    value reduced_, row_;
};

}  // namespace

nest::tree host_persistent_rows_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, 1, /*wide=*/true);
    nest::operands operands(to, program, of);
    host_rows_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
