#include <emit/body.hpp>

#include <capture/function_table.hpp>
#include <capture/reduction_table.hpp>
#include <emit/address.hpp>
#include <emit/fast_paths.hpp>
#include <emit/helpers.hpp>
#include <emit/joined_steps.hpp>
#include <emit/library.hpp>
#include <emit/rounded_steps.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace kiln::emit {

namespace {

struct type_definition {
    std::string_view name;
    std::string_view meaning;
};

constexpr type_definition definable[] = {
    {"i8", "signed char"},   {"u8", "unsigned char"},       {"i16", "short"},     {"u16", "unsigned short"},
    {"u32", "unsigned int"}, {"u64", "unsigned long long"}, {"i64", "long long"},
};

}  // namespace

// By pointers to functions that are said to depend on nothing but their arguments, so that a call whose argument does not change is
// taken out of its loop: x * exp(s) calls once, and what is left in the loop has vectors.
std::string library_functions(std::string_view steps) {
    std::string out;
    if (steps.find("(library") == steps.npos) return out;  // as most
    for (int row = 0; row < library_rows; ++row) {
        const library_entry& entry = library_entries[row];
        for (const element_type type :
             {element_type::float32, element_type::float64, element_type::float16, element_type::bfloat16}) {
            const std::string name = text::format("{}_{}", entry.name, info(type).suffix);
            if (!mentions(steps, name)) continue;
            const char* const t = spelling(type);
            const bool two = entry.arity == 2;
            const int slot = is_small_float(type) ? small_slot(row, form::of_element, type)
                                                  : 2 * row + (type == element_type::float64);
            // Before the helpers, which define the type.
            if (is_small_float(type)) out += text::format("enum class {} : unsigned short;\n", t);
            out += text::format(
                "static inline {0} {1}(const void* const* library, {0} a{2}) {{ typedef {0} (*of)({0}{3}) "
                "__attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[{4}]))(a{5}); }}\n",
                t, name, two ? text::format(", {} b", t) : "", two ? text::format(", {}", t) : "", slot,
                two ? ", b" : "");
        }
    }
    return out;
}

value_names::value_names(const lower::program& program, const plan::kernel& kernel)
    : first_step_(program.step_value(kernel.first_step)), portable_(program.portable) {
    int arrays = 0;
    int positions = 0;
    for (const plan::operand& each : kernel.inputs)
        outside_[each.value] = each.is_position ? text::format("index{}", positions++) : text::format("x{}", arrays++);
    for (std::size_t i = 0; i < kernel.scalars.size(); ++i) outside_[kernel.scalars[i]] = text::format("s{}", i);
    for (std::size_t i = 0; i < kernel.divisors.size(); ++i)
        divisors_[kernel.scalars[static_cast<std::size_t>(kernel.divisors[i])]] = text::format("d{}", i);
    for (std::size_t i = 0; i < program.constants.size(); ++i)
        outside_[program.constant_value(static_cast<int>(i))] = literal(program.constants[i]);
    const auto add_function = [this](std::uint64_t function) {
        if (function && std::find(functions_.begin(), functions_.end(), function) == functions_.end())
            functions_.push_back(function);
    };
    for (int step = kernel.first_step; step < kernel.last_step; ++step)
        add_function(program.steps[static_cast<std::size_t>(step)].function);
    for (const plan::reduced_output& each : kernel.reduced)
        if (each.definition) add_function(detail::reduction_at(each.definition).function);
}

std::string value_names::function(std::uint64_t number) const {
    const auto found = std::find(functions_.begin(), functions_.end(), number);
    return text::format("user{}_{}", found - functions_.begin(), detail::function_at(number).name);
}

std::string value_names::operator()(lower::value_id value) const {
    const auto found = outside_.find(value);
    return found != outside_.end() ? found->second : text::format("t{}", value - first_step_);
}

std::string value_names::divisor(lower::value_id value) const {
    const auto found = divisors_.find(value);
    return found != divisors_.end() ? found->second : std::string();
}

std::string element_text(const plan::operand& of, const std::string& name, const std::string& address) {
    return of.is_position ? text::format("{} + {}", name, address) : text::format("{}[{}]", name, address);
}

std::string axis_position(int axis) { return text::format("p{}", axis); }

namespace {

const plan::operand& input_of(const plan::kernel& kernel, lower::value_id value) {
    return *std::find_if(kernel.inputs.begin(), kernel.inputs.end(),
                         [value](const plan::operand& each) { return each.value == value; });
}

void add_to_list(std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; }

/// The steps of the operand's index map, and the element: its address is known only here, where the lookups are.
std::string take_text(const value_names& names, const plan::kernel& kernel, plan::frame frame, const lower::step& step,
                      const std::string& result) {
    const plan::operand& from = input_of(kernel, step.args[0]);
    const address_text addresses(kernel, frame);
    std::vector<std::string> lookups;
    for (int i = 1; i < step.arity; ++i) lookups.push_back(names(step.args[i]));
    const std::string name = names(step.args[0]);
    const std::string address = addresses.address(from, result, axis_position);
    return addresses.steps(from, result, axis_position, lookups, "    ") +
           text::format("    const {} {} = {};\n", spelling(step.result), result, element_text(from, name, address));
}

}  // namespace

