// kiln/lower: captured graph -> straight-line typed program: promotion made explicit, equal leaves and equal steps once,
// dead steps gone. Nothing is reordered: x + x + x + x + x stays four additions.
// in: a graph, and which of its leaves are the same array or the same number   out: a program
// knows nothing of: shapes, devices, text
#pragma once

#include <capture/graph.hpp>
#include <lower/program.hpp>

#include <cstdint>
#include <vector>

namespace kiln::lower {

struct lowered {
    program code;
    std::vector<int> scalar_slots;  // of each scalar of the program: its place in the collected sequence
};

/// What stands twice under this slot says it: at each slot the number of its distinct array, by first appearance; of a
/// scalar -2 - slot of the one that it is a copy of, else -1.
/// baked[slot]: the number of the user's function whose call has that slot; not looked at elsewhere.
/// looked_up, by number: whether what is taken from an array depends on where; what does not is the array's own element. Empty: all of
/// them do.
lowered lower(const detail::graph& graph, const std::vector<int>& leaf_numbers,
              const std::vector<std::uint64_t>& baked = {}, const std::vector<bool>& looked_up = {});

}  // namespace kiln::lower
