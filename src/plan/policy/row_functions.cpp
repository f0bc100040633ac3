#include <plan/policy/row_functions.hpp>

#include <lower/value_list.hpp>
#include <plan/float_vectors.hpp>
#include <plan/policy/part_of_body.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace kiln::plan {

namespace {

using lower::value_id;
using nest::builder;
using nest::value;
namespace types = nest::types;

// What is read again for each row, beside the row.
constexpr std::size_t most_values = 4;

/// Whether an operand has one row for all, and is found there by a stride.
bool is_one_row(const operand& of, int inner) {
    return !of.is_position && !of.is_partial && !of.gathered && of.how != access::contiguous && of.steps.empty() &&
           !(of.axes_read() & ~(1u << inner));
}

/// Steps whose values are the same in every row, and differ along it, by what they are made of.
class shared_values {
public:
    shared_values(const lower::program& program, const kernel& of)
        : program_(program), kinds_(static_cast<std::size_t>(program.step_value(of.last_step))) {
        const int inner = of.rank - 1;
        for (const operand& each : of.inputs) {
            kind& own = at(each.value);
            own.is_shared = is_one_row(each, inner);
            own.moves = own.is_shared && each.axes_read() != 0;
        }
        for (const value_id each : of.scalars) at(each).is_shared = true;
        for (int i = of.first_step; i < of.last_step; ++i) {
            const lower::step& step = program.steps[static_cast<std::size_t>(i)];
            kind own{step.arity > 0, false, is_strip_function(step)};
            for (int a = 0; a < step.arity; ++a) {
                if (program.is_constant(step.args[a])) continue;
                const kind& of_arg = at(step.args[a]);
                own.is_shared = own.is_shared && of_arg.is_shared;
                own.moves = own.moves || of_arg.moves;
                own.calls = own.calls || of_arg.calls;
            }
            // A loop that loads bool is not vectorised (g++ 12): conditions are made again.
            own.is_shared = own.is_shared && step.result != element_type::boolean;
            at(program.step_value(i)) = own;
        }
    }

    [[nodiscard]] bool are_made_once(value_id of) const {
        const kind& own = kinds_[static_cast<std::size_t>(of)];
        return program_.step_of(of) && own.is_shared && own.moves && own.calls;
    }

private:
    struct kind {
        bool is_shared = false;
        bool moves = false;  // along the row
        bool calls = false;  // a function
    };
    kind& at(value_id of) { return kinds_[static_cast<std::size_t>(of)]; }

    const lower::program& program_;
    std::vector<kind> kinds_;
};

/// What is made once, and that something else is made of; none of kernels whose elements are made another way.
std::vector<value_id> values_made_once(const lower::program& program, const kernel& of) {
    if (of.rank < 2 || of.mapping == thread_mapping::tiles || of.gathers() || of.has_byte_table ||
        !of.divisors.empty() || computes_float_vectors(program, of) || drawn_together(program, of) > 1)
        return {};
    const shared_values shared(program, of);
    for (const operand& each : of.outputs)
        if (!program.step_of(each.value) || shared.are_made_once(each.value)) return {};
    std::vector<value_id> out;
    for (int i = of.first_step; i < of.last_step; ++i) {
        if (shared.are_made_once(program.step_value(i))) continue;
        const lower::step& step = program.steps[static_cast<std::size_t>(i)];
        for (int a = 0; a < step.arity; ++a)
            if (shared.are_made_once(step.args[a])) lower::add_once(out, step.args[a]);
    }
    return out.size() > most_values ? std::vector<value_id>() : out;
}

}  // namespace

row_functions::row_functions(builder& to, nest::operands& operands, const lower::program& program, const kernel& of)
    : to_(to), operands_(operands), of_(of), values_(values_made_once(program, of)) {
    if (values_.empty()) return;
    const nest::body of_row = part_of_body(program, of, "row_body", values_);
    const std::vector<value_id> all_along = values_all_along(of, 1u << (of.rank - 1));
    strips row = strips_of(program, of_row, all_along);
    if (row.phases.empty()) return;

    std::vector<value_id> results;
    for (const operand& each : of.outputs) results.push_back(each.value);
    of_element_ = part_of_body(program, of, "body", results, values_);
    of_element_.outputs = results;
    for (const int step : of_element_.steps)
        are_all_ = are_all_ && !is_strip_function(program.steps[static_cast<std::size_t>(step)]);
    of_element_number_ = to.body(of_element_);
    if (strips cut = strips_of(program, of_element_, all_along); !cut.phases.empty())
        in_strips_ = strip_bodies(to, program, std::move(cut));
    in_strips_of_row_ = strip_bodies(to, program, std::move(row));
    for (std::size_t i = 0; i < values_.size(); ++i)
        made_.push_back(to.own("made_once", types::element(program.type_of(values_[i])), columns, line_bytes));
}

value row_functions::number(value_id of) const {
    const auto found = std::find(of_.scalars.begin(), of_.scalars.end(), of);
    return operands_.scalar(static_cast<std::size_t>(found - of_.scalars.begin()));
}

void row_functions::make(value begin, value end) {
    struct place {
        std::size_t input;
        value first, by;
    };
    std::map<value_id, place> places;
    const int inner = of_.rank - 1;
    const std::vector<value> first_column(static_cast<std::size_t>(of_.rank), to_.constant(0));
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (!is_one_row(each, inner)) continue;
        const value first = to_.let("row_of_" + operands_.input_name(i), types::index,
                                    operands_.linear(each.address, first_column, {}));
        places[each.value] = {i, first, operands_.stride(each, inner)};
    }
    strip_operands where;
    where.input = [&](value_id of, value i) {
        const auto found = places.find(of);
        if (found == places.end()) return number(of);
        return operands_.element(found->second.input, found->second.first + i * found->second.by);
    };
    where.output = [&](std::size_t number, value i) { return to_.at(made_[number], i - begin); };
    where.are_inputs_beside = [&](value_id of) {
        const auto found = places.find(of);
        return found != places.end() && nest::is_constant(found->second.by, 1);
    };
    where.are_outputs_beside = [](std::size_t) { return true; };
    where.are_positions = [](value_id) { return false; };
    in_strips_of_row_.add_loop(to_, begin, end, where);
}

row_elements row_functions::elements(row_elements of, value block) const {
    const std::size_t inputs = of.inputs.size();
    for (std::size_t i = 0; i < values_.size(); ++i)
        of.inputs.push_back({&anywhere_, "made_once",
                             [this, i, block](value at) { return to_.at(made_[i], at - block); }, true, nest::none,
                             values_[i]});
    of.compute = [this, inputs](const std::vector<value>& read, const std::vector<value>& results,
                                const std::vector<value>&) {
        std::vector<value> given;
        for (const value_id each : of_element_.inputs) {
            const auto input = std::find_if(of_.inputs.begin(), of_.inputs.end(),
                                            [each](const operand& one) { return one.value == each; });
            const auto once = std::find(values_.begin(), values_.end(), each);
            if (input != of_.inputs.end()) given.push_back(read[static_cast<std::size_t>(input - of_.inputs.begin())]);
            else if (once != values_.end())
                given.push_back(read[inputs + static_cast<std::size_t>(once - values_.begin())]);
            else given.push_back(number(each));
        }
        to_.compute(given, results, of_element_number_);
    };
    return of;
}

}  // namespace kiln::plan
