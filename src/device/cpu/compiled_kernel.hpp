// kiln/device/cpu/compiled_kernel: a kernel of the CPU that the host compiler made.
// in: the bytes of a shared object, perhaps again and again   out: calls of its function
// knows nothing of: threads, where the bytes come from
#pragma once

#include <device/cpu/cpu_kernel.hpp>
#include <device/cpu/loaded_objects.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::backend {

class compiled_kernel final : public cpu_kernel, private object_user {
public:
    compiled_kernel(std::string name, const lower::program& program, const plan::kernel& kernel);
    ~compiled_kernel() override;

    /// Opens the object and finds its functions; `refused` where one is missing.
    shared_object::opening load(const std::string& binary);
    void load_again_from(binary_function binary) override;

    void run(void* const* parameters, std::int64_t begin, std::int64_t end, stores how) const override;
    [[nodiscard]] const host_reducer& reducer(std::size_t output) const override;

private:
    struct code;

    void begin_use() const override;
    void end_use() const noexcept override { users_.fetch_sub(1, std::memory_order_release); }
    void hold() const noexcept;
    void load_again() const;
    bool try_unload() noexcept override;

    const std::string name_;
    binary_function binary_;
    std::atomic<code*> code_{nullptr};
    // Launches under way, and one until it could be loaded again; far below 0 while it is being unloaded.
    mutable std::atomic<int> users_{1};
    mutable std::atomic<std::uint32_t> loading_in_{0};  // which process loads it again, by process::fork_count() + 1
};

}  // namespace kiln::backend
