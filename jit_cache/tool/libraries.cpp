// kiln-cache/libraries: stat() and glob() only.
#include "libraries.hpp"

#include "program.hpp"

#include <jit_cache/trust.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

namespace kiln_cache {

namespace {

using jit_cache::trust::chosen_by;
using jit_cache::trust::environment;

constexpr int newest_major = 16;
constexpr int oldest_major = 12;

#if defined(__aarch64__)
constexpr const char* target_folder = "targets/sbsa-linux/lib";
constexpr const char* multiarch_folder = "aarch64-linux-gnu";
#else
constexpr const char* target_folder = "targets/x86_64-linux/lib";
constexpr const char* multiarch_folder = "x86_64-linux-gnu";
#endif

struct search_place {
    std::string name;  // "CUDA_HOME"
    std::vector<std::string> folders;
    chosen_by how = chosen_by::search;
};

std::string real_path(const std::string& path) {
    const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), std::free);
    return resolved ? std::string(resolved.get()) : path;
}

std::vector<std::string> toolkit_folders(const std::string& root) {
    if (root.empty()) return {};
    return {root + "/lib64", root + "/lib", root + "/" + target_folder};
}

search_place toolkit_of(const char* variable) { return {variable, toolkit_folders(environment(variable))}; }

/// What pip's wheels call their folders below `lib`, which holds python3.11/site-packages and the like.
void add_wheel_folders(const std::string& lib, std::vector<std::string>& folders) {
    for (const char* packages : {"site-packages", "dist-packages"})
        for (const char* wheel : {"nvidia/cu[1-9][0-9]/lib", "nvidia/cuda_nvrtc/lib"})
            for (std::string& each : matching_paths(lib + "/python3*/" + packages + "/" + wheel))
                folders.push_back(std::move(each));
}

search_place versioned_toolkits() {
    search_place result{"/usr/local/cuda-*", {}};
    std::vector<std::string> roots = matching_paths("/usr/local/cuda-*");
    std::sort(roots.begin(), roots.end(), [](const std::string& left, const std::string& right) {
        return ::strverscmp(left.c_str(), right.c_str()) > 0;
    });
    for (const std::string& root : roots)
        for (std::string& folder : toolkit_folders(root)) result.folders.push_back(std::move(folder));
    return result;
}

search_place wheels() {
    search_place result{"pip's wheels", {}};
    for (const char* root : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string prefix = environment(root); !prefix.empty())
            add_wheel_folders(prefix + "/lib", result.folders);
    if (const std::string home = environment("HOME"); !home.empty())
        add_wheel_folders(home + "/.local/lib", result.folders);
    add_wheel_folders("/usr/lib", result.folders);
    add_wheel_folders("/usr/local/lib", result.folders);
    return result;
}

std::vector<search_place> nvrtc_places() {
    const std::string multiarch = multiarch_folder;
    return {{"LD_LIBRARY_PATH", split_folders(environment("LD_LIBRARY_PATH"))},
            toolkit_of("CUDA_HOME"),
            toolkit_of("CUDA_PATH"),
            toolkit_of("CONDA_PREFIX"),
            {"/usr/local/cuda", toolkit_folders("/usr/local/cuda")},
            versioned_toolkits(),
            {"the system's folders",
             {"/usr/lib/" + multiarch, "/usr/lib64", "/usr/lib", "/lib/" + multiarch, "/lib64", "/usr/local/lib"}},
            wheels()};
}

std::vector<search_place> libcuda_places() {
    search_place loader{"the loader's folders", {}};
    for (const std::string& file : matching_paths("/etc/ld.so.conf.d/*.conf")) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);)
            if (line.starts_with('/')) loader.folders.push_back(line);
    }
    const std::string multiarch = multiarch_folder;
    for (const std::string& each : {"/lib/" + multiarch, "/usr/lib/" + multiarch, std::string("/lib64"),
                                    std::string("/usr/lib64"), std::string("/lib"), std::string("/usr/lib")})
        loader.folders.push_back(each);
    return {{"LD_LIBRARY_PATH", split_folders(environment("LD_LIBRARY_PATH")), chosen_by::name},
            std::move(loader),
            {"WSL and containers", {"/usr/lib/wsl/lib", "/usr/local/nvidia/lib64"}}};
}

