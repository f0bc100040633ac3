#include <plan/policy/host_phases.hpp>

#include <algorithm>
#include <iterator>

namespace kiln::plan {

using lower::step;
using lower::value_id;
using nest::value;

bool host_phases::stores_lines() const {
    bool elements = false;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
        if (of_.stores_elements(i) && of_.outputs[i].how != access::contiguous) return false;
        elements = elements || of_.stores_elements(i);
    }
    return elements && !of_.aliased;
}

std::vector<value_id> host_phases::computed_to_reduce(int phase) const {
    std::vector<value_id> out;
    each_reduction(phase, [&](const step& each, value_id, std::size_t) {
        const value_id of = each.args[0];
        if (!are_neighbours(of, phase) && std::find(out.begin(), out.end(), of) == out.end()) out.push_back(of);
    });
    return out;
}

std::vector<host_phases::phase_result> host_phases::results_of(int phase, value piece) {
    std::vector<phase_result> out;
    each_step([&](const step&, value_id of, int) {
        if (is_kept(of) && phase_of(of) == phase)
            out.push_back({of, [this, of](value place) { return to_.at(kept_[at(of)], place); }});
    });
    for (const value_id of : computed_to_reduce(phase))
        out.push_back({of, [this, of, piece](value place) {
                           const nest::id memory = pieces_[at(of)];
                           if (memory == nest::none) return value();
                           return to_.at(memory, piece.is_there() ? place - piece : place);
                       }});
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (is_stored(i, phase))
            out.push_back({of_.outputs[i].value,
                           [this, i](value place) { return operands_.output(i, linear() + place); },
                           operands_.memory_of_output(i)});
    return out;
}

std::vector<value_id> host_phases::values_of(const std::vector<phase_result>& results) {
    std::vector<value_id> out;
    for (const phase_result& each : results) out.push_back(each.of);
    return out;
}

bool host_phases::all_leave(const std::vector<phase_result>& results) {
    return std::all_of(results.begin(), results.end(),
                       [](const phase_result& each) { return each.output != nest::none; });
}

std::vector<value_id> host_phases::alike_in(const nest::body& body) const {
    std::vector<value_id> out;
    std::copy_if(body.inputs.begin(), body.inputs.end(), std::back_inserter(out),
                 [this](value_id each) { return is_alike(each); });
    return out;
}

row_elements host_phases::elements(const nest::body& body, int number, const std::vector<phase_result>& results,
                                   value line, const strip_bodies& in_strips) {
    row_elements out;
    for (const value_id each : body.inputs)
        if (!is_alike(each)) out.inputs.push_back(element_input(each, line));
    for (const phase_result& each : results)
        out.outputs.push_back(
            {&anywhere_, name_of(each.of),
             [element = each.element, line](value i) { return element(line.is_there() ? line + i : i); }, true,
             each.output, -1, type_of(each.of)});
    out.compute = [this, &body, number](const std::vector<value>& inputs, const std::vector<value>& outputs,
                                        const std::vector<value>&) {
        std::vector<value> given;
        std::size_t next = 0;
        for (const value_id each : body.inputs) given.push_back(is_alike(each) ? row_value(each) : inputs[next++]);
        to_.compute(given, outputs, number);
    };
    if (in_strips.are_there()) out.in_strips = &in_strips;
    out.all_along = [this](value_id of) { return row_value(of); };
    return out;
}

bool host_phases::widens_alone(const nest::body& body, int phase, const std::vector<phase_result>& results) const {
    if (results.size() != 1 || results[0].output != nest::none || body.steps.size() != 1) return false;
    const step& only = program_.steps[static_cast<std::size_t>(body.steps[0])];
    return only.code == operation::cast && is_small_float(only.operands) && only.result == element_type::float32 &&
           are_neighbours(only.args[0], phase);
}

void host_phases::widen(int number, int phase, value piece, value count) {
    const step& cast = program_.steps[static_cast<std::size_t>(number)];
    const value_id wide = program_.step_value(number);
    const value from = neighbours(cast.args[0], phase, piece);
    const value to = is_kept(wide) ? to_.place(kept_[at(wide)], piece) : to_.place(pieces_[at(wide)], 0);
    to_.function(std::string("widen_") + info(cast.operands).suffix, {&from, 1}, to, count);
}

}  // namespace kiln::plan
