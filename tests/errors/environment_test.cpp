// What the environment can ask for and not get. Each case is a process of its own: a test case of this program that is
// skipped unless it is named.
#include <support/child.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace k = kiln;

namespace {

constexpr const char* evaluates = "child: five x evaluates on whatever device there is";
constexpr const char* refuses = "child: no device is chosen and the message is printed";

/// Folder and file names that a child may use, freed with the test.
struct fresh_cache {
    tests::temporary_folder folder;
    [[nodiscard]] const char* path() const { return folder.path().c_str(); }
    [[nodiscard]] bool holds_files() const {
        for (const auto& each : std::filesystem::recursive_directory_iterator(folder.path()))
            if (each.is_regular_file() && each.file_size() > 200) return true;
        return false;
    }
};

}  // namespace

TEST_CASE("child: five x evaluates on whatever device there is" * doctest::skip()) {
    const k::counters start = k::counters::now();
    for (int round = 0; round < 3; ++round) {
        const k::array<float> x = k::full<float>({100}, 0.5f);
        const k::array<float> y = x + x + x + x + x;
        CHECK(y.to_host() == std::vector<float>(100, 2.5f));
        const k::array<float> z = y * 3.0f;
        CHECK(z.to_host()[99] == 7.5f);
    }
    const k::counters spent = k::counters::now() - start;
    MESSAGE("compiles=", spent.compiles, ";");
    MESSAGE("disk_hits=", spent.disk_hits, ";");
    MESSAGE("target=", k::current_device().describe().target, ";");
    MESSAGE("compiled=", k::current_device().describe().compiles, ";");
}

TEST_CASE("child: no device is chosen and the message is printed" * doctest::skip()) {
    for (int again = 0; again < 2; ++again) {
        try {
            const k::array<float> x = k::ones<float>({3});
            FAIL("a device was chosen");
        } catch (const k::device_error& trouble) {
            MESSAGE("said: ", trouble.what());
        }
    }
}

