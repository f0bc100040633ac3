// kiln/compile/nvrtc: the one file that knows nvrtc.h. Without CUDA in the build, the same class says so.
#include <compile/nvrtc.hpp>

#include <compile/find_library.hpp>
#include <compile/identity.hpp>
#include <compile/includes.hpp>
#include <kiln/error.hpp>

#include <jit_cache/key.hpp>
#include <jit_cache/trust.hpp>
#include <process/messages.hpp>
#include <process/open_library.hpp>
#include <process/until_exit.hpp>

#include <mutex>
#include <system_error>
#include <utility>

#if KILN_HAS_CUDA
#include <nvrtc.h>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string_view>
#include <vector>
#endif

namespace kiln::compile {
namespace {

// Dropped, one by one, where an NVRTC does not know them: --minimal came with 12.4, --no-cache with 12.9. None of them
// changes the code that comes out. NVRTC's hidden cache would make the compile figure a lie; -v costs nothing (24.1 ms
// with and without, 13.0) and tells the registers.
constexpr const char* optional_options[] = {"--minimal", "--no-cache", "--ptxas-options=-v",
                                            // A way out of a user's function without a value.
                                            "--diag-error=940",
                                            // Else #include "x.h" reads the folder that the process happens to be in.
                                            "--no-source-include"};
constexpr const char* options_of_all[] = {"--std=c++17"};

const char* option_of(arithmetic how) {
    switch (how) {
        case arithmetic::exact: return "--fmad=false";
        case arithmetic::contracted: return "--fmad=true";
        case arithmetic::fast: break;
    }
    return "--use_fast_math";  // contracts too
}

void set_options(const std::string& architecture, const std::string& one_more,
                 std::string (&options)[arithmetic_count]) {
    for (const arithmetic how : {arithmetic::exact, arithmetic::contracted, arithmetic::fast}) {
        std::string& text = options[static_cast<int>(how)];
        text = "--gpu-architecture=" + architecture;
        for (const char* each : options_of_all) text.append(" ").append(each);
        text.append(" ").append(option_of(how));
        for (const char* each : optional_options) text.append(" ").append(each);
        if (!one_more.empty()) text.append(" ").append(one_more);
    }
}

}  // namespace

struct nvrtc_toolchain::search {
    std::once_flag once;
    found_library nvrtc;
    std::string builtins;
    std::string fingerprint;
};

namespace {

/// What both files are; empty: there is none.
std::string identity_of(const std::string& nvrtc, const std::string& builtins) {
    try {
        const std::string identity = file_identity(nvrtc);
        return identity.empty() ? identity : identity + '\0' + file_identity(builtins);
    } catch (const std::system_error& trouble) {
        throw compile_error("kiln: compile: NVRTC cannot be read for now: " + std::string(trouble.what()), {}, {});
    }
}

/// "NVRTC 13.0 [3f2a...]".
std::string fingerprint_of(const std::string& nvrtc, const std::string& builtins) {
    std::string facts = identity_of(nvrtc, builtins);
    if (facts.empty()) return "no NVRTC";
    // Options that NVRTC reads from the environment, and what lets it. Of 12.0 and 13.0 nobody outside NVIDIA knows the
    // second; no header search path and no other variable that they read has an effect either (tried 2026-11).
    for (const char* const name : {"NVRTC_APPEND_FLAGS", "NVRTCWIZ"})
        facts.append(1, '\0').append(jit_cache::trust::environment(name));
    const std::string version = nvrtc_version_of(nvrtc, builtins);
    return "NVRTC" + (version.empty() ? "" : " " + version) + " [" + to_hex(jit_cache::content_hash(facts)) + "]";
}

}  // namespace

const nvrtc_toolchain::search& nvrtc_toolchain::found() const {
    std::call_once(search_->once, [this] {
        search_->nvrtc = find_nvrtc(driver_major_);
        for (const std::string& each : search_->nvrtc.refused) process::warn(each);
        search_->builtins = search_->nvrtc.path.empty() ? "" : nvrtc_builtins_of(search_->nvrtc.path);
        search_->fingerprint = fingerprint_of(search_->nvrtc.path, search_->builtins);
    });
    return *search_;
}

const std::string& nvrtc_toolchain::fingerprint() const { return found().fingerprint; }

bool nvrtc_toolchain::is_there() const { return !found().nvrtc.path.empty(); }

#if KILN_HAS_CUDA

namespace {

// clang-format off
#define KILN_NVRTC_FUNCTIONS(each)                                                                                     \
    each(nvrtcVersion) each(nvrtcGetErrorString) each(nvrtcGetNumSupportedArchs) each(nvrtcGetSupportedArchs)          \
    each(nvrtcCreateProgram) each(nvrtcCompileProgram) each(nvrtcDestroyProgram)                                       \
    each(nvrtcGetProgramLogSize) each(nvrtcGetProgramLog)                                                              \
    each(nvrtcGetCUBINSize) each(nvrtcGetCUBIN) each(nvrtcGetPTXSize) each(nvrtcGetPTX)
// clang-format on

struct functions {
#define KILN_EACH(name) decltype(&::name) name = nullptr;
    KILN_NVRTC_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
};

/// The number of "sm_90" or "sm_90a"; 0 when there is none.
int architecture_number(std::string_view name) {
    int number = 0;
    if (const std::size_t bar = name.find('_'); bar != std::string_view::npos)
        std::from_chars(name.data() + bar + 1, name.data() + name.size(), number);
    return number;
}

/// Destroys the program however the compile ends.
struct program_handle {
    const functions& api;
    nvrtcProgram program = nullptr;

