// Elements made of a row and of what the row comes to, which the device reduces by columns: the gradient of a logistic regression. A few
// rows at a time, which stay in the first cache: what each comes to, in the order that rows have by themselves (plan/host_order.hpp);
// then what is made of that, of these rows side by side, so that functions are called for strips of them; then the rows once more.
#include <plan/policy/host_elementwise.hpp>

#include <lower/value_list.hpp>
#include <plan/host_order.hpp>
#include <plan/policy/row_bodies.hpp>

#include <algorithm>
#include <map>

namespace kiln::plan {

namespace {

using lower::value_id;
using nest::runner;
using nest::value;
namespace types = nest::types;

// Of a chunk. As many as the device asks for at once, of the shortest that pay (row_limits.cpp).
constexpr int chunk_rows = 256;
static_assert(chunk_rows <= strip_elements);

class host_crossed_policy {
public:
    host_crossed_policy(const lower::program& program, const kernel& of)
        : program_(program),
          of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          rows_(to_, program, of, [&](std::size_t i) { return is_of_row(of.inputs[i]); }),
          in_strips_of_element_(strips_of_elements(rows_.elements_body())),
          in_strips_of_row_(to_, program, strips_of(program, rows_.row_body(), of.scalars)),
          in_strips_of_result_(strips_of_elements(rows_.results_body())),
          range_(to_.call_range()) {}

    nest::tree run() {
        extent_ = to_.let("extent", types::index, operands_.extent(inner()));
        make_room();
        // One after the other: compilers make a call's arguments in orders of their own.
        const value end_row = to_.let("end_row", types::index, range_.end / extent_);
        const value first_row = to_.let("first_row", types::index, range_.begin / extent_);
        to_.loop(
            runner::serial, "first", first_row, end_row, chunk_rows, [&](value first) { take_chunk(first); },
            /*written_out=*/0, types::index);
        return to_.finish();
    }

private:
    using known_values = row_bodies::known_values;

    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] bool is_of_row(const operand& of) const { return !(of.axes_read() >> inner() & 1); }
    [[nodiscard]] value_id reduction() const { return rows_.reductions().front(); }

