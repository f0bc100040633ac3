#include <plan/policy/phased_rows.hpp>

namespace kiln::plan {

using lower::step;
using lower::value_id;
using nest::value;

phased_rows::phased_rows(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands,
                         row_phases phases)
    : program_(program),
      of_(of),
      phases_(std::move(phases)),
      to_(to),
      operands_(operands),
      of_row_(phases_.phase.size()) {
    for (std::size_t i = 0; i < of.scalars.size(); ++i) row_value(of.scalars[i]) = operands.scalar(i);
}

const operand* phased_rows::input(value_id of) const {
    for (const operand& each : of_.inputs)
        if (each.value == of) return &each;
    return nullptr;
}

std::string phased_rows::name_of(value_id of) const {
    if (const operand* const found = input(of))
        return operands_.input_name(static_cast<std::size_t>(found - of_.inputs.data()));
    if (!is_step(of)) return "number_" + std::to_string(of);  // one for all elements
    return "t" + std::to_string(of - program_.step_value(of_.first_step));
}

nest::body phased_rows::body_of(std::string name, const std::function<bool(value_id)>& takes,
                                std::vector<value_id> outputs) const {
    nest::body out{std::move(name), {}, std::move(outputs), {}};
    std::vector<bool> made(phases_.phase.size());
    std::vector<bool> read(phases_.phase.size());
    each_step([&](const step& each, value_id result, int i) {
        if (each.code == operation::reduce || each.code == operation::gather || !takes(result)) return;
        out.steps.push_back(i);
        made[at(result)] = true;
        for (int arg = 0; arg < each.arity; ++arg) read[at(each.args[arg])] = true;
    });
    for (const value_id each : out.outputs) read[at(each)] = true;
    for (value_id each = 0; at(each) < read.size(); ++each)
        if (read[at(each)] && !made[at(each)] && !program_.is_constant(each)) out.inputs.push_back(each);
    return out;
}

nest::body phased_rows::elements_body(int phase, std::vector<value_id> outputs) const {
    const std::vector<bool> needed = needed_in(phase, program_, of_, phases_);
    return body_of(
        "element_" + std::to_string(phase), [&](value_id of) { return is_made_in(phase, of, needed); },
        std::move(outputs));
}

bool phased_rows::is_made_in(int phase, value_id of, const std::vector<bool>& needed) const {
    if (!is_step(of) || of_row(of) || is_gather(of)) return false;
    return phase_of(of) == phase || (phases_.made_again[at(of)] && phase_of(of) < phase && needed[at(of)]);
}

std::optional<int> phased_rows::body_of_phase(int phase) {
    std::vector<bool> wanted(phases_.phase.size());
    each_reduction(phase, [&](const step& each, value_id, std::size_t) { wanted[at(each.args[0])] = true; });
    each_scan(phase, [&](const step& each, value_id) { wanted[at(each.args[0])] = true; });
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (is_stored(i, phase)) wanted[at(of_.outputs[i].value)] = true;
    const std::vector<bool> needed = needed_in(phase, program_, of_, phases_);
    std::vector<value_id> results;
    for (value_id each = 0; at(each) < wanted.size(); ++each) {
        const bool is_made_here = is_made_in(phase, each, needed) && !is_scan(each);
        const bool is_kept = phases_.kept[at(each)] && !phases_.made_again[at(each)];
        if (program_.is_constant(each) ? wanted[at(each)] : is_made_here && (wanted[at(each)] || is_kept))
            results.push_back(each);
    }
    if (results.empty()) return {};
    return to_.body(elements_body(phase, std::move(results)));
}

std::optional<int> phased_rows::body_from_inputs(int phase, const std::vector<bool>& needed) {
    std::vector<bool> wanted(phases_.phase.size());
    each_reduction(phase, [&](const step& each, value_id, std::size_t) { wanted[at(each.args[0])] = true; });
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (is_stored(i, phase)) wanted[at(of_.outputs[i].value)] = true;
    std::vector<value_id> results;
    for (value_id each = 0; at(each) < wanted.size(); ++each)
        if (wanted[at(each)] && (program_.is_constant(each) || (is_step(each) && !of_row(each))))
            results.push_back(each);
    if (results.empty()) return {};
    return to_.body(body_of(
        "element_anew_" + std::to_string(phase), [&](value_id of) { return !of_row(of) && needed[at(of)]; },
        std::move(results)));
}

std::vector<value> phased_rows::call(int body, const std::function<value(value_id)>& value_of, value is_right) {
    const nest::body of = to_.made().bodies[static_cast<std::size_t>(body)];
    std::vector<value> inputs;
    for (const value_id each : of.inputs) inputs.push_back(value_of(each));
    std::vector<value> outputs;
    for (const value_id each : of.outputs) outputs.push_back(to_.variable(name_of(each), type_of(each)));
    if (!is_right.is_there()) {
        to_.compute(inputs, outputs, body);
    } else {
        to_.compute_fast(inputs, outputs, is_right);
        to_.made().statements.back().body = body;
    }
    return outputs;
}

void phased_rows::take_element(int phase, std::optional<int> body, value number, const element_places& places) {
    std::vector<value> made(phases_.phase.size());
    const auto value_of = [&](value_id of) {
        if (made[at(of)].is_there()) return made[at(of)];
        return of_row(of) ? row_value(of) : places.held(of);
    };
    if (body) {
        const std::vector<value> results = call(*body, value_of, places.is_right);
        const std::vector<value_id> outputs = to_.made().bodies[static_cast<std::size_t>(*body)].outputs;
        for (std::size_t i = 0; i < results.size(); ++i) {
            made[at(outputs[i])] = results[i];
            if (const value kept = places.keep(outputs[i]); kept.is_there()) to_.assign(kept, results[i]);
        }
    }
    if (reduces(phase) && places.append) {
        const value one = to_.variable("one", nest::types::accumulators(phase));
        each_reduction(phase, [&](const step& each, value_id, std::size_t reduction) {
            to_.assign_one(to_.member(one, reduction), value_of(each.args[0]), number);
        });
        places.append(one);
    }
    each_scan(phase, [&](const step& each, value_id result) { places.begin_scan(result, value_of(each.args[0])); });
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (is_stored(i, phase) && places.store) places.store(i, value_of(of_.outputs[i].value));
}

bool phased_rows::is_made_of_row(value_id of, int phase) const {
    return is_step(of) && of_row(of) && phase_of(of) == phase &&
           program_.steps[at(of - program_.first_step_value())].code != operation::reduce;
}

std::vector<value_id> phased_rows::made_of_row(int phase) const {
    std::vector<bool> is_used(phases_.phase.size());
    for (const operand& each : of_.outputs) is_used[at(each.value)] = true;
    each_step([&](const step& each, value_id result, int) {
        if (is_made_of_row(result, phase)) return;
        for (int arg = 0; arg < each.arity; ++arg) is_used[at(each.args[arg])] = true;
    });
    std::vector<value_id> out;
    each_step([&](const step&, value_id result, int) {
        if (is_made_of_row(result, phase) && is_used[at(result)]) out.push_back(result);
    });
    return out;
}

nest::body phased_rows::row_body(int phase) const {
    return body_of(
        "row_" + std::to_string(phase), [&](value_id of) { return is_made_of_row(of, phase); }, made_of_row(phase));
}

void phased_rows::compute_row(int phase) {
    const nest::body body = row_body(phase);
    if (body.outputs.empty()) return;
    std::vector<value> inputs;
    for (const value_id each : body.inputs) inputs.push_back(row_value(each));
    std::vector<value> results;
    for (const value_id each : body.outputs) results.push_back(to_.variable(name_of(each), type_of(each)));
    to_.compute(inputs, results, to_.body(body));
    for (std::size_t i = 0; i < results.size(); ++i) row_value(body.outputs[i]) = results[i];
}

}  // namespace kiln::plan
