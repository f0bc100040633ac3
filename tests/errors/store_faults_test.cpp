// The kernel store's faults as a program of kiln's meets them: real kernels, real processes.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <jit_cache/folder.hpp>
#include <jit_cache/store.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace k = kiln;
namespace fs = std::filesystem;

namespace {

constexpr const char* evaluates = "child: evaluates two expressions and tells what they cost";

std::string run(const std::string& cache, std::vector<tests::variable> more = {}, const char* what = evaluates) {
    std::vector<tests::variable> environment = tests::with_this_device({{"KILN_CACHE_DIR", cache.c_str()}});
    environment.insert(environment.end(), more.begin(), more.end());
    const tests::child_result child = tests::run_child(what, environment);
    CAPTURE(child.output);
    CHECK((child.exit_status == 0 || child.exit_status == 77));
    return child.exit_status == 77 ? "skipped" : child.output;
}

bool says(const std::string& output, const std::string& words) { return output.find(words) != std::string::npos; }

/// Each entry once more, with another payload and checksums that are right.
void replace_payloads(const std::string& cache, const std::function<std::string(const std::string&)>& change) {
    const jit_cache::scan_result scanned = jit_cache::scan(cache);
    REQUIRE(scanned.entries.size() == 2);
    jit_cache::settings settings;
    settings.directory = cache;
    jit_cache::store store(settings);
    for (const jit_cache::entry_info& each : scanned.entries) {
        std::optional<jit_cache::whole_entry> whole = jit_cache::read_whole(cache, each.name);
        REQUIRE(whole);
        whole->value.payload = change(whole->value.payload);
        store.publish(each.entry_key, std::make_shared<jit_cache::artifact>(std::move(whole->value)));
    }
    store.flush();
}

}  // namespace

TEST_CASE("child: evaluates two expressions and tells what they cost" * doctest::skip()) {
    const k::counters start = k::counters::now();
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    for (int round = 0; round < 2; ++round) {
        CHECK(k::array<float>(x + x + x + x + x).to_host() == std::vector<float>(1000, 2.5f));
        CHECK(k::array<float>(x * 3.0f).to_host() == std::vector<float>(1000, 1.5f));
    }
    const k::counters spent = k::counters::now() - start;
    MESSAGE("compiles=", spent.compiles, "; disk_hits=", spent.disk_hits, "; rejected=", spent.missed_rejected,
            "; corrupt=", spent.missed_corrupt, "; transient=", spent.missed_transient,
            "; new=", spent.missed_new_expression, ";");
}

TEST_CASE("case 9 and 10: a stored binary for another machine, without its symbol, or of no code is made again") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    const std::string first = run(cache);
    if (first == "skipped") return;
    CHECK(says(first, "compiles=2;"));
    CHECK(says(first, "new=2;"));
    const std::function<std::string(const std::string&)> changes[] = {
        [](const std::string&) { return std::string("no ELF at all"); },
        [](std::string bytes) {
            bytes[18] = static_cast<char>(bytes[18] + 1);  // e_machine: what it was made for
            return bytes;
        },
        [](std::string bytes) {
            for (std::size_t at = bytes.find("kiln_"); at != std::string::npos; at = bytes.find("kiln_", at))
                bytes.replace(at, 5, "KILN_");  // the symbol
            return bytes;
        },
        [](const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); },
    };
    for (const auto& change : changes) {
        replace_payloads(cache, change);
        const std::string next = run(cache);
        CAPTURE(next);
        CHECK(says(next, "compiles=2; disk_hits=0; rejected=2;"));
        CHECK(tests::occurrences(next, "its binary cannot be used here") == 2);
        CHECK(says(run(cache), "compiles=0; disk_hits=2;"));
    }
}

TEST_CASE("case 3: a damaged entry is compiled again, said once, and counted as such") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    if (run(cache) == "skipped") return;
    for (const jit_cache::entry_info& each : jit_cache::scan(cache).entries) fs::resize_file(each.file, 100);
    const std::string next = run(cache);
    CAPTURE(next);
    CHECK(says(next, "compiles=2; disk_hits=0; rejected=0; corrupt=2;"));
    CHECK(tests::occurrences(next, "it is passed over, and replaced when the binary is made again") == 2);
    CHECK(says(run(cache), "compiles=0; disk_hits=2;"));
}

