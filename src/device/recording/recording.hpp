// kiln/device/recording/recording: a device that computes nothing. While a thread's work goes to it, it notes each launch, hands out
// memory of its own, and refuses what would wait. Compiling and loading are left to the device behind it.
// in: the evaluations of a loop's body   out: launches, and which buffers and arrays they use
// knows nothing of: expressions, what is replayed when
//
// Not CUDA's stream capture: that forbids calls to whoever shares the stream or the context, ends on an error of anyone, and
// makes memory a part of the graph. Noting what a kernel is launched with needs none of it, and does the same on every
// device.
#pragma once

#include <capture/array_node.hpp>
#include <device/recording/sequence.hpp>
#include <device/recording/while_recording.hpp>

#include <memory>
#include <vector>

namespace kiln::backend {

/// Memory that recorded launches use. A node owns it, so that an array of the user's may become another owner of it.
struct recorded_buffer {
    kiln::detail::handle<kiln::detail::array_node> owner;
    std::size_t bytes = 0;
    bool taken = false;  // by an array or a temporary, while recording
};

/// A recorded launch, and which of its parameters lie in which buffers.
class recorded_kernel {
public:
    recorded_kernel(const loaded_kernel& kernel, const launch_arguments& arguments,
                    const std::vector<recorded_buffer>& buffers);

    [[nodiscard]] recorded_launch& launch() const noexcept { return *launch_; }
    /// Points the parameters at where the buffers are now.
    void follow(const std::vector<recorded_buffer>& buffers) noexcept;

private:
    struct place {
        std::size_t parameter;
        std::size_t buffer;
        std::ptrdiff_t offset;  // bytes
    };
    std::unique_ptr<recorded_launch> launch_;
    std::vector<place> places_;
};

/// While it lives, the calling thread's work is done, not recorded, unless `of` is in memory of the recording: what a body
/// reads of outside is there before the loop begins.
class outside_of_recording {
public:
    explicit outside_of_recording(const kiln::detail::array_node& of) noexcept;
    outside_of_recording(const outside_of_recording&) = delete;
    outside_of_recording& operator=(const outside_of_recording&) = delete;
    ~outside_of_recording() { detail::recorder = recorder_; }

private:
    device* const recorder_ = detail::recorder;
};

class recording final : public device {
public:
    /// Its arrays are those of the device behind it.
    explicit recording(device& behind) : behind_(behind) { be(*behind.known()); }

    /// The calling thread's work goes to the recording while it lives.
    class scope {
    public:
        explicit scope(recording& into) noexcept { detail::recorder = &into; }
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope() { detail::recorder = nullptr; }
    };

    // --- what was recorded
    [[nodiscard]] std::vector<recorded_kernel> take_kernels() { return std::exchange(kernels_, {}); }
    /// In the order in which they were first asked for.
    [[nodiscard]] std::vector<recorded_buffer>& buffers() noexcept { return buffers_; }
    /// Arrays from outside that were read; held, so that their elements stay as they are.
    [[nodiscard]] const std::vector<kiln::detail::handle<kiln::detail::array_node>>& inputs() const noexcept {
        return inputs_;
    }
    /// The buffer that an array's elements are in; -1: none of these.
    [[nodiscard]] int buffer_of(const kiln::detail::array_node& node) const noexcept;
    /// Buffers that arrays and temporaries have now.
    [[nodiscard]] int taken_count() const noexcept;
    /// Leaves to their arrays the buffers that are still taken: nothing recorded will be launched.
    void abandon() noexcept;

    // --- the device
    [[nodiscard]] const plan::target& target() const noexcept override { return behind_.target(); }
    [[nodiscard]] device_info describe() const override { return behind_.describe(); }
    [[nodiscard]] memory_held memory() const override { return behind_.memory(); }
    void trim_memory() noexcept override { behind_.trim_memory(); }
    /// The first free buffer of the size: where a step's arrays lie depends on where they lay before it, and on nothing
    /// else, so that a loop's roles come round.
    std::byte* allocate(std::size_t bytes) override;
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override;
    void copy_from_host(std::byte*, const void*, std::size_t) override;
    void copy_to_host(void*, const std::byte*, std::size_t) override;
    /// Of the recording: a stream's own belong to whatever runs there meanwhile.
    std::byte* counters(int) override;
    [[nodiscard]] int current_stream() noexcept override { return recorded_stream; }
    void use_stream(void*) override { refuse_to_record("use_stream()"); }
    [[nodiscard]] user_streams* streams() noexcept override { return behind_.streams(); }
    void order_after(int, int) override {}
    void synchronize() override { refuse_to_record("synchronize()"); }
    [[nodiscard]] kernel_table& kernels() noexcept override { return behind_.kernels(); }
    [[nodiscard]] named_kernels& scan_kernels() noexcept override { return behind_.scan_kernels(); }
    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return behind_.toolchain(); }
    std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                        const lower::program& program, const plan::kernel& kernel) override {
        return behind_.load(binary, name, program, kernel);
    }
    std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) override {
        return behind_.interpret(program, kernel);
    }
    void disable_persistent_rows() noexcept override { behind_.disable_persistent_rows(); }
    bool multiplies(const stage::product& of) override { return behind_.multiplies(of); }
    void launch(const loaded_kernel& kernel, const launch_arguments& arguments) override {
        kernels_.emplace_back(kernel, arguments, buffers_);
    }

    void read(const kiln::detail::array_node& node);
    void write(const kiln::detail::array_node& node);

private:
    [[nodiscard]] recorded_buffer& new_buffer(std::size_t bytes);

    device& behind_;
    std::vector<recorded_kernel> kernels_;
    std::vector<recorded_buffer> buffers_;
    std::vector<kiln::detail::handle<kiln::detail::array_node>> inputs_;
    int counters_ = -1;  // which buffer
};

}  // namespace kiln::backend
