#include <capture/function_table.hpp>

#include <capture/put_together.hpp>
#include <capture/self_contained.hpp>
#include <jit_cache/printable.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <text/format.hpp>

#include <kiln/assume.hpp>
#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>

namespace kiln::inline v0_1::detail {

namespace {

struct function_table {
    std::mutex mutex;
    std::deque<function_definition> functions;  // a deque's elements stay where they are
};

constinit process::immortal<function_table> functions;

const process::fork_participant functions_held{process::fork_order::tables, [] { functions().mutex.lock(); },
                                               [] { functions().mutex.unlock(); }};

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

std::string count_of(std::size_t count, std::string_view what) {
    return text::format("{} {}{}", count, what, count == 1 ? "" : "s");
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
        throw type_error(text::format("kiln: function {}: {} and {} for them", of.name,
                                      count_of(of.parameter_types.size(), "parameter"),
                                      count_of(of.parameter_names.size(), "name")));
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

/// It stands in #line directives, in the compilers' complaints, and between the marks of #include.
void check_header(const header& of, std::string_view function) {
    constexpr std::size_t most_bytes = 200;
    const auto fail = [&](std::string_view why) {
        throw type_error(text::format("kiln: function {}: the header's name '{}' {}", function,
                                      jit_cache::printable(of.name.substr(0, most_bytes)), why));
    };
    if (of.name.find_first_not_of(' ') == std::string_view::npos) fail("is empty");
    if (of.name.size() > most_bytes) fail(text::format("goes on: it may have {} bytes", most_bytes));
    if (of.name.find_first_of("\"'<>\\") != std::string_view::npos)
        fail("has a quotation mark, < or >, or a backslash in it");
    if (jit_cache::printable(of.name) != of.name) fail("has bytes in it that are no printable UTF-8");
    if (of.text.find('\0') != std::string_view::npos)
        throw type_error(text::format("kiln: function {}: header {} has a zero byte in it", function, of.name));
}

/// Each name once; their #include of one another is gone.
std::vector<header_definition> checked_headers(std::initializer_list<header> headers,
                                               const std::vector<std::string>& names, std::string_view function) {
    std::vector<header_definition> out;
    for (const header& each : headers) {
        header_definition made{std::string(each.name), self_contained(each.text, {function, each.name}, names)};
        const auto same_name = [&made](const header_definition& other) { return other.name == made.name; };
        const auto found = std::find_if(out.begin(), out.end(), same_name);
        if (found == out.end()) out.push_back(std::move(made));
        else if (found->text != made.text)
            throw type_error(
                text::format("kiln: function {}: two headers are named {} and differ", function, made.name));
    }
    return out;
}

}  // namespace

std::uint64_t number_of(const function_definition& of) {
    function_table& all = functions();
    const std::lock_guard lock(all.mutex);
    const auto found = std::find(all.functions.begin(), all.functions.end(), of);
    if (found != all.functions.end()) return static_cast<std::uint64_t>(found - all.functions.begin()) + 1;
    all.functions.push_back(of);
    return all.functions.size();
}

std::vector<user_text> texts_of(const function_definition& of) {
    std::vector<user_text> out{{{of.name}, of.body}};
    for (const header_definition& each : of.headers) out.push_back({{of.name, each.name}, each.text});
    return out;
}

const function_definition& function_at(std::uint64_t number) {
    function_table& all = functions();
    const std::lock_guard lock(all.mutex);
    return all.functions.at(static_cast<std::size_t>(number) - 1);
}

std::uint64_t define_function(std::string_view name, element_type result, const element_type* types,
                              std::size_t type_count, std::initializer_list<std::string_view> names,
                              std::string_view body, std::initializer_list<header> headers) {
    function_definition made{std::string(name), result, {types, types + type_count}, {}, std::string(body), {}};
    for (const std::string_view each : names) made.parameter_names.emplace_back(each);
    check(made);
    std::vector<std::string> header_names;
    for (const header& each : headers) {
        check_header(each, name);
        header_names.emplace_back(each.name);
    }
    made.headers = checked_headers(headers, header_names, name);
    made.body = self_contained(body, {name}, header_names);
    check_put_together(texts_of(made));
    return number_of(made);
}

std::uint64_t define_assumption(element_type type, double low, double high) {
    if (!(low <= high))
        throw error(
            text::format("kiln: assume: values are to be between {} and {}; the lower bound comes first, and neither "
                         "is NaN",
                         low, high));
    return number_of({"assume", type, {type}, {"a"}, "return a;", {}, assumed_range{low, high}});
}

}  // namespace kiln::inline v0_1::detail
