// The store's and the process's faults that only a GPU can show: each in a process of its own.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <device/cuda/cuda_device.hpp>
#include <device/devices.hpp>
#include <jit_cache/folder.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace k = kiln;

namespace {

std::string run(const std::string& cache, const char* what) {
    const tests::child_result child =
        tests::run_child(what, {{"KILN_DEVICE", "cuda"}, {"KILN_CACHE_DIR", cache.c_str()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    return child.output;
}

/// Which file each entry is.
std::map<std::string, std::pair<ino_t, off_t>> files_of(const std::string& cache) {
    std::map<std::string, std::pair<ino_t, off_t>> all;
    const jit_cache::scan_result scanned = jit_cache::scan(cache);
    CHECK(scanned.broken.empty());
    for (const jit_cache::entry_info& each : scanned.entries) {
        struct ::stat status {};
        REQUIRE(::stat(each.file.c_str(), &status) == 0);
        all[each.file.string()] = {status.st_ino, status.st_size};
    }
    return all;
}

bool five_x_is_right() {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    return k::array<float>(x + x + x + x + x).to_host() == std::vector<float>(1000, 2.5f);
}

std::string error_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const k::device_error& trouble) {
        return trouble.what();
    }
    return {};
}

bool says(const std::string& output, const std::string& words) { return output.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("case 31: a fork() of a process that uses a GPU gets an error at once, and the parent goes on") {
    if (!tests::device().is_cuda) return;
    const tests::temporary_folder folder;
    CHECK(says(run(folder.path() + "/cache", "child: forks while a GPU is in use"), "children=3;"));
}

TEST_CASE("child: forks while a GPU is in use" * doctest::skip()) {
    CHECK(five_x_is_right());
    const k::array<float> kept = k::from_host(std::vector<float>(1000, 0.5f));
    int children = 0;
    for (int i = 0; i < 3; ++i) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::alarm(10);
            bool refused = true;
            for (int again = 0; again < 2; ++again) {
                refused = refused && says(error_of([] { five_x_is_right(); }), "fork()");
                refused = refused && says(error_of([&] { static_cast<void>(kept.to_host()); }), "fork()");
                refused = refused && says(error_of([&] { k::array<float>(kept * 2.0f).wait(); }), "fork()");
                refused = refused && says(error_of([] { k::synchronize(); }), "fork()");
            }
            { const k::array<float> freed = kept; }
            const k::scoped_device here(k::cpu);  // which works in children
            refused = refused && five_x_is_right();
            ::_exit(refused ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        if (status == 0) ++children;
        CHECK(five_x_is_right());
        CHECK(kept.to_host()[999] == 0.5f);
    }
    MESSAGE("children=", children, ";");
}

TEST_CASE("case 34: each of two devices loads kernels of its own, from one entry") {
    if (!tests::device().is_cuda) return;
    const tests::temporary_folder folder;
    const std::string output = run(folder.path() + "/cache", "child: evaluates on one device after another");
    CHECK(says(output, "compiles=1; right=3;"));
}

TEST_CASE("child: evaluates on one device after another" * doctest::skip()) {
    int right = five_x_is_right() ? 1 : 0;
    // On a second GPU where there is one, else as another device on the first.
    const bool has_second = k::devices().size() > 2;
    const auto another = [&](int index) -> k::backend::known_device& {
        return k::backend::add_device(k::backend::make_cuda_device(index), k::device_kind::cuda, index);
    };
    for (k::backend::known_device* const other : {&another(has_second ? 1 : 0), &another(0)}) {
        const k::backend::scoped_current here(*other);
        right += five_x_is_right() ? 1 : 0;
    }
    MESSAGE("compiles=", k::counters::now().compiles, "; right=", right, ";");
}

TEST_CASE(
    "case 35: after an illegal address a stored kernel is an error that names the launches, and its entry stays") {
    if (!tests::device().is_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    run(cache, "child: evaluates what is stored for later");
    const auto before = files_of(cache);
    REQUIRE(before.size() == 2);
    const std::string output = run(cache, "child: breaks the context, then loads what is stored");
    CAPTURE(output);
    CHECK(says(output, "first: "));
    CHECK(says(output, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    CHECK(says(output, "kiln_out_of_bounds"));
    CHECK(says(output, "second: "));
    const auto after = files_of(cache);
    for (const auto& [file, which] : before) CHECK(after.at(file) == which);
    CHECK(says(run(cache, "child: evaluates what is stored for later"), "compiles=0; disk_hits=2;"));
}

TEST_CASE("child: evaluates what is stored for later" * doctest::skip()) {
    CHECK(five_x_is_right());
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    CHECK(k::array<float>(x - 3.0f).to_host()[0] == -2.5f);
    MESSAGE("compiles=", k::counters::now().compiles, "; disk_hits=", k::counters::now().disk_hits, ";");
}

TEST_CASE("child: breaks the context, then loads what is stored" * doctest::skip()) {
    const auto bad = k::function<float(float)>("out_of_bounds", {"a"}, "*(volatile float*)16 = a; return a;");
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    const std::string first = error_of([&] { static_cast<void>(k::array<float>(bad(x)).to_host()); });
    MESSAGE("first: ", first);
    CHECK(first != "");
    const std::string second = error_of([&] { static_cast<void>(k::array<float>(x - 3.0f).to_host()); });
    MESSAGE("second: ", second);
    CHECK(second != "");
}

TEST_CASE(
    "case 36: where no device memory is left, loading a stored kernel is right or an error, and its entry stays") {
    if (!tests::device().is_cuda) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    run(cache, "child: evaluates what is stored for later");
    const auto before = files_of(cache);
    const std::string output = run(cache, "child: fills the device's memory, then loads what is stored");
    CAPTURE(output);
    CHECK(says(output, "after: right; compiles=0;"));
    CHECK(files_of(cache) == before);
}

TEST_CASE("child: fills the device's memory, then loads what is stored" * doctest::skip()) {
    k::backend::device& on = k::backend::current_device();
    const k::array<float> x = k::from_host(std::vector<float>(1000, 0.5f));
    k::array<float> y = k::from_host(std::vector<float>(1000, 0.0f));
    std::vector<std::pair<std::byte*, std::size_t>> taken;
    for (std::size_t bytes = std::size_t{1} << 36; bytes >= 4096; bytes /= 2) {
        try {
            for (;;) taken.emplace_back(on.allocate(bytes), bytes);
        } catch (const k::out_of_memory&) {
        }
    }
    std::string during = "right";
    try {
        y = x + x + x + x + x;
        if (y.to_host()[999] != 2.5f) during = "wrong";
    } catch (const k::device_error& trouble) {
        during = trouble.what();
    }
    MESSAGE("during: ", during);
    CHECK(during != "wrong");
    for (const auto& [memory, bytes] : taken) on.deallocate(memory, bytes, 1);
    CHECK(five_x_is_right());
    MESSAGE("after: right; compiles=", k::counters::now().compiles, ";");
}
