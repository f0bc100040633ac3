// What NVRTC and ptxas made of kernels, in the processor's own instructions: every operand of contiguous ones moves in accesses of 128 bits,
// and no read of rows that stay on chip waits for another. Needs cuobjdump and nvdisasm, no GPU.
#include <compile/find_library.hpp>
#include <compile/nvrtc.hpp>
#include <compile/subprocess.hpp>

#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace k = kiln;

namespace {

/// The toolkit's folder of programs may not be in PATH where the toolkit is installed.
std::string search_path() {
    std::string out;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const home = std::getenv(variable)) out += std::string(home) + "/bin:";
    const char* const path = std::getenv("PATH");
    return out + (path ? path : "") + ":/usr/local/cuda/bin";
}

std::string find_disassembler() {
    std::istringstream folders(search_path());
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string path = folder + "/cuobjdump";
        if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path;
    }
    return "";
}

/// Empty where the disassembler cannot work: cuobjdump starts an nvdisasm that may be missing.
std::string disassemble(const std::string& with, const std::string& cubin) {
    const std::string file =
        (std::filesystem::temp_directory_path() / ("kiln_sass_" + std::to_string(::getpid()) + ".cubin")).string();
    std::ofstream(file, std::ios::binary) << cubin;
    const k::compile::process_result said = k::compile::run_process(
        {with, "-sass", file}, {.environment = {"PATH=" + search_path()}, .inherits_environment = true});
    std::filesystem::remove(file);
    return said.exit_status == 0 ? said.output : "";
}

struct accesses {
    int all = 0;
    int of_128_bits = 0;
};

/// `instruction`: "LDG" or "STG", to be counted up to the first branch-free end: the whole kernel.
accesses count(const std::string& sass, const std::string& instruction) {
    accesses out;
    std::istringstream lines(sass);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(instruction + ".E");
        if (at == std::string::npos) continue;
        ++out.all;
        const std::string name = line.substr(at, line.find(' ', at) - at);
        out.of_128_bits += name.find(".128") != std::string::npos;  // perhaps ".CONSTANT" after it
    }
    return out;
}

template <class T>
k::array<T> some(std::int64_t count) {
    return k::zeros<T>({count});
}

/// x0 + x1, of bools x0 || x1.
template <class T>
k::emit::source sum_of_two(const k::array<T>& x0, const k::array<T>& x1) {
    if constexpr (std::is_same_v<T, bool>) return tests::sources({}, x0 || x1).at(0);
    else return tests::sources({}, x0 + x1).at(0);
}

/// Reads that are begun after copies to shared memory were waited for: memory's latency once more.
int reads_after_wait(const std::string& sass) {
    int out = 0;
    bool waited = false;
    std::istringstream lines(sass);
    for (std::string line; std::getline(lines, line);) {
        waited = waited || line.find(" DEPBAR.LE ") != std::string::npos;
        out += waited && line.find(" LDG.E") != std::string::npos;
    }
    CHECK(waited);
    return out;
}

/// Says why not.
bool can_disassemble(const std::string& disassembler, k::compile::nvrtc_toolchain& compiler) {
    if (!KILN_HAS_CUDA || k::compile::find_nvrtc().path.empty() || disassembler.empty()) {
        MESSAGE("not tried: NVRTC or cuobjdump is not here");
        return false;
    }
    const k::array<float> x = some<float>(100);
    if (disassemble(disassembler, compiler.compile(tests::sources({}, x + x).at(0)).bytes).empty()) {
        MESSAGE("not tried: cuobjdump finds no nvdisasm");
        return false;
    }
    return true;
}

template <class T>
void check(const std::string& disassembler, k::compile::nvrtc_toolchain& compiler, const char* name) {
    CAPTURE(name);
    const k::array<T> x0 = some<T>(100);
    const k::array<T> x1 = some<T>(100);
    const k::emit::source kernel = sum_of_two(x0, x1);
    const std::string sass = disassemble(disassembler, compiler.compile(kernel).bytes);
    REQUIRE(!sass.empty());
    INFO(sass);
    CHECK(count(sass, "LDG").of_128_bits == 2);
    CHECK(count(sass, "STG").of_128_bits == 1);
}

}  // namespace

TEST_CASE("contiguous operands of every type are loaded and stored in 128 bits") {
    const std::string disassembler = find_disassembler();
    k::compile::nvrtc_toolchain compiler("sm_90");
    if (!can_disassemble(disassembler, compiler)) return;
#define KILN_ELEMENT_TYPE(name, type, ...) check<type>(disassembler, compiler, #name);
#include <kiln/element_type.def>
}

TEST_CASE("rows and columns of which shared memory has a part: all of them is on its way before any is waited for") {
    const std::string disassembler = find_disassembler();
    k::compile::nvrtc_toolchain compiler("sm_90");
    if (!can_disassemble(disassembler, compiler)) return;
    const auto reads = [&](const auto& e) {
        const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::cuda_target_of(90), e);
        REQUIRE(made.size() == 1);
        return reads_after_wait(disassemble(disassembler, compiler.compile(made[0]).bytes));
    };
    const auto softmax = [](const k::array<float>& x) {
        const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
        return e / k::sum(e, k::axis(1), k::keep_dims);
    };
    constexpr std::int64_t length = 32000;
    const k::array<float> x = k::zeros<float>({200, length});
    const k::array<std::int64_t> label = k::zeros<std::int64_t>({200});
    const auto shifted = x - k::max(x, k::axis(1), k::keep_dims);
    const auto is_label = k::arange<std::int64_t>(length) == label(k::all, k::newaxis);
    CHECK(reads(k::logsumexp(x, k::axis(1))) == 0);
    CHECK(reads(softmax(k::zeros<float>({300, 100'000}))) == 0);
    CHECK(reads(k::log(k::sum(k::exp(shifted), k::axis(1))) - k::sum(k::where(is_label, shifted, 0.0f), k::axis(1))) ==
          0);
    CHECK(reads(softmax(k::zeros<float>({64, 1024, 1024}))) == 0);
    CHECK(reads(softmax(k::zeros<float>({64, 512, 2048}))) == 0);
}
