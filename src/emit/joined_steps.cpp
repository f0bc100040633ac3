#include <emit/joined_steps.hpp>

#include <lower/signs.hpp>
#include <lower/value_list.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using lower::holds;
using lower::step;
using lower::value_id;

/// As converted() takes it; null of what is no rounding.
const char* name_of_rounding(const step& of) {
    if (of.operands != element_type::float32) return nullptr;
    switch (of.code) {
        case operation::rint: return "rni";
        case operation::floor: return "rmi";
        case operation::ceil: return "rpi";
        case operation::trunc: return "rzi";
        default: return nullptr;
    }
}

bool is_real(element_type type) { return type == element_type::float32 || type == element_type::float64; }

/// 1 or 0.
bool is_number_of_condition(const step& of) {
    return of.code == operation::cast && kind_of(of.operands) == element_kind::logical && is_real(of.result);
}

}  // namespace

joined_steps::joined_steps(const lower::program& program, const value_names& names, const std::vector<int>& steps,
                           const std::vector<value_id>& outputs)
    : program_(program), names_(names) {
    std::vector<value_id> read = outputs;
    for (const int each : steps) {
        const step& of = program.steps[static_cast<std::size_t>(each)];
        const value_id result = program.step_value(each);
        if (const std::optional<pair> found = pair_of(of)) {
            lines_[each] = text::format("    const {} {} = {};\n", spelling(of.result), names(result), found->text);
            read.insert(read.end(), found->read.begin(), found->read.end());
        } else {
            read.insert(read.end(), std::begin(of.args), std::end(of.args));
        }
        if (name_of_rounding(of) || is_number_of_condition(of)) firsts_.push_back(result);
    }
    for (const int each : steps) {
        const value_id result = program.step_value(each);
        if (holds(firsts_, result) && !holds(read, result)) lines_[each] = "";
    }
}

std::optional<std::string> joined_steps::line(int step) const {
    const auto found = lines_.find(step);
    return found == lines_.end() ? std::nullopt : std::optional(found->second);
}

const step* joined_steps::first_of_pair(value_id made) const {
    return holds(firsts_, made) ? program_.step_of(made) : nullptr;
}

std::optional<joined_steps::pair> joined_steps::pair_of(const step& second) const {
    std::optional<pair> out = rounding_cast(second);
    return out ? out : counting_sum(second);
}

/// The rounding and the conversion after it would run on a unit that takes a warp eight cycles for each.
std::optional<joined_steps::pair> joined_steps::rounding_cast(const step& cast) const {
    if (cast.code != operation::cast || kind_of(cast.result) != element_kind::integer || !has_conversion(cast))
        return {};
    const step* const rounding = first_of_pair(cast.args[0]);
    if (!rounding || !name_of_rounding(*rounding)) return {};
    const value_id from = rounding->args[0];
    return pair{converted(names_(from), cast.result, name_of_rounding(*rounding)), {from}};
}

/// An addition that a condition switches, in place of a number made of the condition and an addition. -0 + 0 is 0: what may be -0 is
/// added to.
std::optional<joined_steps::pair> joined_steps::counting_sum(const step& sum) const {
    if (sum.code != operation::add || !is_real(sum.result)) return {};
    for (const int i : {1, 0}) {
        const step* const number = first_of_pair(sum.args[i]);
        const value_id other = sum.args[1 - i];
        if (!number || !is_number_of_condition(*number) || !lower::is_never_negative_zero(program_, other)) continue;
        const std::string to = names_(other);
        return pair{text::format("{0} ? {1} + {2} : {1}", names_(number->args[0]), to,
                                 sum.result == element_type::float32 ? "1.0f" : "1.0"),
                    {number->args[0], other}};
    }
    return {};
}

}  // namespace kiln::emit