std::string describe(const search_place& where) {
    if (where.folders.empty()) return where.name + " (unset or empty)";
    std::string text = where.name + ":";
    for (const std::string& folder : where.folders) text += " " + folder;
    return text;
}

/// Looks for the names in each place, in one place for the first name first.
void search(const std::vector<search_place>& places, const std::vector<std::string>& names, found_library& found) {
    for (const search_place& where : places) {
        for (const std::string& name : names) {
            for (const std::string& folder : where.folders) {
                const std::string path = folder + "/" + name;
                if (!is_regular_file(path)) continue;
                const std::string why = jit_cache::trust::distrust_program(path, where.how);
                if (why.empty()) {
                    found.path = real_path(path);
                    return;
                }
                if (found.refused.empty()) found.refused = why;
            }
        }
    }
}

std::vector<std::string> nvrtc_names(int newest, int oldest) {
    std::vector<std::string> names;
    for (int major = newest; major >= oldest; --major) names.push_back("libnvrtc.so." + std::to_string(major));
    return names;
}

}  // namespace

found_library find_nvrtc(int driver_major) {
    found_library found;
    if (const std::string chosen = environment("KILN_NVRTC"); !chosen.empty()) {
        if (!is_regular_file(chosen)) {
            found.looked.push_back("KILN_NVRTC: " + chosen +
                                   " (no such file; nothing else is looked at while it is set)");
        } else if (const std::string why = jit_cache::trust::distrust_program(chosen, chosen_by::name); !why.empty()) {
            found.refused = why;
            found.looked.push_back("KILN_NVRTC: " + chosen);
        } else {
            found.path = real_path(chosen);
        }
        return found;
    }
    const int bound = driver_major >= oldest_major ? std::min(driver_major, newest_major) : newest_major;
    const std::vector<search_place> places = nvrtc_places();
    search(places, nvrtc_names(bound, oldest_major), found);
    if (found.path.empty()) search(places, nvrtc_names(newest_major, bound + 1), found);
    if (found.path.empty()) {
        found.looked.emplace_back("KILN_NVRTC (unset)");
        for (const search_place& where : places) found.looked.push_back(describe(where));
    }
    return found;
}

found_library find_libcuda() {
    found_library found;
    const std::vector<search_place> places = libcuda_places();
    search(places, {"libcuda.so.1"}, found);
    if (found.path.empty())
        for (const search_place& where : places) found.looked.push_back(describe(where));
    return found;
}

std::string nvidia_module_version() {
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025": the first word that begins
    // with a digit and holds a dot.
    std::ifstream in("/proc/driver/nvidia/version");
    std::string line;
    std::getline(in, line);
    std::istringstream words(line);
    for (std::string word; words >> word;)
        if (word.front() >= '0' && word.front() <= '9' && word.find('.') != std::string::npos) return word;
    return {};
}

std::vector<std::string> gpu_models() {
    std::vector<std::string> models;
    for (const std::string& file : matching_paths("/proc/driver/nvidia/gpus/*/information")) {
        std::ifstream in(file);
        std::string line;
        std::getline(in, line);
        constexpr std::string_view label = "Model:";
        const std::size_t begin = line.starts_with(label) ? line.find_first_not_of(" \t", label.size()) : 0;
        models.push_back(begin == std::string::npos ? line : line.substr(begin));
    }
    return models;
}

int cuda_major_of(const std::string& module_version) {
    struct row {
        int driver;
        int cuda;
    };
    // The row of the newest major is open: what later drivers run, only they know.
    constexpr std::array<row, 3> table{{{580, 13}, {525, 12}, {450, 11}}};
    int branch = 0;
    std::from_chars(module_version.data(), module_version.data() + module_version.size(), branch);
    if (branch >= 600) return 0;
    for (const row& each : table)
        if (branch >= each.driver) return each.cuda;
    return 0;
}

}  // namespace kiln_cache
