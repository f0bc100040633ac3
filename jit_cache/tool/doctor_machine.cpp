// kiln-cache/doctor_machine: what is there to compile and run kernels with, as far as files tell.
#include "doctor.hpp"

#include "file_system.hpp"
#include "libraries.hpp"
#include "program.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace kiln_cache {

namespace {

namespace trust = jit_cache::trust;
using jit_cache::printable;

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& each : parts) text.append(text.empty() ? "" : between).append(each);
    return text;
}

json library_json(const found_library& found) {
    json out;
    out["path"] = found.path.empty() ? json(nullptr) : json(printable(found.path));
    out["refused"] = found.refused.empty() ? json(nullptr) : json(printable(found.refused));
    out["looked"] = json::array();
    for (const std::string& each : found.looked) out["looked"].push_back(printable(each));
    return out;
}

std::string library_words(const found_library& found, std::string_view none) {
    std::string words = found.path.empty() ? std::string(none) : printable(found.path);
    if (!found.refused.empty()) words += "; passed over: " + printable(found.refused);
    return words;
}

/// "580.95.05" of a real path ".../libcuda.so.580.95.05".
std::string version_of(const std::string& libcuda) {
    constexpr std::string_view name = "libcuda.so.";
    const std::size_t at = libcuda.rfind(name);
    return at == std::string::npos ? std::string() : libcuda.substr(at + name.size());
}

struct device_choice {
    bool wants_cuda = false;  // by name
    bool may_use_cuda = false;
    bool has_driver = false;
    [[nodiscard]] bool uses_cpu() const { return !may_use_cuda || !has_driver; }
};

device_choice check_driver(report& into) {
    const std::string wanted = trust::environment("KILN_DEVICE");
    const std::string module_version = nvidia_module_version();
    const found_library libcuda = find_libcuda();
    const std::vector<std::string> gpus = gpu_models();
    device_choice choice;
    choice.wants_cuda = wanted.starts_with("cuda");
    choice.may_use_cuda = wanted != "cpu";
    choice.has_driver = !libcuda.path.empty();

    json out = library_json(libcuda);
    out["module_version"] = module_version.empty() ? json(nullptr) : json(printable(module_version));
    out["gpus"] = json::array();
    for (const std::string& each : gpus) out["gpus"].push_back(printable(each));
    into.data()["driver"] = std::move(out);
    into.line("driver", fmt::format("{}{}", library_words(libcuda, "no libcuda.so.1"),
                                    module_version.empty() ? "" : ", kernel module " + printable(module_version)));
    if (!gpus.empty()) into.line("GPUs", printable(joined(gpus, ", ")));

    if (libcuda.path.empty() && !module_version.empty() && choice.may_use_cuda)
        into.wrong(
            "the kernel has NVIDIA's module, but there is no libcuda.so.1: in a container, its runtime brings it; "
            "looked in " +
            printable(joined(libcuda.looked, "; ")));
    else if (libcuda.path.empty() && choice.wants_cuda)
        into.wrong("KILN_DEVICE asks for CUDA, and there is no libcuda.so.1; looked in " +
                   printable(joined(libcuda.looked, "; ")));
    const std::string library_version = version_of(libcuda.path);
    if (!module_version.empty() && library_version.find('.') != std::string::npos && library_version != module_version)
        into.line("", fmt::format("libcuda is {}, the module {}: where neither is for compatibility, CUDA refuses them",
                                  printable(library_version), printable(module_version)));
    return choice;
}

void check_nvrtc(const device_choice& device, report& into) {
    const found_library nvrtc = find_nvrtc(cuda_major_of(nvidia_module_version()));
    into.data()["nvrtc"] = library_json(nvrtc);
    into.line("NVRTC", library_words(nvrtc, "none"));
    const bool is_named = !trust::environment("KILN_NVRTC").empty();
    if (!nvrtc.path.empty() || !(is_named || (device.may_use_cuda && (device.has_driver || device.wants_cuda)))) return;
    into.wrong("no NVRTC, so CUDA kernels that are not stored cannot be compiled; looked in " +
               printable(joined(nvrtc.looked, "; ")));
}

struct compiler_search {
    std::string asked;  // "KILN_CXX=ccache g++", "c++"
    std::string path;
    std::string refused;
    std::vector<std::string> looked;
    bool looks_in_path = false;  // for the last of them
};

