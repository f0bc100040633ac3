// kiln/streamed/packed: elements of the host's between where they are, with any strides, and one run of bytes.
// By several threads, where there are many. knows nothing of: devices
#pragma once

#include <capture/array_node.hpp>

#include <cstddef>
#include <span>

namespace kiln::streamed {

/// Row-major, of a node without a map.
void pack(const kiln::detail::array_node& from, std::byte* to);
void unpack(const std::byte* from, const kiln::detail::array_node& to);

/// Neighbours.
struct byte_move {
    const std::byte* from;
    std::byte* to;
    std::size_t bytes;
};
/// In any order, all at once.
void move_bytes(std::span<const byte_move> moves);

}  // namespace kiln::streamed
