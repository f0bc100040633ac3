// Columns as host_persistent_rows.cpp has rows: a softmax over a middle axis. Ranges are of columns; neighbours are taken together, so
// that lines of memory are read whole and loops over them are vectors, and what later phases need of them stays in a thread's caches.
// In which order a column is put together is what device/cpu/host_reduction.cpp does of columns: parts of rows, one row after the other,
// and the parts in pairs.
#include <plan/policy/host_elementwise.hpp>

#include <lower/value_list.hpp>
#include <plan/host_order.hpp>
#include <plan/policy/phased_rows.hpp>

#include <algorithm>
#include <map>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::runner;
using nest::value;
namespace types = nest::types;

constexpr int most_columns = 128;  // taken together
constexpr int least_columns = 64;
constexpr int most_parts = static_cast<int>(longest_host_column / host_order::least_rows_of_part);
constexpr int bytes_of_most =
    512 * 1024;  // up to which that many are: what is kept of more would leave the second cache

class host_columns_policy : phased_rows {
public:
    host_columns_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands),
          range_(to.call_range()),
          kept_(phases_.phase.size(), nest::none),
          row_pieces_(phases_.phase.size(), nest::none) {
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                sets_.resize(std::max(sets_.size(), number + 1));
                sets_[number].members.push_back({number, {each.reduces, each.operands, each.result}});
            });
        for (reduction_set& each : sets_) {
            each.side_by_side = true;
            to_.set(each);
        }
    }

    void run() {
        reduced_ = to_.let("reduced", types::index, operands_.extent(across()));
        columns_ = to_.let("columns", types::index, operands_.extent(inner()));
        const value wide = to_.let("wide", types::index, to_.least(columns_, host_order::columns));
        const value part =
            to_.let("rows", types::index, to_.constant(host_order::piece * host_order::pieces_of_part) / wide);
        part_ = to_.let("part", types::index,
                        to_.select(part < host_order::least_rows_of_part,
                                   to_.constant(host_order::least_rows_of_part, types::index), part));
        width_ =
            to_.let("width", types::index,
                    to_.select(reduced_ <= bytes_of_most / most_columns / bytes_kept(),
                               to_.constant(most_columns, types::index), to_.constant(least_columns, types::index)));
        memory();
        compute_row(0);
        to_.loop_while_below("value", range_.begin, range_.end, [&](value number) { take_columns(number); });
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int across() const { return of_.rank - 2; }
    [[nodiscard]] bool is_kept(value_id of) const { return is_step(of) && phases_.kept[at(of)]; }

    /// Of an element.
    [[nodiscard]] int bytes_kept() const {
        int out = 0;
        each_step([&](const step&, value_id of, int) { out += is_kept(of) ? bytes_of(program_.type_of(of)) : 0; });
        return std::max(1, out);
    }

    void memory() {
        bool keeps = false;
        each_step([&](const step&, value_id result, int) {
            if (!is_kept(result)) return;
            kept_[at(result)] = to_.scratch("columns_" + name_of(result), type_of(result));
            keeps = true;
        });
        if (keeps) to_.allocate(to_.let("room", types::index, reduced_ * width_));
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id result, std::size_t number) {
                all_.resize(sets_.size(), nest::none);
                all_[number] = to_.own("all_" + std::to_string(number), types::accumulators(static_cast<int>(number)),
                                       most_parts * most_columns, line_bytes);
                of_column(result);
                nest::id& piece = row_pieces_[at(each.args[0])];
                if (!is_in_memory(each.args[0], phase) && piece == nest::none)
                    piece = to_.own("row_" + name_of(each.args[0]), type_of(each.args[0]), most_columns, line_bytes);
            });
        for (int phase = 1; phase <= phases_.count; ++phase)
            for (const value_id each : made_of_row(phase)) of_column(each);
    }
    void of_column(value_id of) {
        of_column_[of] = to_.own("of_column_" + name_of(of), type_of(of), most_columns, line_bytes);
    }

    /// Of all columns that are taken together, from the one with that number on.
    void take_columns(value number) {
        const value outer = to_.let("outer", types::index, number / columns_);
        first_ = to_.let("first", types::index, number % columns_);
        count_ = to_.let(
            "count", types::index,
            to_.least(to_.let("most", types::index, to_.least(width_, columns_ - first_)), range_.end - number));
        before_ = to_.let("before", types::index, outer * reduced_);
        positions_.assign(static_cast<std::size_t>(of_.rank), value());
        if (across() > 0) operands_.first_positions(outer, 0, across() - 1, positions_);
        for (int phase = 0; phase < phases_.count; ++phase) take_phase(phase);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (!of_.stores_elements(i))
                each_column([&](value j) {
                    to_.assign(operands_.output(i, number + j), column_value(of_.outputs[i].value, j));
                });
        to_.assign(number, number + count_);
    }

    template <class Take>
    void each_column(Take take) {
        to_.loop(runner::simd, "j", 0, count_, 1, take, /*written_out=*/0, types::index);
    }
    /// What is known of a column; of what is the same for all, that.
    value column_value(value_id of, value j) {
        const auto found = of_column_.find(of);
        return found == of_column_.end() ? row_value(of) : to_.at(found->second, j);
    }

    void take_phase(int phase) {
        if (!reduces(phase)) return take_rows(phase, to_.constant(0, types::index), reduced_, {});
        const value parts = to_.let("parts", types::index, (reduced_ + part_ - 1) / part_);
        to_.loop(
            runner::serial, "number", 0, parts, 1,
            [&](value number) {
                const value to_part = to_.let("to_part", types::index, number * most_columns);
                each_all(phase, [&](nest::id all, std::size_t set) {
                    each_column(
                        [&](value j) { to_.assign(to_.at(all, to_part + j), to_.identity(static_cast<int>(set))); });
                });
                const value begin = to_.let("part_begin", types::index, number * part_);
                take_rows(phase, begin, to_.let("part_end", types::index, to_.least(begin + part_, reduced_)), to_part);
            },
            /*written_out=*/0, types::index);
        to_.loop_while_below("apart", to_.constant(1, types::index), parts, [&](value apart) {
            to_.loop_while_below("left", to_.constant(0, types::index), parts - apart, [&](value left) {
                const value to_left = to_.let("to_left", types::index, left * most_columns);
                const value to_right = to_.let("to_right", types::index, (left + apart) * most_columns);
                each_all(phase, [&](nest::id all, std::size_t) {
                    each_column([&](value j) {
                        const value mine = to_.at(all, to_left + j);
                        to_.assign(mine, to_.combine(mine, to_.at(all, to_right + j)));
                    });
                });
                to_.assign(left, left + apart * 2);
            });
            to_.assign(apart, apart * 2);
        });
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            each_column([&](value j) {
                to_.assign(to_.at(of_column_.at(result), j),
                           to_.finish(to_.member(to_.at(all_[number], j), number), number, reduced_));
            });
        });
        make_of_columns(phase + 1);
    }
    template <class Take>
    void each_all(int phase, Take take) {
        each_reduction(phase, [&](const step&, value_id, std::size_t number) { take(all_[number], number); });
    }

    /// Rows of the columns: their elements, and those to the accumulators.
    void take_rows(int phase, value begin, value end, value to_part) {
        to_.loop(
            runner::serial, "row", begin, end, 1,
            [&](value row) {
                const row_place here{to_.let("linear", types::index, (before_ + row) * columns_),
                                     to_.let("kept", types::index, row * width_ - first_), row};
                compute(phase, here);
                each_reduction(phase, [&](const step& each, value_id, std::size_t set) {
                    each_column([&](value j) {
                        const value mine = to_.at(all_[set], to_part + j);
                        to_.assign(mine, to_.combine(mine, element_of(each.args[0], phase, here, first_ + j)));
                    });
                });
            },
            /*written_out=*/0, types::index);
    }

    /// A row of the columns: the element at i of what is contiguous is at linear + i, and what is kept of it at kept + i.
    struct row_place {
        value linear, kept, row;
    };

    /// Of a body's inputs, those that are the same for all elements.
    [[nodiscard]] std::vector<value_id> scalars_of(const nest::body& of) const {
        std::vector<value_id> out;
        std::copy_if(of.inputs.begin(), of.inputs.end(), std::back_inserter(out),
                     [this](value_id each) { return is_all_along(each); });
        return out;
    }
    [[nodiscard]] bool is_all_along(value_id of) const { return phases_.of_row[at(of)] && !of_column_.count(of); }

    /// An array's element is where its neighbours are, or what is kept of it is.
    [[nodiscard]] bool is_in_memory(value_id of, int phase) const {
        if (is_kept(of) && phase_of(of) <= phase) return true;
        const operand* const array = input(of);
        return array && !array->is_position && array->how == access::contiguous;
    }
    value element_of(value_id of, int phase, const row_place& here, value i) {
        if (is_kept(of) && phase_of(of) <= phase) return to_.at(kept_[at(of)], here.kept + i);
        if (is_in_memory(of, phase)) return operands_.element(number_of(*input(of)), here.linear + i);
        return to_.at(row_pieces_[at(of)], i - first_);
    }
    [[nodiscard]] std::size_t number_of(const operand& input) const {
        return static_cast<std::size_t>(&input - of_.inputs.data());
    }

    /// A value that a phase computes of each element, and where the one at i goes: to be kept, reduced, stored.
    struct row_result {
        value_id of;
        std::function<value(value)> element;
    };
    std::vector<row_result> results_of(int phase, const row_place& here) {
        std::vector<row_result> out;
        each_step([&](const step&, value_id of, int) {
            if (is_kept(of) && phase_of(of) == phase)
                out.push_back({of, [this, of, here](value i) { return to_.at(kept_[at(of)], here.kept + i); }});
        });
        std::vector<value_id> reduced;
        each_reduction(phase, [&](const step& each, value_id, std::size_t) {
            const value_id of = each.args[0];
            if (is_in_memory(of, phase) || lower::holds(reduced, of)) return;
            reduced.push_back(of);
            out.push_back({of, [this, of](value i) { return to_.at(row_pieces_[at(of)], i - first_); }});
        });
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase))
                out.push_back({of_.outputs[i].value,
                               [this, i, here](value place) { return operands_.output(i, here.linear + place); }});
        return out;
    }

    void compute(int phase, const row_place& here) {
        const std::vector<row_result> results = results_of(phase, here);
        if (results.empty()) return;
        std::vector<value_id> outputs;
        for (const row_result& each : results) outputs.push_back(each.of);
        const nest::body body = elements_body(phase, outputs);
        const int number = to_.body(body);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, scalars_of(body)));
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(across())] = here.row;
        row_elements of;
        for (const value_id each : body.inputs)
            if (!is_all_along(each)) of.inputs.push_back(operand_of(each, here));
        for (const row_result& each : results)
            of.outputs.push_back({&anywhere_, name_of(each.of), each.element, true, nest::none});
        of.compute = [&](const std::vector<value>& inputs, const std::vector<value>& places,
                         const std::vector<value>&) {
            std::vector<value> given;
            std::size_t next = 0;
            for (const value_id each : body.inputs)
                given.push_back(is_all_along(each) ? row_value(each) : inputs[next++]);
            to_.compute(given, places, number);
        };
        if (in_strips.are_there()) of.in_strips = &in_strips;
        of.all_along = [this](value_id each) { return row_value(each); };
        add_row(to_, operands_, inner(), of, {first_, first_ + count_, here.linear, positions}, {});
    }

    row_operand operand_of(value_id of, const row_place& here) {
        row_operand out{&anywhere_, name_of(of), {}, true, nest::none, of};
        if (const operand* const array = input(of)) {
            out.of = array;
            out.is_elsewhere = false;
            out.element = [this, which = number_of(*array)](value place) { return operands_.element(which, place); };
        } else if (of_column_.count(of)) {
            out.element = [this, of](value i) { return to_.at(of_column_.at(of), i - first_); };
        } else {
            out.element = [this, of, here](value i) { return to_.at(kept_[at(of)], here.kept + i); };
        }
        return out;
    }

    /// What is made of what columns come to, of each of them.
    void make_of_columns(int phase) {
        const std::vector<value_id> outputs = made_of_row(phase);
        if (outputs.empty()) return;
        const nest::body body = body_of(
            "row_" + std::to_string(phase), [&](value_id of) { return is_made_of_row(of, phase); }, outputs);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, scalars_of(body)));
        const auto given = [&](value_id of, value j) { return column_value(of, j); };
        const auto made = [&](std::size_t number, value j) { return to_.at(of_column_.at(outputs[number]), j); };
        if (in_strips.are_there())
            return in_strips.add_loop(to_, to_.constant(0, types::index), count_,
                                      {given,
                                       made,
                                       [](value) { return std::vector<value>(); },
                                       [this](value_id of) { return of_column_.count(of) > 0; },
                                       [](std::size_t) { return true; },
                                       1,
                                       [](value_id) { return false; },
                                       {}});
        const int number = to_.body(body);
        each_column([&](value j) {
            std::vector<value> inputs, results;
            for (const value_id each : body.inputs) inputs.push_back(given(each, j));
            for (std::size_t i = 0; i < outputs.size(); ++i) results.push_back(made(i, j));
            to_.compute(inputs, results, number);
        });
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const nest::builder::range range_;
    std::vector<nest::id> kept_;              // by value: memory of the thread's
    std::vector<nest::id> row_pieces_;        // by value: a row of what is to be reduced
    std::map<value_id, nest::id> of_column_;  // what is one for each column
    std::vector<nest::id> all_;               // by reduction: its accumulators, of each part
    std::vector<reduction_set> sets_;
    std::vector<value> positions_;            // on the axes outside
    value reduced_, columns_, part_, width_;  // extents; rows of a part; columns taken together
    value first_, count_, before_;            // of those at hand
};

}  // namespace

nest::tree host_persistent_columns_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, 1, /*wide=*/true);
    nest::operands operands(to, program, of);
    host_columns_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
