// tests/bench/gpu: what the GPU benchmarks ask of the driver beside kiln: a stream, events, a copy, kernels of their
// own.
#pragma once

#include <compile/toolchain.hpp>
#include <device/cuda/driver.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::bench {

/// Whether kiln runs on a GPU in this process.
bool gpu_is_there();

/// "NVIDIA H200, sm_90, driver for CUDA 13.0"
std::string gpu_name();

/// A stream that is the calling thread's in kiln, too, while it lives.
class gpu_stream {
public:
    gpu_stream();
    ~gpu_stream();
    gpu_stream(const gpu_stream&) = delete;
    gpu_stream& operator=(const gpu_stream&) = delete;

    [[nodiscard]] CUstream handle() const noexcept { return handle_; }
    void wait() const;
    /// What cudaMemcpyAsync does when both pointers are the device's.
    void copy(void* to, const void* from, std::size_t bytes) const;
    /// To the host; has copied when it returns.
    void read(void* to, const void* from, std::size_t bytes) const;

private:
    CUstream handle_ = nullptr;
};

/// The same in another stream; nullptr: the default one.
void copy_on(CUstream stream, void* to, const void* from, std::size_t bytes);

/// Microseconds on the device between two marks in a stream, about 0.5 us exact.
class gpu_stopwatch {
public:
    gpu_stopwatch();
    ~gpu_stopwatch();
    gpu_stopwatch(const gpu_stopwatch&) = delete;
    gpu_stopwatch& operator=(const gpu_stopwatch&) = delete;

    void start(const gpu_stream& on);
    /// Waits for the stream.
    double stop(const gpu_stream& on);

private:
    CUevent start_ = nullptr;
    CUevent stop_ = nullptr;
};

/// What kiln's kernels are compiled with. Throws device_error where there is no NVRTC.
compile::toolchain& gpu_toolchain();

/// A kernel from source text, by the toolchain that kiln's own kernels go through: the compiler and its options are
/// then no difference between the two.
class gpu_kernel {
public:
    gpu_kernel(const std::string& name, const std::string& source);
    /// One that is compiled already.
    gpu_kernel(const std::string& name, const compile::binary& made);
    ~gpu_kernel();
    gpu_kernel(const gpu_kernel&) = delete;
    gpu_kernel& operator=(const gpu_kernel&) = delete;

    /// Asynchronous; `stream` null is the default one. `rows` is the grid's second extent.
    void launch(CUstream stream, std::int64_t blocks, int threads_per_block, void** parameters, int rows = 1) const;
    [[nodiscard]] int registers() const noexcept { return registers_; }
    [[nodiscard]] CUfunction handle() const noexcept { return function_; }

private:
    int registers_ = 0;
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
};

/// Launches of one kernel, each after the one before it, handed to the device at once.
class gpu_chain {
public:
    /// Throws device_error where the driver has no graphs.
    gpu_chain(const gpu_kernel& kernel, std::int64_t blocks, int threads_per_block,
              const std::vector<void**>& parameters_of_each);
    ~gpu_chain();
    gpu_chain(const gpu_chain&) = delete;
    gpu_chain& operator=(const gpu_chain&) = delete;

    void launch(CUstream stream) const;

private:
    CUgraph graph_ = nullptr;
    CUgraphExec executable_ = nullptr;
};

}  // namespace kiln::bench
