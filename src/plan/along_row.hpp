// kiln/plan/along_row: how an operand's address changes as the position along the innermost axis goes up by one. Clamped,
// wrapped and divided positions go on alike for a while: there, plain loads do, and loops vectorise.
// in: an operand's plan   out: for each step and for the address how it moves   knows nothing of: text around it
#pragma once

#include <plan/schedule.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

/// What a step's value does as the position goes up by one.
enum class motion : std::uint8_t {
    still,      // nothing along the whole row
    jumps,      // nothing, but for some places in between: a quotient
    moves,      // goes up by one, but for some places in between: a clamped position
    irregular,  // anything else
};

struct along_row {
    std::vector<motion> steps;      // of each step's value
    std::vector<bool> input_moves;  // of each step: its input goes up by one, so that the step says for how long
    bool still = true;              // no step changes along the row
    bool regular = true;            // and if some do, between those places the address goes up evenly
};

along_row motion_of(const operand& of, int inner_axis);

/// The step that clamps what goes up by one along the row; -1: none does.
int clamped_along_row(const operand& of, int inner_axis);

}  // namespace kiln::plan
