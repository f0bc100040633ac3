// kiln/device/cuda/cuda_device: kernels, copies and waits. Streams and memory have files of their own.
#include <device/cuda/cuda_device.hpp>

#include <kiln/error.hpp>

#if KILN_HAS_CUDA

#include <compile/cubin_check.hpp>
#include <compile/nvrtc.hpp>
#include <device/cuda/cublas_lt.hpp>
#include <device/cuda/cuda_graph.hpp>
#include <device/cuda/cuda_kernel.hpp>
#include <device/cuda/cuda_lanes.hpp>
#include <device/cuda/cuda_memory.hpp>
#include <device/cuda/cuda_streams.hpp>
#include <device/cuda/cuda_timers.hpp>
#include <device/cuda/cuda_user_streams.hpp>
#include <device/cuda/driver.hpp>
#include <device/cuda/recent_launches.hpp>
#include <device/recording/sequence.hpp>
#include <plan/library_product.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

constexpr std::int64_t most_blocks = 2147483647;  // of a grid in x, on every GPU that has memory pools

/// What is asked of the driver about a GPU, once.
struct gpu {
    CUdevice handle = 0;
    CUcontext context = nullptr;
    std::string name;
    int architecture_number = 0;  // 90
    std::string architecture;     // "sm_90"
    int multiprocessors = 0;
    int resident_threads = 0;  // of a multiprocessor, at most
    bool overlaps = false;     // kernels may start while the one before them ends
    int host_node = -1;        // of the host's memory that is nearest
};

std::string name_of(const driver& api, CUdevice handle) {
    char name[256] = {};
    check(api, api.cuDeviceGetName(name, sizeof name - 1, handle), "kiln: device: ask for a GPU's name");
    return name;
}

int count_gpus(const driver& api) {
    int count = 0;
    check(api, api.cuDeviceGetCount(&count), "kiln: device: count the GPUs");
    return count;
}

gpu find_gpu(const driver& api, int ordinal) {
    if (ordinal < 0 || ordinal >= count_gpus(api)) throw_no_gpu(ordinal);
    gpu found;
    check(api, api.cuDeviceGet(&found.handle, ordinal), "kiln: device: find a GPU");
    found.name = name_of(api, found.handle);
    const auto ask = [&](CUdevice_attribute attribute) {
        int value = 0;
        check(api, api.cuDeviceGetAttribute(&value, attribute, found.handle), "kiln: device: ask what a GPU can do");
        return value;
    };
    const int major = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    found.architecture_number = 10 * major + ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    found.architecture = "sm_" + std::to_string(found.architecture_number);
    found.overlaps = api.has_overlap() && major >= 9;
    found.multiprocessors = ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    found.resident_threads = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
#if CUDA_VERSION >= 12020
    if (api.version >= 12020) found.host_node = ask(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID);
#endif
    if (!ask(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED))
        throw device_error("kiln: device: cuda:" + std::to_string(ordinal) + " (" + found.name +
                           ") has no memory pools " + "(cuMemAllocAsync), which kiln needs; set KILN_DEVICE=cpu");
    // Never released: arrays with static storage may outlive everything that could do it.
    check(api, api.cuDevicePrimaryCtxRetain(&found.context, found.handle), "kiln: device: get the primary context");
    return found;
}

plan::target target_of(const gpu& of) {
    plan::target out = plan::cuda_target_of(of.architecture_number);
    out.multiprocessors = of.multiprocessors;
    return out;
}

class cuda_device final : public device {
public:
    cuda_device(const driver& api, gpu found)
        : api_(api),
          gpu_(std::move(found)),
          target_(target_of(gpu_)),
          toolchain_(gpu_.architecture, api.version / 1000),
          streams_(std::make_shared<cuda_streams>(api)),
          user_streams_(api, gpu_.context, *streams_),
          timers_(std::make_shared<cuda_timers>(api, gpu_.context, streams_)),
          lanes_(api, gpu_.context, recent_, timers_),
          memory_(api, gpu_.context, gpu_.handle, *streams_) {
        // Looked for here, beside the hundreds of milliseconds that a context takes, and not in somebody's first call.
        static_cast<void>(toolchain_.fingerprint());
    }

