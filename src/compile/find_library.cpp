// kiln/compile/find_library: the search itself: stat() and glob() only.
#include <compile/find_library.hpp>

#include <compile/system.hpp>

#include <jit_cache/trust.hpp>

#include <glob.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace kiln::compile {

namespace trust = jit_cache::trust;
using trust::environment;

namespace {

// Majors whose file name is tried, newest first. The C interface that kiln uses has not changed since 11.2, so a major
// that does not exist yet is tried too.
constexpr int newest_major = 16;
constexpr int oldest_major = 12;

#if defined(__aarch64__)
constexpr const char* target_folder = "targets/sbsa-linux/lib";
constexpr const char* multiarch_folder = "aarch64-linux-gnu";
#else
constexpr const char* target_folder = "targets/x86_64-linux/lib";
constexpr const char* multiarch_folder = "x86_64-linux-gnu";
#endif

struct place {
    std::string name;  // "CUDA_HOME"
    std::vector<std::string> folders;
};

struct majors {
    int newest;
    int oldest;
};

std::string file_name(int major) { return "libnvrtc.so." + std::to_string(major); }

std::string real_path(const std::string& path) {
    const std::unique_ptr<char, void (*)(void*)> resolved(realpath(path.c_str(), nullptr), std::free);
    return resolved ? std::string(resolved.get()) : path;
}

std::vector<std::string> matching(const std::string& pattern) {
    std::vector<std::string> paths;
    glob_t matches{};
    if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
        for (std::size_t i = 0; i < matches.gl_pathc; ++i) paths.emplace_back(matches.gl_pathv[i]);
    globfree(&matches);
    return paths;
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin) parts.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> toolkit_folders(const std::string& root) {
    if (root.empty()) return {};
    return {root + "/lib64", root + "/lib", root + "/" + target_folder};
}

/// What pip's wheels call their folders below `lib`, which holds python3.11/site-packages and the like.
void add_wheel_folders(const std::string& lib, std::vector<std::string>& folders) {
    for (const char* packages : {"site-packages", "dist-packages"})
        for (const char* wheel : {"nvidia/cu[1-9][0-9]/lib", "nvidia/cuda_nvrtc/lib", "nvidia/cuda_cupti/lib"})
            for (std::string& each : matching(lib + "/python3*/" + packages + "/" + wheel))
                folders.push_back(std::move(each));
}

place wheels() {
    place result{"pip's wheels", {}};
    for (const char* root : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string prefix = environment(root); !prefix.empty())
            add_wheel_folders(prefix + "/lib", result.folders);
    if (const std::string home = environment("HOME"); !home.empty())
        add_wheel_folders(home + "/.local/lib", result.folders);
    add_wheel_folders("/usr/lib", result.folders);
    add_wheel_folders("/usr/local/lib", result.folders);
    return result;
}

place versioned_toolkits() {
    place result{"/usr/local/cuda-*", {}};
    std::vector<std::string> roots = matching("/usr/local/cuda-*");
    std::sort(roots.begin(), roots.end(), [](const std::string& a, const std::string& b) {
        return strverscmp(a.c_str(), b.c_str()) > 0;  // 12.10 before 12.9
    });
    for (const std::string& root : roots)
        for (std::string& folder : toolkit_folders(root)) result.folders.push_back(std::move(folder));
    return result;
}

/// The places that can be listed; a function for each, so that the later ones cost nothing when an earlier one has it.
using make_place = place (*)();
constexpr make_place places[] = {
    [] {
        return place{"LD_LIBRARY_PATH", split(environment("LD_LIBRARY_PATH"))};
    },
    [] {
        return place{"CUDA_HOME", toolkit_folders(environment("CUDA_HOME"))};
    },
    [] {
        return place{"CUDA_PATH", toolkit_folders(environment("CUDA_PATH"))};
    },
    [] {
        return place{"CONDA_PREFIX", toolkit_folders(environment("CONDA_PREFIX"))};
    },
    [] {
        return place{"/usr/local/cuda", toolkit_folders("/usr/local/cuda")};
    },
    versioned_toolkits,
    [] {
        const std::string multiarch = multiarch_folder;
        return place{
            "the system's folders",
            {"/usr/lib/" + multiarch, "/usr/lib64", "/usr/lib", "/lib/" + multiarch, "/lib64", "/usr/local/lib"}};
    },
    wheels,
};

/// The file of a libnvrtc that is in this process already: the user's own copy is the one to share. The loader's list
/// is read, since dlopen(RTLD_NOLOAD) looks through the library folders too: 0.2 ms for a "no".
std::string loaded(majors range) {
    struct {
        majors range;
        int major = 0;
        std::string path;
    } best{range, 0, {}};
    const auto visit = [](dl_phdr_info* info, std::size_t, void* context) {
        auto& found = *static_cast<decltype(best)*>(context);
        const std::string_view path = info->dlpi_name ? info->dlpi_name : "";
        constexpr std::string_view prefix = "/libnvrtc.so.";
        const std::size_t at = path.rfind(prefix);
        if (at == std::string_view::npos) return 0;
        const int major = std::atoi(info->dlpi_name + at + prefix.size());
        if (major > found.range.newest || major < found.range.oldest || major <= found.major) return 0;
        found.major = major;
        found.path = path;
        return 0;
    };
    dl_iterate_phdr(visit, &best);
    return is_file(best.path) ? real_path(best.path) : std::string();
}

/// What is not trusted is passed over, and said in `refused`.
std::string in_place(const place& where, majors range, std::vector<std::string>& refused) {
    for (int major = range.newest; major >= range.oldest; --major)
        for (const std::string& folder : where.folders) {
            const std::string path = folder + "/" + file_name(major);
            if (!is_file(path)) continue;
            const std::string why = trust::distrust_program(path, trust::chosen_by::search);
            if (why.empty()) return real_path(path);
            refused.push_back(path + " is not loaded: " + why);
        }
    return {};
}

std::string describe(const place& where) {
    if (where.folders.empty()) return where.name + " (unset or empty)";
    std::string text = where.name + ":";
    for (const std::string& folder : where.folders) text += " " + folder;
    return text;
}

std::string search(majors range, std::vector<std::string>& refused) {
    if (std::string path = loaded(range); !path.empty()) return path;
    for (const make_place make : places)
        if (std::string path = in_place(make(), range, refused); !path.empty()) return path;
    return {};
}

/// KILN_NVRTC's file, or why not.
found_library chosen_library(const std::string& chosen) {
    constexpr const char* end = "; nothing else is looked at while it is set)";
    if (!is_file(chosen)) return {{}, {"KILN_NVRTC: " + chosen + " (no such file" + end}, {}};
    const std::string why = trust::distrust_program(chosen, trust::chosen_by::name);
    if (why.empty()) return {real_path(chosen), {}, {}};
    const std::string refused = chosen + " is not loaded: " + why;
    return {{}, {"KILN_NVRTC: " + chosen + " (not loaded: " + why + end}, {refused}};
}

}  // namespace

