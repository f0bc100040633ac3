// kiln/plan/nest/print: a nest for people: loops, what runs them, and what is done in them, indented.
#pragma once

#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::plan::nest {

/// "for block in the grid (blocks)\n    for lane in 0 to 32 (threads of the block)\n        v = from[at]: 16 bytes\n ..."
std::string print(const tree& of);

}  // namespace kiln::plan::nest