TEST_CASE("KILN_DUMP gets each kernel's source, binary and facts, of compiled ones and of those from disk") {
    const fresh_cache cache;
    for (int run = 0; run < 2; ++run) {
        const tests::temporary_folder dumped;
        const std::string folder = dumped.path() + "/kernels";
        const tests::child_result child = tests::run_child(
            evaluates, {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", cache.path()}, {"KILN_DUMP", folder.c_str()}});
        CAPTURE(child.output);
        CHECK(child.exit_status == 0);
        if (child.output.find("compiled=true") == std::string::npos) return;
        int sources = 0;
        int facts = 0;
        int binaries = 0;
        for (const auto& each : std::filesystem::directory_iterator(folder)) {
            std::ifstream in(each.path());
            const std::string text(std::istreambuf_iterator<char>(in), {});
            if (each.path().extension() == ".cpp") sources += text.find("kiln_") != std::string::npos;
            if (each.path().extension() == ".txt") facts += text.find("expression: x0") != std::string::npos;
            if (each.path().extension() == ".so")
                binaries += text.starts_with(
                    "\x7f"
                    "ELF");
        }
        CHECK(sources >= 2);
        CHECK(facts >= 2);
        CHECK(binaries == sources);
    }
}

TEST_CASE("KILN_DEVICE that names no device is refused at the first use, with what it may be") {
    for (const char* const wanted : {"nonsense", "cuda:", "cuda:x", "cuda:-1", "CPU"}) {
        const tests::child_result child = tests::run_child(refuses, {{"KILN_DEVICE", wanted}});
        CAPTURE(child.output);
        CHECK(child.exit_status == 0);
        CHECK(child.output.find("KILN_DEVICE=" + std::string(wanted)) != std::string::npos);
        CHECK(child.output.find("cpu") != std::string::npos);
        CHECK(child.output.find("cuda") != std::string::npos);
    }
}

TEST_CASE("an empty KILN_DEVICE is as good as none") {
    const fresh_cache cache;
    const tests::child_result child =
        tests::run_child(evaluates, {{"KILN_DEVICE", ""}, {"KILN_CACHE_DIR", cache.path()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
}

TEST_CASE("KILN_DEVICE=cuda where there is no GPU says what was looked for, and where") {
    if (std::filesystem::exists("/dev/nvidiactl")) return;
    const tests::child_result child = tests::run_child(refuses, {{"KILN_DEVICE", "cuda"}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(child.output.find("libcuda") != std::string::npos);
    CHECK(child.output.find("KILN_DEVICE") != std::string::npos);
}

TEST_CASE("KILN_CPU that is neither compile nor interpret is refused, and the message names it") {
    const tests::child_result child = tests::run_child(refuses, {{"KILN_DEVICE", "cpu"}, {"KILN_CPU", "nonsense"}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(child.output.find("KILN_CPU=nonsense") != std::string::npos);
    CHECK(child.output.find("interpret") != std::string::npos);
}

TEST_CASE("without a host compiler the interpreter runs, and that is said once") {
    const fresh_cache cache;
    const tests::child_result child = tests::run_child(
        evaluates, {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", "/nonexistent"}, {"KILN_CACHE_DIR", cache.path()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(child.output.find("compiles=0;") != std::string::npos);
    CHECK(child.output.find("compiled=false;") != std::string::npos);
    CHECK(tests::occurrences(child.output, "KILN_CXX=/nonexistent") == 1);
}

TEST_CASE(
    "a host compiler that rejects everything throws compile_error or leaves it to the interpreter, but never a wrong "
    "result") {
    const fresh_cache cache;
    const tests::child_result child =
        tests::run_child("child: a compiler that rejects kernels is named with its source",
                         {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", "/bin/false"}, {"KILN_CACHE_DIR", cache.path()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK_FALSE(cache.holds_files());
}

TEST_CASE("child: a compiler that rejects kernels is named with its source" * doctest::skip()) {
    try {
        const k::array<float> x = k::full<float>({4}, 2.0f);
        CHECK(k::array<float>(x * x).to_host() == std::vector<float>(4, 4.0f));
    } catch (const k::compile_error& trouble) {
        CHECK(std::string(trouble.what()).find("false") != std::string::npos);
        CHECK(trouble.source().find("extern \"C\"") != std::string::npos);
    }
}

TEST_CASE("a second process finds its kernels on disk and compiles nothing") {
    const fresh_cache cache;
    const std::vector<tests::variable> environment = {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", cache.path()}};
    const tests::child_result first = tests::run_child(evaluates, environment);
    CAPTURE(first.output);
    CHECK(first.exit_status == 0);
    if (first.output.find("compiled=true;") == std::string::npos) return;  // no compiler on this machine
    CHECK(first.output.find("compiles=3;") != std::string::npos);
    CHECK(cache.holds_files());
    const tests::child_result second = tests::run_child(evaluates, environment);
    CAPTURE(second.output);
    CHECK(second.exit_status == 0);
    CHECK(second.output.find("compiles=0;") != std::string::npos);
    CHECK(second.output.find("disk_hits=3;") != std::string::npos);
}

TEST_CASE("a cache folder that cannot be made leaves kernels in memory, and that is said once") {
    const tests::child_result child =
        tests::run_child(evaluates, {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", "/proc/nowhere/kiln"}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(tests::occurrences(child.output, "/proc/nowhere") == 1);
}

TEST_CASE("a cache folder that is a file leaves kernels in memory, and that is said once") {
    const tests::temporary_folder folder;
    const std::string file = folder.path() + "/file";
    std::ofstream(file) << "no folder";
    const tests::child_result child =
        tests::run_child(evaluates, {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", file.c_str()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(tests::occurrences(child.output, "binaries are kept in memory only") == 1);
}

TEST_CASE("a cache folder that others may write to is not trusted, and that is said once") {
    const tests::temporary_folder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    const tests::child_result child =
        tests::run_child(evaluates, {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", folder.path().c_str()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(tests::occurrences(child.output, "binaries are kept in memory only") == 1);
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("kernels damaged on disk are compiled again, and the results are right") {
    const fresh_cache cache;
    const std::vector<tests::variable> environment = {{"KILN_DEVICE", "cpu"}, {"KILN_CACHE_DIR", cache.path()}};
    CHECK(tests::run_child(evaluates, environment).exit_status == 0);
    int damaged = 0;
    for (const auto& each : std::filesystem::recursive_directory_iterator(cache.folder.path())) {
        if (!each.is_regular_file() || each.file_size() < 500) continue;
        std::fstream file(each.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(each.file_size() / 2));
        file.write("damage", 6);
        ++damaged;
    }
    const tests::child_result child = tests::run_child(evaluates, environment);
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    if (damaged) CHECK(child.output.find("disk_hits=0;") != std::string::npos);
}
