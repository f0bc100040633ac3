// kiln/device/device: what CUDA, the CPU and the tests' devices have in common.
// knows nothing of: expressions
#pragma once

#include <capture/known_device.hpp>
#include <compile/toolchain.hpp>
#include <device/kernel_table.hpp>
#include <device/memory_held.hpp>
#include <device/user_memory.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/shape.hpp>
#include <plan/scan.hpp>
#include <plan/schedule.hpp>
#include <plan/segment_rows.hpp>
#include <plan/segments.hpp>
#include <plan/sort.hpp>
#include <plan/target.hpp>
#include <record/profile.hpp>
#include <stage/library_products.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln::backend {

using kiln::detail::known_device;

/// A kernel that a device can run; each device derives its own.
class loaded_kernel {
public:
    explicit loaded_kernel(plan::kernel_signature parameters = {}) : parameters_(std::move(parameters)) {}
    virtual ~loaded_kernel() = default;

    [[nodiscard]] const plan::kernel_signature& parameters() const noexcept { return parameters_; }
    /// What it is to people; null of kernels that tests make.
    [[nodiscard]] const std::shared_ptr<const record::kernel_facts>& facts() const noexcept { return facts_; }
    void be(std::shared_ptr<const record::kernel_facts> facts) noexcept { facts_ = std::move(facts); }

    /// Its binary's bytes, if it is to be had again: what is loaded may then be unloaded while it is idle. Throws what
    /// making it threw.
    using binary_function = std::function<std::string()>;
    virtual void load_again_from(binary_function) {}

private:
    plan::kernel_signature parameters_;
    std::shared_ptr<const record::kernel_facts> facts_;
};

/// What a launch takes of a GPU; zeros elsewhere.
struct launch_facts {
    int registers = 0;            // of one thread
    int local_bytes = 0;          // of one thread: spills and arrays
    int static_shared_bytes = 0;  // of one block
    double occupancy = 0;         // 0 to 1
};

/// When a launch ran on the device: start() and stop() stand around it on its stream.
class launch_timer : public record::run_timer {
public:
    virtual void start(int stream) = 0;
    virtual void stop(int stream) = 0;
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

/// What a reduction on the host takes next of elements that come in chunks (cpu/host_resumed.hpp); or, without elements, where what all of
/// them come to is to be.
class host_resumed;
struct resumed_chunk {
    host_resumed* state = nullptr;
    bool by_user = false;  // the kernel's code combines elements
    const plan::reduced_output* of = nullptr;
    const std::byte* elements = nullptr;
    std::int64_t begin = 0;
    std::int64_t count = 0;
    std::byte* results = nullptr;
};

/// A step over arrays that needs no kernel but on CUDA, or is a library's: one of these.
struct array_step {
    const plan::scan_step* scan = nullptr;
    const plan::segment_step* segments = nullptr;
    const plan::segment_row_step* segment_rows = nullptr;
    const plan::sort_step* sort = nullptr;
    const stage::product* product = nullptr;
    const resumed_chunk* resumed = nullptr;
};

/// One launch. parameters[i] points to the value of parameter i, in the order of the kernel's signature.
struct launch_arguments {
    void** parameters = nullptr;
    std::int64_t element_count = 0;
    std::int64_t block_count = 0;
    int threads_per_block = 0;
    int stream = 0;
    const reduced_iteration* reduced = nullptr;
    const array_step* step = nullptr;
};

class copy_lanes;    // copy_lanes.hpp
class user_streams;  // user_streams.hpp

class recorded_launch;  // sequence.hpp
class launch_sequence;

/// Of the counters of one stream.
inline constexpr std::size_t counter_bytes = 32768;

class device {
public:
    virtual ~device() = default;

    /// What its arrays and users' handles point to. Set once, before the first array (devices.hpp).
    [[nodiscard]] known_device* known() const noexcept { return known_; }
    void be(known_device& known) noexcept { known_ = &known; }

    [[nodiscard]] virtual const plan::target& target() const noexcept = 0;
    [[nodiscard]] virtual device_info describe() const = 0;

