// A library that takes itself apart when the program ends, as NVRTC and the driver do, and threads that call it until then.
#include <process/until_exit.hpp>
#include <support/child.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using kiln::process::until_exit;

extern until_exit refusing_calls;
constinit until_exit refusing_calls([] { refusing_calls.exit_has_begun(); }, until_exit::ended_library::refuses);
extern until_exit misbehaving_calls;
constinit until_exit misbehaving_calls([] { misbehaving_calls.exit_has_begun(); },
                                       until_exit::ended_library::misbehaves);
extern until_exit uncalled_calls;
constinit until_exit uncalled_calls([] { uncalled_calls.exit_has_begun(); }, until_exit::ended_library::misbehaves);

constexpr int threads_met_it = 78;
constexpr int ending_thread_met_it = 79;
constexpr int second_was_refused = 80;
constexpr int first_was_made = 81;  // of a library, after the end had begun

std::atomic<bool> taken_apart{false};

/// Registers its end when it is first called, as libraries do, and takes a while in each call.
void work_of_the_library(int trouble) {
    static const int registered = std::atexit([] {
        taken_apart = true;
        ::usleep(20'000);
    });
    static_cast<void>(registered);
    if (taken_apart) ::_exit(trouble);
    for (int i = 0; i < 200; ++i) {
        std::this_thread::yield();
        if (taken_apart) ::_exit(trouble);
    }
}

bool call_it(until_exit& library, int trouble) {
    const until_exit::call under_way(library);
    if (under_way) work_of_the_library(trouble);
    return static_cast<bool>(under_way);
}

bool call_it_twice(until_exit& library, int trouble) {
    const until_exit::together both(library);
    if (!call_it(library, trouble)) return false;
    std::this_thread::yield();
    if (!call_it(library, trouble)) ::_exit(second_was_refused);
    return true;
}

void start_threads(until_exit& library, std::atomic<int>& running) {
    for (int i = 0; i < 3; ++i)
        std::thread([&library, &running, call = i == 0 ? call_it_twice : call_it] {
            while (call(library, threads_met_it)) ++running;
            --running;
            if (static_cast<bool>(until_exit::call(uncalled_calls))) ::_exit(first_was_made);
            for (;;) ::pause();
        }).detach();
    while (running < 6) std::this_thread::yield();
}

struct calls_at_its_end {
    until_exit& library;
    ~calls_at_its_end() {
        // The library has ended; what it would say to the ending thread is its own matter, if it can say anything.
        if (static_cast<bool>(until_exit::call(library)) != (&library == &refusing_calls))
            ::_exit(ending_thread_met_it);
    }
};

}  // namespace

TEST_CASE("child: threads call a library while the program ends" * doctest::skip()) {
    ::alarm(15);
    const std::string by = std::getenv("KILN_TEST_BY");
    until_exit& library =
        std::string(std::getenv("KILN_TEST_LIBRARY")) == "refuses" ? refusing_calls : misbehaving_calls;
    static const calls_at_its_end last{library};
    static std::atomic<int> running{0};
    start_threads(library, running);
    if (by == "main") std::exit(77);  // doctest has nothing to sum up
    std::thread([] { std::exit(77); }).join();
}

TEST_CASE("case 48: a library that ends with the program is not called by other threads then, nor while it does") {
    for (const std::string library : {"refuses", "misbehaves"})
        for (const std::string by : {"main", "thread"}) {
            CAPTURE(library);
            CAPTURE(by);
            const tests::child_result child =
                tests::run_child("child: threads call a library while the program ends",
                                 {{"KILN_TEST_BY", by.c_str()}, {"KILN_TEST_LIBRARY", library.c_str()}});
            CAPTURE(child.output);
            CHECK(child.exit_status == 77);
        }
}

TEST_CASE("case 48: a child of fork() waits at its end for its own threads' calls, not for those of its parent") {
    std::atomic<bool> inside{false};
    std::atomic<bool> leave{false};
    std::thread caller([&] {
        const until_exit::call under_way(refusing_calls);
        inside = true;
        while (!leave) std::this_thread::yield();
    });
    while (!inside) std::this_thread::yield();
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::alarm(5);  // who waits for the parent's thread waits for ten seconds
        refusing_calls.exit_has_begun();
        ::_exit(static_cast<bool>(until_exit::call(refusing_calls)) ? 0 : 1);
    }
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    leave = true;
    caller.join();
}