/// As src/compile/host_compiler: KILN_CXX alone where it is set, else CXX, c++, g++, clang++, the first that there is.
compiler_search find_compiler() {
    struct candidate {
        std::string words;
        std::string told_by;  // a variable
    };
    std::vector<candidate> candidates;
    if (std::string own = trust::environment("KILN_CXX"); !own.empty()) {
        candidates.push_back({std::move(own), "KILN_CXX"});
    } else {
        if (std::string usual = trust::environment("CXX"); !usual.empty())
            candidates.push_back({std::move(usual), "CXX"});
        for (const char* name : {"c++", "g++", "clang++"}) candidates.push_back({name, {}});
    }
    compiler_search result;
    for (const candidate& each : candidates) {
        const std::string asked = each.told_by.empty() ? each.words : each.told_by + "=" + each.words;
        // A path with blanks in it, or a program and its arguments.
        const std::string program =
            is_regular_file(each.words) ? each.words : each.words.substr(0, each.words.find_first_of(" \t"));
        const bool is_path = program.find('/') != std::string::npos;
        result.looks_in_path = !is_path;
        found_program found;
        if (is_path) {
            found =
                try_program(program, each.told_by == "KILN_CXX" ? trust::chosen_by::name : trust::chosen_by::search);
        } else if (!program.empty()) {
            found = find_program(program, places_in_path());
        }
        const bool is_missing = is_path && found.path.empty() && found.refused.empty();
        result.looked.push_back(asked + (is_missing ? " (no such file)" : ""));
        if (result.refused.empty()) result.refused = found.refused;
        if (found.path.empty()) continue;
        result.asked = asked;
        result.path = found.path;
        break;
    }
    return result;
}

void check_compiler(const device_choice& device, report& into) {
    const compiler_search found = find_compiler();
    json out;
    out["asked"] = found.asked.empty() ? json(nullptr) : json(printable(found.asked));
    out["path"] = found.path.empty() ? json(nullptr) : json(printable(found.path));
    out["refused"] = found.refused.empty() ? json(nullptr) : json(printable(found.refused));
    into.data()["compiler"] = std::move(out);
    std::string words = found.path.empty() ? "none"
                                           : fmt::format("{} ({}), found and not started", printable(found.path),
                                                         printable(found.asked));
    if (!found.refused.empty()) words += "; passed over: " + printable(found.refused);
    into.line("C++ compiler", words);
    if (!found.path.empty()) return;
    const std::string looked = printable(joined(found.looked, ", "));
    const bool is_named = !trust::environment("KILN_CXX").empty();
    if (is_named || (device.uses_cpu() && trust::environment("KILN_CPU") != "interpret"))
        into.wrong(
            fmt::format("no C++ compiler, so the CPU interprets kernels that are not stored, which is slow; looked "
                        "for {}{}{}",
                        looked, found.looks_in_path ? " in PATH" : "",
                        found.refused.empty() ? "" : "; passed over: " + printable(found.refused)));
}

/// Why a compiled kernel cannot be loaded from there; empty: it can.
std::string why_not_for_kernels(const std::string& folder) {
    if (::access(folder.c_str(), F_OK) != 0) return "it is not there";
    if (std::string why = trust::distrust_shared_folder(folder); !why.empty()) return why;
    if (::access(folder.c_str(), W_OK | X_OK) != 0) return "it cannot be written";
    const std::optional<file_system> on = file_system_of(folder);
    if (on && on->is_noexec) return "it is mounted noexec";
    if (on && on->free_bytes < (std::uint64_t{1} << 20)) return "it is full";
    return {};
}

/// The folders that kiln tries for compiling and loading kernels of the CPU, in that order.
std::vector<std::string> folders_for_kernels() {
    std::vector<std::string> all;
    const auto add = [&](const std::string& parent, const char* below = "") {
        const std::string folder = parent + below;
        if (parent.starts_with('/') && std::find(all.begin(), all.end(), folder) == all.end()) all.push_back(folder);
    };
    add(trust::environment("TMPDIR"));
    add("/tmp");
    add(trust::environment("XDG_RUNTIME_DIR"));
    add("/dev/shm");
    add("/var/tmp");
    add(trust::environment("XDG_CACHE_HOME"));
    add(trust::environment("HOME"), "/.cache");
    add(trust::environment("HOME"));
    return all;
}

void check_temporary_folders(const device_choice& device, report& into) {
    json list = json::array();
    std::string used;
    std::string passed_over;
    for (const std::string& folder : folders_for_kernels()) {
        const std::string why = why_not_for_kernels(folder);
        list.push_back(
            {{"path", printable(folder)}, {"not_used_because", why.empty() ? json(nullptr) : json(printable(why))}});
        if (why.empty() && used.empty()) used = folder;
        if (!why.empty() && used.empty())
            passed_over += fmt::format("{}{}: {}", passed_over.empty() ? "" : "; ", printable(folder), printable(why));
    }
    into.data()["temporary_folders"] = std::move(list);
    into.line("temporaries", (used.empty() ? "nowhere" : printable(used)) +
                                 (passed_over.empty() ? "" : "; passed over: " + passed_over));
    if (used.empty() && device.uses_cpu())
        into.wrong("no folder from which a compiled kernel can be loaded: " + passed_over);
}

}  // namespace

void check_machine(report& into) {
    const device_choice device = check_driver(into);
    check_nvrtc(device, into);
    check_compiler(device, into);
    check_temporary_folders(device, into);
}

}  // namespace kiln_cache
