// kiln/device/device: what CUDA, the CPU and the tests' devices have in common.
// knows nothing of: expressions
#pragma once

#include <compile/toolchain.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/shape.hpp>
#include <plan/scan.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln::backend {

/// What a kernel takes at one place.
struct kernel_parameter {
    std::uint32_t bytes = 8;
    bool is_address = false;  // of memory that the kernel reads or writes
};
std::vector<kernel_parameter> parameters_of(const lower::program& program, const plan::kernel& kernel);
/// Of every step of a scan: the result, the operand, the offsets; then outer, count, inner, part, parts.
inline constexpr kernel_parameter scan_parameters[] = {{8, true},  {8, true},  {8, true},  {8, false},
                                                       {8, false}, {8, false}, {8, false}, {8, false}};

/// A kernel that a device can run; each device derives its own.
class loaded_kernel {
public:
    explicit loaded_kernel(std::vector<kernel_parameter> parameters = {}) : parameters_(std::move(parameters)) {}
    virtual ~loaded_kernel() = default;

    [[nodiscard]] const std::vector<kernel_parameter>& parameters() const noexcept { return parameters_; }

    /// Its binary's bytes, if it is to be had again: what is loaded may then be unloaded while it is idle. Throws what
    /// making it threw.
    using binary_function = std::function<std::string()>;
    virtual void load_again_from(binary_function) {}

private:
    std::vector<kernel_parameter> parameters_;
};

/// A kernel that could not be loaded this time, for want of descriptors, memory or mappings, which says nothing about it.
class load_postponed : public device_error {
public:
    using device_error::device_error;
};

/// What a reduction is over, where the device reduces what a kernel computes.
struct reduced_iteration {
    const shape* extents = nullptr;
    std::uint8_t axes = 0;  // bits of those that go
};

/// One launch. parameters[i] points to the value of parameter i, in the order of plan::kernel.
struct launch_arguments {
    void** parameters = nullptr;
    std::int64_t element_count = 0;
    std::int64_t block_count = 0;
    int threads_per_block = 0;
    int stream = 0;
    const reduced_iteration* reduced = nullptr;
    const plan::scan_step* scan = nullptr;  // of a scan's step: no kernel is needed but on CUDA
};

class recorded_launch;  // sequence.hpp
class launch_sequence;

/// Of the counters of one stream.
inline constexpr std::size_t counter_bytes = 32768;

enum class memory_place : std::uint8_t { here, host };

class device {
public:
    virtual ~device() = default;

    [[nodiscard]] virtual const plan::target& target() const noexcept = 0;
    [[nodiscard]] virtual device_info describe() const = 0;

    // --- memory; 256-byte aligned, ordered on the calling thread's stream. Zero bytes are never asked for.
    /// Throws out_of_memory.
    virtual std::byte* allocate(std::size_t bytes) = 0;
    /// `streams`: bits of all streams whose work may still use it.
    virtual void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept = 0;
    /// Has copied when it returns.
    virtual void copy_from_host(std::byte* to, const void* from, std::size_t bytes) = 0;
    /// Has copied when it returns: waits for the stream.
    virtual void copy_to_host(void* to, const std::byte* from, std::size_t bytes) = 0;
    /// Where memory of the user's is; throws device_error for memory that neither side can reach.
    [[nodiscard]] virtual memory_place place_of(const void* pointer) const = 0;

    /// 32-bit counters, one for each block of a reduction that is cut into parts, all 0 while no kernel runs on the stream.
    virtual std::byte* counters(int) { return nullptr; }

    // --- streams, numbered 0 (the default) to 63
    [[nodiscard]] virtual int current_stream() noexcept = 0;
    virtual void use_stream(void* stream) = 0;
    /// Work submitted to `stream` from now on starts after all that `earlier` holds now.
    virtual void order_after(int stream, int earlier) = 0;
    /// Throws device_error, naming the kernels launched since the last wait.
    virtual void synchronize() = 0;

    /// Around a fork(), in the forking thread: what its threads change with a lock of their own is whole meanwhile.
    virtual void before_fork() noexcept {}
    virtual void after_fork() noexcept {}

    // --- kernels
    /// nullptr: this device interprets.
    [[nodiscard]] virtual compile::toolchain* toolchain() noexcept = 0;
    /// From the toolchain's binary; nullptr when the binary is not for this device or has no such symbol (a stored one
    /// is then made again). Throws load_postponed, device_error or out_of_memory for other trouble.
    virtual std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                                const lower::program& program, const plan::kernel& kernel) = 0;
    /// Only where toolchain() is nullptr, or where a load said once that it cannot run compiled code.
    virtual std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) = 0;
    /// From now on target() keeps no rows: the compiler failed on a kernel that does, which the interpreter cannot run.
    virtual void keep_no_rows() noexcept {}
    /// Asynchronous on CUDA. `name` is kept for error messages; it lives as long as the kernel.
    virtual void launch(const loaded_kernel& kernel, const launch_arguments& arguments) = 0;
    /// Launches that will be made again and again, in this order: handed over once, where the device can take that. They
    /// must stay as they are and live as long as the sequence.
    virtual std::unique_ptr<launch_sequence> make_sequence(std::span<recorded_launch* const> launches);
};

namespace detail {
extern std::atomic<device*> chosen_device;
extern std::atomic<int> generation;
extern std::atomic<std::uint16_t> call_tag;
/// Takes the calling thread's work instead of the process's device; null as a rule.
extern thread_local constinit device* recorder;
device& choose_device();
}  // namespace detail

/// The process's device, chosen at the first call from KILN_DEVICE and what is there; it lives until the process ends.
/// Throws device_error when what was asked for is not there. While the calling thread records, what it records with.
inline device& current_device() {
    if (device* const recorder = detail::recorder) [[unlikely]]
        return *recorder;
    device* const chosen = detail::chosen_device.load(std::memory_order_acquire);
    return chosen ? *chosen : detail::choose_device();
}

/// What tells calls for the device that was chosen last from those for others, of which a process's tests make fewer than 32:
/// bits 3 to 7, and plan::calls_of_host.
inline std::uint16_t call_tag() noexcept { return detail::call_tag.load(std::memory_order_relaxed); }

/// Puts another device in its place (tests and benchmarks); arrays of the previous one must be gone, and it is.
void set_current_device(std::unique_ptr<device> other);

/// Tells the devices of one process apart: 0 for the first, one more after each set_current_device.
inline int device_generation() noexcept { return detail::generation.load(std::memory_order_relaxed); }

}  // namespace kiln::backend
