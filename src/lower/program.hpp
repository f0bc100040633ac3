// kiln/lower/program: what lowering makes: a straight line of typed steps over numbered values.
// Values are numbered: array operands (and positions, which are reached like arrays) first, then scalars, then one per
// step.
// knows nothing of: shapes, devices, text
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/expression.hpp>

#include <cstdint>
#include <vector>

namespace kiln::lower {

using value_id = std::int32_t;

/// operation::take reads array args[0] at the lookups args[1], ...: it is the one step whose operand is not a value but a
/// leaf, reached element by element as its lookups say.
struct step {
    operation code = operation::add;
    element_type operands = element_type::float32;  // the type they meet in; of a cast: the type it is from
    element_type result = element_type::float32;
    std::int8_t arity = 0;
    bool conversion = false;  // put in by promotion, not written by the user
    value_id args[3] = {-1, -1, -1};

    friend bool operator==(const step&, const step&) = default;
};

struct program {
    std::vector<element_type> arrays;
    std::vector<bool> is_position;  // of each array: its elements' values are their addresses
    std::vector<element_type> scalars;
    std::vector<step> steps;  // each reads only values before it
    std::vector<value_id> outputs;

    [[nodiscard]] value_id scalar_value(int scalar) const { return static_cast<value_id>(arrays.size()) + scalar; }
    [[nodiscard]] value_id first_step_value() const { return static_cast<value_id>(arrays.size() + scalars.size()); }
    [[nodiscard]] value_id step_value(int step) const { return first_step_value() + step; }
    [[nodiscard]] element_type type_of(value_id value) const {
        if (value < static_cast<value_id>(arrays.size())) return arrays[static_cast<std::size_t>(value)];
        if (value < first_step_value()) return scalars[static_cast<std::size_t>(value) - arrays.size()];
        return steps[static_cast<std::size_t>(value - first_step_value())].result;
    }
};

}  // namespace kiln::lower
