// kiln/plan/schedule: which steps share a kernel, and how each kernel reaches its operands. Holds for every call of one
// class: no size, stride value or pointer is in it.
// knows nothing of: source text
#pragma once

#include <lower/program.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

enum class access : std::uint8_t {
    contiguous,  // element i of the iteration is element i of memory
    strided,     // by one stride per collapsed axis
};

struct operand {
    lower::value_id value = -1;
    int memory = -1;  // which memory of the call: its arrays, then its outputs, then the temporaries
    element_type type = element_type::float32;
    access how = access::contiguous;
};

/// One kernel: steps [first_step, last_step) of the program. Its parameters, in order: output pointers, input pointers,
/// scalars, then the element count (all operands contiguous) or the layout (any operand strided; see layout.hpp).
struct kernel {
    int first_step = 0;
    int last_step = 0;
    std::vector<operand> outputs;
    std::vector<operand> inputs;           // arrays, and temporaries of earlier kernels
    std::vector<lower::value_id> scalars;  // by value
    bool uses_index = false;
    bool aliased = false;         // an output is an input's memory: no pointer is __restrict__
    int rank = 1;                 // collapsed axes; 1 when all operands are contiguous
    int elements_per_thread = 1;  // and per vector access; 1 where an operand is strided or misaligned
    bool vectors = false;         // operands are moved as vectors, of one element too where it has 16 bytes
    bool wide_index = false;      // 64-bit element positions
    int threads_per_block = 256;

    [[nodiscard]] bool strided() const {
        for (const operand& each : outputs)
            if (each.how == access::strided) return true;
        for (const operand& each : inputs)
            if (each.how == access::strided) return true;
        return false;
    }
};

/// 0 on devices without blocks.
inline std::int64_t block_count(const kernel& of, std::int64_t element_count) {
    const std::int64_t per_block = std::int64_t{of.threads_per_block} * of.elements_per_thread;
    return per_block ? (element_count + per_block - 1) / per_block : 0;
}

struct schedule {
    lower::program program;
    std::vector<kernel> kernels;            // in launch order
    std::vector<element_type> temporaries;  // what passes from kernel to kernel through memory; of the iteration's size
};

}  // namespace kiln::plan
