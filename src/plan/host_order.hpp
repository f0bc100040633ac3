// kiln/plan/host_order: in which order the CPU puts the elements of a row together, and so which bits a sum has. Whoever
// reduces there keeps to it, a kernel with persistent rows as well as the device that reduces what kernels compute.
// knows nothing of: programs, threads
#pragma once

#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::plan {

/// A row is taken in pieces, each in lanes side by side that are combined in pairs; a piece's result is put to those of the pieces
/// before it. What is longer than a part is cut, and its parts are combined in pairs.
struct host_order {
    static constexpr int lanes = 16;
    static constexpr std::int64_t piece = 2048;  // elements: for the first cache
    static constexpr std::int64_t pieces_of_part = 32;
    static constexpr std::int64_t columns = 1024;  // of columns: values that a thread has side by side
    static constexpr std::int64_t least_rows_of_part = 64;
    static constexpr std::int64_t most_rows_of_part = 2048;  // each an addition more between an element and its sum
};

/// Whether a thread does well to hold rows persistently, where `bytes` an element take part: they stay in its caches, and are of one
/// part. Short ones along several axes are computed many at a time, each reduction by itself, and take less so; columns have another order.
bool host_row_fits(const shape& whole, std::uint8_t axes, int bytes);

/// The same of columns: several that are neighbours stay in a thread's second cache.
bool host_columns_fit(const shape& whole, std::uint8_t axes, int bytes);
inline constexpr std::int64_t longest_host_column = 2048;

}  // namespace kiln::plan