std::string step_line(const lower::program& program, const plan::kernel& kernel, const value_names& names, int step,
                      plan::frame frame) {
    const lower::step& each = program.steps[static_cast<std::size_t>(step)];
    if (each.code == operation::gather) return take_text(names, kernel, frame, each, names(program.step_value(step)));
    return step_line(program, names, step, frame);
}

std::string input_parameter(const lower::program& program, const plan::kernel& kernel, const value_names& names,
                            lower::value_id input) {
    const bool is_array = std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [input](const plan::operand& each) {
        return each.value == input && each.gathered && !each.is_position;
    });
    return text::format("const {}{} {}", spelling(program.type_of(input)), is_array ? "*" : "", names(input));
}

std::string position_parameters(const plan::kernel& kernel, plan::frame frame) {
    std::string out = frame == plan::frame::cuda ? "const layout& at" : "const i64* at";
    for (int axis = 0; axis < kernel.rank; ++axis)
        add_to_list(out, text::format("const {} {}", address_text(kernel, frame).index_type(), axis_position(axis)));
    return out;
}

std::string step_line(const lower::program& program, const value_names& names, int step, plan::frame frame) {
    const lower::step& each = program.steps[static_cast<std::size_t>(step)];
    return text::format("    const {} {} = {};\n", spelling(each.result), names(program.step_value(step)),
                        step_text(names, each, frame));
}

std::string result_line(std::size_t number, const std::string& value, element_type type, plan::frame frame) {
    const char* const by_parts = "    y{0}.re = {1}.re;\n    y{0}.im = {1}.im;\n";
    const bool is_whole = frame == plan::frame::cuda || kind_of(type) != element_kind::complex;
    return text::format(fmt::runtime(is_whole ? "    y{0} = {1};\n" : by_parts), number, value);
}

void add_steps(body& to, const lower::program& program, const plan::kernel& kernel, const value_names& names,
               const std::vector<int>& steps, const std::vector<lower::value_id>& outputs, plan::frame frame,
               const std::string& name, const std::function<std::string(int step)>& line, bool is_anew) {
    if (frame == plan::frame::host) {
        for (const int step : steps) to.steps += line(step);
        to.steps = round_in_float(to.steps);
        return;
    }
    const plan::fast_paths chosen = kernel.panel.items > 0 ? plan::choose_fast_paths_of_columns(program, steps, outputs)
                                                           : plan::choose_fast_paths(program, steps, outputs);
    const plan::fast_paths of_steps = plan::branches_pay(kernel)     ? chosen
                                      : is_anew && chosen.have_any() ? chosen.for_any()
                                                                     : chosen.proved_alone();
    const fast_path_text text(program, names, steps, of_steps);
    const joined_steps joined(program, names, steps, outputs);
    const auto joined_line = [&](int step) {
        const std::optional<std::string> own = joined.line(step);
        return own ? *own : line(step);
    };
    to.before += text.exact_function(name);
    // What a branch computes once more, it hands on by results; what a pair reads may be none of them.
    to.steps += of_steps.has_tests() ? text.lines(name, line) : text.lines(name, joined_line);
    if (chosen.has_unbranched_tests())
        to.fast_steps = fast_path_text(program, names, steps, chosen).lines_without_branch(joined_line);
}

body make_steps(const lower::program& program, const plan::kernel& kernel, const value_names& names, plan::frame frame,
                bool is_anew) {
    body out;
    const auto add_parameter = [&out](const std::string& text) { add_to_list(out.parameters, text); };
    for (const plan::operand& input : kernel.inputs)
        add_parameter(input_parameter(program, kernel, names, input.value));
    for (const lower::value_id scalar : kernel.scalars) add_parameter(input_parameter(program, kernel, names, scalar));
    for (std::size_t i = 0; i < kernel.divisors.size(); ++i) add_parameter(text::format("const i64 d{}", i));
    if (kernel.gathers()) add_parameter(position_parameters(kernel, frame));
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
        add_parameter(text::format("{}& y{}", spelling(program.type_of(kernel.outputs[i].value)), i));

    const auto line = [&](int step) {
        // Of a row: it is put together around the body.
        if (program.steps[static_cast<std::size_t>(step)].code == operation::reduce) return std::string();
        return step_line(program, kernel, names, step, frame);
    };
    std::vector<int> steps(static_cast<std::size_t>(kernel.last_step - kernel.first_step));
    std::iota(steps.begin(), steps.end(), kernel.first_step);
    std::vector<lower::value_id> outputs;
    for (const plan::operand& each : kernel.outputs) outputs.push_back(each.value);
    add_steps(out, program, kernel, names, steps, outputs, frame, "body", line, is_anew);
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        const lower::value_id value = kernel.outputs[i].value;
        const std::string result = result_line(i, names(value), program.type_of(value), frame);
        out.steps += result;
        out.fast_steps += result;
    }
    return out;
}

std::string typedefs_for(const std::string& text) {
    bool used[std::size(definable)] = {};
    for_each_word(text, [&](std::string_view word) {
        if ((word[0] != 'i' && word[0] != 'u') || word.back() > '9') return;  // as most
        for (std::size_t i = 0; i < std::size(definable); ++i) used[i] = used[i] || word == definable[i].name;
    });
    std::string out;
    for (std::size_t i = 0; i < std::size(definable); ++i)
        if (used[i])
            out.append("typedef ").append(definable[i].meaning).append(" ").append(definable[i].name).append(";\n");
    return out;
}

}  // namespace kiln::emit
