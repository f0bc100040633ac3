#include <support/far_device.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>
#include <kiln/expression.hpp>
#include <plan/target.hpp>

#include <atomic>
#include <memory>

namespace tests {

namespace {

using namespace kiln;

class far final : public backend::device {
public:
    [[nodiscard]] const plan::target& target() const noexcept override { return target_; }
    [[nodiscard]] device_info describe() const override {
        device_info out = cpu_->describe();
        out.name = "far, computed by the interpreter";
        return out;
    }

    std::byte* allocate(std::size_t bytes) override {
        std::byte* const made = cpu_->allocate(bytes);
        const auto live = static_cast<std::int64_t>(cpu_->memory().live_bytes);
        for (std::int64_t most = most_bytes.load(); live > most && !most_bytes.compare_exchange_weak(most, live);) {
        }
        return made;
    }
    [[nodiscard]] backend::memory_held memory() const override { return cpu_->memory(); }
    void trim_memory() noexcept override { cpu_->trim_memory(); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        cpu_->deallocate(memory, bytes, streams);
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override {
        cpu_->copy_from_host(to, from, bytes);
        bytes_in += static_cast<std::int64_t>(bytes);
    }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override {
        cpu_->copy_to_host(to, from, bytes);
        bytes_out += static_cast<std::int64_t>(bytes);
    }
    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override {}
    void order_after(int, int) override {}
    void synchronize() override {}
    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return nullptr; }
    std::unique_ptr<backend::loaded_kernel> load(const std::string&, const std::string&, const lower::program&,
                                                 const plan::kernel&) override {
        return nullptr;
    }
    std::unique_ptr<backend::loaded_kernel> interpret(const lower::program& program,
                                                      const plan::kernel& kernel) override {
        ++kernels;
        return cpu_->interpret(program, kernel);
    }
    void launch(const backend::loaded_kernel& kernel, const backend::launch_arguments& arguments) override {
        cpu_->launch(kernel, arguments);
    }

    std::atomic<std::int64_t> most_bytes{0};
    std::atomic<std::int64_t> bytes_in{0};
    std::atomic<std::int64_t> bytes_out{0};
    std::atomic<std::int64_t> kernels{0};

private:
    std::unique_ptr<backend::device> cpu_ = backend::make_cpu_device();
    const plan::target target_ = [] {
        plan::target out = plan::cuda_target;
        out.reduces = false;
        out.persistent_rows = false;
        out.known_shifts = false;
        return out;
    }();
};

struct added {
    far* made;
    kiln::detail::known_device* known;
};

/// Stays: arrays of static storage may be on it.
const added& the_one() {
    static const added one = [] {
        auto made = std::make_unique<far>();
        far* const here = made.get();
        return added{here, &backend::add_device(std::move(made), device_kind::cpu, /*index=*/3)};
    }();
    return one;
}

}  // namespace

kiln::device far_device() { return kiln::detail::access::make<kiln::device>(the_one().known); }
std::int64_t most_bytes_on_far_device() { return the_one().made->most_bytes.exchange(0); }
std::int64_t bytes_to_far_device() { return the_one().made->bytes_in.exchange(0); }
std::int64_t bytes_from_far_device() { return the_one().made->bytes_out.exchange(0); }
std::int64_t kernels_of_far_device() { return the_one().made->kernels.load(); }

}  // namespace tests
