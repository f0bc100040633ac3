// kiln/device/cuda/driver: the CUDA driver, opened at run time: one table of functions and one way to check what they say.
// The only room that sees cuda.h; it is empty in a build without CUDA. knows nothing of: kernels, arrays
#pragma once

#if KILN_HAS_CUDA

#include <process/until_exit.hpp>

#include <cuda.h>

#include <string>

namespace kiln::backend {

extern process::until_exit driver_calls;

// One list: the table, the loader and its message about what is missing come from it. cuda.h's own macros turn a name
// into the version that it declares (cuMemGetInfo into cuMemGetInfo_v2), here and wherever the table is used.
// cuMemAllocAsync makes CUDA 11.2 the oldest driver that has all of them.
// clang-format off
#define KILN_DRIVER_FUNCTIONS(each)                                                                                    \
    each(cuInit) each(cuDriverGetVersion) each(cuGetErrorName) each(cuGetErrorString)                                  \
    each(cuDeviceGetCount) each(cuDeviceGet) each(cuDeviceGetName) each(cuDeviceGetAttribute)                          \
    each(cuDevicePrimaryCtxRetain) each(cuDeviceGetDefaultMemPool)                                                     \
    each(cuCtxGetCurrent) each(cuCtxSetCurrent) each(cuCtxPushCurrent) each(cuCtxPopCurrent)                           \
    each(cuCtxSynchronize)                                                                                             \
    each(cuMemAllocAsync) each(cuMemFreeAsync) each(cuMemGetInfo) each(cuMemPoolSetAttribute)                          \
    each(cuMemPoolGetAttribute) each(cuMemPoolTrimTo)                                                                  \
    each(cuMemPoolSetAccess) each(cuMemHostRegister) each(cuMemHostUnregister)                                         \
    each(cuMemcpyHtoDAsync) each(cuMemcpyDtoHAsync) each(cuMemcpyPeerAsync) each(cuPointerGetAttributes)               \
    each(cuStreamSynchronize) each(cuStreamWaitEvent) each(cuStreamIsCapturing)                                        \
    each(cuStreamCreateWithPriority) each(cuStreamDestroy) each(cuCtxGetStreamPriorityRange)                           \
    each(cuEventCreate) each(cuEventRecord) each(cuEventDestroy) each(cuEventSynchronize) each(cuEventElapsedTime)     \
    each(cuModuleLoadData) each(cuModuleUnload) each(cuModuleGetFunction) each(cuFuncGetAttribute)                     \
    each(cuFuncSetAttribute) each(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                                  \
    each(cuLaunchKernel)
// What a driver may lack: these came with 11.4 and, in this form, 12.0. Where one is missing all of them are null, and
// launches are made one by one.
#define KILN_DRIVER_GRAPH_FUNCTIONS(each)                                                                              \
    each(cuGraphCreate) each(cuGraphDestroy) each(cuGraphAddKernelNode) each(cuGraphInstantiateWithFlags)              \
    each(cuGraphLaunch) each(cuGraphExecDestroy) each(cuGraphExecKernelNodeSetParams)
// The same of 12.3, for kernels that start while the one before them ends.
#if CUDA_VERSION >= 12030
#define KILN_DRIVER_OVERLAP_FUNCTIONS(each) each(cuLaunchKernelEx) each(cuGraphAddDependencies_v2)
#else
#define KILN_DRIVER_OVERLAP_FUNCTIONS(each)
#endif
// clang-format on

/// One of the driver's functions, not called any more by other threads than the one that ends the program: a call during the
/// driver's own end crashes. They get CUDA_ERROR_DEINITIALIZED, as that one does from the driver.
template <class Function>
class driver_function;

template <class... Arguments>
class driver_function<CUresult (*)(Arguments...)> {
public:
    using pointer = CUresult (*)(Arguments...);

    driver_function& operator=(pointer function) noexcept {
        function_ = function;
        return *this;
    }
    explicit operator bool() const noexcept { return function_ != nullptr; }

    CUresult operator()(Arguments... arguments) const noexcept {
        const process::until_exit::call under_way(driver_calls);
        return under_way ? function_(arguments...) : CUDA_ERROR_DEINITIALIZED;
    }

private:
    pointer function_ = nullptr;
};

struct driver {
#define KILN_EACH(name) driver_function<decltype(&::name)> name;
    KILN_DRIVER_FUNCTIONS(KILN_EACH)
    KILN_DRIVER_GRAPH_FUNCTIONS(KILN_EACH)
    KILN_DRIVER_OVERLAP_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    [[nodiscard]] bool has_graphs() const noexcept { return static_cast<bool>(cuGraphCreate); }
    [[nodiscard]] bool has_overlap() const noexcept {
#if CUDA_VERSION >= 12030
        return static_cast<bool>(cuLaunchKernelEx);
#else
        return false;
#endif
    }

    int version = 0;   // of cuDriverGetVersion: 13000 is CUDA 13.0
    std::string path;  // of the file that was opened

    /// "13.0"
    [[nodiscard]] std::string version_text() const;
};

/// Opens and starts the driver at the first call. Throws device_error: no libcuda (what was tried, and the loader's
/// reasons), a libcuda without a function, cuInit's refusal; the same error again at later calls.
const driver& the_driver();

/// The driver where this process has it already, by kiln or by anybody else; nullptr where not, where it does not
/// start, and in a child of a fork() of a process that had it.
const driver* driver_if_loaded() noexcept;

/// "CUDA_ERROR_INVALID_VALUE (invalid argument)"; a number where the driver has no name for it, or is asked no more.
std::string error_text(const driver& api, CUresult result);

/// Throws device_error, "<doing>: CUDA_ERROR_... (...)", with advice where a stream capture forbade the call; `detail`
/// is appended.
[[noreturn]] void throw_device_error(const driver& api, CUresult result, const char* doing, const std::string& detail);

/// `doing` in words: "kiln: device: wait for the stream". One comparison when all is well.
inline void check(const driver& api, CUresult result, const char* doing) {
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_device_error(api, result, doing, {});
}

/// Makes `context` current. A thread that had none keeps it, as with the CUDA runtime; another one is put back at the
/// end. Costs one cuCtxGetCurrent where `context` is current already. Never throws: a failed switch shows in the next
/// call.
class context_scope {
public:
    context_scope(const driver& api, CUcontext context) noexcept : api_(api) {
        CUcontext current = nullptr;
        api.cuCtxGetCurrent(&current);
        if (current == context) [[likely]]
            return;
        if (current) pushed_ = api.cuCtxPushCurrent(context) == CUDA_SUCCESS;
        else api.cuCtxSetCurrent(context);
    }
    context_scope(const context_scope&) = delete;
    context_scope& operator=(const context_scope&) = delete;
    ~context_scope() {
        if (pushed_) [[unlikely]] {
            CUcontext ours = nullptr;
            api_.cuCtxPopCurrent(&ours);
        }
    }

private:
    const driver& api_;
    bool pushed_ = false;
};

}  // namespace kiln::backend

#endif
