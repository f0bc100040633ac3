// kiln/lower/program: what lowering makes: a straight line of typed steps over numbered values.
// Values are numbered: array operands (and positions, which are reached like arrays) first, then scalars, then constants,
// then one per
// step.
// knows nothing of: shapes, devices, text
#pragma once

#include <capture/graph.hpp>
#include <capture/operand_list.hpp>
#include <kiln/element_type.hpp>
#include <kiln/expression.hpp>

#include <cstdint>
#include <vector>

namespace kiln::lower {

using value_id = std::int32_t;

/// operation::gather reads array args[0] at the lookups args[1], ...: it is the one step whose operand is not a value but a
/// leaf, reached element by element as its lookups say. operation::reduce is of the elements of a row, which are brought to
/// the type that they are added up in; where it `scans`, its value is another one for each element: what those up to it come to.
struct step {
    operation code = operation::add;
    element_type operands = element_type::float32;  // the type they meet in; of a cast: the type it is from
    element_type result = element_type::float32;
    std::int8_t arity = 0;
    bool conversion = false;  // put in by promotion, not written by the user
    detail::operand_list args = {};
    std::uint64_t function = 0;                                     // of a call: capture/function_table.hpp
    detail::reduction_kind reduces = detail::reduction_kind::none;  // of operation::reduce
    bool scans = false;

    friend bool operator==(const step&, const step&) = default;
};

/// A number that kernels hold in their text.
struct constant {
    element_type type = element_type::float32;
    std::uint64_t bits = 0;  // low bytes first

    friend bool operator==(const constant&, const constant&) = default;
};

/// The user's word (k::assume) that a value is between two numbers, and no NaN, wherever it is computed.
struct assumption {
    value_id value = 0;
    double low = 0;
    double high = 0;

    friend bool operator==(const assumption&, const assumption&) = default;
};

struct program {
    std::vector<element_type> arrays;
    std::vector<bool> is_position;  // of each array: its elements' values are their addresses
    std::vector<element_type> scalars;
    std::vector<step> steps;  // each reads only values before it
    std::vector<value_id> outputs;
    std::vector<detail::graph::output> stored;  // of each output: as what, or reduced how
    std::vector<constant> constants;            // each once
    std::vector<assumption> assumptions;
    bool portable = false;   // on a GPU: functions of float32 are the CPU's (options.portable)
    bool any_order = false;  // on a GPU: sums in any order, quotients without tests (options.fast_math)

    [[nodiscard]] value_id scalar_value(int scalar) const { return static_cast<value_id>(arrays.size()) + scalar; }
    [[nodiscard]] value_id constant_value(int constant) const {
        return static_cast<value_id>(arrays.size() + scalars.size()) + constant;
    }
    [[nodiscard]] bool is_constant(value_id value) const {
        return value >= constant_value(0) && value < first_step_value();
    }
    [[nodiscard]] value_id first_step_value() const { return constant_value(static_cast<int>(constants.size())); }
    [[nodiscard]] value_id step_value(int step) const { return first_step_value() + step; }
    /// The step that a value comes of; none for what is read.
    [[nodiscard]] const step* step_of(value_id value) const {
        return value < first_step_value() ? nullptr : &steps[static_cast<std::size_t>(value - first_step_value())];
    }
    [[nodiscard]] element_type type_of(value_id value) const {
        if (value < static_cast<value_id>(arrays.size())) return arrays[static_cast<std::size_t>(value)];
        if (value < constant_value(0)) return scalars[static_cast<std::size_t>(value) - arrays.size()];
        if (is_constant(value)) return constants[static_cast<std::size_t>(value - constant_value(0))].type;
        return steps[static_cast<std::size_t>(value - first_step_value())].result;
    }
};

}  // namespace kiln::lower
