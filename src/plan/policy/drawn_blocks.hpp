// kiln/plan/policy/drawn_blocks: a host's loop over elements of which several get their random numbers from one block. Said like
// this, the compiler sees that their positions differ in the last bits alone, and makes the block once (g++ 12, Zen 4: normal numbers of
// float 2.3 ns each in place of 13.9).
// in: what an element and a block are   out: loops   knows nothing of: operands, random numbers
#pragma once

#include <plan/nest/builder.hpp>

namespace kiln::plan {

/// Of the `number`th element of the block that the element at `begin` is in.
inline nest::value position_in_block(const nest::value& begin, int together, int number) {
    return (begin & -together) | number;
}

/// Elements up to the first whole block, blocks, and the rest; the first and the last by one loop. `linear`: the position where `from` has
/// 0; `element(i)` and `block(first)` add statements.
template <class Element, class Block>
void add_loop_of_blocks(nest::builder& to, int together, nest::value linear, nest::value from, nest::value end,
                        Element element, Block block) {
    using nest::runner;
    using nest::value;
    namespace types = nest::types;
    const value first_block = (linear + from + (together - 1)) / together * together - linear;
    const value stop = to.variable("stop", types::index, to.least(end, first_block));
    to.loop_while_below("next", from, end, [&](value next) {
        to.loop(runner::simd, "i", next, stop, 1, element, /*written_out=*/0, types::index);
        const value blocks_end = to.let("blocks_end", types::index, stop + (end - stop) / together * together);
        to.loop(runner::simd, "i", stop, blocks_end, together, block, /*written_out=*/0, types::index);
        to.assign(next, blocks_end);
        to.assign(stop, end);
    });
}

}  // namespace kiln::plan
