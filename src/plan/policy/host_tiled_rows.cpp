// Rows of few elements that stay in a thread's caches, as many of them at a time as make a tile: what a phase does (plan/row_phases.hpp) it does
// for all elements of a tile in one loop, with functions called for all of them, and rows are reduced side by side by the library. What is
// not in the tile's order is brought into it (staged_rows.hpp), and so is what a row comes to, once for each of its elements.
#include <plan/policy/host_elementwise.hpp>
#include <plan/policy/host_phases.hpp>
#include <plan/policy/staged_rows.hpp>
#include <plan/reduction_set.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::movement;
using nest::runner;
using nest::value;
namespace types = nest::types;

// Elements of a tile, at most. A few values of so many, of float64, too, are in the first cache.
constexpr int tile_elements = 1024;
constexpr int multiple_of_rows = 4;
static_assert(multiple_of_rows * longest_tiled_row <= tile_elements);
constexpr int most_rows = tile_elements / 2;

class host_tiled_rows_policy final : host_phases {
public:
    host_tiled_rows_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : host_phases(program, of, to, operands),
          range_(to.call_range()),
          staged_(to, operands, of),
          rows_of_(phases_.phase.size(), nest::none),
          many_of_(phases_.phase.size(), nest::none) {
        std::vector<reduction_set> sets;
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                sets.resize(std::max(sets.size(), number + 1));
                sets[number].members.push_back({number, {each.reduces, each.operands, each.result}});
                sets[number].of_rows = true;
            });
        for (const reduction_set& each : sets) to_.set(each);
        accumulators_.assign(sets.size(), nest::none);
    }

    void run() {
        extent_ = to_.let("extent", types::index, operands_.extent(inner()));
        rows_of_tile_ = to_.let("rows_of_tile", types::index,
                                to_.constant(tile_elements) / (extent_ * multiple_of_rows) * multiple_of_rows);
        memory();
        if (stores_lines())
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
        staged_.repeat([&] { return rows_of_tile_; });
        compute_row(0);
        to_.loop(
            runner::serial, "first", range_.begin, range_.end, rows_of_tile_, [&](value first) { take_tile(first); },
            /*written_out=*/0, types::index);
    }

