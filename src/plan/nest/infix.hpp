// kiln/plan/nest/infix: operations that stand between their operands, in C++ and for people.
#pragma once

#include <plan/nest/nest.hpp>

#include <cstdint>

namespace kiln::plan::nest {

/// How tightly what an operation prints binds; what binds less tightly than its place asks for stands in parentheses.
enum class binding : std::uint8_t {
    choice,
    either,
    both,
    bit_or,
    bit_xor,
    bit_and,
    equal,
    less,
    sum,
    product,
    unary,
    call
};

struct infix {
    operation what;
    const char* sign;
    binding binds;
};

inline constexpr infix infixes[] = {
    {operation::add, " + ", binding::sum},           {operation::subtract, " - ", binding::sum},
    {operation::multiply, " * ", binding::product},  {operation::divide, " / ", binding::product},
    {operation::remainder, " % ", binding::product}, {operation::bit_and, " & ", binding::bit_and},
    {operation::bit_or, " | ", binding::bit_or},     {operation::bit_xor, " ^ ", binding::bit_xor},
    {operation::less, " < ", binding::less},         {operation::less_equal, " <= ", binding::less},
    {operation::greater, " > ", binding::less},      {operation::greater_equal, " >= ", binding::less},
    {operation::equal, " == ", binding::equal},      {operation::both, " && ", binding::both},
    {operation::either, " || ", binding::either},
};

/// nullptr: it is none.
constexpr const infix* infix_of(operation what) {
    for (const infix& each : infixes)
        if (each.what == what) return &each;
    return nullptr;
}

/// What binds as tightly as an infix asks of its operands. Of bits, people read parentheses more easily than rules.
constexpr binding left_of(const infix& of) {
    const bool of_bits = of.binds >= binding::bit_or && of.binds <= binding::bit_and;
    return of_bits ? binding::unary : of.binds;
}
constexpr binding right_of(const infix& of) {
    return left_of(of) == binding::unary ? binding::unary
                                         : static_cast<binding>(static_cast<std::uint8_t>(of.binds) + 1);
}

}  // namespace kiln::plan::nest