    // --- memory; 256-byte aligned, ordered on the calling thread's stream. Zero bytes are never asked for.
    /// Throws out_of_memory.
    virtual std::byte* allocate(std::size_t bytes) = 0;
    [[nodiscard]] virtual memory_held memory() const { return {}; }
    /// Waits for what runs there.
    virtual void trim_memory() noexcept {}
    /// `streams`: bits of all streams whose work may still use it.
    virtual void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept = 0;
    /// Arrays and calls take their memory there first (memory.hpp).
    [[nodiscard]] virtual user_memory& user() noexcept { return user_; }
    /// Has copied when it returns.
    virtual void copy_from_host(std::byte* to, const void* from, std::size_t bytes) = 0;
    /// Has copied when it returns: waits for the stream.
    virtual void copy_to_host(void* to, const std::byte* from, std::size_t bytes) = 0;
    /// From another device, without the host, on the calling thread's stream: after what that thread's stream on the
    /// other device holds, which goes on when it is done. False: there is no such way from there to here.
    virtual bool copy_from_peer(std::byte*, device& /*source*/, const std::byte*, std::size_t /*bytes*/) {
        return false;
    }

    /// Memory of the host's that is copied from and to without a detour meanwhile. False: there is no such thing here, or not of
    /// this memory.
    virtual bool lock_pages(void*, std::size_t) { return false; }
    virtual void unlock_pages(void*) noexcept {}
    /// The host's memory that it reaches by the shortest way, as Linux numbers nodes; -1: they are all alike, or nobody says.
    [[nodiscard]] virtual int host_node() const { return -1; }
    /// Copies beside kernels, of the calling thread. Where there is no such thing each is made when it is asked for.
    virtual std::unique_ptr<copy_lanes> make_lanes();

    /// 32-bit counters, one for each block of a split reduction, all 0 while no kernel runs on the stream.
    virtual std::byte* counters(int) { return nullptr; }

    // --- streams, numbered 0 (the default) to 63
    [[nodiscard]] virtual int current_stream() noexcept = 0;
    virtual void use_stream(void* stream) = 0;
    /// nullptr: it has one stream.
    [[nodiscard]] virtual user_streams* streams() noexcept { return nullptr; }
    /// Work submitted to `stream` from now on starts after all that `earlier` holds now.
    virtual void order_after(int stream, int earlier) = 0;
    /// Throws device_error, naming the kernels launched since the last wait.
    virtual void synchronize() = 0;

    /// Around a fork(), in the forking thread: what its threads change with a lock of their own is whole meanwhile.
    virtual void before_fork() noexcept {}
    virtual void after_fork() noexcept {}

    // --- kernels
    /// Those that are loaded. They go with the device.
    [[nodiscard]] virtual kernel_table& kernels() noexcept { return kernels_; }
    [[nodiscard]] virtual named_kernels& scan_kernels() noexcept { return scan_kernels_; }
    /// nullptr: this device interprets.
    [[nodiscard]] virtual compile::toolchain* toolchain() noexcept = 0;
    /// From the toolchain's binary; nullptr when the binary is not for this device or has no such symbol (a stored one
    /// is then made again). Throws load_postponed, device_error or out_of_memory for other trouble.
    virtual std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                                const lower::program& program, const plan::kernel& kernel) = 0;
    /// Only where toolchain() is nullptr, or where a load said once that it cannot run compiled code.
    virtual std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) = 0;
    /// From now on target() keeps no rows: the compiler failed on a kernel that does, which the interpreter cannot run.
    virtual void disable_persistent_rows() noexcept {}
    /// Asynchronous on CUDA. `name` is kept for error messages; it lives as long as the kernel.
    virtual void launch(const loaded_kernel& kernel, const launch_arguments& arguments) = 0;
    /// Whether a library multiplies such matrices here (options.library).
    virtual bool multiplies(const stage::product&) { return false; }
    /// Launches that will be made again and again, in this order: handed over once, where the device can take that. They
    /// must stay as they are and live as long as the sequence.
    virtual std::unique_ptr<launch_sequence> make_sequence(std::span<recorded_launch* const> launches);

    // --- for profiles (observed/)
    virtual launch_facts facts_of(const loaded_kernel&, int /*threads_per_block*/) { return {}; }
    /// nullptr: what is launched has run when launch() returns.
    virtual std::shared_ptr<launch_timer> make_timer() { return nullptr; }
    /// Timers are read on the host's clock; this sets the device's by it. Waits for the device.
    virtual void set_timers() {}
    /// None are made any more, for now.
    virtual void stop_timers() {}

private:
    known_device* known_ = nullptr;
    kernel_table kernels_;
    named_kernels scan_kernels_;
    user_memory user_;
};

/// Kernels of a host read and write memory of the user's where it lies; for others it is copied.
inline bool reaches_host(const device& on) noexcept { return on.target().kind == plan::frame::host; }

}  // namespace kiln::backend