private:
    void memory() {
        staged_.declare_buffers(extent_, tile_elements + staged_rows::room);
        const auto of_tile = [&](const char* prefix, value_id of) {
            return to_.own(prefix + name_of(of), type_of(of), tile_elements, line_bytes);
        };
        each_step([&](const step&, value_id result, int) {
            if (is_kept(result)) kept_[at(result)] = of_tile("row_", result);
        });
        for (int phase = 0; phase < phases_.count; ++phase) {
            for (const value_id each : computed_to_reduce(phase))
                if (pieces_[at(each)] == nest::none) pieces_[at(each)] = of_tile("piece_", each);
            each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
                accumulators_[number] = to_.own("all_" + std::to_string(number),
                                                types::accumulators(static_cast<int>(number)), most_rows, line_bytes);
                rows_of_[at(result)] = rows_memory(result);
            });
            for (const value_id each : made_of_row(phase + 1)) rows_of_[at(each)] = rows_memory(each);
        }
    }
    nest::id rows_memory(value_id of) { return to_.own("rows_" + name_of(of), type_of(of), most_rows, line_bytes); }

    void take_tile(value first) {
        rows_ = to_.let("rows", types::index, to_.least(rows_of_tile_, range_.end - first));
        count_ = to_.let("count", types::index, rows_ * extent_);
        linear_ = to_.let("linear", types::index, first * extent_);
        staged_.begin_chunk();
        if (!staged_.are_all_repeated()) staged_.stage(rows_, first);
        for (int phase = 0; phase < phases_.count; ++phase) take_phase(phase);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            if (of_.stores_elements(i)) continue;
            each_row([&](value row) { to_.assign(operands_.output(i, first + row), row_value(of_.outputs[i].value)); });
        }
    }

    void take_phase(int phase) {
        compute(phase);
        if (!reduces(phase)) return;
        each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
            value from = neighbours(each.args[0], phase, to_.constant(0));
            if (!from.is_there()) from = to_.place(pieces_[at(each.args[0])], 0);
            to_.reduce_rows(to_.place(accumulators_[number], 0), from, rows_, extent_);
        });
        // Functions of what a row comes to are called for the rows of a tile, too.
        const nest::body body = row_body(phase + 1);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, alike_in(body)));
        each_row([&](value row) {
            each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
                const value all = to_.at(accumulators_[number], row);
                to_.assign(row_value(result), to_.finish(to_.member(all, number), number, extent_));
            });
            if (!in_strips.are_there()) compute_row_to_memory(phase + 1, row);
        });
        if (!in_strips.are_there()) return;
        const auto at_row = [this](value_id of, value row) {
            return rows_of_[at(of)] == nest::none ? row_value(of) : to_.at(rows_of_[at(of)], row);
        };
        strip_operands operands;
        operands.input = at_row;
        operands.output = [&](std::size_t number, value row) { return at_row(body.outputs[number], row); };
        operands.are_inputs_beside = [this](value_id of) { return rows_of_[at(of)] != nest::none; };
        operands.are_outputs_beside = [](std::size_t) { return true; };
        in_strips.add_loop(to_, to_.constant(0), rows_, operands);
    }

    void compute_row_to_memory(int phase, value row) {
        compute_row(phase);
        for (const value_id each : made_of_row(phase)) to_.assign(to_.at(rows_of_[at(each)], row), row_value(each));
    }

    /// A loop over the tile's rows, in which their values are at hand.
    template <class Take>
    void each_row(Take take) {
        to_.loop(
            runner::simd, "k", 0, rows_, 1,
            [&](value row) {
                for (value_id each = 0; at(each) < rows_of_.size(); ++each)
                    if (rows_of_[at(each)] != nest::none) row_value(each) = to_.at(rows_of_[at(each)], row);
                take(row);
            },
            /*written_out=*/0, types::index);
    }

    void compute(int phase) {
        const std::vector<phase_result> results = results_of(phase, {});
        if (results.empty()) return;
        const nest::body body = elements_body(phase, values_of(results));
        if (widens_alone(body, phase, results)) return widen(body.steps[0], phase, to_.constant(0), count_);
        for (const value_id each : body.inputs) spread(each);
        const int number = to_.body(body);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, alike_in(body)));
        row_elements all = elements(body, number, results, {}, in_strips);
        if (all_leave(results) && nontemporal_.is_there()) all.line = elements_per_line(all.outputs);
        add_row(to_, operands_, inner(), all, {to_.constant(0), count_, linear_, staged_.positions()}, nontemporal_);
    }

    /// A row's value becomes one for each element of the row.
    void spread(value_id of) {
        if (rows_of_[at(of)] == nest::none || many_of_[at(of)] != nest::none) return;
        many_of_[at(of)] = to_.own("many_" + name_of(of), type_of(of), tile_elements + staged_rows::room, line_bytes);
        to_.move(movement::spread_rows, {to_.place(many_of_[at(of)], 0), to_.place(rows_of_[at(of)], 0), rows_, extent_,
                                         to_.constant(1, types::index)});
    }

    // --- Where things are: as host_phases.hpp asks ---

    [[nodiscard]] const staged_input* staged(value_id of) const {
        for (const staged_input& each : staged_.operands())
            if (each.of->value == of) return &each;
        return nullptr;
    }
    [[nodiscard]] bool are_neighbours(value_id of, int phase) const override {
        if (is_kept(of)) return phase_of(of) <= phase;
        const operand* const array = input(of);
        return array && (of_.staged(*array) || (array->how == access::contiguous && !array->is_position));
    }
    value neighbours(value_id of, int phase, value piece) override {
        if (!are_neighbours(of, phase)) return {};
        if (is_kept(of)) return to_.place(kept_[at(of)], piece);
        if (const staged_input* const found = staged(of))
            return to_.place(found->passes ? found->in : found->many, piece);
        return to_.place(operands_.memory_of_input(static_cast<std::size_t>(input(of) - of_.inputs.data())),
                         linear_ + piece);
    }
    [[nodiscard]] bool is_alike(value_id of) const override { return of_row(of) && rows_of_[at(of)] == nest::none; }
    row_operand element_input(value_id of, value) override {
        row_operand out{&anywhere_, name_of(of), {}, true, nest::none, of};
        const operand* const array = input(of);
        nest::id memory = is_kept(of) ? kept_[at(of)] : many_of_[at(of)];
        if (const staged_input* const found = staged(of)) {
            memory = found->passes ? found->in : found->many;
        } else if (array) {
            const auto which = static_cast<std::size_t>(array - of_.inputs.data());
            out.of = array;
            out.is_elsewhere = false;
            out.element = [this, which](value place) { return operands_.element(which, place); };
            return out;
        }
        out.element = [this, memory](value i) { return to_.at(memory, i); };
        return out;
    }
    [[nodiscard]] value linear() const override { return linear_; }

    const nest::builder::range range_;
    staged_rows staged_;
    std::vector<nest::id> accumulators_;  // by reduction
    std::vector<nest::id> rows_of_;       // by value, of what is one for each row: in memory, row by row
    std::vector<nest::id> many_of_;       // the same once for each element of the tile; none: nobody asked yet
    value nontemporal_;                   // whether results go past the caches, where they may
    value extent_, rows_of_tile_;
    value rows_, count_, linear_;  // of the tile at hand; which element of all its first one is
};

}  // namespace

nest::tree host_tiled_rows_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, 1, /*wide=*/true);
    nest::operands operands(to, program, of);
    host_tiled_rows_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
