#include <plan/policy/row_bodies.hpp>

#include <lower/value_list.hpp>
#include <plan/reduction_set.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace kiln::plan {

using lower::add_once;
using lower::holds;
using lower::value_id;
using nest::value;
namespace types = nest::types;

row_bodies::row_bodies(nest::builder& to, const lower::program& program, const kernel& of,
                       const std::function<bool(std::size_t)>& is_of_row)
    : to_(to),
      program_(program),
      of_(of),
      outputs_(of.outputs.size()),
      set_(to.set(reductions_of_rows(program, of.outputs.size()).front())) {
    std::vector<value_id> elements;
    std::vector<value_id> results;
    for (int i = of_.first_step; i < of_.last_step; ++i)
        if (const lower::step& each = program_.steps[static_cast<std::size_t>(i)]; each.code == operation::reduce)
            add_once(elements, each.args[0]), reductions_.push_back(program_.step_value(i));
    for (const operand& each : of_.outputs) add_once(results, each.value);
    elements_ = {body("element_of_row", elements)};
    results_ = {body("result_of_row", results)};
    if (!is_of_row) return;
    const std::vector<value_id> given = values_of_row(results_.of, is_of_row);
    of_row_ = {body("row_0", given)};
    results_ = {body("result_of_row", results, given)};
}

/// Of a body's steps, those that are one for a row, as far as others of it read them.
std::vector<value_id> row_bodies::values_of_row(const nest::body& results,
                                                const std::function<bool(std::size_t)>& is_of_row) const {
    std::vector<bool> varies(static_cast<std::size_t>(program_.step_value(of_.last_step)));
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        varies[static_cast<std::size_t>(of_.inputs[i].value)] = !is_of_row(i);
    std::vector<value_id> out;
    for (const int i : results.steps) {
        const lower::step& each = program_.steps[static_cast<std::size_t>(i)];
        const auto args = std::span(each.args).first(static_cast<std::size_t>(each.arity));
        const bool here =
            std::any_of(args.begin(), args.end(), [&](value_id arg) { return varies[static_cast<std::size_t>(arg)]; });
        varies[static_cast<std::size_t>(program_.step_value(i))] = here;
        for (const value_id arg : args)
            if (here && !varies[static_cast<std::size_t>(arg)] && program_.step_of(arg) && !is_reduction(arg))
                add_once(out, arg);
    }
    for (const value_id each : results.outputs)
        if (!varies[static_cast<std::size_t>(each)] && program_.step_of(each)) add_once(out, each);
    return out;
}

bool row_bodies::needs_of_row(value_id of) const { return holds(of_row_.of.inputs, of); }
bool row_bodies::needs_result(value_id of) const {
    return holds(results_.of.inputs, of) ||
           std::any_of(of_.outputs.begin(), of_.outputs.end(), [&](const operand& each) { return each.value == of; });
}

bool row_bodies::is_reduction(value_id of) const {
    const lower::step* const step = program_.step_of(of);
    return step && step->code == operation::reduce;
}

/// The steps from inputs, reductions and what is given to these values; of values that no step makes, and of those, nothing.
nest::body row_bodies::body(const char* name, const std::vector<value_id>& wanted,
                            const std::vector<value_id>& given) const {
    nest::body out{name, {}, {}, {}};
    const std::size_t count = static_cast<std::size_t>(program_.step_value(of_.last_step));
    std::vector<bool> needed(count);
    const auto is_made = [&](value_id of) { return program_.step_of(of) && !is_reduction(of) && !holds(given, of); };
    for (const value_id each : wanted)
        if (is_made(each) || program_.is_constant(each))
            out.outputs.push_back(each), needed[static_cast<std::size_t>(each)] = true;
    std::vector<bool> read(count);
    for (int i = of_.last_step; i-- > of_.first_step;) {
        const value_id made = program_.step_value(i);
        if (!needed[static_cast<std::size_t>(made)] || is_reduction(made)) continue;
        out.steps.insert(out.steps.begin(), i);
        const lower::step& each = program_.steps[static_cast<std::size_t>(i)];
        for (int arg = 0; arg < each.arity; ++arg)
            (is_made(each.args[arg]) ? needed : read)[static_cast<std::size_t>(each.args[arg])] = true;
    }
    for (value_id each = 0; static_cast<std::size_t>(each) < count; ++each)
        if (read[static_cast<std::size_t>(each)] && !program_.is_constant(each)) out.inputs.push_back(each);
    return out;
}

std::vector<value> row_bodies::reduced(known_values known) {
    call(elements_, known);
    std::vector<value> out;
    for (const value_id each : reductions_) out.push_back(known.at(program_.step_of(each)->args[0]));
    return out;
}

value row_bodies::element(known_values known, value number) {
    const std::vector<value> made = reduced(std::move(known));
    const value one = to_.variable("one", types::accumulators(set_));
    for (std::size_t i = 0; i < made.size(); ++i) to_.assign_one(to_.member(one, number_of(i)), made[i], number);
    return one;
}

void row_bodies::finish(known_values& known, value accumulators, value count) {
    for (std::size_t i = 0; i < reductions_.size(); ++i)
        known[reductions_[i]] =
            to_.let("r" + std::to_string(i), to_.finish(to_.member(accumulators, number_of(i)), number_of(i), count));
}

void row_bodies::call(part& of, known_values& known) {
    if (of.of.outputs.empty()) return;
    if (!of.number) of.number = to_.body(of.of);
    std::vector<value> read;
    for (const value_id each : of.of.inputs) read.push_back(known.at(each));
    std::vector<value> made;
    for (const value_id each : of.of.outputs) made.push_back(to_.variable("t", types::element(program_.type_of(each))));
    to_.compute(read, made, *of.number);
    for (std::size_t i = 0; i < made.size(); ++i) known[of.of.outputs[i]] = made[i];
}

}  // namespace kiln::plan
