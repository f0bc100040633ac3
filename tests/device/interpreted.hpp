// tests/device/interpreted: runs hand-made kernels on every table of block functions that this machine has.
#pragma once

#include <device/hand_made.hpp>

#include <device/interpreter/interpreter.hpp>

#include <vector>

namespace tests {

inline std::vector<const kiln::backend::block_table*> block_tables() {
    std::vector<const kiln::backend::block_table*> found;
    for (const char* name : {"baseline", "avx2", "avx512"})
        if (const kiln::backend::block_table* table = kiln::backend::blocks_named(name)) found.push_back(table);
    return found;
}

/// The whole of it on the caller's thread.
inline void run_interpreted(const hand_made& made, hand_packed& parameters, std::int64_t count,
                            const kiln::backend::block_table& blocks,
                            kiln::backend::stores how = kiln::backend::stores::cached) {
    kiln::backend::interpreted_kernel(made.code, made.kernel, blocks).run(parameters.slots(), 0, count, how);
}

}  // namespace tests
