// fork() beside working threads. A child has one thread, and what the others held nobody lets go of.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace k = kiln;

namespace {

#ifdef __SANITIZE_ADDRESS__
// Its allocator (g++ 12) keeps the locks that other threads held at the fork: a child then waits for ever in its first malloc.
constexpr bool allocator_survives_fork = false;
constexpr unsigned hangs_after_s = 10;
#else
constexpr bool allocator_survives_fork = true;
constexpr unsigned hangs_after_s = 30;
#endif

/// How a child that does `body` ends: "" when body is true, else what went wrong; one that hangs is ended.
std::string in_fork(const std::function<bool()>& body) {
    const pid_t child = ::fork();
    if (child < 0) return "no fork";
    if (child == 0) {
        ::alarm(hangs_after_s);
        bool right = false;
        try {
            right = body();
        } catch (const std::exception& thrown) {
            std::fprintf(stderr, "%s\n", thrown.what());
            ::_exit(4);
        }
        ::_exit(right ? 0 : 3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? "it hangs" : "signal " + std::to_string(WTERMSIG(status));
    switch (WEXITSTATUS(status)) {
        case 0: return "";
        case 3: return "a wrong answer";
        case 4: return "an exception";
        default: return "exit status " + std::to_string(WEXITSTATUS(status));
    }
}

/// Expressions of every kind of path; with other numbers, of other structures as well: those are lowered anew.
bool is_right(int number) {
    const auto value = static_cast<float>(number);
    const k::array<float> x = k::full<float>({3000}, value);
    if (k::array<float>(x + x + x).to_host()[2999] != 3 * value) return false;
    k::expr<float> grown = x;
    for (int i = 0; i < number % 5 + 1; ++i) grown = grown + x;
    if (k::array<float>(grown).to_host()[7] != static_cast<float>(number % 5 + 2) * value) return false;
    if (k::array<float>(k::sum(x)).item() != 3000 * value) return false;
    const auto twice = k::fuse([](const auto& a) { return a * 2.0f; });
    return k::array<float>(twice(x)).to_host()[0] == 2 * value;
}

}  // namespace

TEST_CASE("case 49: children forked beside evaluating threads evaluate, whatever the threads were doing") {
    if (tests::device().plans_cuda) return;  // case 31
    CHECK(is_right(3));
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int number = i; !over; ++number) {
                if (!is_right(number % 40)) ++wrong;
                // The cold path as well: kernels are looked for, loaded, perhaps compiled.
                if (number % 16 == 0) static_cast<void>(k::counters::now());
            }
        });
    const char* const asked = std::getenv("KILN_TEST_FORKS");
    const int forks = asked ? std::atoi(asked) : 200;
    int hung = 0;
    int held_up = 0;  // by the sanitizer itself
    for (int i = 0; i < forks; ++i) {
        const std::string ended = in_fork([&] { return is_right(i % 40) && is_right(i % 7); });
        if (ended == "it hangs" && !allocator_survives_fork) {
            if (++held_up == 10) break;
        } else if (!ended.empty()) {
            CAPTURE(i);
            CHECK(ended == "");
            if (++hung == 3) break;
        }
    }
    over = true;
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(is_right(5));
    CHECK(held_up < 10);
    if (held_up > 0)
        MESSAGE("passed over: ", held_up, " of ", forks, " children that AddressSanitizer's allocator held up");
}

TEST_CASE("case 49: a child's child evaluates, too, and so does the parent afterwards") {
    if (tests::device().plans_cuda) return;
    CHECK(is_right(1));
    CHECK(in_fork([] { return is_right(2) && in_fork([] { return is_right(3); }).empty() && is_right(4); }) == "");
    CHECK(is_right(5));
}

TEST_CASE("child: forks while a kernel is being compiled" * doctest::skip()) {
    CHECK(is_right(1));
    std::atomic<bool> started{false};
    bool parents_answer = false;
    std::thread compiles([&] {
        const k::array<float> x = k::full<float>({1000}, 2.0f);
        started = true;
        parents_answer = k::array<float>(x * x * x * 3.0f).to_host()[999] == 24;
    });
    while (!started) std::this_thread::yield();
    int children = 0;
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        const std::string ended = in_fork([] {
            const k::array<float> x = k::full<float>({1000}, 2.0f);
            return k::array<float>(x * x * x * 3.0f).to_host()[999] == 24 && is_right(2);
        });
        CHECK(ended == "");
        if (ended.empty()) ++children;
    }
    compiles.join();
    CHECK(parents_answer);
    MESSAGE("children=", children, ";");
}

TEST_CASE("case 32: children forked during a compile compile for themselves, and the parent's goes on") {
    const tests::device_under_test device = tests::device();
    if (device.is_cuda || device.plans_cuda || !device.compiles) return;
    const tests::temporary_folder folder;
    // A compiler that takes its time.
    const std::string slow = folder.path() + "/slow";
    FILE* const script = std::fopen(slow.c_str(), "w");
    REQUIRE(script != nullptr);
    std::fputs("#!/bin/sh\nsleep 0.2\nexec c++ \"$@\"\n", script);
    std::fclose(script);
    REQUIRE(::chmod(slow.c_str(), 0755) == 0);
    const tests::child_result child = tests::run_child(
        "child: forks while a kernel is being compiled",
        {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", slow.c_str()}, {"KILN_CACHE_DIR", folder.path().c_str()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(child.output.find("children=5;") != std::string::npos);
}