    explicit program_handle(const functions& functions_used) : api(functions_used) {}
    program_handle(const program_handle&) = delete;
    program_handle& operator=(const program_handle&) = delete;
    ~program_handle() {
        if (program) api.nvrtcDestroyProgram(&program);
    }

    [[nodiscard]] std::string text(decltype(&nvrtcGetPTXSize) get_size, decltype(&nvrtcGetPTX) get) const {
        std::size_t size = 0;
        std::string bytes;
        if (get_size(program, &size) != NVRTC_SUCCESS || size == 0) return bytes;
        bytes.resize(size);
        if (get(program, bytes.data()) != NVRTC_SUCCESS) bytes.clear();
        return bytes;
    }
    [[nodiscard]] std::string log() const {
        std::string said = text(api.nvrtcGetProgramLogSize, api.nvrtcGetProgramLog);
        while (!said.empty() && (said.back() == '\0' || said.back() == '\n')) said.pop_back();
        return said;
    }
};

std::string_view line_at(std::string_view text, std::size_t position) {
    const std::size_t begin = position == 0 ? 0 : text.rfind('\n', position - 1) + 1;  // npos + 1 is 0
    return text.substr(begin, std::min(text.find('\n', position), text.size()) - begin);
}

/// Line `number`, from 1, without what it is indented by.
std::string_view source_line(std::string_view text, int number) {
    for (; number > 1; --number) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// "line 7: identifier "foo" is undefined: y[i] = foo;" from "name.cu(7): error: ..."; a log of another form gives its
/// first line with "error" or "fatal", or its first line.
std::string first_error(std::string_view log, const std::string& source) {
    constexpr std::string_view mark = "): error: ";
    if (const std::size_t found = log.find(mark); found != std::string_view::npos) {
        const std::string_view line = line_at(log, found);
        const std::size_t message = static_cast<std::size_t>(log.data() + found - line.data());
        const std::size_t open = line.rfind('(', message);
        int number = 0;
        if (open != std::string_view::npos) {
            std::from_chars(line.data() + open + 1, line.data() + message, number);
            const function_place place = place_in_function(source, line.substr(0, open), number);
            if (!place.words.empty())
                return place.words + std::string(line.substr(message + mark.size())) + ": `" + place.line_text + "`";
        }
        std::string text = "line " + std::to_string(number) + ": ";
        text += line.substr(message + mark.size());
        if (const std::string_view code = source_line(source, number); !code.empty()) text.append(": ").append(code);
        return text;
    }
    std::size_t found = std::min(log.find("error"), log.find("fatal"));
    if (found == std::string_view::npos) found = 0;
    return log.empty() ? "it gave no reason" : std::string(line_at(log, found));
}

/// "registers" and "spill_bytes" from what ptxas says with -v; nothing where it says nothing.
void add_resources(std::string_view log, binary& result) {
    const auto number_after = [log](std::string_view before, std::string_view after) -> std::string {
        const std::size_t end = log.find(after);
        if (end == std::string_view::npos) return {};
        const std::size_t begin = log.rfind(before, end);
        if (begin == std::string_view::npos) return {};
        const std::string_view text = log.substr(begin + before.size(), end - begin - before.size());
        return std::string(text.substr(std::min(text.find_first_not_of(' '), text.size())));
    };
    if (std::string count = number_after("Used ", " registers"); !count.empty())
        result.facts.emplace_back("registers", std::move(count));
    if (std::string count = number_after(",", " bytes spill stores"); !count.empty())
        result.facts.emplace_back("spill_bytes", std::move(count));
}

// NVRTC 13.0 gives nonsense, or crashes, once it has taken itself apart.
extern process::until_exit nvrtc_calls;
constinit process::until_exit nvrtc_calls([] { nvrtc_calls.exit_has_begun(); },
                                          process::until_exit::ended_library::misbehaves);

}  // namespace

struct nvrtc_toolchain::library {
    std::vector<std::string> optional;
    std::vector<std::string> beside_last;  // what goes with the last of them
    std::mutex opening;
    std::atomic<bool> ready{false};
    std::atomic<unsigned> dropped{0};  // bits of optional options that this NVRTC refused
    functions api;
    std::string version;       // "13.0"
    std::string architecture;  // "sm_90", or "compute_90" where the GPU is newer than this NVRTC
    bool makes_ptx = false;

