// kiln/plan/mirrored: contractions of an array with itself, whose values of (row, column) and (column, row) are equal: tiles on and above
// the diagonal alone are made, and stored in the places of those below, too.
// in: a bound call   out: whether it is one, and worth it   knows nothing of: programs, text
#pragma once

#include <plan/call_values.hpp>

#include <cstdint>

namespace kiln::plan {

/// Whether one of the two arrays is the other with the axes `rows` and `columns` of the iteration exchanged: the same elements of the same memory.
/// What is combined must not ask which of the two comes first.
bool is_mirrored(const call_values& call, int rows, int columns);

/// Tiles in a rectangle of as many blocks as a triangle of `across` tiles has: row `a` has what row a of the triangle has, and what the row
/// as far from its end has before that.
constexpr std::int64_t rectangle_columns(std::int64_t across) { return across | 1; }
constexpr std::int64_t rectangle_rows(std::int64_t across) { return (across + 1) / 2; }

}  // namespace kiln::plan
