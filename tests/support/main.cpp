// The tests' main: chooses the device, says which it is, runs them all.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/needs_gpu.hpp>

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// The same random programs at every run, so that kernels of the last run are found on disk, and as many as take some
/// seconds. KILN_FUZZ_CASES asks for others, so many of them. RC_PARAMS, rapidcheck's own, overrules both: it prints
/// what reproduces a failure.
void set_random_programs(int usual) {
    const char* const cases = std::getenv("KILN_FUZZ_CASES");
    const std::string parameters = cases && *cases ? std::string("max_success=") + cases
                                                   : std::string("seed=8675309 max_success=") + std::to_string(usual);
    setenv("RC_PARAMS", parameters.c_str(), /*overwrite=*/0);
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int skipped = 77;  // CTest's SKIP_RETURN_CODE, see tests/CMakeLists.txt
    if (tests::cubins_wanted()) {
        const std::string trouble = tests::install_cubin_device();
        if (!trouble.empty()) {
            std::printf("skipped: %s\n", trouble.c_str());
            return skipped;
        }
    }
    doctest::Context context(argc, argv);
    int random_programs = 40;
    try {
        const kiln::device_info device = kiln::current_device().describe();
        if (!device.compiles) random_programs = 600;
        else if (device.is_cuda) random_programs = 100;
        if (!std::getenv("KILN_TEST_QUIET")) {
            std::printf("kiln's tests on: %s, %s, %s\n", device.name.c_str(), device.target.c_str(),
                        device.compiles ? "compiled kernels" : "interpreted");
            std::fflush(stdout);
        }
    } catch (const kiln::error& trouble) {
        std::printf("kiln's tests have no device: %s\n", trouble.what());
    }
    set_random_programs(random_programs);
    int result = context.run();
    if (const std::string trouble = tests::finish_cubins(); !trouble.empty()) {
        std::printf("CUDA kernels that are wrong:\n%s", trouble.c_str());
        result = EXIT_FAILURE;
    }
    std::printf("%lld elements compared to the bit\n", static_cast<long long>(tests::compared_elements.load()));
    if (const int cases = tests::skipped_without_gpu()) std::printf("%d test cases skipped: no GPU here\n", cases);
    if (tests::cubins_wanted()) std::printf("%s\n", tests::cubin_report().c_str());
    return result;
}