found_library find_nvrtc(int driver_major) {
    if (const std::string chosen = environment("KILN_NVRTC"); !chosen.empty()) return chosen_library(chosen);
    const int bound = driver_major >= oldest_major ? std::min(driver_major, newest_major) : newest_major;
    found_library found;
    found.path = search({bound, oldest_major}, found.refused);
    if (found.path.empty() && bound < newest_major) found.path = search({newest_major, bound + 1}, found.refused);
    if (!found.path.empty()) return found;
    found.looked.emplace_back("KILN_NVRTC (unset)");
    found.looked.emplace_back("the libraries of this process");
    for (const make_place make : places) found.looked.push_back(describe(make()));
    found.looked.insert(found.looked.end(), found.refused.begin(), found.refused.end());
    return found;
}

namespace {

/// In a folder, or in another one of a toolkit.
std::string find_beside_nvrtc(const std::string& name, const char* of_toolkits) {
    for (const make_place make : places)
        for (const std::string& folder : make().folders)
            for (const std::string& path : {folder + "/" + name, folder + of_toolkits + name})
                if (is_file(path) && trust::distrust_program(path, trust::chosen_by::search).empty())
                    return real_path(path);
    return {};
}

}  // namespace

std::string find_cupti(int major) {
    return find_beside_nvrtc("libcupti.so." + std::to_string(major), "/../extras/CUPTI/lib64/");
}

/// Wheels before CUDA 13 have a folder for each library.
std::string find_cublas_lt(int major) {
    return find_beside_nvrtc("libcublasLt.so." + std::to_string(major), "/../../cublas/lib/");
}

std::string nvrtc_builtins_of(const std::string& nvrtc_path) {
    const std::size_t slash = nvrtc_path.rfind('/');
    if (slash == std::string::npos) return {};
    // libnvrtc.so.12.4.127 goes with libnvrtc-builtins.so.12.4; one folder may hold two toolkits' files, and
    // libnvrtc.so.13 names no minor version.
    constexpr std::string_view prefix = "libnvrtc.so.";
    std::string version;
    if (nvrtc_path.compare(slash + 1, prefix.size(), prefix) == 0) {
        version = nvrtc_path.substr(slash + 1 + prefix.size());
        if (const std::size_t dot = version.find('.'); dot != std::string::npos)
            version.resize(std::min(version.find('.', dot + 1), version.size()));
    }
    const std::string folder = nvrtc_path.substr(0, slash);
    const std::string any = folder + "/libnvrtc-builtins.so";
    for (const std::string& pattern : {any + "." + version, any + "." + version + "*", any + "*"}) {
        std::vector<std::string> paths = matching(pattern);
        if (paths.empty()) continue;
        return *std::max_element(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
            return strverscmp(a.c_str(), b.c_str()) < 0;
        });
    }
    return {};
}

std::string nvrtc_version_of(const std::string& nvrtc_path, const std::string& builtins_path) {
    constexpr std::string_view marks[] = {"libnvrtc-builtins.so.", "libnvrtc.so."};
    for (const std::string_view path : {std::string_view(builtins_path), std::string_view(nvrtc_path)})
        for (const std::string_view mark : marks) {
            const std::size_t at = path.rfind(mark);
            if (at == std::string_view::npos) continue;
            const std::string_view version = path.substr(at + mark.size());
            const std::size_t first_dot = version.find('.');
            if (first_dot == std::string_view::npos) continue;  // "13": the other file may say more
            return std::string(version.substr(0, version.find('.', first_dot + 1)));
        }
    const std::size_t at = nvrtc_path.rfind(marks[1]);
    return at == std::string::npos ? std::string() : nvrtc_path.substr(at + marks[1].size());
}

std::string join_places(const std::vector<std::string>& looked) {
    std::string text;
    for (const std::string& each : looked) text += (text.empty() ? "" : "; ") + each;
    return text.empty() ? "nothing" : text;
}

}  // namespace kiln::compile
