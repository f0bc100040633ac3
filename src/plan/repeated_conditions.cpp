#include <plan/repeated_conditions.hpp>

#include <plan/compile_weight.hpp>

#include <iterator>
#include <utility>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;

std::size_t index_of(value_id of) { return static_cast<std::size_t>(of); }

/// What some steps read of arrays, scalars and constants.
std::vector<bool> leaves_read(const lower::program& of, int first, int last) {
    std::vector<bool> out(index_of(of.first_step_value()));
    for (value_id each = of.scalar_value(0); each < of.first_step_value(); ++each) out[index_of(each)] = true;
    for (int i = first; i < last; ++i)
        for (const value_id arg : of.steps[index_of(i)].args)
            if (arg >= 0 && arg < of.first_step_value()) out[index_of(arg)] = true;
    return out;
}

/// Made of nothing that a kernel does not read anyway, in a step or two.
bool is_cheap(const lower::program& of, value_id value, const std::vector<bool>& read) {
    const step* const made = of.step_of(value);
    if (!made || made->result != element_type::boolean || compile_weight(*made) > 2) return false;
    if (made->code == operation::gather || made->code == operation::reduce || made->function != 0) return false;
    for (const value_id arg : made->args)
        if (arg >= 0 && (arg >= of.first_step_value() || !read[index_of(arg)])) return false;
    return true;
}

}  // namespace

void repeat_conditions(lower::program& of, std::vector<int>& ends) {
    if (ends.size() < 2) return;
    std::vector<step> steps;
    std::vector<value_id> now(
        index_of(of.step_value(static_cast<int>(of.steps.size()))));  // what stands for each value
    for (value_id each = 0; each < of.first_step_value(); ++each) now[index_of(each)] = each;
    int first = 0;
    for (int& end : ends) {
        const std::vector<bool> read = leaves_read(of, first, end);
        std::vector<value_id> repeated(now.size(), -1);
        const auto add = [&](const step& each) {
            steps.push_back(each);
            return of.step_value(static_cast<int>(steps.size()) - 1);
        };
        for (int i = first; i < end; ++i)
            for (const value_id arg : of.steps[index_of(i)].args)
                if (arg >= of.first_step_value() && arg < of.step_value(first) && repeated[index_of(arg)] < 0 &&
                    is_cheap(of, arg, read))
                    repeated[index_of(arg)] = add(*of.step_of(arg));
        for (int i = first; i < end; ++i) {
            step each = of.steps[index_of(i)];
            for (value_id& arg : each.args)
                if (arg >= 0) arg = repeated[index_of(arg)] >= 0 ? repeated[index_of(arg)] : now[index_of(arg)];
            now[index_of(of.step_value(i))] = add(each);
        }
        first = std::exchange(end, static_cast<int>(steps.size()));
    }
    for (value_id& each : of.outputs) each = now[index_of(each)];
    for (lower::assumption& each : of.assumptions) each.value = now[index_of(each.value)];
    of.steps = std::move(steps);
}

}  // namespace kiln::plan
