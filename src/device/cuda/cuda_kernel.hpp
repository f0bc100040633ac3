// kiln/device/cuda/cuda_kernel: a kernel that a GPU has loaded.
#pragma once

#include <device/cuda/cuda_device.hpp>
#include <device/cuda/driver.hpp>

#if KILN_HAS_CUDA

#include <utility>
#include <vector>

namespace kiln::backend {

class cuda_kernel final : public loaded_kernel {
public:
    cuda_kernel(const driver& api, CUcontext context, CUmodule module, CUfunction function, const char* name,
                plan::kernel_signature parameters, int dynamic_shared_bytes)
        : loaded_kernel(std::move(parameters)),
          api_(api),
          context_(context),
          module_(module),
          function_(function),
          name_(name),
          dynamic_shared_bytes_(dynamic_shared_bytes) {}
    cuda_kernel(const cuda_kernel&) = delete;
    cuda_kernel& operator=(const cuda_kernel&) = delete;
    // At process exit the driver may be gone already, and says so.
    ~cuda_kernel() override {
        const context_scope current(api_, context_);
        api_.cuModuleUnload(module_);
    }

    [[nodiscard]] CUfunction function() const noexcept { return function_; }
    [[nodiscard]] const char* name() const noexcept { return name_; }
    /// Of a block; each launch says so.
    [[nodiscard]] unsigned dynamic_shared_bytes() const noexcept {
        return static_cast<unsigned>(dynamic_shared_bytes_);
    }

    /// `resident_threads`: that a multiprocessor holds at most.
    [[nodiscard]] launch_facts facts_of_launch(int threads_per_block, int resident_threads) const {
        const context_scope current(api_, context_);
        const auto ask = [this](CUfunction_attribute attribute) {
            int value = 0;
            check(api_, api_.cuFuncGetAttribute(&value, attribute, function_),
                  "kiln: device: ask for a kernel's resources");
            return value;
        };
        int blocks = 0;
        check(api_,
              api_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, threads_per_block,
                                                               dynamic_shared_bytes()),
              "kiln: device: ask for a kernel's occupancy");
        return {ask(CU_FUNC_ATTRIBUTE_NUM_REGS), ask(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + dynamic_shared_bytes_,
                static_cast<double>(blocks) * threads_per_block / resident_threads};
    }

private:
    const driver& api_;
    CUcontext context_;
    CUmodule module_;
    CUfunction function_;
    const char* name_;  // the device's copy: an error may name a kernel that is gone
    int dynamic_shared_bytes_;
};

}  // namespace kiln::backend

#endif