TEST_CASE("KILN_LOG=info has a line for each compile with its reason, and KILN_LOG=off has none for anything") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    const std::string first = run(cache, {{"KILN_LOG", "info"}});
    if (first == "skipped") return;
    CAPTURE(first);
    CHECK(tests::occurrences(first, "kiln: compiled ") == 2);
    CHECK(tests::occurrences(first, "since nothing like it was stored") == 2);
    CHECK(says(first, "x0 + x0 + x0 + x0 + x0: float32 -> float32"));
    CHECK(tests::occurrences(run(cache, {{"KILN_LOG", "info"}}), "kiln: ") == 0);
    const std::string detailed = run(cache, {{"KILN_LOG", "debug"}});
    CHECK(tests::occurrences(detailed, ": from disk, looked for in ") == 2);
    CHECK(says(detailed, "kiln: planned 1 kernel"));
    for (const jit_cache::entry_info& each : jit_cache::scan(cache).entries) fs::resize_file(each.file, 0);
    const std::string silent = run(cache, {{"KILN_LOG", "off"}});
    CHECK(tests::occurrences(silent, "kiln: ") == 0);
    CHECK(says(silent, "corrupt=2;"));
    CHECK(says(run(cache, {{"KILN_LOG", "loud"}}), "KILN_LOG=loud is none of"));
}

TEST_CASE("child: compiling is forbidden and the error is printed" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    CHECK(k::array<float>(x + x + x + x + x).to_host()[0] == 2.5f);
    for (int again = 0; again < 2; ++again) {
        try {
            const k::array<float> y = k::label("a new one", x * x * x);
            FAIL("it was compiled");
        } catch (const k::compile_error& trouble) {
            MESSAGE("said: ", std::string(trouble.what()));
        }
    }
    MESSAGE("compiles=", k::counters::now().compiles, ";");
}

TEST_CASE("KILN_COMPILE=never serves what is stored, and names the expression that is not") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    if (run(cache) == "skipped") return;
    const std::string never =
        run(cache, {{"KILN_COMPILE", "never"}}, "child: compiling is forbidden and the error is printed");
    CAPTURE(never);
    CHECK(says(never, "compiles=0;"));
    CHECK(says(never, "KILN_COMPILE=never"));
    CHECK(says(never, "a new one: kiln_"));
    CHECK(says(never, "(x0 * x0) * x0: float32 -> float32"));
    CHECK(says(never, "nothing like it was stored"));
    CHECK(says(never, "kiln-cache pack"));
    CHECK(says(run(cache, {{"KILN_COMPILE", "sometimes"}}), "KILN_COMPILE=sometimes is neither"));
}

TEST_CASE("a pack brings kernels along: unpacked as a read-only folder, they serve where nothing may be compiled") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    const std::string shipped = folder.path() + "/shipped";
    if (run(cache) == "skipped") return;
    REQUIRE(jit_cache::pack(cache, {}, folder.path() + "/app.kpack").entries == 2);
    REQUIRE(jit_cache::unpack(folder.path() + "/app.kpack", shipped, jit_cache::readable_by::all).entries == 2);
    const std::string empty = folder.path() + "/empty";
    const std::string next = run(empty, {{"KILN_CACHE_READONLY", shipped.c_str()}, {"KILN_COMPILE", "never"}});
    CAPTURE(next);
    CHECK(says(next, "compiles=0; disk_hits=2;"));
}

