// kiln/stage/written_out_rows: a graph of what reductions of short rows come to (a kernel density: exp of distances), with each row's
// elements combined by operations of their own, in the order that a kernel of such rows has: what reads it makes each row where it
// needs it, whatever order that is in.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

namespace kiln::inline v0_1::detail {

/// How a kernel combines a short row: `threads` of it take `width` neighbouring elements in turn, each into an accumulator of its place.
/// 0: not so.
struct row_order {
    int threads = 0;
    int width = 0;
};

/// Whether what such a reduction comes to is made by operations on its elements as they are.
[[nodiscard]] bool may_be_written_out(const term& reduction);

/// `root`, whose reductions go over the last axis of what they are made of, `extent` elements each. None where something else than
/// operations, arrays and numbers is in them.
handle<term> with_rows_written_out(const handle<term>& root, std::int64_t extent, row_order order);

}  // namespace kiln::inline v0_1::detail
