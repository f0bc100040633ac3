#include "gpu.hpp"

#include <device/devices.hpp>
#include <text/format.hpp>

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <dlfcn.h>

namespace kiln::bench {

namespace {

using backend::check;
using backend::the_driver;

// What the library itself has no use for.
#define KILN_BENCH_FUNCTIONS(each) \
    each(cuStreamCreate) each(cuStreamDestroy) each(cuMemcpyDtoDAsync) each(cuEventSynchronize) each(cuEventElapsedTime)

struct more_functions {
#define KILN_EACH(name) decltype(&::name) name = nullptr;
    KILN_BENCH_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

#define KILN_TEXT_OF(name) #name
#define KILN_TEXT(name) KILN_TEXT_OF(name)  // after cuda.h's macros have put in the version: "cuStreamDestroy_v2"

more_functions find_more_functions() {
    void* const library = ::dlopen(the_driver().path.c_str(), RTLD_NOW);
    more_functions out;
#define KILN_EACH(name)                                                                                     \
    out.name = library ? reinterpret_cast<decltype(out.name)>(::dlsym(library, KILN_TEXT(name))) : nullptr; \
    if (!out.name) throw device_error("the driver has no " KILN_TEXT(name));
    KILN_BENCH_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    return out;
}

const more_functions& more() {
    static const more_functions functions = find_more_functions();
    return functions;
}

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace

bool gpu_is_there() { return current_device().is_cuda(); }

std::string gpu_name() {
    const device_info device = current_device().describe();
    return text::format("{}, {}, driver for CUDA {}", device.name, device.target, the_driver().version_text());
}

gpu_stream::gpu_stream() {
    synchronize();  // leaves kiln's context current on this thread
    check(the_driver(), more().cuStreamCreate(&handle_, CU_STREAM_NON_BLOCKING), "bench: make a stream");
    use_stream(handle_);
}

gpu_stream::~gpu_stream() {
    use_stream(nullptr);
    more().cuStreamDestroy(handle_);
}

void gpu_stream::wait() const { check(the_driver(), the_driver().cuStreamSynchronize(handle_), "bench: wait"); }

void gpu_stream::copy(void* to, const void* from, std::size_t bytes) const { copy_on(handle_, to, from, bytes); }

void copy_on(CUstream stream, void* to, const void* from, std::size_t bytes) {
    check(the_driver(), more().cuMemcpyDtoDAsync(address(to), address(from), bytes, stream), "bench: copy");
}

void gpu_stream::read(void* to, const void* from, std::size_t bytes) const {
    check(the_driver(), the_driver().cuMemcpyDtoHAsync(to, address(from), bytes, handle_), "bench: read");
    wait();
}

gpu_stopwatch::gpu_stopwatch() {
    check(the_driver(), the_driver().cuEventCreate(&start_, CU_EVENT_DEFAULT), "bench: make an event");
    check(the_driver(), the_driver().cuEventCreate(&stop_, CU_EVENT_DEFAULT), "bench: make an event");
}

gpu_stopwatch::~gpu_stopwatch() {
    the_driver().cuEventDestroy(start_);
    the_driver().cuEventDestroy(stop_);
}

void gpu_stopwatch::start(const gpu_stream& on) {
    check(the_driver(), the_driver().cuEventRecord(start_, on.handle()), "bench: record");
}

double gpu_stopwatch::stop(const gpu_stream& on) {
    check(the_driver(), the_driver().cuEventRecord(stop_, on.handle()), "bench: record");
    check(the_driver(), more().cuEventSynchronize(stop_), "bench: wait");
    float milliseconds = 0;
    check(the_driver(), more().cuEventElapsedTime(&milliseconds, start_, stop_), "bench: elapsed time");
    return static_cast<double>(milliseconds) * 1e3;
}

compile::toolchain& gpu_toolchain() {
    compile::toolchain* const with = backend::current_device().toolchain();
    if (!with) throw device_error("bench: no NVRTC, so no hand-written kernels");
    with->open();
    return *with;
}

gpu_kernel::gpu_kernel(const std::string& name, const std::string& source)
    : gpu_kernel(name, gpu_toolchain().compile({name, source})) {}

gpu_kernel::gpu_kernel(const std::string& name, const compile::binary& made) {
    synchronize();  // leaves kiln's context current on this thread
    check(the_driver(), the_driver().cuModuleLoadData(&module_, made.bytes.data()), "bench: load a kernel");
    check(the_driver(), the_driver().cuModuleGetFunction(&function_, module_, name.c_str()), "bench: find a kernel");
    check(the_driver(), the_driver().cuFuncGetAttribute(&registers_, CU_FUNC_ATTRIBUTE_NUM_REGS, function_),
          "bench: count registers");
}

gpu_kernel::~gpu_kernel() { the_driver().cuModuleUnload(module_); }

void gpu_kernel::launch(CUstream stream, std::int64_t blocks, int threads_per_block, void** parameters,
                        int rows) const {
    const backend::driver& api = the_driver();
    check(api,
          api.cuLaunchKernel(function_, static_cast<unsigned>(blocks), static_cast<unsigned>(rows), 1,
                             static_cast<unsigned>(threads_per_block), 1, 1, 0, stream, parameters, nullptr),
          "bench: launch");
}

gpu_chain::gpu_chain(const gpu_kernel& kernel, std::int64_t blocks, int threads_per_block,
                     const std::vector<void**>& parameters_of_each) {
    const backend::driver& api = the_driver();
    if (!api.has_graphs()) throw device_error("bench: the driver has no graphs");
    check(api, api.cuGraphCreate(&graph_, 0), "bench: make a graph");
    CUgraphNode last = nullptr;
    for (void** const parameters : parameters_of_each) {
        CUDA_KERNEL_NODE_PARAMS node{};
        node.func = kernel.handle();
        node.gridDimX = static_cast<unsigned>(blocks);
        node.gridDimY = node.gridDimZ = 1;
        node.blockDimX = static_cast<unsigned>(threads_per_block);
        node.blockDimY = node.blockDimZ = 1;
        node.kernelParams = parameters;
        CUgraphNode added = nullptr;
        check(api, api.cuGraphAddKernelNode(&added, graph_, last ? &last : nullptr, last != nullptr, &node),
              "bench: add a kernel to a graph");
        last = added;
    }
    check(api, api.cuGraphInstantiateWithFlags(&executable_, graph_, 0), "bench: make a graph executable");
}

gpu_chain::~gpu_chain() {
    if (executable_) the_driver().cuGraphExecDestroy(executable_);
    if (graph_) the_driver().cuGraphDestroy(graph_);
}

void gpu_chain::launch(CUstream stream) const {
    check(the_driver(), the_driver().cuGraphLaunch(executable_, stream), "bench: launch a graph");
}

}  // namespace kiln::bench