    explicit library(const std::string& one_more) : optional(std::begin(optional_options), std::end(optional_options)) {
        for (std::size_t at = 0; at < one_more.size();) {
            const std::size_t end = std::min(one_more.find(' ', at), one_more.size());
            (at == 0 ? optional : beside_last).push_back(one_more.substr(at, end - at));
            at = end + 1;
        }
    }

    [[nodiscard]] std::vector<const char*> options(const std::string& architecture_option, arithmetic how,
                                                   unsigned without) const {
        std::vector<const char*> list{architecture_option.c_str()};
        for (const char* each : options_of_all) list.push_back(each);
        list.push_back(option_of(how));
        for (unsigned i = 0; i < optional.size(); ++i)
            if (!(without >> i & 1u)) list.push_back(optional[i].c_str());
        if (!(without >> (optional.size() - 1) & 1u))
            for (const std::string& each : beside_last) list.push_back(each.c_str());
        return list;
    }

    /// Drops what the log names, or everything optional where it names nothing; false: there was nothing left to drop.
    bool drop_options(std::string_view log, unsigned without) {
        const unsigned all = (1u << optional.size()) - 1;
        unsigned named = 0;
        for (unsigned i = 0; i < optional.size(); ++i)
            if (log.find(optional[i]) != std::string_view::npos) named |= 1u << i;
        named &= ~without;
        dropped.fetch_or(named ? named : all, std::memory_order_relaxed);
        return without != all;
    }

