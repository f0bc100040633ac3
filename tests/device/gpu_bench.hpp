// tests/device/gpu_bench: a CUDA device with a few kernels written by hand, and a user of the driver beside it.
#pragma once

#include <support/needs_gpu.hpp>

#include <device/cuda/cuda_device.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace tests {

using namespace kiln::backend;
using kiln::device_error;

inline constexpr long long spin_cycles = 20'000'000;  // about 10 ms: long beside any host call

/// What a user does with the driver beside kiln. Its handles are pointers, its results int.
struct user_driver {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);

    template <class... Arguments>
    int call(const char* name, Arguments... arguments) const {
        auto* const function = reinterpret_cast<int (*)(Arguments...)>(library ? dlsym(library, name) : nullptr);
        const bool known = function != nullptr;
        REQUIRE_MESSAGE(known, name);
        return function(arguments...);
    }
    [[nodiscard]] void* current_context() const {
        void* context = nullptr;
        CHECK(call("cuCtxGetCurrent", &context) == 0);
        return context;
    }
    [[nodiscard]] void* make_stream() const {
        void* stream = nullptr;
        constexpr unsigned non_blocking = 1;  // CU_STREAM_NON_BLOCKING: no order of its own with the default stream
        REQUIRE(call("cuStreamCreate", &stream, non_blocking) == 0);
        return stream;
    }
    void destroy_stream(void* stream) const { CHECK(call("cuStreamDestroy_v2", stream) == 0); }
};

/// What the tests launch. Like kiln's own, a kernel waits first: the device may start it while the one before it ends.
inline constexpr const char* kernels = R"(
#if __CUDA_ARCH__ >= 900
#define WAIT asm volatile("griddepcontrol.wait;" ::: "memory");
#else
#define WAIT
#endif
extern "C" __global__ void fill(float* y, float value, long long n) {
    WAIT
    long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i < n) y[i] = value;
}
extern "C" __global__ void add(float* y, const float* x, long long n) {
    WAIT
    long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i < n) y[i] += x[i];
}
extern "C" __global__ void late_fill(float* y, float value, long long n, long long cycles) {
    WAIT
    long long begin = clock64();
    while (clock64() - begin < cycles) { }
    long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i < n) y[i] = value;
}
extern "C" __global__ void bad_store(float* y) { WAIT y[threadIdx.x] = 1.0f; }
)";

inline std::string cubin_for(device& on) { return on.toolchain()->compile({"kernels", kernels}).bytes; }

/// A device with the kernels above; tests that have none to run on end at once.
struct gpu_bench {
    user_driver user;
    std::unique_ptr<device> gpu;
    std::unique_ptr<loaded_kernel> fill_kernel;
    std::unique_ptr<loaded_kernel> add_kernel;
    std::unique_ptr<loaded_kernel> late_fill_kernel;

    gpu_bench() : gpu(make_cuda_device(0)) {
        static const std::string cubin = cubin_for(*gpu);
        fill_kernel = load(cubin, "fill");
        add_kernel = load(cubin, "add");
        late_fill_kernel = load(cubin, "late_fill");
        gpu->synchronize();
    }
    ~gpu_bench() { gpu->use_stream(nullptr); }

    [[nodiscard]] std::unique_ptr<loaded_kernel> load(const std::string& cubin, const std::string& name) const {
        return gpu->load(cubin, name, {}, {});
    }
    void launch(const loaded_kernel& kernel, std::vector<void*> parameters, std::int64_t count) const {
        launch_arguments arguments;
        arguments.parameters = parameters.data();
        arguments.element_count = count;
        arguments.block_count = (count + 255) / 256;
        arguments.threads_per_block = 256;
        arguments.stream = gpu->current_stream();
        gpu->launch(kernel, arguments);
    }
    void fill(std::byte* y, float value, long long count) const { launch(*fill_kernel, {&y, &value, &count}, count); }
    void add(std::byte* y, std::byte* x, long long count) const { launch(*add_kernel, {&y, &x, &count}, count); }
    /// Ends about 10 ms after it began.
    void late_fill(std::byte* y, float value, long long count) const {
        long long cycles = spin_cycles;
        launch(*late_fill_kernel, {&y, &value, &count, &cycles}, count);
    }
    /// Waits for the current stream.
    [[nodiscard]] std::vector<float> read(const std::byte* from, std::size_t count) const {
        std::vector<float> host(count);
        gpu->copy_to_host(host.data(), from, count * sizeof(float));
        return host;
    }
    [[nodiscard]] std::uint64_t here() const { return std::uint64_t{1} << gpu->current_stream(); }
};

inline bool gpu_is_there() {
    const bool there = gpu_count() > 0;
    if (!there) skip_without_gpu();
    return there;
}

inline bool all_are(const std::vector<float>& elements, float value) {
    for (const float each : elements)
        if (each != value) return false;
    return !elements.empty();
}

template <class Error, class Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const Error& thrown) {
        return thrown.what();
    }
    return "nothing was thrown";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline constexpr std::size_t count = 100'000;
inline constexpr std::size_t bytes = count * sizeof(float);

}  // namespace tests
