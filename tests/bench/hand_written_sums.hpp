// tests/bench/hand_written_sums: CUDA kernels of sums that one would write without kiln, in every way that is worth trying:
// what a machine gives to the best of them is what can be asked of kiln's.
// in: how to write one   out: its source   knows nothing of: kiln, the driver
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::bench {

/// Threads of 16-byte loads. The blocks' results meet in the last of them.
struct sum_variant {
    int threads = 256;
    int blocks = 1056;      // of columns: parts that the rows are cut into
    int loads = 4;          // of each operand, that a thread waits for together
    bool in_turns = false;  // blocks take what lies side by side in turns, not a part of the array each

    /// "512 threads, 1056 blocks, 4 loads, in turns"
    [[nodiscard]] std::string text() const;
};

inline constexpr const char* sum_name = "sum_by_hand";

/// sum((x - y)^2) of floats. Parameters: the sum, x, y, a float for each block, a counter that is 0 and one for each 64
/// blocks, count (unsigned): a multiple of 4.
std::vector<sum_variant> distance_variants();
std::string distance_source(const sum_variant& how);

/// sum(a * b) over the rows of matrices of floats. Parameters: the sums, a, b, a float for each column and part, a counter
/// that is 0 for each 128 columns, rows, columns (unsigned): multiples of 128.
std::vector<sum_variant> column_variants();
std::string column_source(const sum_variant& how);
inline constexpr std::int64_t columns_of_block = 128;

}  // namespace kiln::bench