TEST_CASE(
    "case 63: where there is no compiler at all, the CPU runs what is stored, interprets the rest, and is held to "
    "never") {
    const tests::device_under_test device = tests::device();
    if (device.is_cuda || !device.compiles || device.plans_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    const auto without = [&](std::vector<tests::variable> more, const char* what) {
        more.push_back({"KILN_CXX", "/nonexistent"});
        return run(cache, more, what);
    };
    run(cache);
    const std::string stored = without({}, evaluates);
    CAPTURE(stored);
    CHECK(says(stored, "compiles=0; disk_hits=2;"));
    CHECK(tests::occurrences(stored, "no C++ compiler: kernels come from the store as another compiler made them") ==
          1);
    CHECK_FALSE(says(stored, "interpreter"));

    const char* const more = "child: what is stored and what is not, without a compiler";
    const std::string new_one = without({}, more);
    CAPTURE(new_one);
    CHECK(says(new_one, "compiles=0; disk_hits=1; y=0.125; origin=interpreted"));
    CHECK(tests::occurrences(new_one,
                             "no C++ compiler found; looked for KILN_CXX=/nonexistent, which is not there; the "
                             "interpreter runs instead") == 1);
    CHECK(says(new_one, "error: kiln: compile: kiln_of_the_users_f32"));
    CHECK(says(new_one, "of_the_users is a function of the user's, which only a compiler can turn into a kernel"));

    const std::string never =
        without({{"KILN_COMPILE", "never"}}, "child: compiling is forbidden and the error is printed");
    CAPTURE(never);
    CHECK(says(never, "compiles=0;"));
    CHECK(says(never, "(x0 * x0) * x0: float32 -> float32"));
    CHECK_FALSE(says(never, "it was compiled"));
}

TEST_CASE("child: what is stored and what is not, without a compiler" * doctest::skip()) {
    const k::counters start = k::counters::now();
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    CHECK(k::array<float>(x + x + x + x + x).to_host()[0] == 2.5f);
    const std::string origin = k::to_string(k::explain(x * x * x).kernels.at(0).origin);
    const float y = k::array<float>(x * x * x).to_host()[0];
    const k::counters spent = k::counters::now() - start;
    MESSAGE("compiles=", spent.compiles, "; disk_hits=", spent.disk_hits, "; y=", y, "; origin=", origin);
    const auto theirs = k::function<float(float)>("of_the_users", {"a"}, "return a / 2;");
    try {
        const k::array<float> z = theirs(x);
        FAIL("nothing compiled it");
    } catch (const k::compile_error& trouble) {
        MESSAGE("error: ", std::string(trouble.what()));
    }
}

TEST_CASE("where nothing may be compiled, the error names what is in the way, and not the compiler, which is not") {
    const tests::device_under_test device = tests::device();
    if (device.is_cuda || !device.compiles || device.plans_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    run(cache);
    const std::string compiler = folder.path() + "/c++";
    std::ofstream(compiler) << "#!/bin/sh\nexit 1\n";
    fs::permissions(compiler, fs::perms::owner_all);
    const std::string never = run(cache, {{"KILN_COMPILE", "never"}, {"KILN_CXX", compiler.c_str()}},
                                  "child: five additions with other options where nothing may be compiled");
    CAPTURE(never);
    CHECK(says(never, "stored with other options: -ffp-contract=off -> -ffp-contract=fast"));
    CHECK_FALSE(says(never, "another compiler:"));
}

TEST_CASE("child: five additions with other options where nothing may be compiled" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    const k::scoped_options contracted({.fma = true});
    CHECK_THROWS_WITH_AS(k::array<float>(x + x + x + x + x), doctest::Contains("stored with other options: "),
                         k::compile_error);
    try {
        const k::array<float> y = x + x + x + x + x;
    } catch (const k::compile_error& trouble) {
        MESSAGE(std::string(trouble.what()));
    }
}

TEST_CASE("case 53: where descriptors run out, the entry stays, this evaluation is right, and a later one loads it") {
#ifdef __SANITIZE_ADDRESS__
    MESSAGE("skipped: UndefinedBehaviorSanitizer, built in with this one, looks at objects through a pipe of its own");
    return;
#endif
    const tests::device_under_test device = tests::device();
    if (device.is_cuda || !device.compiles || device.plans_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    run(cache);
    const auto inodes = [&] {
        std::vector<ino_t> all;
        for (const jit_cache::entry_info& each : jit_cache::scan(cache).entries) {
            struct ::stat status {};
            REQUIRE(::stat(each.file.c_str(), &status) == 0);
            all.push_back(status.st_ino);
        }
        return all;
    };
    const std::vector<ino_t> before = inodes();
    const std::string output = run(cache, {}, "child: evaluates without descriptors, then with them");
    CAPTURE(output);
    CHECK(says(output, "right without; compiles=0;"));
    CHECK(says(output, "right with; compiles=0; disk_hits=1;"));
    CHECK(inodes() == before);
}

TEST_CASE("child: evaluates without descriptors, then with them" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    struct rlimit before {};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    // The number that the next one would have: none can be opened from here on.
    const int next = ::dup(0);
    ::close(next);
    const k::counters start = k::counters::now();
    const struct rlimit none = {static_cast<rlim_t>(next), before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    std::vector<float> first;
    std::string trouble;
    try {
        first = k::array<float>(x + x + x + x + x).to_host();
    } catch (const k::error& said) {
        trouble = said.what();
    }
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(trouble == "");
    CHECK(first == std::vector<float>(1000, 2.5f));
    MESSAGE("right without; compiles=", (k::counters::now() - start).compiles, ";");
    CHECK(k::array<float>(x + x + x + x + x).to_host() == std::vector<float>(1000, 2.5f));
    const k::counters spent = k::counters::now() - start;
    MESSAGE("right with; compiles=", spent.compiles, "; disk_hits=", spent.disk_hits, ";");
}

TEST_CASE("case 45: in a temporary folder that others can write to and move things in, nothing is made") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string shared = folder.path() + "/shared";
    fs::create_directory(shared);
    REQUIRE(::chmod(shared.c_str(), 0777) == 0);
    const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    REQUIRE(::inotify_add_watch(watch, shared.c_str(), IN_CREATE | IN_MOVED_TO) >= 0);
    const std::string cache = folder.path() + "/cache";
    for (int round = 0; round < 2; ++round) {
        const std::string output = run(cache, {{"TMPDIR", shared.c_str()}});
        if (output == "skipped") break;
        CHECK(says(output, round == 0 ? "compiles=2;" : "compiles=0;"));
    }
    char events[4096];
    CHECK(::read(watch, events, sizeof events) < 0);
    ::close(watch);
    CHECK(fs::is_empty(shared));
}

TEST_CASE("case 63: where NVRTC was removed, what is stored still serves, and that no more can be compiled is said") {
    if (!tests::device().plans_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    const std::string first = run(cache);
    CAPTURE(first);
    REQUIRE(says(first, "compiles=2;"));
    const std::string removed = folder.path() + "/libnvrtc.so.13";
    const std::string output =
        run(cache, {{"KILN_NVRTC", removed.c_str()}}, "child: asks for what is stored, then for more");
    CAPTURE(output);
    CHECK(says(output, "compiles=0; disk_hits=2;"));
    CHECK(says(output, "new ones cannot be compiled"));
    CHECK(says(output, "thrown: kiln: compile: "));
    CHECK(says(output, "KILN_NVRTC: " + removed));
}

TEST_CASE("child: asks for what is stored, then for more" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    CHECK(k::array<float>(x + x + x + x + x).to_host() == std::vector<float>(1000, 2.5f));
    CHECK(k::array<float>(x * 3.0f).to_host() == std::vector<float>(1000, 1.5f));
    const k::counters spent = k::counters::now();
    MESSAGE("compiles=", spent.compiles, "; disk_hits=", spent.disk_hits, ";");
    try {
        const k::array<float> more = x - 4.0f;
    } catch (const k::compile_error& trouble) {
        MESSAGE("thrown: ", std::string(trouble.what()));
    }
    // And no harm was done.
    CHECK(k::array<float>(x * 5.0f).to_host() == std::vector<float>(1000, 2.5f));
}

TEST_CASE("case 33: 64 threads that evaluate one new expression compile it once") {
    if (!tests::device().compiles) return;
    const k::array<float> x = k::from_host(std::vector<float>(500, 2.0f));
    k::array<float>(x + 1.0f).wait();
    const k::counters start = k::counters::now();
    std::atomic<int> wrong{0};
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i)
        threads.emplace_back([&] {
            while (!go) std::this_thread::yield();
            const k::array<float> y = (x - 0.25f) * x * x - x / 3.25f + 33.0f;
            if (y.to_host()[499] != (2.0f - 0.25f) * 2 * 2 - 2 / 3.25f + 33.0f) ++wrong;
        });
    go = true;
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    const k::counters spent = k::counters::now() - start;
    // None where an earlier run's cache has it.
    CHECK(spent.compiles <= 1);
    CHECK(spent.launches == 64);
}

TEST_CASE(
    "case 37 and 38: a kernel that does not compile gives every waiting thread the error, and is stored nowhere") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const auto broken = k::function<float(float)>("broken", {"a"}, "return no_such_name(a);");
    const k::array<float> x = k::from_host(std::vector<float>(500, 2.0f));
    std::atomic<int> told{0};
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&] {
            while (!go) std::this_thread::yield();
            try {
                const k::array<float> y = broken(x) + 1.0f;
            } catch (const k::compile_error& trouble) {
                if (says(trouble.what(), "broken") && says(trouble.source(), "no_such_name") && !trouble.log().empty())
                    ++told;
            }
        });
    go = true;
    for (std::thread& each : threads) each.join();
    CHECK(told == 16);
    CHECK(k::explain(broken(x) + 1.0f).kernels.at(0).origin == k::kernel_origin::compile);
    CHECK(k::array<float>(x + 1.0f).to_host()[0] == 3.0f);
}