    [[nodiscard]] const plan::target& target() const noexcept override { return target_; }
    [[nodiscard]] device_info describe() const override {
        const context_scope current(api_, gpu_.context);
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        check(api_, api_.cuMemGetInfo(&free_bytes, &total_bytes), "kiln: device: ask how much memory is free");
        return {gpu_.name,
                gpu_.architecture,
                true,
                true,
                gpu_.multiprocessors,
                static_cast<std::int64_t>(total_bytes),
                static_cast<std::int64_t>(free_bytes)};
    }

    [[nodiscard]] memory_held memory() const override { return memory_.now(); }
    void trim_memory() noexcept override { memory_.trim(); }
    std::byte* allocate(std::size_t bytes) override { return memory_.allocate(bytes, streams_->current()); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        memory_.deallocate(memory, bytes, streams);
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override;
    bool copy_from_peer(std::byte* to, device& source, const std::byte* from, std::size_t bytes) override;
    bool lock_pages(void* memory, std::size_t bytes) override {
        const context_scope current(api_, gpu_.context);
        return api_.cuMemHostRegister(memory, bytes, 0) == CUDA_SUCCESS;
    }
    void unlock_pages(void* memory) noexcept override {
        const context_scope current(api_, gpu_.context);
        api_.cuMemHostUnregister(memory);
    }
    [[nodiscard]] int host_node() const override { return gpu_.host_node; }
    std::unique_ptr<copy_lanes> make_lanes() override { return lanes_.make(streams_->handle(streams_->current())); }

    [[nodiscard]] int current_stream() noexcept override { return streams_->current(); }
    void use_stream(void* stream) override {
        const context_scope current(api_, gpu_.context);
        streams_->use(static_cast<CUstream>(stream));
        memory_.after_capture();
    }
    [[nodiscard]] user_streams* streams() noexcept override { return &user_streams_; }
    void order_after(int stream, int earlier) override {
        const context_scope current(api_, gpu_.context);
        streams_->order_after(stream, earlier);
    }
    void synchronize() override {
        const context_scope current(api_, gpu_.context);
        wait("kiln: device: wait for the stream");
        memory_.after_capture();
    }

    std::byte* counters(int stream) override;

    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return &toolchain_; }
    std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                        const lower::program& program, const plan::kernel& kernel) override;
    std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) override;
    void launch(const loaded_kernel& kernel, const launch_arguments& arguments) override;
    std::unique_ptr<launch_sequence> make_sequence(std::span<recorded_launch* const> launches) override;
    launch_facts facts_of(const loaded_kernel& kernel, int threads_per_block) override {
        if (is_by_library(kernel)) return {};
        return static_cast<const cuda_kernel&>(kernel).facts_of_launch(threads_per_block, gpu_.resident_threads);
    }
    bool multiplies(const stage::product& of) override {
        const context_scope current(api_, gpu_.context);
        return products_.can(of);
    }
    std::shared_ptr<launch_timer> make_timer() override { return timers_->make(); }
    void set_timers() override { timers_->set(); }
    void stop_timers() override { timers_->stop(); }

    void launch(const kernel_chain& chain, int stream);

