// kiln/launch/interpreter: runs a program on the CPU with no compiler: one step at a time on blocks that fit the first
// cache, by functions that were compiled with kiln. The bits are the compiled kernels'.
// in: program and kernel, then parameters as the compiled kernel would get them   out: the outputs' elements
// knows nothing of: threads (each call is one thread's), files
#pragma once

#include <device/cpu/cpu_kernel.hpp>
#include <device/interpreter/tape.hpp>

#include <memory>

namespace kiln::backend {

class interpreted_kernel final : public cpu_kernel {
public:
    interpreted_kernel(const lower::program& program, const plan::kernel& kernel, const block_table& blocks);

    void run(void* const* parameters, std::int64_t begin, std::int64_t end, stores how) const override;

    /// Elements in a block; a benchmark sets it to find the best.
    [[nodiscard]] std::int64_t block_length() const noexcept { return block_length_; }
    void set_block_length(std::int64_t length) noexcept { block_length_ = length; }

private:
    tape tape_;
    const block_table& blocks_;
    std::int64_t block_length_;
};

}  // namespace kiln::backend
