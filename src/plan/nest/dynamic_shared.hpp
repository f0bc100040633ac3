// kiln/plan/nest/dynamic_shared: where the memories lie that a block's launch has room for: one after the other in one piece of shared
// memory, each from a multiple of 16 bytes on. A block that needs more than 48 KiB gets them so alone.
// in: a tree   out: bytes   knows nothing of: source text
#pragma once

#include <plan/nest/nest.hpp>

namespace kiln::plan::nest {

/// Of elements, vectors and their bits: what such memories are of.
constexpr int bytes_of_lanes(type is) { return kiln::bytes_of(is.of) * is.lanes; }

/// Of one after `from`.
constexpr int dynamic_shared_end(int from, type is, int elements) {
    constexpr int aligned = 16;
    return from + (elements * bytes_of_lanes(is) + aligned - 1) / aligned * aligned;
}

/// The first byte of memory `of`; of tree.memories.size(): how many there are.
int dynamic_shared_begin(const tree& in, std::size_t of);
inline int dynamic_shared_bytes(const tree& of) { return dynamic_shared_begin(of, of.memories.size()); }

}  // namespace kiln::plan::nest
