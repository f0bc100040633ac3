// kiln/lower/function_body: which bodies of operation_table.def are a function of the library and nothing beside: "LIBRARY(exp)(a)",
// "LIBRARY(pow)(a, b)".
// in: a body's text   out: the function's name
//
// Included by files that are compiled for one instruction set each: to be called where constants are made, never at run time.
#pragma once

#include <cstddef>
#include <string_view>

namespace kiln::lower {

/// "exp"; empty: it is something else.
constexpr std::string_view function_of_body(std::string_view body) {
    constexpr std::string_view before = "LIBRARY(";
    if (body.substr(0, before.size()) != before) return {};
    const std::string_view rest = body.substr(before.size());
    const std::size_t end = rest.find(')');
    const std::string_view arguments = rest.substr(end + 1);
    return arguments == "(a)" || arguments == "(a, b)" ? rest.substr(0, end) : std::string_view();
}

}  // namespace kiln::lower
