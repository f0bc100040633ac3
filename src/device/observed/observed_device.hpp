// kiln/device/observed: a device in another's place while a profile is alive: what it is asked to launch, to copy and to wait
// for becomes an event, and is left to the device behind it.
// in: a device's work   out: the same, and events   knows nothing of: expressions, who keeps the events
#pragma once

#include <device/device.hpp>
#include <device/recording/sequence.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace kiln::backend {

class observed_device final : public device {
public:
    explicit observed_device(device& behind);

    [[nodiscard]] device& behind() const noexcept { return behind_; }
    [[nodiscard]] const plan::target& target() const noexcept override { return behind_.target(); }
    [[nodiscard]] device_info describe() const override { return behind_.describe(); }
    [[nodiscard]] memory_held memory() const override { return behind_.memory(); }
    void trim_memory() noexcept override { behind_.trim_memory(); }
    std::byte* allocate(std::size_t bytes) override { return behind_.allocate(bytes); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        behind_.deallocate(memory, bytes, streams);
    }
    [[nodiscard]] user_memory& user() noexcept override { return behind_.user(); }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override;
    bool copy_from_peer(std::byte* to, device& source, const std::byte* from, std::size_t bytes) override;
    bool lock_pages(void* memory, std::size_t bytes) override { return behind_.lock_pages(memory, bytes); }
    void unlock_pages(void* memory) noexcept override { behind_.unlock_pages(memory); }
    [[nodiscard]] int host_node() const override { return behind_.host_node(); }
    std::unique_ptr<copy_lanes> make_lanes() override;
    std::byte* counters(int stream) override { return behind_.counters(stream); }
    [[nodiscard]] int current_stream() noexcept override { return behind_.current_stream(); }
    void use_stream(void* stream) override { behind_.use_stream(stream); }
    [[nodiscard]] user_streams* streams() noexcept override { return behind_.streams(); }
    void order_after(int stream, int earlier) override { behind_.order_after(stream, earlier); }
    void synchronize() override;
    void before_fork() noexcept override { behind_.before_fork(); }
    void after_fork() noexcept override { behind_.after_fork(); }
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
    void launch(const loaded_kernel& kernel, const launch_arguments& arguments) override;
    std::unique_ptr<launch_sequence> make_sequence(std::span<recorded_launch* const> launches) override {
        return behind_.make_sequence(launches);
    }
    launch_facts facts_of(const loaded_kernel& kernel, int threads_per_block) override {
        return behind_.facts_of(kernel, threads_per_block);
    }
    std::shared_ptr<launch_timer> make_timer() override { return behind_.make_timer(); }
    void set_timers() override { behind_.set_timers(); }
    void stop_timers() override { behind_.stop_timers(); }

private:
    [[nodiscard]] launch_facts known_facts(const loaded_kernel& kernel, int threads_per_block);

    device& behind_;
    const std::string name_;
    std::mutex facts_mutex_;
    std::map<std::pair<std::shared_ptr<const record::kernel_facts>, int>, launch_facts> facts_;
};

/// `of` as a profile's device where it is observed, itself where not.
device& behind_observer(device& of) noexcept;

/// From now on work that is given to any device is seen; the first call puts observers in the devices' places.
void begin_observation();
/// The last takes them away. They themselves stay: who is in one meanwhile goes on.
void end_observation();

/// Recorded launches as one event, of which profiles are told once their bytes are counted (record/profile.hpp).
void launch_observed(device& on, launch_sequence& what, int stream, std::int64_t kernel_count);

}  // namespace kiln::backend
