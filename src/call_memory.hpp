// kiln/call_memory: the memory of one call: where each array, output and temporary is while its kernels run, and what must
// be given back when they were launched or could not be.
#pragma once

#include <launch/device.hpp>
#include <plan/bind.hpp>
#include <plan/layout.hpp>
#include <recipe.hpp>

namespace kiln::detail {

class call_memory {
public:
    /// Allocates fresh outputs and temporaries, copies host operands to the device, puts streams in order.
    call_memory(launch::device& on, const plan::bindings& call, const recipe& with, const output* outputs,
                int output_count, int stream);
    ~call_memory() { release(); }
    call_memory(const call_memory&) = delete;
    call_memory& operator=(const call_memory&) = delete;

    /// Arrays, then outputs, then temporaries.
    [[nodiscard]] std::byte** at(int memory) noexcept { return &addresses_[static_cast<std::size_t>(memory)]; }
    /// The node whose strides an operand is reached by; nullptr for what is contiguous by construction.
    [[nodiscard]] const array_node* node(int memory) const noexcept;

    /// Sets each output's `written`; results in host memory are there when it returns.
    void hand_over(output* outputs, int output_count);

private:
    void place(const recipe& with);
    void release() noexcept;
    void stage(const array_node& host, int memory);
    void add_temporary(std::size_t bytes, int memory);
    [[nodiscard]] std::size_t bytes_of_all(element_type type) const noexcept {
        return static_cast<std::size_t>(call_.element_count) * static_cast<std::size_t>(bytes_of(type));
    }

    launch::device& on_;
    const plan::bindings& call_;
    const output* outputs_;
    int output_count_;
    int stream_;
    plan::scratch<std::byte*, 64> addresses_;
    plan::scratch<array_node*, plan::usual_outputs> fresh_;  // outputs allocated here and not yet handed over
    struct temporary {
        std::byte* memory;
        std::size_t bytes;
    };
    std::vector<temporary> temporaries_;
};

/// Gives outputs of no elements their arrays.
void make_empty_outputs(launch::device& on, const plan::bindings& call, const graph& described, output* outputs);

/// The parameters of one kernel, on the stack.
class kernel_arguments {
public:
    kernel_arguments(const kernel_recipe& of, const plan::bindings& call, const leaf* leaves, call_memory& memory);

    [[nodiscard]] launch::launch_arguments for_launch(int stream) const noexcept {
        return {const_cast<void**>(parameters_.data()), call_.element_count, plan::block_count(kernel_, call_.element_count),
                kernel_.threads_per_block, stream};
    }

private:
    void write_layout(const kernel_recipe& of, const call_memory& memory);

    const plan::kernel& kernel_;
    const plan::bindings& call_;
    plan::scratch<void*, 64> parameters_;
    plan::scratch<std::int64_t, 32> layout_;
};

}  // namespace kiln::detail
