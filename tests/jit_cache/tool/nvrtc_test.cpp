// tests/jit_cache/tool/nvrtc: the doctor finds the NVRTC that kiln finds: both searches over the same folders.
#include "libraries.hpp"
#include "tool_support.hpp"

#include <doctest/doctest.h>
#include <compile/find_library.hpp>
#include <jit_cache/trust.hpp>

#include <unistd.h>

#include <cstdlib>
#include <random>

using namespace support;

namespace {

const std::vector<const char*> variables{"KILN_NVRTC",   "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH",
                                         "CONDA_PREFIX", "VIRTUAL_ENV",     "HOME"};

// Puts the variables back at the end.
class saved_environment {
public:
    saved_environment() {
        for (const char* name : variables)
            if (const char* value = std::getenv(name)) values_[name] = value;
    }
    ~saved_environment() {
        for (const char* name : variables) {
            ::unsetenv(name);
            if (values_.contains(name)) ::setenv(name, values_[name].c_str(), 1);
        }
    }
    saved_environment(const saved_environment&) = delete;
    saved_environment& operator=(const saved_environment&) = delete;

private:
    std::map<std::string, std::string> values_;
};

}  // namespace

TEST_CASE("the doctor's search for NVRTC ends where kiln's does, whatever is installed where") {
    const saved_environment restored;
    const temporary_folder folder;
    const std::vector<std::string> below{"lib64",
                                         "lib",
                                         "targets/x86_64-linux/lib",
                                         "",
                                         "lib/python3.11/site-packages/nvidia/cu13/lib",
                                         "lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
                                         ".local/lib/python3.12/site-packages/nvidia/cu12/lib"};
    std::mt19937 random(20261122);
    const auto one_in = [&](unsigned n) { return random() % n == 0; };
    int found = 0;
    for (int round = 0; round < 200; ++round) {
        const fs::path root = folder.path() / std::to_string(round);
        for (const char* name : variables) {
            ::unsetenv(name);
            if (!one_in(2)) continue;
            const fs::path place = root / name;
            for (const std::string& each : below) {
                if (!one_in(4)) continue;
                fs::create_directories(place / each);
                const std::string file = "libnvrtc.so." + std::to_string(11 + random() % 7);
                overwrite(place / each / file, "");
                if (std::string_view(name) == "KILN_NVRTC") ::setenv(name, (place / each / file).c_str(), 1);
            }
            if (std::string_view(name) != "KILN_NVRTC") ::setenv(name, place.c_str(), 1);
        }
        if (one_in(20)) ::setenv("KILN_NVRTC", "/no/such/file", 1);
        for (const int driver : {0, 12, 13, 99}) {
            CAPTURE(round);
            CAPTURE(driver);
            const std::string kilns = kiln::compile::find_nvrtc(driver).path;
            CHECK(kiln_cache::find_nvrtc(driver).path == kilns);
            found += kilns.starts_with(root.string());
        }
    }
    CHECK(found > 100);
}

TEST_CASE("the doctor trusts the places that variables name as little as kiln does") {
    // Below /tmp and /dev/shm everything must be one's own: there the two rules of trust say the same.
    const temporary_folder folder(fs::path(tool_path()).parent_path());
    if (!is_root() ||
        !jit_cache::trust::distrust_program(folder.path().string(), jit_cache::trust::chosen_by::search).empty()) {
        MESSAGE("skipped: needs root and a build folder that only root can write");
        return;
    }
    const saved_environment restored;
    const fs::path file = folder.path() / "lib64" / "libnvrtc.so.13";
    fs::create_directory(file.parent_path());
    overwrite(file, "");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "LD_LIBRARY_PATH"}) {
        CAPTURE(variable);
        const bool is_list = std::string_view(variable) == "LD_LIBRARY_PATH";
        for (const char* name : variables) ::unsetenv(name);
        ::setenv(variable, (is_list ? file.parent_path() : folder.path()).c_str(), 1);
        REQUIRE(::chown(file.c_str(), 0, 0) == 0);
        CHECK(kiln_cache::find_nvrtc(0).path == file.string());
        CHECK(kiln::compile::find_nvrtc(0).path == file.string());
        REQUIRE(::chown(file.c_str(), nobody, nobody) == 0);
        CHECK(kiln_cache::find_nvrtc(0).path == kiln::compile::find_nvrtc(0).path);
        CHECK(kiln_cache::find_nvrtc(0).path != file.string());
    }
}

TEST_CASE("the doctor passes over an NVRTC that others can write") {
    const saved_environment restored;
    const temporary_folder folder;
    for (const char* name : variables) ::unsetenv(name);
    const fs::path file = folder.path() / "libnvrtc.so.12";
    overwrite(file, "");
    fs::permissions(file, fs::perms::all);
    ::setenv("KILN_NVRTC", file.c_str(), 1);
    const kiln_cache::found_library found = kiln_cache::find_nvrtc(0);
    CHECK(found.path == "");
    CHECK(holds(found.refused, "mode 0777"));
}

TEST_CASE("a driver's branch says which CUDA it runs") {
    CHECK(kiln_cache::cuda_major_of("580.95.05") == 13);
    CHECK(kiln_cache::cuda_major_of("570.124.06") == 12);
    CHECK(kiln_cache::cuda_major_of("525.60.13") == 12);
    CHECK(kiln_cache::cuda_major_of("470.57") == 11);
    CHECK(kiln_cache::cuda_major_of("900.1") == 0);
    CHECK(kiln_cache::cuda_major_of("") == 0);
}
