// Folders of headers that the environment names: a kernel is made of its text alone, and its compiler looks into none.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <fstream>

namespace k = kiln;

namespace {

constexpr const char* compiles = "child: compiles kernels beside headers that must not be read";

}  // namespace

TEST_CASE("child: compiles kernels beside headers that must not be read" * doctest::skip()) {
    const auto f = k::function<float(float)>("f", {"a"}, "return fabsf(a) + int32_t(2);");
    const k::array<float> x = k::full<float>({10}, -1.0f);
    CHECK(k::array<float>(x + x).to_host()[9] == -2.0f);
    CHECK(k::array<float>(f(x)).to_host()[9] == 3.0f);
    CHECK(k::counters::now().compiles > 0);
}

TEST_CASE("case 46: CPATH and its like, in which g++ finds <stdc-predef.h> unasked, change no kernel") {
    if (!tests::device().compiles || tests::device().is_cuda) return;
    const tests::temporary_folder folder;
    for (const char* const name : {"/stdc-predef.h", "/math.h", "/cmath", "/stdint.h"})
        std::ofstream(folder.path() + name) << "#error the compiler read " << name << "\n";
    const std::string cache = folder.path() + "/cache";
    for (const char* const variable : {"CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"}) {
        const tests::child_result result = tests::run_child(compiles, {{variable, folder.path().c_str()},
                                                                       {"KILN_CACHE_DIR", (cache + variable).c_str()},
                                                                       {"KILN_DEVICE", "cpu"},
                                                                       {"KILN_TEST_QUIET", "1"}});
        CAPTURE(result.output);
        CHECK(result.exit_status == 0);
    }
}
