// Kernels of integers as their nests compute them. The steps of an element and what reductions make of elements are worked out
// here, apart from kiln.
// in: a planned kernel, its call   out: what it leaves in its outputs
#pragma once

#include <support/rooms.hpp>

#include <cstdint>
#include <vector>

namespace tests {

/// Of a sum: what it is, or what tells in which order elements were combined.
enum class sums : std::uint8_t { plain, tell_order };

/// Sums, differences, products and conversions; sum, prod, min, max, argmin, argmax. Arrays are in the host's memory. On the host the
/// kernel is called for several ranges. `misaligned`: elements from a multiple of 256 bytes to where each output begins.
std::vector<std::vector<std::int64_t>> run_integers(const kiln::plan::schedule& made, const call& of,
                                                    kiln::plan::frame on = kiln::plan::frame::cuda,
                                                    sums how = sums::plain, std::int64_t misaligned = 0);

}  // namespace tests