private:
    static bool is_by_library(const loaded_kernel& kernel) noexcept {
        return kernel.facts() && kernel.facts()->origin == kernel_origin::library;
    }
    void multiply(const launch_arguments& arguments);
    CUresult start(const cuda_kernel& kernel, const launch_arguments& arguments) const noexcept;
    void wait(const char* doing);
    const char* keep_name(const std::string& name);
    void wait_for_other(cuda_device& other);
    void open_to(const cuda_device& other) noexcept;

    const driver& api_;
    const gpu gpu_;
    const plan::target target_;
    compile::nvrtc_toolchain toolchain_;
    // Shared with the threads that are on a stream of it: they tell it when they end.
    std::shared_ptr<cuda_streams> streams_;
    cuda_user_streams user_streams_;
    std::shared_ptr<cuda_timers> timers_;
    recent_launches recent_;
    cuda_lane_pool lanes_;
    cuda_memory memory_;
    cublas_lt products_;
    std::atomic<std::uint64_t> open_to_{0};  // bits of the GPUs that may reach the pool's memory, or were refused
    std::mutex counters_mutex_;
    std::byte* counters_[64] = {};  // of each stream; kernels leave them as they found them
    std::mutex names_mutex_;
    std::set<std::string> names_;
};

std::byte* cuda_device::counters(int stream) {
    const std::lock_guard lock(counters_mutex_);
    std::byte*& of_stream = counters_[stream];
    if (!of_stream) {
        std::byte* const made = memory_.allocate(counter_bytes, stream);
        const std::vector<std::byte> zeros(counter_bytes);
        copy_from_host(made, zeros.data(), counter_bytes);
        of_stream = made;
    }
    return of_stream;
}

/// An error of a kernel shows here, at the first wait after it.
void cuda_device::wait(const char* doing) {
    const CUresult result = api_.cuStreamSynchronize(streams_->handle(streams_->current()));
    if (result != CUDA_SUCCESS) throw_device_error(api_, result, doing, recent_.text());
    recent_.clear();
}

// The caller's memory is not let go of while the driver may still copy: where the program ends meanwhile, its end waits.
void cuda_device::copy_from_host(std::byte* to, const void* from, std::size_t bytes) {
    const process::until_exit::together both(driver_calls);
    const context_scope current(api_, gpu_.context);
    const CUresult result =
        api_.cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(to), from, bytes, streams_->handle(streams_->current()));
    if (result != CUDA_SUCCESS)
        throw_device_error(api_, result, "kiln: device: copy from the host",
                           " (" + std::to_string(bytes) + " bytes)" + recent_.text());
    // From pageable memory the driver has copied when it returns; from pinned memory it has not.
    wait("kiln: device: wait for a copy from the host");
}

void cuda_device::copy_to_host(void* to, const std::byte* from, std::size_t bytes) {
    const process::until_exit::together both(driver_calls);
    const context_scope current(api_, gpu_.context);
    const CUresult result =
        api_.cuMemcpyDtoHAsync(to, reinterpret_cast<CUdeviceptr>(from), bytes, streams_->handle(streams_->current()));
    if (result != CUDA_SUCCESS)
        throw_device_error(api_, result, "kiln: device: copy to the host",
                           " (" + std::to_string(bytes) + " bytes)" + recent_.text());
    wait("kiln: device: wait for a copy to the host");
}

/// What the calling thread's stream here is given from now on starts after all that its stream there holds now.
void cuda_device::wait_for_other(cuda_device& other) {
    CUevent reached = nullptr;
    {
        const context_scope there(api_, other.gpu_.context);
        check(api_, api_.cuEventCreate(&reached, CU_EVENT_DISABLE_TIMING), "kiln: device: make an event");
        const CUresult recorded = api_.cuEventRecord(reached, other.streams_->handle(other.streams_->current()));
        if (recorded != CUDA_SUCCESS) api_.cuEventDestroy(reached);
        check(api_, recorded, "kiln: device: record an event to order two GPUs by");
    }
    const context_scope here(api_, gpu_.context);
    const CUresult waited =
        api_.cuStreamWaitEvent(streams_->handle(streams_->current()), reached, CU_EVENT_WAIT_DEFAULT);
    api_.cuEventDestroy(reached);  // freed once it was reached
    check(api_, waited, "kiln: device: let a stream wait for another GPU's");
}

