#include <plan/policy/finished_values.hpp>

#include <lower/value_list.hpp>
#include <plan/policy/part_of_body.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::value_id;
using nest::value;

finished_values::finished_values(nest::builder& to, nest::operands& operands, const lower::program& program,
                                 const kernel& of, value_id sum, bool called)
    : to_(to), operands_(operands), program_(program), of_(of), sum_(sum), made_(body()) {
    made_.is_called = called;
    if (!made_.outputs.empty()) number_ = to_.body(made_);
}

/// Once for each of the sum and what is read, though two may be one value.
nest::body finished_values::body() const {
    std::vector<value_id> wanted;
    for (const operand& each : of_.outputs) wanted.push_back(each.value);
    return part_of_body(program_, of_, "finished", wanted, {sum_});
}

bool finished_values::reads_beside() const {
    return std::any_of(of_.inputs.begin(), of_.inputs.end(),
                       [&](const operand& each) { return lower::holds(made_.inputs, each.value); });
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
