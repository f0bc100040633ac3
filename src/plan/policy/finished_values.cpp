#include <plan/policy/finished_values.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::value_id;
using nest::value;

finished_values::finished_values(nest::builder& to, nest::operands& operands, const lower::program& program,
                                 const kernel& of, value_id sum)
    : to_(to), operands_(operands), program_(program), of_(of), sum_(sum), made_(body()) {
    if (!made_.outputs.empty()) number_ = to_.body(made_);
}

/// The steps from the sum, and from what is read, to the outputs: once for each of those, though two may be one value.
nest::body finished_values::body() const {
    nest::body out{"finished", {}, {}, {}};
    const auto count = static_cast<std::size_t>(program_.step_value(of_.last_step));
    const auto is_made = [&](value_id of) { return of != sum_ && (program_.step_of(of) || program_.is_constant(of)); };
    std::vector<bool> needed(count);
    for (const operand& each : of_.outputs) {
        if (!is_made(each.value) || needed[static_cast<std::size_t>(each.value)]) continue;
        out.outputs.push_back(each.value);
        needed[static_cast<std::size_t>(each.value)] = true;
    }
    std::vector<bool> read(count);
    for (int i = of_.last_step; i-- > of_.first_step;) {
        const value_id made = program_.step_value(i);
        if (!needed[static_cast<std::size_t>(made)] || made == sum_) continue;
        out.steps.insert(out.steps.begin(), i);
        const lower::step& each = program_.steps[static_cast<std::size_t>(i)];
        for (int arg = 0; arg < each.arity; ++arg)
            (is_made(each.args[arg]) ? needed : read)[static_cast<std::size_t>(each.args[arg])] = true;
    }
    for (value_id each = 0; static_cast<std::size_t>(each) < count; ++each)
        if (read[static_cast<std::size_t>(each)]) out.inputs.push_back(each);
    return out;
}

std::vector<value> finished_values::of(value sum, const std::vector<value>& positions) {
    std::map<value_id, value> known{{sum_, sum}};
    for (std::size_t i = 0; i < of_.scalars.size(); ++i) known[of_.scalars[i]] = operands_.scalar(i);
    if (number_ >= 0) {
        std::vector<value> read;
        for (const value_id each : made_.inputs) {
            if (!known.count(each)) {
                const auto found = std::find_if(of_.inputs.begin(), of_.inputs.end(),
                                                [&](const operand& input) { return input.value == each; });
                const auto input = static_cast<std::size_t>(found - of_.inputs.begin());
                known[each] =
                    operands_.element(input, operands_.address(*found, operands_.input_name(input), positions));
            }
            read.push_back(known.at(each));
        }
        std::vector<value> made;
        for (const value_id each : made_.outputs)
            made.push_back(to_.variable("t", nest::types::element(program_.type_of(each))));
        to_.compute(read, made, number_);
        for (std::size_t i = 0; i < made.size(); ++i) known[made_.outputs[i]] = made[i];
    }
    std::vector<value> out;
    for (const operand& each : of_.outputs) out.push_back(known.at(each.value));
    return out;
}

}  // namespace kiln::plan
