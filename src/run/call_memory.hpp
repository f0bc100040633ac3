// kiln/run/call_memory: the memory of one call: where each array, output and temporary is while its kernels run, and what must
// be given back when they were launched or could not be.
#pragma once

#include <device/device.hpp>
#include <plan/call_values.hpp>
#include <plan/divisors.hpp>
#include <plan/layout.hpp>
#include <plan/partial_sums.hpp>
#include <record/tally.hpp>
#include <run/executable.hpp>

namespace kiln::inline v0_1::detail {

/// Outputs made for one call. They go again unless the call gets as far as keep().
class fresh_outputs {
public:
    explicit fresh_outputs(output* outputs) noexcept : outputs_(outputs) {}
    ~fresh_outputs() {
        while (count_ > 0) destroy(outputs_[--count_].written);
    }
    fresh_outputs(const fresh_outputs&) = delete;
    fresh_outputs& operator=(const fresh_outputs&) = delete;

    /// The next output's array.
    void add(handle<array_node> made) noexcept { outputs_[count_++].written = made.release(); }
    void keep() noexcept { count_ = 0; }

private:
    output* const outputs_;
    int count_ = 0;
};

class call_memory {
public:
    /// Allocates fresh outputs and temporaries, copies host operands to the device, puts streams in order.
    call_memory(backend::device& on, const plan::call_values& call, const executable& with, output* outputs,
                int stream);
    ~call_memory() { release_temporaries(); }
    call_memory(const call_memory&) = delete;
    call_memory& operator=(const call_memory&) = delete;

    /// Arrays, then outputs, then temporaries.
    [[nodiscard]] std::byte** at(int memory) noexcept { return &addresses_[static_cast<std::size_t>(memory)]; }

    /// Of a kernel whose blocks leave parts of results for the last one.
    [[nodiscard]] std::byte** workspace() noexcept { return at(workspace_); }
    [[nodiscard]] std::byte** counters() noexcept { return at(workspace_ + 1); }

    /// The outputs are the caller's now, in `written`; results in host memory are there when it returns.
    void finish() {
        if (call_.reused && is_apart(*outputs_[0].target)) copy_to_host_target();
        // What had partial sums has its only element now.
        if (call_.reused && call_.has_partial_sums()) plan::set_finalized(*outputs_[0].target);
        fresh_.keep();
    }

private:
    /// Kernels work on a copy of it, or find something in place of nothing.
    [[nodiscard]] bool is_apart(const array_node& node) const noexcept {
        return node.owned == ownership::host_user && (host_is_apart_ || !node.storage().data);
    }
    void place(const executable& with);
    void copy_to_host_target();
    void place_output(int i, const executable& with);
    void release_temporaries() noexcept;
    void stage(const array_node& host, int memory);
    void place_nothing(int memory);
    void stage_target(const array_node& target, int memory);
    void add_temporary(std::size_t bytes, int memory);
    [[nodiscard]] std::size_t bytes_of_all(element_type type) const noexcept {
        return static_cast<std::size_t>(call_.element_count) * static_cast<std::size_t>(bytes_of(type));
    }

    struct temporary {
        std::byte* memory;
        std::size_t bytes;
    };

    backend::device& on_;
    const plan::call_values& call_;
    output* const outputs_;
    const int stream_;
    const bool host_is_apart_;
    fresh_outputs fresh_;
    plan::scratch<std::byte*, plan::usual_leaves> addresses_;
    std::vector<temporary> temporaries_;
    int workspace_ = 0;
};

/// What is multiplied by in place of dividing by a scalar: most_divisors of them at most.
void place_divisors(const parameter_places& of, const plan::call_values& call, std::uint64_t* multipliers,
                    void** parameters);

/// The parameters of one kernel, on the stack.
class kernel_arguments {
public:
    kernel_arguments(const kernel_executable& of, const plan::call_values& call, call_memory& memory,
                     record::tally& counts);

    [[nodiscard]] backend::launch_arguments for_launch(int stream) const noexcept {
        return {const_cast<void**>(parameters_.data()),
                call_.element_count,
                plan::block_count(kernel_, call_),
                kernel_.threads_per_block,
                stream,
                kernel_.reduces() ? &reduced_ : nullptr};
    }

private:
    const plan::kernel& kernel_;
    const plan::call_values& call_;
    plan::scratch<void*, plan::usual_leaves> parameters_;
    plan::scratch<std::int64_t, 64> layout_;
    std::uint64_t multipliers_[plan::most_divisors];
    backend::reduced_iteration reduced_;
};

}  // namespace kiln::inline v0_1::detail