/// Without it the driver copies by way of the host. A GPU that cannot reach this one's memory is not asked again.
void cuda_device::open_to(const cuda_device& other) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (other.gpu_.handle % 64);
    if (!(open_to_.fetch_or(bit, std::memory_order_relaxed) & bit)) memory_.open_to(other.gpu_.handle);
}

bool cuda_device::copy_from_peer(std::byte* to, device& source, const std::byte* from, std::size_t bytes) {
    auto* const other = dynamic_cast<cuda_device*>(&source);
    if (!other) return false;
    open_to(*other);
    other->open_to(*this);
    wait_for_other(*other);
    {
        const context_scope current(api_, gpu_.context);
        const CUresult result =
            api_.cuMemcpyPeerAsync(reinterpret_cast<CUdeviceptr>(to), gpu_.context, reinterpret_cast<CUdeviceptr>(from),
                                   other->gpu_.context, bytes, streams_->handle(streams_->current()));
        if (result != CUDA_SUCCESS)
            throw_device_error(api_, result, "kiln: device: copy from another GPU",
                               " (" + std::to_string(bytes) + " bytes)" + recent_.text());
    }
    other->wait_for_other(*this);
    return true;
}

std::unique_ptr<loaded_kernel> cuda_device::load(const std::string& binary, const std::string& name,
                                                 const lower::program&, const plan::kernel& kernel) {
    // Anything else is PTX, which the driver's compiler reads with care.
    const bool is_machine_code = binary.starts_with(
        "\x7f"
        "ELF");
    if (is_machine_code && !compile::why_no_cubin(binary, name).empty()) return nullptr;
    const context_scope current(api_, gpu_.context);
    const auto is_for_another = [](CUresult result) {
        return result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE ||
               result == CUDA_ERROR_INVALID_PTX || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
               result == CUDA_ERROR_NOT_FOUND;
    };
    CUmodule module = nullptr;
    // Text (PTX) must end in a zero; a std::string does.
    CUresult result = api_.cuModuleLoadData(&module, binary.c_str());
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        memory_.trim();
        result = api_.cuModuleLoadData(&module, binary.c_str());
        if (result == CUDA_ERROR_OUT_OF_MEMORY)
            throw out_of_memory("kiln: device: out of memory: no room for the code of " + name + " (" +
                                std::to_string(binary.size()) + " bytes). Free arrays.");
    }
    if (is_for_another(result)) return nullptr;
    if (result != CUDA_SUCCESS) throw_device_error(api_, result, "kiln: device: load a kernel", ": " + name);

    CUfunction function = nullptr;
    result = api_.cuModuleGetFunction(&function, module, name.c_str());
    int registers = 0;
    // Under lazy loading (the driver's default) the code is not on the device yet. A question that only loaded code can
    // answer brings it there: a first launch inside a stream capture may not.
    if (result == CUDA_SUCCESS) result = api_.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
    // Beyond 48 KiB a block has what its kernel was allowed to ask for.
    if (result == CUDA_SUCCESS && kernel.dynamic_shared_bytes)
        result = api_.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         kernel.dynamic_shared_bytes);
    if (result != CUDA_SUCCESS) {
        api_.cuModuleUnload(module);
        if (is_for_another(result)) return nullptr;
        throw_device_error(api_, result, "kiln: device: find a kernel in its module", ": " + name);
    }
    return std::make_unique<cuda_kernel>(api_, gpu_.context, module, function, keep_name(name), kernel.signature,
                                         kernel.dynamic_shared_bytes);
}

std::unique_ptr<loaded_kernel> cuda_device::interpret(const lower::program&, const plan::kernel&) {
    throw device_error("kiln: device: " + gpu_.name +
                       " runs compiled kernels only; what interprets runs on the CPU: set "
                       "KILN_DEVICE=cpu");
}

const char* cuda_device::keep_name(const std::string& name) {
    const std::lock_guard lock(names_mutex_);
    return names_.insert(name).first->c_str();  // a set's strings stay where they are
}

