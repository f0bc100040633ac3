// kiln/streamed/packed: elements of the host's between where they are, with any strides, and one run of bytes.
// By several threads, where there are many. knows nothing of: devices
#pragma once

#include <capture/array_node.hpp>

#include <cstddef>

namespace kiln::streamed {

/// Row-major, of a node without a map.
void pack(const kiln::detail::array_node& from, std::byte* to);
void unpack(const std::byte* from, const kiln::detail::array_node& to);
/// Neighbours.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace kiln::streamed
