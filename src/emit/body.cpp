#include <emit/body.hpp>

#include <capture/function_table.hpp>
#include <emit/library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kiln::emit {

namespace {

struct type_definition {
    std::string_view name;
    std::string_view meaning;
};

constexpr type_definition definable[] = {
    {"u8", "unsigned char"},
    {"u32", "unsigned int"},
    {"u64", "unsigned long long"},
    {"i64", "long long"},
};

/// Host: one function per entry of the library's table that the steps call.
std::string library_functions(std::string_view steps) {
    std::string out;
    int index = 0;
    for (const library_entry& entry : library_entries) {
        for (const element_type type : {element_type::float32, element_type::float64}) {
            const std::string name = fmt::format("{}_{}", entry.name, info(type).suffix);
            const char* const t = spelling(type);
            if (mentions(steps, name))
                out += entry.arity == 1
                           ? fmt::format(
                                 "static inline {0} {1}(const void* const* library, {0} a) "
                                 "{{ return reinterpret_cast<{0} (*)({0})>(const_cast<void*>(library[{2}]))(a); }}\n",
                                 t, name, index)
                           : fmt::format(
                                 "static inline {0} {1}(const void* const* library, {0} a, {0} b) "
                                 "{{ return reinterpret_cast<{0} (*)({0}, {0})>(const_cast<void*>(library[{2}]))(a, "
                                 "b); }}\n",
                                 t, name, index);
            ++index;
        }
    }
    return out;
}

}  // namespace

bool mentions(std::string_view text, std::string_view word) {
    const auto is_word = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

value_names::value_names(const lower::program& program, const plan::kernel& kernel)
    : first_step_(program.step_value(kernel.first_step)) {
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) outside_[kernel.inputs[i].value] = fmt::format("x{}", i);
    for (std::size_t i = 0; i < kernel.scalars.size(); ++i) outside_[kernel.scalars[i]] = fmt::format("s{}", i);
    for (std::size_t i = 0; i < program.constants.size(); ++i)
        outside_[program.constant_value(static_cast<int>(i))] = literal(program.constants[i]);
    outside_[program.index_value()] = "i";
    for (int step = kernel.first_step; step < kernel.last_step; ++step) {
        const std::uint64_t function = program.steps[static_cast<std::size_t>(step)].function;
        if (function && std::find(functions_.begin(), functions_.end(), function) == functions_.end())
            functions_.push_back(function);
    }
}

std::string value_names::function(std::uint64_t number) const {
    const auto found = std::find(functions_.begin(), functions_.end(), number);
    return fmt::format("user{}_{}", found - functions_.begin(), detail::function_at(number).name);
}

std::string value_names::operator()(lower::value_id value) const {
    const auto found = outside_.find(value);
    return found != outside_.end() ? found->second : fmt::format("t{}", value - first_step_);
}

body make_body(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    body out;
    const value_names names(program, kernel);
    const auto add_parameter = [&out](const std::string& text) {
        if (!out.parameters.empty()) out.parameters += ", ";
        out.parameters += text;
    };
    for (const plan::operand& input : kernel.inputs)
        add_parameter(fmt::format("const {} {}", spelling(input.type), names(input.value)));
    for (const lower::value_id scalar : kernel.scalars)
        add_parameter(fmt::format("const {} {}", spelling(program.type_of(scalar)), names(scalar)));
    if (kernel.uses_index) add_parameter("const i64 i");
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
        add_parameter(fmt::format("{}& y{}", spelling(kernel.outputs[i].type), i));

    for (int step = kernel.first_step; step < kernel.last_step; ++step) {
        const lower::step& each = program.steps[static_cast<std::size_t>(step)];
        out.steps += fmt::format("    const {} {} = {};\n", spelling(each.result), names(program.step_value(step)),
                                 step_text(names, each, frame));
    }
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
        out.steps += fmt::format("    y{} = {};\n", i, names(kernel.outputs[i].value));

    out.functions = long_bodies(out.steps, frame);
    if (frame == plan::frame::host) {
        const std::string library = library_functions(out.functions + out.steps);
        out.uses_library = !library.empty();
        if (out.uses_library) add_parameter("const void* const* library");
        out.functions.insert(0, library);
    }
    out.functions += user_functions(names, frame);
    return out;
}

std::string typedefs_for(const std::string& text) {
    std::string out;
    for (const type_definition& each : definable)
        if (mentions(text, each.name))
            out.append("typedef ").append(each.meaning).append(" ").append(each.name).append(";\n");
    return out;
}

}  // namespace kiln::emit