    void choose_architecture(const std::string& wanted, const std::string& path);
};

void nvrtc_toolchain::library::choose_architecture(const std::string& wanted, const std::string& path) {
    architecture = wanted;
    int count = 0;
    if (api.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0) return;
    std::vector<int> known(static_cast<std::size_t>(count));
    if (api.nvrtcGetSupportedArchs(known.data()) != NVRTC_SUCCESS) return;
    const int number = architecture_number(wanted);
    if (number == 0 || std::find(known.begin(), known.end(), number) != known.end()) return;
    int newest = 0;
    for (const int each : known)
        if (each < number) newest = std::max(newest, each);
    if (newest == 0)
        throw compile_error("kiln: compile: NVRTC " + version + " (" + path + ") no longer knows " + wanted +
                                "; its oldest is sm_" + std::to_string(*std::min_element(known.begin(), known.end())) +
                                ". Point KILN_NVRTC at an older libnvrtc.",
                            {}, {});
    architecture = "compute_" + std::to_string(newest);
    makes_ptx = true;
}

nvrtc_toolchain::nvrtc_toolchain(std::string architecture, int driver_major, const std::string& one_more)
    : architecture_(std::move(architecture)),
      driver_major_(driver_major),
      search_(std::make_unique<search>()),
      library_(std::make_unique<library>(one_more)) {
    nvrtc_calls.watch();
    set_options(architecture_, one_more, options_);
}

nvrtc_toolchain::~nvrtc_toolchain() = default;

void nvrtc_toolchain::open() {
    library& nvrtc = *library_;
    if (nvrtc.ready.load(std::memory_order_acquire)) return;
    // Not dlopen() alone: it is asked what it knows, and its memory is gone once the program's end has passed it.
    const process::until_exit::call under_way(nvrtc_calls);
    if (!under_way) throw compile_error("kiln: compile: the program is ending: NVRTC is no longer opened", {}, {});
    const std::lock_guard lock(nvrtc.opening);
    if (nvrtc.ready.load(std::memory_order_relaxed)) return;
    const search& where = found();
    const std::string& path = where.nvrtc.path;
    if (path.empty())
        throw compile_error(
            "kiln: compile: no NVRTC (libnvrtc.so.12 or newer), looked in: " + join_places(where.nvrtc.looked) +
                ". Install the CUDA toolkit or `pip install nvidia-cuda-nvrtc`, or set "
                "KILN_NVRTC to the file.",
            {}, {});
    std::string why;
    void* const handle = process::open_library(path.c_str(), why);
    if (!handle) throw compile_error("kiln: compile: cannot open " + path + ": " + why, {}, {});
    // NVRTC opens its builtins by name alone, and the loader then takes a loaded library of that name. Without this, a
    // libnvrtc in a folder that the loader does not search, and without a RUNPATH, fails at the first compile.
    if (!where.builtins.empty()) process::open_library(where.builtins.c_str(), why);
    std::string missing;
#define KILN_EACH(name)                                                                \
    nvrtc.api.name = reinterpret_cast<decltype(nvrtc.api.name)>(dlsym(handle, #name)); \
    if (!nvrtc.api.name) missing += " " #name;
    KILN_NVRTC_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    if (!missing.empty())
        throw compile_error("kiln: compile: " + path + " is no NVRTC that kiln can use: it has no" + missing, {}, {});
    int major = 0;
    int minor = 0;
    nvrtc.api.nvrtcVersion(&major, &minor);
    nvrtc.version = std::to_string(major) + "." + std::to_string(minor);
    nvrtc.choose_architecture(architecture_, path);
    nvrtc.ready.store(true, std::memory_order_release);
}

binary nvrtc_toolchain::compile(const emit::source& kernel, arithmetic how) {
    const process::until_exit::call under_way(nvrtc_calls);
    if (!under_way)
        throw compile_error(
            "kiln: compile: " + kernel.name + " is new, and the program is ending: NVRTC is no longer called",
            number_lines(kernel.text), {});
    open();
    library& nvrtc = *library_;
    // Its instructions are those of one architecture, which the others do not promise to have.
    const bool is_specific = kernel.text.find("wgmma.") != std::string::npos;
    const std::string architecture_option = "--gpu-architecture=" + nvrtc.architecture + (is_specific ? "a" : "");
    const std::string file_name = kernel.name + ".cu";
    const auto fail = [&](const std::string& what, const std::string& log) {
        throw compile_error("kiln: compile: " + nvrtc.architecture + " rejected " + kernel.name + ": " + what +
                                advice_on_rejected(kernel),
                            number_lines(kernel.text), log);
    };
    // NVRTC reads what is included by its whole path, and has no option against it.
    if (const std::string include = first_include(kernel.text); !include.empty()) fail(undeclared_include(include), {});
    for (;;) {
        const unsigned without = nvrtc.dropped.load(std::memory_order_relaxed);
        const std::vector<const char*> list = nvrtc.options(architecture_option, how, without);
        program_handle handle(nvrtc.api);
        const nvrtcResult created =
            nvrtc.api.nvrtcCreateProgram(&handle.program, kernel.text.c_str(), file_name.c_str(), 0, nullptr, nullptr);
        if (created != NVRTC_SUCCESS) fail(nvrtc.api.nvrtcGetErrorString(created), {});
        const nvrtcResult done =
            nvrtc.api.nvrtcCompileProgram(handle.program, static_cast<int>(list.size()), list.data());
        const std::string log = handle.log();
        if (done == NVRTC_ERROR_INVALID_OPTION && nvrtc.drop_options(log, without)) continue;
        if (done == NVRTC_ERROR_COMPILATION) fail(first_error(log, kernel.text), log);
        if (done != NVRTC_SUCCESS)
            fail("NVRTC " + nvrtc.version + ": " + nvrtc.api.nvrtcGetErrorString(done) + ": " +
                     first_error(log, kernel.text),
                 log);
        binary result;
        result.bytes = nvrtc.makes_ptx ? handle.text(nvrtc.api.nvrtcGetPTXSize, nvrtc.api.nvrtcGetPTX)
                                       : handle.text(nvrtc.api.nvrtcGetCUBINSize, nvrtc.api.nvrtcGetCUBIN);
        if (result.bytes.empty()) fail("NVRTC " + nvrtc.version + " gave no binary", log);
        add_resources(log, result);
        result.facts.emplace_back("nvrtc", nvrtc.version);
        if (std::string ptx = handle.text(nvrtc.api.nvrtcGetPTXSize, nvrtc.api.nvrtcGetPTX);
            !nvrtc.makes_ptx && !ptx.empty())
            result.extras.emplace_back("ptx", std::move(ptx));
        if (nvrtc.makes_ptx) result.facts.emplace_back("ptx", nvrtc.architecture);
        return result;
    }
}

#else  // no CUDA in this build

struct nvrtc_toolchain::library {};

nvrtc_toolchain::nvrtc_toolchain(std::string architecture, int driver_major, const std::string& one_more)
    : architecture_(std::move(architecture)), driver_major_(driver_major), search_(std::make_unique<search>()) {
    set_options(architecture_, one_more, options_);
}

nvrtc_toolchain::~nvrtc_toolchain() = default;

void nvrtc_toolchain::open() {
    throw compile_error("kiln: compile: " + architecture_ +
                            ": CUDA is not in this build of kiln; build it where nvrtc.h and cuda.h are found",
                        {}, {});
}

binary nvrtc_toolchain::compile(const emit::source&, arithmetic) {
    open();
    return {};
}

#endif

}  // namespace kiln::compile
