#include <support/cubin_device.hpp>

#include <cstdlib>

#if KILN_HAS_CUDA

#include <compile/cubin_check.hpp>
#include <compile/nvrtc.hpp>
#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <elf.h>

namespace tests {

namespace {

using namespace kiln;

/// NVRTC, with a count of the sources that it was given.
class counting_toolchain final : public compile::toolchain {
public:
    [[nodiscard]] const std::string& target() const override { return inner_.target(); }
    [[nodiscard]] const std::string& fingerprint() const override { return inner_.fingerprint(); }
    [[nodiscard]] const std::string& options(compile::arithmetic how) const override { return inner_.options(how); }
    [[nodiscard]] bool is_there() const override { return inner_.is_there(); }
    void open() override { inner_.open(); }
    compile::binary compile(const emit::source& kernel, compile::arithmetic how) override {
        {
            const std::lock_guard lock(mutex_);
            sources_.insert(kernel.text);
        }
        return inner_.compile(kernel, how);
    }

    [[nodiscard]] std::size_t source_count() const {
        const std::lock_guard lock(mutex_);
        return sources_.size();
    }

private:
    compile::nvrtc_toolchain inner_{"sm_90"};
    mutable std::mutex mutex_;
    std::unordered_set<std::string> sources_;
};

/// The section of an ELF file with this name, empty where there is none.
std::string_view section_of(const std::string& binary, const std::string& name) {
    const auto read = [&binary]<class T>(T& into, std::uint64_t at) {
        if (at + sizeof into <= binary.size()) std::memcpy(&into, binary.data() + at, sizeof into);
        return into;
    };
    Elf64_Ehdr header{};
    read(header, 0);
    Elf64_Shdr names{};
    read(names, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof names);
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr each{};
        read(each, header.e_shoff + i * sizeof each);
        const std::uint64_t at = names.sh_offset + each.sh_name;
        if (at < binary.size() && name == binary.c_str() + at && each.sh_offset + each.sh_size <= binary.size())
            return std::string_view(binary).substr(each.sh_offset, each.sh_size);
    }
    return {};
}

/// Whether the wait for earlier kernels, ACQBULK, stands before whatever could touch memory. Compilers are free to move
/// loads of what a kernel does not write.
bool waits_first(const std::string& binary, const std::string& name) {
    constexpr std::uint64_t code_bits = 0xfff;  // of the first half of an instruction of 16 bytes
    constexpr std::uint64_t wait = 0x82e;
    // Loads, stores and atomics, of the device's memory and of any: LDG, LD, STG, ST, RED, ATOMG, ATOM.
    constexpr std::uint64_t touch_memory[] = {0x381, 0x981, 0x980, 0x386, 0x986, 0x385,
                                              0x985, 0x98e, 0x3a8, 0x9a8, 0x38a, 0x98a};
    const std::string_view code = section_of(binary, ".text." + name);
    for (std::size_t i = 0; (i + 1) * 16 <= code.size(); ++i) {  // of many parameters some are loaded before
        std::uint64_t half = 0;
        std::memcpy(&half, code.data() + i * 16, sizeof half);
        if ((half & code_bits) == wait) return true;
        if (std::count(std::begin(touch_memory), std::end(touch_memory), half & code_bits)) return false;
    }
    return false;
}

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
        if (!compile::why_no_cubin(binary, name).empty()) return nullptr;
        if (!waits_first(binary, name)) throw device_error("the kernel does not wait for those before it: " + name);
        loads_.fetch_add(1, std::memory_order_relaxed);
        if (compiles_only_) return std::make_unique<backend::loaded_kernel>();
        return cpu_->interpret(program, kernel);
    }
    std::unique_ptr<backend::loaded_kernel> interpret(const lower::program& program,
                                                      const plan::kernel& kernel) override {
        return cpu_->interpret(program, kernel);
    }
    void launch(const backend::loaded_kernel& kernel, const backend::launch_arguments& arguments) override {
        cpu_->launch(kernel, arguments);
    }

    [[nodiscard]] std::size_t source_count() const { return toolchain_.source_count(); }
    [[nodiscard]] std::int64_t load_count() const { return loads_.load(); }

private:
    std::unique_ptr<backend::device> cpu_;
    counting_toolchain toolchain_;
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

std::string cubin_report() {
    if (!installed) return "";
    return std::to_string(installed->source_count()) + " distinct CUDA sources compiled by NVRTC, " +
           std::to_string(installed->load_count()) + " cubins loaded";
}

}  // namespace tests

#else

namespace tests {

std::string install_cubin_device() { return "built without CUDA's headers"; }
compiling_only::compiling_only() = default;
compiling_only::~compiling_only() = default;
std::string cubin_report() { return ""; }

}  // namespace tests

#endif

bool tests::cubins_wanted() {
    const char* const wanted = std::getenv("KILN_TEST_CUBINS");
    return wanted && *wanted && *wanted != '0';
}
