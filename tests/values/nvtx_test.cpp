// A tool that listens to NVTX hears evaluations by their labels, and their phases inside them.
#include <support/build_paths.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace k = kiln;

TEST_CASE("child: evaluates for a tool that listens" * doctest::skip()) {
    const k::array<float> x = k::full<float>({30}, 0.5f);
    k::array<float> y = k::label("five x", x + x + x + x + x);
    y = k::label("again", x + x + x + x + x);
    y = x * x;
    CHECK(y.to_host()[7] == 0.25f);
}

TEST_CASE("NVTX has a range for each evaluation, with its label, and one for each phase") {
    const std::string listener = tests::nvtx_listener();
    if (listener.empty()) return;  // built without NVTX's headers
    REQUIRE(std::filesystem::exists(listener));
    const tests::temporary_folder cache;
    const auto run = [&](const char* library) {
        const tests::child_result child = tests::run_child(
            "child: evaluates for a tool that listens",
            tests::with_this_device({{"KILN_CACHE_DIR", cache.path().c_str()}, {"NVTX_INJECTION64_PATH", library}}));
        CAPTURE(child.output);
        CHECK(child.exit_status == 0);
        return child.output;
    };
    const std::string heard = run(listener.c_str());
    CAPTURE(heard);
    CHECK(tests::occurrences(heard, "nvtx kiln > five x\n") == 1);
    for (const char* const phase : {"bind", "lower", "plan"})
        CHECK(tests::occurrences(heard, std::string("nvtx kiln > five x > ") + phase + "\n") == 1);
    if (tests::device().compiles) CHECK(heard.find("nvtx kiln > five x > find > compile\n") != std::string::npos);
    // Known by then: bound, and launched, which such a tool sees by itself.
    CHECK(heard.find("nvtx kiln > again\nnvtx kiln > again > bind\nnvtx kiln > again <\nnvtx kiln <\n") !=
          std::string::npos);
    CHECK(tests::occurrences(heard, "nvtx kiln > evaluation\n") >= 1);
    // What begins ends.
    CHECK(tests::occurrences(heard, " <\n") * 2 == tests::occurrences(heard, "nvtx kiln"));
    CHECK(heard.find("popped what") == std::string::npos);
    CHECK(run(nullptr).find("nvtx") == std::string::npos);
}
