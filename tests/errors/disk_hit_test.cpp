// A kernel that is on disk is loaded without its compiler: NVRTC is not even mapped. Seen from outside, in new processes.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

constexpr const char* tells = "child: evaluates and tells whether NVRTC is in its memory map";

bool nvrtc_is_mapped() {
    std::ifstream maps("/proc/self/maps");
    std::stringstream text;
    text << maps.rdbuf();
    return text.str().find("libnvrtc") != std::string::npos;
}

}  // namespace

TEST_CASE("a second process that finds its CUDA kernels on disk never loads NVRTC") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // The sanitisers would judge NVRTC's own code in the children; what is mapped, the plain build shows.
    MESSAGE("skipped: sanitised build");
    return;
#endif
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    std::vector<tests::variable> environment = {{"KILN_CACHE_DIR", cache.c_str()}};
    if (tests::device().is_cuda) {
        environment.push_back({"KILN_DEVICE", "cuda"});
    } else {
        environment.push_back({"KILN_DEVICE", "cpu"});
        environment.push_back({"KILN_TEST_CUBINS", "1"});
    }
    const tests::child_result first = tests::run_child(tells, environment);
    CAPTURE(first.output);
    if (first.exit_status == 77) {
        MESSAGE("skipped: no NVRTC here");
        return;
    }
    REQUIRE(first.exit_status == 0);
    CHECK(first.output.find("nvrtc=1; compiles=2; disk_hits=0;") != std::string::npos);

    const tests::child_result second = tests::run_child(tells, environment);
    CAPTURE(second.output);
    CHECK(second.exit_status == 0);
    CHECK(second.output.find("nvrtc=0; compiles=0; disk_hits=2;") != std::string::npos);
}

TEST_CASE("child: evaluates and tells whether NVRTC is in its memory map" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>{1, 2, 3});
    const k::array<float> y = x * x + x;
    const k::array<float> z = k::sqrt(y);
    CHECK(y.to_host() == std::vector<float>{2, 6, 12});
    const k::counters counts = k::counters::now();
    std::cout << "nvrtc=" << nvrtc_is_mapped() << "; compiles=" << counts.compiles << "; disk_hits=" << counts.disk_hits
              << ";\n";
}