void require_grid(const cuda_kernel& kernel, std::int64_t block_count) {
    if (block_count > most_blocks) [[unlikely]]
        throw device_error("kiln: device: launch " + std::string(kernel.name()) + ": " + std::to_string(block_count) +
                           " blocks; a grid holds " + std::to_string(most_blocks) + ". Work on smaller parts.");
}

CUresult cuda_device::start(const cuda_kernel& kernel, const launch_arguments& arguments) const noexcept {
    const auto blocks = static_cast<unsigned>(arguments.block_count);
    const auto threads = static_cast<unsigned>(arguments.threads_per_block);
    CUstream const stream = streams_->handle(arguments.stream);
#if CUDA_VERSION >= 12030
    if (gpu_.overlaps) {
        // What it does first is to wait for the kernels before it (emit/helpers/threads_cuda.inc).
        CUlaunchAttribute overlap{};
        overlap.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        overlap.value.programmaticStreamSerializationAllowed = 1;
        CUlaunchConfig grid{};
        grid.gridDimX = blocks;
        grid.blockDimX = threads;
        grid.gridDimY = grid.gridDimZ = grid.blockDimY = grid.blockDimZ = 1;
        grid.sharedMemBytes = kernel.dynamic_shared_bytes();
        grid.hStream = stream;
        grid.attrs = &overlap;
        grid.numAttrs = 1;
        return api_.cuLaunchKernelEx(&grid, kernel.function(), arguments.parameters, nullptr);
    }
#endif
    return api_.cuLaunchKernel(kernel.function(), blocks, 1, 1, threads, 1, 1, kernel.dynamic_shared_bytes(), stream,
                               arguments.parameters, nullptr);
}

/// Parameters as in plan/library_product.hpp.
void cuda_device::multiply(const launch_arguments& arguments) {
    const context_scope current(api_, gpu_.context);
    const auto address = [&](int parameter) { return *static_cast<std::byte**>(arguments.parameters[parameter]); };
    const std::string trouble =
        products_.multiply(*arguments.step->product, address(0), address(1), address(2), address(3),
                           plan::product_workspace_bytes, streams_->handle(arguments.stream));
    if (!trouble.empty())
        throw device_error("kiln: device: cuBLASLt, asked for a product: " + trouble + recent_.text() +
                           ". Without options.library kiln makes it itself.");
    recent_.add("cublasLtMatmul");
}

void cuda_device::launch(const loaded_kernel& kernel, const launch_arguments& arguments) {
    if (arguments.step && arguments.step->product) [[unlikely]]
        return multiply(arguments);
    const auto& compiled = static_cast<const cuda_kernel&>(kernel);
    require_grid(compiled, arguments.block_count);
    const context_scope current(api_, gpu_.context);
    const CUresult result = start(compiled, arguments);
    // An earlier kernel's error may show here: the launches before this one are named too.
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_device_error(api_, result, "kiln: device: launch a kernel",
                           ": " + std::string(compiled.name()) + recent_.text());
    recent_.add(compiled.name());
}

class graph_sequence final : public launch_sequence {
public:
    graph_sequence(cuda_device& on, const driver& api, CUcontext context, bool overlaps,
                   std::span<recorded_launch* const> launches)
        : on_(on), chain_(api, context, overlaps, launches) {}
    void launch(int stream) override { on_.launch(chain_, stream); }
    void follow() override { chain_.follow(); }

private:
    cuda_device& on_;
    kernel_chain chain_;
};

std::unique_ptr<launch_sequence> cuda_device::make_sequence(std::span<recorded_launch* const> launches) {
    // One kernel starts sooner by itself: beside the end of the one before it.
    const bool calls_library = std::any_of(launches.begin(), launches.end(),
                                           [](const recorded_launch* each) { return is_by_library(each->kernel()); });
    if (!api_.has_graphs() || launches.size() == 1 || calls_library) return device::make_sequence(launches);
    for (recorded_launch* const each : launches)
        require_grid(static_cast<const cuda_kernel&>(each->kernel()), each->arguments(0).block_count);
    const context_scope current(api_, gpu_.context);
    return std::make_unique<graph_sequence>(*this, api_, gpu_.context, gpu_.overlaps, launches);
}

