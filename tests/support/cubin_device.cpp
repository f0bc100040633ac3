#include <support/cubin_device.hpp>

#include <cstdlib>
#include <string_view>

namespace {

std::string_view wanted_cubins() {
    const char* const wanted = std::getenv("KILN_TEST_CUBINS");
    return wanted ? wanted : "";
}

}  // namespace

#if KILN_HAS_CUDA

#include <support/cubin_batches.hpp>

#include <compile/cubin_check.hpp>
#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>

#include <kiln/error.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace tests {

namespace {

using namespace kiln;

/// Its own front end at "max" leaves ptxas a text that takes that twice as long: a kernel of many in a program takes 25.7 ms with "mid"
/// for both, 32.7 with "max", and 22.2 so (13.0, 64 kernels).
constexpr const char* hurried_options = "--Ofast-compile=mid --ptxas-options=--Ofast-compile=max";

class cubin_device final : public backend::device {
public:
    // Whether there is an NVRTC is asked without opening it: a kernel from the disk must not need it either. A test that names
    // one that is not there means it.
    cubin_device() : cpu_(backend::make_cpu_device()) {
        const bool is_named = std::getenv("KILN_NVRTC") != nullptr;
        if (!toolchain_.is_there() && !is_named) toolchain_.open();  // throws, saying where it was looked for
    }

    [[nodiscard]] const plan::target& target() const noexcept override {
        return compiles_only_ ? compiled_ : computed_;
    }
    /// Kernels that the interpreter cannot stand in for are compiled then, and none may be launched.
    void compile_only(bool on) noexcept { compiles_only_ = on; }
    [[nodiscard]] device_info describe() const override {
        device_info out = cpu_->describe();
        out.name = "cubins by NVRTC, computed by the interpreter";
        out.target = toolchain_.target();
        out.compiles = true;
        return out;
    }

    [[nodiscard]] backend::memory_held memory() const override { return cpu_->memory(); }
    void trim_memory() noexcept override { cpu_->trim_memory(); }
    void before_fork() noexcept override { cpu_->before_fork(); }
    void after_fork() noexcept override { cpu_->after_fork(); }
    std::byte* allocate(std::size_t bytes) override { return cpu_->allocate(bytes); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        cpu_->deallocate(memory, bytes, streams);
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override {
        cpu_->copy_from_host(to, from, bytes);
    }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override {
        cpu_->copy_to_host(to, from, bytes);
    }
    [[nodiscard]] int current_stream() noexcept override { return cpu_->current_stream(); }
    void use_stream(void* stream) override { cpu_->use_stream(stream); }
    void order_after(int stream, int earlier) override { cpu_->order_after(stream, earlier); }
    void synchronize() override { cpu_->synchronize(); }

    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return &toolchain_; }
    std::unique_ptr<backend::loaded_kernel> load(const std::string& binary, const std::string& name,
                                                 const lower::program& program, const plan::kernel& kernel) override {
        if (!toolchain_.stands_for_cubin(binary)) {
            if (!compile::why_no_cubin(binary, name).empty()) return nullptr;
            if (!waits_first(binary, name)) throw device_error("the kernel does not wait for those before it: " + name);
        }
        loads_.fetch_add(1, std::memory_order_relaxed);
        if (!compiles_only_) return cpu_->interpret(program, kernel);
        try {
            return cpu_->interpret(program, kernel);
        } catch (const error&) {  // it does what no interpreter does
            return std::make_unique<backend::loaded_kernel>();
        }
    }
    std::unique_ptr<backend::loaded_kernel> interpret(const lower::program& program,
                                                      const plan::kernel& kernel) override {
        return cpu_->interpret(program, kernel);
    }
    void launch(const backend::loaded_kernel& kernel, const backend::launch_arguments& arguments) override {
        cpu_->launch(kernel, arguments);
    }

    [[nodiscard]] cubin_batches& cubins() { return toolchain_; }
    [[nodiscard]] std::int64_t load_count() const { return loads_.load(); }

private:
    std::unique_ptr<backend::device> cpu_;
    cubin_batches toolchain_{"sm_90", wanted_cubins() == "together" || wanted_cubins() == "hurried",
                             wanted_cubins() == "hurried" ? hurried_options : ""};
    std::atomic<std::int64_t> loads_{0};
    bool compiles_only_ = false;
    /// With what kernels may use on the architecture that they are compiled for: "sm_90".
    const plan::target compiled_ = [this] {
        const std::string architecture = toolchain_.target();
        const std::size_t digits = architecture.find_first_of("0123456789");
        return plan::cuda_target_of(digits == std::string::npos ? 0 : std::atoi(architecture.c_str() + digits));
    }();
    const plan::target computed_ = [] {
        plan::target out = plan::cuda_target;
        out.reduces = false;
        out.persistent_rows = false;
        out.known_shifts = false;
        return out;
    }();
};

cubin_device* installed = nullptr;

}  // namespace

std::string install_cubin_device() {
    try {
        auto made = std::make_unique<cubin_device>();
        installed = made.get();
        backend::set_usual_device(backend::add_device(std::move(made), device_kind::cpu, /*index=*/1));
    } catch (const compile_error& trouble) {
        return trouble.what();
    }
    return "";
}

compiling_only::compiling_only() {
    if (installed) installed->compile_only(true);
}

compiling_only::~compiling_only() {
    if (installed) installed->compile_only(false);
}

std::string finish_cubins() { return installed ? installed->cubins().finish() : ""; }

std::string cubin_report() {
    if (!installed) return "";
    return std::to_string(installed->cubins().source_count()) + " distinct CUDA sources compiled by NVRTC, " +
           std::to_string(installed->load_count()) + " cubins loaded";
}

}  // namespace tests

#else

namespace tests {

std::string install_cubin_device() { return "built without CUDA's headers"; }
compiling_only::compiling_only() = default;
compiling_only::~compiling_only() = default;
std::string finish_cubins() { return ""; }
std::string cubin_report() { return ""; }

}  // namespace tests

#endif

bool tests::cubins_wanted() {
    const std::string_view wanted = wanted_cubins();
    return !wanted.empty() && wanted[0] != '0';
}
