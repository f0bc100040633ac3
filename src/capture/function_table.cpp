#include <capture/function_table.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>

namespace kiln::detail {

namespace {

struct function_table {
    std::mutex mutex;
    std::deque<function_definition> functions;  // a deque's elements stay where they are
};

constinit process::immortal<function_table> table;

const process::fork_participant held{process::fork_order::tables, [] { table().mutex.lock(); },
                                     [] { table().mutex.unlock(); }};

// What a name must not be, for the compilers' sake and for that of the types' names in kernels.
constexpr std::string_view taken[] = {
    "alignas",     "alignof",   "and",          "asm",      "auto",         "bool",
    "break",       "case",      "catch",        "char",     "class",        "const",
    "const_cast",  "constexpr", "continue",     "decltype", "default",      "delete",
    "do",          "double",    "dynamic_cast", "else",     "enum",         "explicit",
    "export",      "extern",    "false",        "float",    "for",          "friend",
    "goto",        "if",        "inline",       "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",     "not",      "nullptr",      "operator",
    "or",          "private",   "protected",    "public",   "register",     "reinterpret_cast",
    "return",      "short",     "signed",       "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",       "template", "this",         "throw",
    "true",        "try",       "typedef",      "typeid",   "typename",     "union",
    "unsigned",    "using",     "virtual",      "void",     "volatile",     "while",
    "xor",         "bitand",    "bitor",        "compl",    "and_eq",       "or_eq",
    "xor_eq",      "not_eq",    "concept",      "requires", "thread_local", "wchar_t",
    "char16_t",    "char32_t",
};

bool is_identifier(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && is_letter(name.front()) && name.size() <= 64 &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_taken(std::string_view name) {
    if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken)) return true;
    for (const element_type_info& each : element_types)
        if (name == each.spelling) return true;
    return name.starts_with("__");
}

void check_name(std::string_view name, std::string_view what, std::string_view function) {
    if (!is_identifier(name))
        throw type_error(
            text::format("kiln: function {}: the {} '{}' is no C identifier of at most 64 letters, digits "
                         "and underscores",
                         function, what, name));
    if (is_taken(name))
        throw type_error(text::format("kiln: function {}: the {} '{}' means something to the compiler; choose another",
                                      function, what, name));
}

void check(const function_definition& of) {
    if (!is_identifier(of.name))
        throw type_error(
            text::format("kiln: function: the name '{}' is no C identifier of at most 64 letters, digits and "
                         "underscores",
                         of.name));
    if (of.parameter_names.size() != of.parameter_types.size())
        throw type_error(text::format("kiln: function {}: {} parameters and {} names for them", of.name,
                                      of.parameter_types.size(), of.parameter_names.size()));
    for (std::size_t i = 0; i < of.parameter_names.size(); ++i) {
        check_name(of.parameter_names[i], "parameter", of.name);
        const auto end = of.parameter_names.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(of.parameter_names.begin(), end, of.parameter_names[i]) != end)
            throw type_error(
                text::format("kiln: function {}: two parameters are named '{}'", of.name, of.parameter_names[i]));
    }
    if (of.body.find_first_not_of(" \t\r\n") == std::string::npos)
        throw type_error(
            text::format("kiln: function {}: the body is empty; it must return a {}", of.name, info(of.result).name));
    if (of.body.find('\0') != std::string::npos)
        throw type_error(text::format("kiln: function {}: the body has a zero byte in it", of.name));
}

}  // namespace

std::uint64_t number_of(const function_definition& of) {
    function_table& all = table();
    const std::lock_guard lock(all.mutex);
    const auto found = std::find(all.functions.begin(), all.functions.end(), of);
    if (found != all.functions.end()) return static_cast<std::uint64_t>(found - all.functions.begin()) + 1;
    all.functions.push_back(of);
    return all.functions.size();
}

const function_definition& function_at(std::uint64_t number) {
    function_table& all = table();
    const std::lock_guard lock(all.mutex);
    return all.functions.at(static_cast<std::size_t>(number) - 1);
}

std::uint64_t define_function(std::string_view name, element_type result, const element_type* types,
                              std::size_t type_count, std::initializer_list<std::string_view> names,
                              std::string_view body) {
    function_definition made{std::string(name), result, {types, types + type_count}, {}, std::string(body)};
    for (const std::string_view each : names) made.parameter_names.emplace_back(each);
    check(made);
    return number_of(made);
}

}  // namespace kiln::detail