void cuda_device::launch(const kernel_chain& chain, int stream) {
    const context_scope current(api_, gpu_.context);
    const CUresult result = api_.cuGraphLaunch(chain.executable(), streams_->handle(stream));
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_device_error(api_, result, "kiln: device: launch a graph", recent_.text());
    recent_.add("a recorded loop");
}

}  // namespace

int gpu_count() noexcept {
    try {
        return count_gpus(the_driver());
    } catch (...) {
        return 0;
    }
}

void throw_no_gpu(int index) {
    const driver& api = the_driver();
    const int count = count_gpus(api);
    std::string there;
    for (int i = 0; i < count; ++i) {
        CUdevice handle = 0;
        check(api, api.cuDeviceGet(&handle, i), "kiln: device: find a GPU");
        there += (i ? ", cuda:" : ": cuda:") + std::to_string(i) + " " + name_of(api, handle);
    }
    throw device_error("kiln: device: cuda:" + std::to_string(index) + " was asked for; the driver " + api.path +
                       " (CUDA " + api.version_text() + ") sees " + std::to_string(count) +
                       (count == 1 ? " GPU" : " GPUs") + there + ". CUDA_VISIBLE_DEVICES may hide others.");
}

gpu_memory gpu_memory_at(const void* pointer) {
    const driver* const api = driver_if_loaded();
    if (!api) return {};
    // All four at once: unlike the single question, this one answers with zeros for memory that CUDA does not know.
    unsigned int kind = 0;
    unsigned int managed = 0;
    int owner = -1;
    CUcontext owning_context = nullptr;
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_CONTEXT};
    void* answers[] = {&kind, &managed, &owner, &owning_context};
    const CUresult result = api->cuPointerGetAttributes(4, asked, answers, reinterpret_cast<CUdeviceptr>(pointer));
    // No context yet, so no memory of one.
    if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_NOT_INITIALIZED) return {};
    check(*api, result, "kiln: device: ask where memory is");
    if (managed || kind == CU_MEMORYTYPE_UNIFIED) return {-1, true};
    if (kind == 0 || kind == CU_MEMORYTYPE_HOST) return {-1, false, kind == CU_MEMORYTYPE_HOST};
    if (kind != CU_MEMORYTYPE_DEVICE)
        throw device_error("kiln: device: the pointer is a CUDA array's, which has no elements in order");
    if (!owning_context) return {owner, false};  // a pool's
    CUcontext primary = nullptr;
    check(*api, api->cuDevicePrimaryCtxRetain(&primary, owner), "kiln: device: get the primary context");
    if (owning_context != primary)
        throw device_error("kiln: device: the memory is of another CUDA context on cuda:" + std::to_string(owner) +
                           "; kiln uses the primary one, as the CUDA runtime does");
    return {owner, false};
}

std::unique_ptr<device> make_cuda_device(int ordinal) {
    const driver& api = the_driver();
    gpu found = find_gpu(api, ordinal);
    const context_scope current(api, found.context);
    return std::make_unique<cuda_device>(api, std::move(found));
}

}  // namespace kiln::backend

#else  // no CUDA in this build

namespace kiln::backend {

namespace {
constexpr const char* not_built =
    "kiln: device: CUDA is not in this build of kiln (no libcuda is looked for); build it where "
    "cuda.h and nvrtc.h are found, or set KILN_DEVICE=cpu";
}

int gpu_count() noexcept { return 0; }

void throw_no_gpu(int) { throw device_error(not_built); }

gpu_memory gpu_memory_at(const void*) { return {}; }

std::unique_ptr<device> make_cuda_device(int) { throw device_error(not_built); }

}  // namespace kiln::backend

#endif
