#include <plan/policy/part_of_body.hpp>

#include <lower/value_list.hpp>

#include <utility>

namespace kiln::plan {

using lower::value_id;

nest::body part_of_body(const lower::program& program, const kernel& of, std::string name,
                        const std::vector<value_id>& wanted, const std::vector<value_id>& given) {
    nest::body out{std::move(name), {}, {}, {}};
    const auto count = static_cast<std::size_t>(program.step_value(of.last_step));
    const auto is_made = [&](value_id each) {
        return !lower::holds(given, each) && (program.step_of(each) || program.is_constant(each));
    };
    std::vector<bool> needed(count);
    for (const value_id each : wanted) {
        if (!is_made(each) || needed[static_cast<std::size_t>(each)]) continue;
        out.outputs.push_back(each);
        needed[static_cast<std::size_t>(each)] = true;
    }
    std::vector<bool> read(count);
    for (int i = of.last_step; i-- > of.first_step;) {
        const value_id made = program.step_value(i);
        if (!needed[static_cast<std::size_t>(made)] || lower::holds(given, made)) continue;
        out.steps.insert(out.steps.begin(), i);
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        for (int arg = 0; arg < each.arity; ++arg)
            (is_made(each.args[arg]) ? needed : read)[static_cast<std::size_t>(each.args[arg])] = true;
    }
    for (value_id each = 0; static_cast<std::size_t>(each) < count; ++each)
        if (read[static_cast<std::size_t>(each)]) out.inputs.push_back(each);
    return out;
}

}  // namespace kiln::plan
