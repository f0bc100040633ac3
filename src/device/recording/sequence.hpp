// kiln/device/recording/sequence: launches kept to be made again: one with parameters of its own, and several in a row.
// knows nothing of: arrays, what is computed
#pragma once

#include <device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::backend {

/// A launch and the values of its parameters.
class recorded_launch {
public:
    recorded_launch(const loaded_kernel& kernel, const launch_arguments& arguments);
    recorded_launch(const recorded_launch&) = delete;
    recorded_launch& operator=(const recorded_launch&) = delete;

    [[nodiscard]] const loaded_kernel& kernel() const noexcept { return *kernel_; }
    [[nodiscard]] const plan::kernel_signature& parameters() const noexcept { return kernel_->parameters(); }
    /// Valid while this lives.
    [[nodiscard]] launch_arguments arguments(int stream) noexcept;

    [[nodiscard]] std::byte* address(std::size_t parameter) const noexcept;
    void set_address(std::size_t parameter, std::byte* to) noexcept;

private:
    const loaded_kernel* kernel_;
    launch_arguments arguments_;
    shape extents_;
    reduced_iteration reduced_;
    plan::scan_step scan_;
    plan::segment_step segments_;
    plan::segment_row_step segment_rows_;
    plan::sort_step sort_;
    stage::product product_;
    array_step step_;
    std::vector<std::uint64_t> values_;
    std::vector<void*> parameters_;  // into values_
};

class launch_sequence {
public:
    virtual ~launch_sequence() = default;
    /// Asynchronous on CUDA. Throws device_error.
    virtual void launch(int stream) = 0;
    /// The addresses among the launches' parameters have changed; what was launched before is not touched by it.
    virtual void follow() {}
};

}  // namespace kiln::backend