    strip_bodies strips_of_elements(const nest::body& of) {
        std::vector<value_id> all_along;
        for (const value_id each : of.inputs)
            if (const operand* const array = input(each); !array || is_of_row(*array)) all_along.push_back(each);
        return {to_, program_, strips_of(program_, of, all_along)};
    }
    [[nodiscard]] const operand* input(value_id of) const {
        const auto found =
            std::find_if(of_.inputs.begin(), of_.inputs.end(), [of](const operand& each) { return each.value == of; });
        return found == of_.inputs.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::size_t number_of(const operand& input) const {
        return static_cast<std::size_t>(&input - of_.inputs.data());
    }

    /// Of a chunk's rows: what is one for each of them.
    void make_room() {
        to_reduce_ = own("to_reduce", program_.step_of(reduction())->args[0], host_order::columns);
        by_row_[reduction()] = own("reduced", reduction(), chunk_rows);
        for (std::size_t i = 0; i < rows_.row_body().inputs.size(); ++i)
            if (const operand* const array = input(rows_.row_body().inputs[i]))
                by_row_[array->value] =
                    own("rows_" + operands_.input_name(number_of(*array)), array->value, chunk_rows);
        for (std::size_t i = 0; i < rows_.of_row().size(); ++i)
            by_row_[rows_.of_row()[i]] = own("made_of_row_" + std::to_string(i), rows_.of_row()[i], chunk_rows);
    }
    nest::id own(const std::string& name, value_id of, std::int64_t elements) {
        return to_.own(name, types::element(program_.type_of(of)), static_cast<int>(elements), nest::line_bytes);
    }

    void take_chunk(value first) {
        const value count = to_.let("count", types::index, to_.least(range_.end / extent_ - first, chunk_rows));
        each_row("row", first, count, [&](value row, const value& linear, const std::vector<value>& positions) {
            reduce_row(row, linear, positions);
        });
        make_of_rows(count);
        each_row("again", first, count, [&](value row, const value& linear, const std::vector<value>& positions) {
            make_results(row, linear, positions);
        });
    }

    template <class Take>
    void each_row(const char* name, value first, value count, Take take) {
        std::vector<value> positions(static_cast<std::size_t>(of_.rank));
        if (inner() > 0) operands_.first_positions(first, 0, inner() - 1, positions);
        to_.loop(
            runner::serial, name, 0, count, 1,
            [&](value row) {
                take(row, to_.let("linear", types::index, (first + row) * extent_), positions);
                operands_.next_positions(positions, 0, inner() - 1);
            },
            /*written_out=*/0, types::index);
    }

    void reduce_row(value row, value linear, const std::vector<value>& positions) {
        const row_operand reduced{&anywhere_, "to_reduce", [this](value i) { return to_.at(to_reduce_, i); }, true,
                                  nest::none};
        const nest::body& body = rows_.elements_body();
        known_values known;
        const bool in_strips = in_strips_of_element_.are_there();
        add_elements(body, {reduced}, in_strips ? &in_strips_of_element_ : nullptr, known, {linear, positions},
                     [&](const known_values& here, const std::vector<value>& outputs) {
                         to_.assign(outputs[0], rows_.reduced(here).front());
                     });
        const value all = to_.variable("all", types::accumulators(rows_.set()), to_.identity(rows_.set()));
        to_.append_run(all, to_.place(to_reduce_, 0), extent_, to_.constant(0, types::index));
        rows_.finish(known, all, extent_);
        to_.assign(to_.at(by_row_.at(reduction()), row), known.at(reduction()));
        for (const value_id each : rows_.row_body().inputs)
            if (const operand* const array = input(each)) {
                const std::size_t number = number_of(*array);
                std::vector<value> here = positions;
                here[static_cast<std::size_t>(inner())] = to_.constant(0);
                const value place = array->how == access::contiguous
                                        ? linear
                                        : operands_.address(*array, operands_.input_name(number), here);
                to_.assign(to_.at(by_row_.at(each), row), operands_.element(number, place));
            }
    }

    /// What is made of what rows come to.
    void make_of_rows(value count) {
        const nest::body& body = rows_.row_body();
        if (body.outputs.empty()) return;
        const auto given = [&](value_id of, value row) {
            const auto found = by_row_.find(of);
            return found == by_row_.end() ? scalar(of) : to_.at(found->second, row);
        };
        const auto made = [&](std::size_t number, value row) { return to_.at(by_row_.at(body.outputs[number]), row); };
        if (in_strips_of_row_.are_there())
            return in_strips_of_row_.add_loop(to_, to_.constant(0, types::index), count,
                                              {given,
                                               made,
                                               [](value) { return std::vector<value>(); },
                                               [this](value_id of) { return by_row_.count(of) > 0; },
                                               [](std::size_t) { return true; },
                                               1,
                                               [](value_id) { return false; },
                                               {}});
        to_.loop(
            runner::simd, "made_of", 0, count, 1,
            [&](value row) {
                known_values known;
                for (const value_id each : body.inputs) known[each] = given(each, row);
                rows_.make_of_row(known);
                for (std::size_t i = 0; i < body.outputs.size(); ++i)
                    to_.assign(made(i, row), known.at(body.outputs[i]));
            },
            /*written_out=*/0, types::index);
    }

    void make_results(value row, value linear, const std::vector<value>& positions) {
        known_values known;
        const auto know = [&](value_id of) {
            known[of] = to_.let("of_row", types::element(program_.type_of(of)), to_.at(by_row_.at(of), row));
        };
        if (rows_.needs_result(reduction())) know(reduction());
        for (const value_id each : rows_.of_row()) know(each);
        std::vector<row_operand> outputs;
        for (std::size_t o = 0; o < of_.outputs.size(); ++o)
            outputs.push_back({&anywhere_, operands_.output_name(o),
                               [this, o, linear](value i) { return operands_.output(o, linear + i); }, true,
                               nest::none});
        // What is made of nothing but of what is there already is no result of the strips'.
        const bool in_strips =
            in_strips_of_result_.are_there() && rows_.results_body().outputs.size() == of_.outputs.size();
        add_elements(rows_.results_body(), outputs, in_strips ? &in_strips_of_result_ : nullptr, known,
                     {linear, positions}, [&](known_values here, const std::vector<value>& places) {
                         rows_.make_results(here);
                         for (std::size_t o = 0; o < of_.outputs.size(); ++o)
                             to_.assign(places[o], here.at(of_.outputs[o].value));
                     });
    }

    struct row_place {
        value linear;
        const std::vector<value>& positions;
    };

    /// A row's elements. `known`: what is one for all of them, and not an input.
    template <class Compute>
    void add_elements(const nest::body& body, std::vector<row_operand> outputs, const strip_bodies* in_strips,
                      const known_values& known, const row_place& at, Compute compute) {
        row_elements out;
        std::vector<value_id> read;
        const auto add_input = [&](value_id of) {
            const operand* const array = input(of);
            if (!array || lower::holds(read, of)) return;
            const std::size_t number = number_of(*array);
            read.push_back(of);
            out.inputs.push_back({array, operands_.input_name(number),
                                  [this, number](value place) { return operands_.element(number, place); }, false,
                                  nest::none, of});
        };
        for (const value_id each : body.inputs) add_input(each);
        // What is reduced, or a result, as it is.
        if (&body == &rows_.elements_body()) add_input(program_.step_of(reduction())->args[0]);
        else
            for (const operand& each : of_.outputs) add_input(each.value);
        out.outputs = std::move(outputs);
        out.compute = [&](const std::vector<value>& inputs, const std::vector<value>& results,
                          const std::vector<value>&) {
            known_values here = known;
            for (std::size_t i = 0; i < of_.scalars.size(); ++i) here[of_.scalars[i]] = operands_.scalar(i);
            for (std::size_t i = 0; i < read.size(); ++i) here[read[i]] = inputs[i];
            compute(here, results);
        };
        out.in_strips = in_strips;
        out.all_along = [&](value_id of) { return known.count(of) ? known.at(of) : scalar(of); };
        add_row(to_, operands_, inner(), out, {to_.constant(0, types::index), extent_, at.linear, at.positions}, {});
    }

    value scalar(value_id of) {
        const auto found = std::find(of_.scalars.begin(), of_.scalars.end(), of);
        return operands_.scalar(static_cast<std::size_t>(found - of_.scalars.begin()));
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const lower::program& program_;
    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    row_bodies rows_;
    const strip_bodies in_strips_of_element_, in_strips_of_row_, in_strips_of_result_;
    const nest::builder::range range_;
    value extent_;
    nest::id to_reduce_ = nest::none;           // of a row
    std::map<value_id, nest::id> by_row_ = {};  // of a chunk's rows
};

}  // namespace

nest::tree host_crossed_columns_nest(const lower::program& program, const kernel& of) {
    return host_crossed_policy(program, of).run();
}

}  // namespace kiln::plan
