// Of tables a row of which is looked up for each row. What is looked up is one for all elements of a row: it is made once, before any of
// them, and the elements are loaded as operands' are, in vectors where the table's rows are whole ones.
#include <plan/policy/persistent_rows.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
using lower::value_id;

void persistent_rows_policy::look_up() {
    work of;
    of.needed.resize(phases_.phase.size());
    std::vector<value_id> made;
    each_step([&](const step& each, value_id, int) {
        if (each.code != operation::gather) return;
        for (int arg = 1; arg < each.arity; ++arg) {
            const value_id lookup = each.args[arg];
            const bool is_new = !of.needed[at(lookup)];
            of.needed[at(lookup)] = true;
            if (is_new && (is_step(lookup) || program_.is_constant(lookup))) made.push_back(lookup);
        }
    });
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
        const step& each = program_.steps[i];
        if (each.code == operation::gather || !of.needed[at(program_.step_value(static_cast<int>(i)))]) continue;
        for (int arg = 0; arg < each.arity; ++arg) of.needed[at(each.args[arg])] = true;
    }
    load_of_row(of.needed);
    if (made.empty()) return;
    const int body = to_.body(body_of(
        "lookups", [&](value_id each) { return of.needed[at(each)]; }, made));
    const std::vector<value> results =
        call(body, [&](value_id each) { return of_row(each) ? row_value(each) : of_row_inputs_[at(each)]; });
    for (std::size_t i = 0; i < made.size(); ++i) looked_up_[at(made[i])] = results[i];
}

std::vector<nest::value> persistent_rows_policy::lookups_of(const step& gather) {
    std::vector<value> out;
    for (int arg = 1; arg < gather.arity; ++arg) {
        const value_id each = gather.args[arg];
        if (looked_up_[at(each)].is_there()) out.push_back(looked_up_[at(each)]);
        else out.push_back(of_row(each) ? row_value(each) : of_row_inputs_[at(each)]);
    }
    return out;
}

}  // namespace kiln::plan
