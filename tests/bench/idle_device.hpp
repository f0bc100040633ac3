// tests/bench/idle_device: a device whose launches do nothing and whose memory is a list of equal blocks, so that what
// is left of a call is kiln's own work on the host.
#pragma once

#include <device/devices.hpp>

#include <kiln/error.hpp>

#include <cstring>
#include <memory>
#include <new>
#include <string>

namespace kiln::bench {

class idle_toolchain final : public compile::toolchain {
public:
    [[nodiscard]] const std::string& target() const override { return name_; }
    [[nodiscard]] const std::string& fingerprint() const override { return name_; }
    [[nodiscard]] const std::string& options(compile::arithmetic) const override { return name_; }
    void open() override {}
    compile::binary compile(const emit::source& kernel, compile::arithmetic) override { return {kernel.name, {}}; }

private:
    const std::string name_ = "idle";
};

class idle_device final : public backend::device {
public:
    explicit idle_device(std::size_t block_bytes, const plan::target& target = plan::cuda_target)
        : block_bytes_(block_bytes), target_(target) {}
    ~idle_device() override {
        while (free_) ::operator delete(take(), alignment);
    }

    [[nodiscard]] const plan::target& target() const noexcept override { return target_; }
    [[nodiscard]] device_info describe() const override { return {"idle", "idle", false, true, 1}; }

    std::byte* allocate(std::size_t bytes) override {
        if (bytes > block_bytes_) throw out_of_memory("kiln: the idle device has small blocks only");
        return free_ ? take() : static_cast<std::byte*>(::operator new(block_bytes_, alignment));
    }
    void deallocate(std::byte* memory, std::size_t, std::uint64_t) noexcept override {
        free_ = ::new (memory) block{free_};
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }

    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override {}
    void order_after(int, int) override {}
    void synchronize() override {}

    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return &toolchain_; }
    std::unique_ptr<backend::loaded_kernel> load(const std::string&, const std::string&, const lower::program&,
                                                 const plan::kernel&) override {
        return std::make_unique<backend::loaded_kernel>();
    }
    std::unique_ptr<backend::loaded_kernel> interpret(const lower::program&, const plan::kernel&) override {
        return std::make_unique<backend::loaded_kernel>();
    }
    void launch(const backend::loaded_kernel&, const backend::launch_arguments&) override { ++launch_count_; }

    [[nodiscard]] std::int64_t launch_count() const noexcept { return launch_count_; }

private:
    static constexpr std::align_val_t alignment{256};
    struct block {
        block* next;
    };

    std::byte* take() noexcept {
        block* const taken = free_;
        free_ = taken->next;
        return reinterpret_cast<std::byte*>(taken);
    }

    std::size_t block_bytes_;
    const plan::target target_;
    block* free_ = nullptr;
    std::int64_t launch_count_ = 0;
    idle_toolchain toolchain_;
};

/// All that the program computes is computed by one, from now on. `target`: what its kernels are planned for.
inline void use_idle_device(std::size_t block_bytes, const plan::target& target = plan::cuda_target) {
    backend::set_usual_device(
        backend::add_device(std::make_unique<idle_device>(block_bytes, target), device_kind::cpu, /*index=*/1));
}

}  // namespace kiln::bench
