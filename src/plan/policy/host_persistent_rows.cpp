// Ranges are of rows: what later phases need of a row is in memory of the thread's own, small enough for its caches, so that a row
// comes from memory once. Which value is computed in which phase is said in plan/row_phases.hpp; the order of a reduction, in
// plan/host_order.hpp.
#include <plan/policy/host_elementwise.hpp>

#include <plan/host_order.hpp>
#include <plan/policy/lanes_of_row.hpp>
#include <plan/policy/phased_rows.hpp>

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

class host_rows_policy : phased_rows {
public:
    host_rows_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands),
          range_(to.call_range()),
          kept_(phases_.phase.size(), nest::none),
          pieces_(phases_.phase.size(), nest::none),
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
        if (stores_lines())
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
        if (kept_axes_ > 0) operands_.first_positions(range_.begin, 0, kept_axes_ - 1, positions_);
        compute_row(0);
        to_.loop(
            runner::serial, "value", range_.begin, range_.end, 1, [&](value row) { take_row(row); }, /*written_out=*/0,
            types::index);
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    /// Arrays are read again.
    [[nodiscard]] bool is_kept(value_id of) const { return is_step(of) && phases_.kept[at(of)]; }

    /// Whether there are elements that leave the kernel a line at a time, and where nobody has read them.
    [[nodiscard]] bool stores_lines() const {
        bool elements = false;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            if (of_.stores_elements(i) && of_.outputs[i].how != access::contiguous) return false;
            elements = elements || of_.stores_elements(i);
        }
        return elements && !of_.aliased && one_reduced_axis_;
    }

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

    /// Where the values of a reduction are neighbours anyway, from `piece` on; nowhere if they must be computed first.
    value neighbours(value_id of, int phase, value piece) {
        if (!are_neighbours(of, phase)) return {};
        if (is_kept(of)) return to_.place(kept_[at(of)], piece);
        const operand& array = *input(of);
        const nest::id memory = operands_.memory_of_input(static_cast<std::size_t>(&array - of_.inputs.data()));
        if (array.how == access::contiguous) return to_.place(memory, row_ + piece);
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(inner())] = piece;
        return to_.place(memory, operands_.linear(array.address, positions, {}));
    }
    [[nodiscard]] bool are_neighbours(value_id of, int phase) const {
        if (is_kept(of) && phase_of(of) <= phase) return true;
        const operand* const array = input(of);
        if (!array || array->is_position || !array->steps.empty()) return false;
        return array->how == access::contiguous || (array->how == access::row && one_reduced_axis_);
    }

    /// The values that a phase's reductions need a piece of at a time.
    [[nodiscard]] std::vector<value_id> computed_to_reduce(int phase) const {
        std::vector<value_id> out;
        each_reduction(phase, [&](const step& each, value_id, std::size_t) {
            const value_id of = each.args[0];
            if (!are_neighbours(of, phase) && std::find(out.begin(), out.end(), of) == out.end()) out.push_back(of);
        });
        return out;
    }

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
        const std::vector<row_result> results = results_of(phase, {});
        const nest::body body = elements_body(phase, values_of(results));
        return strips_of(program_, body, of_row_alone(body)).phases.empty() &&
               goes_evenly(elements(body, 0, results, {}, {}), inner());
    }

    void compute_in_lanes(int phase, value piece, value end, const std::vector<value>& all) {
        const std::vector<row_result> results = results_of(phase, piece);
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

    /// A result, and where its element at a place of the row is.
    struct row_result {
        value_id of;
        std::function<value(value)> element;
        nest::id output = nest::none;  // of what leaves the kernel: its memory
    };
    std::vector<row_result> results_of(int phase, value piece) {
        std::vector<row_result> out;
        each_step([&](const step&, value_id of, int) {
            if (is_kept(of) && phase_of(of) == phase)
                out.push_back({of, [this, of](value place) { return to_.at(kept_[at(of)], place); }});
        });
        for (const value_id of : computed_to_reduce(phase))
            out.push_back({of, [this, of, piece](value place) {
                               const nest::id memory = pieces_[at(of)];
                               return memory == nest::none ? value() : to_.at(memory, place - piece);
                           }});
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase))
                out.push_back({of_.outputs[i].value,
                               [this, i](value place) { return operands_.output(i, row_ + place); },
                               operands_.memory_of_output(i)});
        return out;
    }
    static std::vector<value_id> values_of(const std::vector<row_result>& results) {
        std::vector<value_id> out;
        for (const row_result& each : results) out.push_back(each.of);
        return out;
    }
    [[nodiscard]] std::vector<value_id> of_row_alone(const nest::body& body) const {
        std::vector<value_id> out;
        std::copy_if(body.inputs.begin(), body.inputs.end(), std::back_inserter(out),
                     [this](value_id each) { return of_row(each); });
        return out;
    }

    void compute(int phase, value piece, value end) {
        const std::vector<row_result> results = results_of(phase, piece);
        if (results.empty()) return;
        const nest::body body = elements_body(phase, values_of(results));
        if (results.size() == 1 && results[0].output == nest::none && widens_alone(body, phase))
            return widen(body.steps[0], phase, piece, end);
        const int number = to_.body(body);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, of_row_alone(body)));
        if (one_reduced_axis_) {
            row_elements all = elements(body, number, results, {}, in_strips);
            const bool leave = std::all_of(results.begin(), results.end(),
                                           [](const row_result& each) { return each.output != nest::none; });
            if (leave && nontemporal_.is_there()) all.line = elements_per_line(all.outputs);
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

    /// Whether a phase's elements are 16-bit floats of memory as float, and nothing else: the library has a function of a block of them.
    [[nodiscard]] bool widens_alone(const nest::body& body, int phase) const {
        if (body.steps.size() != 1) return false;
        const step& only = program_.steps[static_cast<std::size_t>(body.steps[0])];
        return only.code == operation::cast && is_small_float(only.operands) && only.result == element_type::float32 &&
               are_neighbours(only.args[0], phase);
    }

    void widen(int number, int phase, value piece, value end) {
        const step& cast = program_.steps[static_cast<std::size_t>(number)];
        const value_id wide = program_.step_value(number);
        const value from = neighbours(cast.args[0], phase, piece);
        const value to = is_kept(wide) ? to_.place(kept_[at(wide)], piece) : to_.place(pieces_[at(wide)], 0);
        to_.function(std::string("widen_") + info(cast.operands).suffix, {&from, 1}, to, end - piece);
    }

    /// `line`: the place in the row of what a loop along the innermost axis has at 0.
    row_elements elements(const nest::body& body, int number, const std::vector<row_result>& results, value line,
                          const strip_bodies& in_strips) {
        const auto in_row = [line](value i) { return line.is_there() ? line + i : i; };
        row_elements out;
        for (const value_id each : body.inputs) {
            if (of_row(each)) continue;
            row_operand added{&anywhere_, name_of(each), {}, true, nest::none, each};
            if (const operand* const array = input(each)) {
                const auto which = static_cast<std::size_t>(array - of_.inputs.data());
                added.of = array;
                added.is_elsewhere = false;
                added.element = [this, which](value place) { return operands_.element(which, place); };
            } else {
                added.element = [this, each, in_row](value i) { return to_.at(kept_[at(each)], in_row(i)); };
            }
            out.inputs.push_back(std::move(added));
        }
        for (const row_result& each : results)
            out.outputs.push_back({&anywhere_, name_of(each.of),
                                   [element = each.element, in_row](value i) { return element(in_row(i)); }, true,
                                   each.output, -1, type_of(each.of)});
        out.compute = [this, &body, number](const std::vector<value>& inputs, const std::vector<value>& outputs,
                                            const std::vector<value>&) {
            std::vector<value> given;
            std::size_t next = 0;
            for (const value_id each : body.inputs) given.push_back(of_row(each) ? row_value(each) : inputs[next++]);
            to_.compute(given, outputs, number);
        };
        if (in_strips.are_there()) out.in_strips = &in_strips;
        out.all_along = [this](value_id of) { return row_value(of); };
        return out;
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const nest::builder::range range_;
    std::vector<nest::id> kept_;    // by value: memory of the thread's
    std::vector<nest::id> pieces_;  // by value: a piece of what is to be reduced
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
