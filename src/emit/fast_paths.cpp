#include <emit/fast_paths.hpp>

#include <text/format.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::emit {

using lower::step;
using lower::value_id;
using plan::path;

fast_path_text::fast_path_text(const lower::program& program, const value_names& names, const std::vector<int>& steps,
                               const plan::fast_paths& chosen)
    : program_(program), names_(names), steps_(steps), chosen_(chosen) {}

const step& fast_path_text::step_at(std::size_t i) const { return program_.steps[static_cast<std::size_t>(steps_[i])]; }
value_id fast_path_text::value_at(std::size_t i) const { return program_.step_value(steps_[i]); }

std::string fast_path_text::path_text(std::size_t i) const {
    const step& each = step_at(i);
    const std::string first = names_(each.args[0]);
    if (chosen_.paths[i] == path::any)
        return each.code == operation::sqrt ? text::format("root_of_any({})", first)
                                            : text::format("reciprocal_of_root({})", first);
    if (chosen_.paths[i] == path::by_scalar)
        return text::format("quotient_by_scalar({}, {})", first, names_(each.args[1]));
    switch (each.code) {
        case operation::sqrt: return text::format("root_in_range({})", first);
        case operation::rsqrt: return text::format("rsqrt_of_normal({})", first);
        case operation::reciprocal: return text::format("reciprocal_in_range({})", first);
        default: {
            const char* const by = chosen_.by_positive[i] ? "_by_positive" : "";
            const char* const of = chosen_.by_column[i] ? "_of_column" : "";
            return text::format("quotient{}{}_in_range({}, {})", by, of, first, names_(each.args[1]));
        }
    }
}

std::string fast_path_text::test_text(std::size_t i) const {
    const step& each = step_at(i);
    const std::string result = names_(value_at(i));
    if (chosen_.quotient_tests[i] == plan::quotient_test::by_root)
        return text::format("is_quotient_by_root_in_range({}, {})",
                            each.code == operation::reciprocal ? "1.0f" : names_(each.args[0]), result);
    if (chosen_.quotient_tests[i] == plan::quotient_test::by_scalar)
        return text::format("is_scalar_in_range({})", names_(each.args[0]));
    switch (each.code) {
        case operation::sqrt: return text::format("is_root_in_range({})", result);
        case operation::rsqrt: return text::format("is_rsqrt_of_normal({})", result);
        case operation::reciprocal: return text::format("is_reciprocal_in_range({})", result);
        default: return text::format("is_quotient_in_range({}, {})", names_(each.args[0]), result);
    }
}

std::string fast_path_text::branch_text(const std::string& body) const {
    std::string arguments;
    for (const value_id each : chosen_.read) arguments += (arguments.empty() ? "" : ", ") + names_(each);
    if (chosen_.results.size() == 1)
        return text::format("    if (!in_range) {} = {}_exact({});\n", names_(chosen_.results[0]), body, arguments);
    std::string out =
        text::format("    if (!in_range) {{\n        const {0}_results exact = {0}_exact({1});\n", body, arguments);
    for (const value_id each : chosen_.results) out += text::format("        {0} = exact.{0};\n", names_(each));
    return out + "    }\n";
}

std::string fast_path_text::lines(const std::string& body, const std::function<std::string(int step)>& line) const {
    constexpr std::string_view constant = "    const ";
    std::string out;
    bool is_first_test = true;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const value_id value = value_at(i);
        std::string text = line(steps_[i]);
        if (chosen_.paths[i] != path::usual && chosen_.paths[i] != path::unbranched)
            text = text::format("    const float {} = {};\n", names_(value), path_text(i));
        const bool changes = std::find(chosen_.results.begin(), chosen_.results.end(), value) != chosen_.results.end();
        if (changes && text.starts_with(constant)) text.replace(0, constant.size(), "    ");
        out += text;
        if (chosen_.paths[i] == path::tested) {
            out += is_first_test ? "    bool in_range = " : "    in_range = in_range & ";
            out += text::format("{};\n", test_text(i));
            is_first_test = false;
        }
        if (i == chosen_.last && chosen_.has_tests()) out += branch_text(body);
    }
    return out;
}

std::string fast_path_text::lines_without_branch(const std::function<std::string(int step)>& line) const {
    std::string out;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        out += chosen_.paths[i] == path::usual
                   ? line(steps_[i])
                   : text::format("    const float {} = {};\n", names_(value_at(i)), path_text(i));
        if (chosen_.paths[i] == path::tested || chosen_.paths[i] == path::unbranched)
            out += text::format("    in_range = in_range & {};\n", test_text(i));
    }
    return out;
}

std::string fast_path_text::exact_function(const std::string& body) const {
    if (!chosen_.has_tests()) return {};
    const std::vector<value_id>& results = chosen_.results;
    std::string parameters;
    for (const value_id each : chosen_.read)
        parameters += text::format("{}const {} {}", parameters.empty() ? "" : ", ", spelling(program_.type_of(each)),
                                   names_(each));
    std::string out;
    std::string type = spelling(program_.type_of(results[0]));
    if (results.size() > 1) {
        type = body + "_results";
        out += text::format("struct {} {{", type);
        for (const value_id each : results)
            out += text::format(" {} {};", spelling(program_.type_of(each)), names_(each));
        out += " };\n\n";
    }
    out += text::format("static __device__ __noinline__ {} {}_exact({})\n{{\n", type, body, parameters);
    for (std::size_t i = chosen_.first; i <= chosen_.last; ++i)
        if (chosen_.repeated[i]) out += step_line(program_, names_, steps_[i], plan::frame::cuda);
    std::string made;
    for (const value_id each : results) made += (made.empty() ? "" : ", ") + names_(each);
    if (results.size() > 1) made = "{" + made + "}";
    return out + text::format("    return {};\n}}\n\n", made);
}

}  // namespace kiln::emit
