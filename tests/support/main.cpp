// The tests' main: chooses the device, says which it is, runs them all.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <support/check.hpp>
#include <support/cubin_device.hpp>

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    constexpr int skipped = 77;  // CTest's SKIP_RETURN_CODE, see tests/CMakeLists.txt
    // The same programs at every run, so that kernels of the last one are found on disk; another seed makes others.
    setenv("RC_PARAMS", "seed=8675309", /*overwrite=*/0);

    if (tests::cubins_wanted()) {
        const std::string trouble = tests::install_cubin_device();
        if (!trouble.empty()) {
            std::printf("skipped: %s\n", trouble.c_str());
            return skipped;
        }
    }
    doctest::Context context(argc, argv);
    try {
        if (!std::getenv("KILN_TEST_QUIET")) {
            const kiln::device_info device = kiln::current_device();
            std::printf("kiln's tests on: %s, %s, %s\n", device.name.c_str(), device.target.c_str(),
                        device.compiles ? "compiled kernels" : "interpreted");
            std::fflush(stdout);
        }
    } catch (const kiln::error& trouble) {
        std::printf("kiln's tests have no device: %s\n", trouble.what());
    }
    const int result = context.run();
    std::printf("%lld elements compared to the bit\n", static_cast<long long>(tests::compared_elements));
    if (tests::cubins_wanted()) std::printf("%s\n", tests::cubin_report().c_str());
    return result;
}