TEST_CASE("explain says why a kernel is to be compiled, and after that why it was") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    if (run(cache) == "skipped") return;
    const std::string output = run(cache, {}, "child: explains kernels and prints why");
    CAPTURE(output);
    CHECK(says(output, "five: on disk; ;"));
    CHECK(says(output, "strided: to be compiled; stored for operands of other layouts;"));
    CHECK(says(output, "again: in memory; stored for operands of other layouts;"));
    CHECK(says(output, "contracted: to be compiled; stored with other options: -"));
    CHECK(says(output, "new: to be compiled; nothing like it was stored;"));
}

TEST_CASE("child: explains kernels and prints why" * doctest::skip()) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    const auto print = [](const std::string& what, const k::explanation& plan) {
        MESSAGE(what, ": ", std::string(k::to_string(plan.kernels.at(0).origin)), "; ", plan.kernels.at(0).why, ";");
    };
    print("five", k::explain(x + x + x + x + x));
    const auto odd = x(k::range(0, 1000, 2));
    const auto strided = [&] { return odd + odd + odd + odd + odd; };
    print("strided", k::explain(strided()));
    k::array<float>(strided()).wait();
    print("again", k::explain(strided()));
    print("new", k::explain(x - 3.0f));
    const k::scoped_options allowed({.fma = true});
    print("contracted", k::explain(x + x + x + x + x));
}
