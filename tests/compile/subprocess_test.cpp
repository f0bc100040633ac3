// compile/subprocess: what a program says and how it ends; and that none can hold, flood or outlive the one who started it.
#include <support/changed_variable.hpp>
#include <support/child.hpp>
#include <support/processes.hpp>

#include <compile/subprocess.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using kiln::compile::process_end;
using kiln::compile::process_options;
using kiln::compile::process_result;
using kiln::compile::run_process;
using tests::changed_variable;

/// A line of shell, with an environment that has a PATH and nothing else.
process_result run_shell(const std::string& line, process_options options = {}) {
    options.environment.emplace_back("PATH=/usr/bin:/bin");
    return run_process({"/bin/sh", "-c", line}, options);
}

process_options limited_to(int seconds) {
    process_options options;
    options.limits.seconds = seconds;
    return options;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// This process's, in KiB.
long peak_memory() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

}  // namespace

TEST_CASE("a program's words, exit status and signal are told, and its input is empty") {
    const process_result spoke = run_shell("echo out; echo error >&2; cat; exit 3");
    CHECK_EQ(spoke.output, "out\nerror\n");
    CHECK_EQ(spoke.exit_status, 3);
    CHECK_EQ(spoke.ended, "exit status 3");
    CHECK(spoke.how == process_end::exited);
    const process_result killed = run_shell("kill -9 $$");
    CHECK_EQ(killed.exit_status, -1);
    CHECK_EQ(killed.ended, "ended by signal 9");
    CHECK(killed.how == process_end::signalled);
    CHECK(run_process({}).how == process_end::not_started);
    const process_result missing = run_process({"/no/such/program"});
    if (tests::is_emulated()) {
        CHECK_EQ(missing.exit_status, 127);
        return;
    }
    CHECK_EQ(missing.exit_status, -1);
    CHECK(missing.ended.find("No such file") != std::string::npos);
    CHECK(missing.how == process_end::not_started);
}

TEST_CASE("arguments reach a program as they are") {
    const process_result echoed = run_process({"/bin/echo", "a b", "$HOME", "; exit 1", "\"'*"});
    CHECK_EQ(echoed.output, "a b $HOME ; exit 1 \"'*\n");
}

TEST_CASE("a program's environment is what it is given, or the caller's but for what is replaced") {
    const changed_variable kept("KILN_TEST_KEPT", "kept");
    const changed_variable replaced("KILN_TEST_REPLACED", "old");
    const std::string line = "echo $KILN_TEST_KEPT,$KILN_TEST_REPLACED";
    CHECK_EQ(run_shell(line, {.environment = {"KILN_TEST_REPLACED=new"}, .inherits_environment = true}).output,
             "kept,new\n");
    CHECK_EQ(run_shell(line, {.environment = {"KILN_TEST_REPLACED=new"}}).output, ",new\n");
    CHECK_EQ(run_process({"/usr/bin/env"}).output, "");
}

TEST_CASE("a program works in the folder that it is given") {
    const tests::temporary_folder folder;
    const std::string before = std::filesystem::current_path().string();
    CHECK_EQ(run_shell("pwd", {.folder = folder.path()}).output, folder.path() + "\n");
    CHECK_EQ(std::filesystem::current_path().string(), before);
    const process_result nowhere = run_shell("pwd", {.folder = "/no/such/folder"});
    if (tests::is_emulated()) CHECK_EQ(nowhere.exit_status, 127);
    else CHECK(nowhere.how == process_end::not_started);
}

TEST_CASE("a program that says more than a pipe holds is heard to the end") {
    const process_result loud = run_shell(
        "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678; i=$((i+1)); done");
    CHECK_EQ(loud.exit_status, 0);
    CHECK_EQ(loud.output.size(), 150000);
}

TEST_CASE("case 50: of 600 MB of messages the first megabyte is kept, the rest is read and dropped") {
    const long before = peak_memory();
    const process_result flood = run_shell("head -c 600000000 /dev/zero | tr '\\0' 'x'; exit 5", limited_to(60));
    CHECK_EQ(flood.exit_status, 5);
    CHECK(flood.output.size() > (std::size_t{1} << 20));
    CHECK(flood.output.size() < (std::size_t{1} << 20) + 200);
    CHECK(flood.output.find("[598951424 bytes more were printed, and dropped]") != std::string::npos);
    CHECK(peak_memory() - before < 50 * 1024);
}

TEST_CASE("case 50: a program that hangs is ended with its whole group when its time is over") {
    const tests::temporary_folder folder;
    const auto start = std::chrono::steady_clock::now();
    const process_result hung =
        run_shell("echo begun; sleep 300 & echo $! > " + folder.path() + "/pid; sleep 300", limited_to(1));
    CHECK(hung.how == process_end::out_of_time);
    CHECK_EQ(hung.exit_status, -1);
    CHECK_EQ(hung.ended, "it did not end within 1 s");
    CHECK_EQ(hung.output, "begun\n");
    CHECK(seconds_since(start) < 10);
    CHECK(tests::ends_within(tests::pid_in(folder.path() + "/pid"), 2.0));
}

TEST_CASE("case 50: a program that does not listen to signals is ended all the same") {
    const process_result deaf = run_shell("trap '' HUP TERM INT; while :; do sleep 0.1; done", limited_to(1));
    CHECK(deaf.how == process_end::out_of_time);
}

TEST_CASE("case 50: a daemon that keeps the pipe open holds nobody") {
    const tests::temporary_folder folder;
    const std::string leaves = "setsid sh -c 'echo $$ > " + folder.path() +
                               "/pid; exec sleep 300' & "
                               "while [ ! -s " +
                               folder.path() + "/pid ]; do sleep 0.01; done; echo done";
    const auto start = std::chrono::steady_clock::now();
    const process_result left = run_shell(leaves, limited_to(60));
    CHECK_EQ(left.exit_status, 0);
    CHECK_EQ(left.output, "done\n");
    CHECK(seconds_since(start) < 10);
    // In a session of its own it is nobody's to end: a compiler cache's server is such a one.
    const pid_t daemon = tests::pid_in(folder.path() + "/pid");
    CHECK(tests::runs(daemon));
    kill(daemon, SIGKILL);
}

TEST_CASE("case 50: what a program leaves in its group ends with it") {
    const tests::temporary_folder folder;
    const process_result left = run_shell("sleep 300 & echo $! > " + folder.path() + "/pid", limited_to(60));
    CHECK_EQ(left.exit_status, 0);
    CHECK(tests::ends_within(tests::pid_in(folder.path() + "/pid"), 2.0));
}

TEST_CASE("case 50: a file of 60 GB ends its writer, sparse or not") {
    const tests::temporary_folder folder;
    process_options options = limited_to(60);
    options.limits.file_bytes = 1 << 20;
    options.folder = folder.path();
    // A program has its limits some microseconds after it has started, which a busy machine makes milliseconds of.
    const std::string once_limited = "until [ \"$(ulimit -f)\" != unlimited ]; do sleep 0.01; done; dd if=/dev/zero ";
    const process_result sparse = run_shell(once_limited + "of=sparse bs=1 count=1 seek=60000000000", options);
    CHECK(sparse.exit_status != 0);
    CHECK(std::filesystem::file_size(folder.path() + "/sparse") == 0);
    const process_result dense = run_shell(once_limited + "of=dense bs=1048576 count=100", options);
    CHECK(dense.exit_status != 0);
    CHECK(std::filesystem::file_size(folder.path() + "/dense") <= 1 << 20);
}

TEST_CASE("case 50: a program that crashes leaves no core dump") {
    const tests::temporary_folder folder;
    process_options options = limited_to(60);
    options.folder = folder.path();
    rlimit before{};
    getrlimit(RLIMIT_CORE, &before);
    const rlimit generous{before.rlim_max, before.rlim_max};
    setrlimit(RLIMIT_CORE, &generous);
    // The limit is set from outside, within milliseconds of its start.
    const char* const asks = "for i in 1 2 3 4 5 6 7 8 9; do [ $(ulimit -c) = 0 ] && break; sleep 0.2; done; ulimit -c";
    CHECK_EQ(run_shell(asks, options).output, "0\n");
    setrlimit(RLIMIT_CORE, &before);
}

TEST_CASE("case 51: a program whose starter is killed dies with its group, within a second") {
    const tests::temporary_folder folder;
    const std::string file = folder.path() + "/pids";
    const pid_t starter = fork();
    REQUIRE(starter >= 0);
    if (starter == 0) {
        run_shell("sleep 300 & echo $$ $! > " + file + ".new; mv " + file + ".new " + file + "; wait", limited_to(200));
        _exit(0);
    }
    REQUIRE(tests::appears_within(file, 10.0));
    const std::vector<pid_t> pids = tests::pids_in(file);
    REQUIRE(pids.size() == 2);
    CHECK(tests::runs(pids[0]));
    kill(starter, SIGKILL);
    waitpid(starter, nullptr, 0);
    for (const pid_t each : pids) CHECK(tests::ends_within(each, 1.0));
}

TEST_CASE("case 52: handlers, masks and limits of the one who starts a program stay as they are") {
    static std::atomic<int> heard = 0;  // a signal of the process is heard by whichever thread the kernel picks
    struct sigaction own {};
    own.sa_handler = [](int) { ++heard; };
    struct sigaction child_before {};
    sigaction(SIGCHLD, &own, &child_before);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGXFSZ);
    sigaddset(&blocked, SIGPIPE);
    sigset_t mask_before;
    pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
    const auto handlers = [] {
        std::vector<void (*)(int)> all;
        for (int number = 1; number < 32; ++number) {
            struct sigaction now {};
            sigaction(number, nullptr, &now);
            all.push_back(now.sa_handler);
        }
        return all;
    };
    const std::vector<void (*)(int)> before = handlers();

    process_options options = limited_to(1);
    options.limits.file_bytes = 1000;
    CHECK_EQ(run_shell("exit 0", options).exit_status, 0);
    CHECK(run_shell("sleep 100", options).how == process_end::out_of_time);
    CHECK(heard >= 1);

    const bool same_handlers = handlers() == before;
    CHECK(same_handlers);
    sigaction(SIGCHLD, &child_before, nullptr);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, &mask_before, &mask);
    CHECK(sigismember(&mask, SIGXFSZ) == 1);
    CHECK(sigismember(&mask, SIGPIPE) == 1);
    CHECK(sigismember(&mask, SIGCHLD) == 0);
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGXFSZ) == 0);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    CHECK(limit.rlim_cur > 1000);
}

TEST_CASE("case 52: a program is started with the usual signals, whatever its starter ignores") {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    CHECK_EQ(run_shell("trap - PIPE; kill -PIPE $$; echo alive").ended, "ended by signal 13");
    std::signal(SIGPIPE, before);
}

TEST_CASE("case 52: a starter that ignores SIGCHLD is told the output, and no status") {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const process_result spoke = run_shell("echo words; exit 3", limited_to(60));
    CHECK(spoke.how == process_end::unknown);
    CHECK_EQ(spoke.exit_status, 0);
    CHECK_EQ(spoke.output, "words\n");
    const process_result hung = run_shell("sleep 100", limited_to(1));
    CHECK(hung.how == process_end::out_of_time);
    std::signal(SIGCHLD, before);
}

TEST_CASE("threads start programs beside each other") {
    std::vector<std::string> said(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < said.size(); ++i)
        threads.emplace_back([&said, i] { said[i] = run_shell("sleep 0.1; echo " + std::to_string(i)).output; });
    for (std::thread& each : threads) each.join();
    for (std::size_t i = 0; i < said.size(); ++i) CHECK_EQ(said[i], std::to_string(i) + "\n");
}

TEST_CASE("no descriptor is left open, and a program has none but its three") {
    const auto open_count = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto before = open_count();
    // Those that this program was itself started with, and one of ls's own: the folder that it lists.
    int inherited = 0;
    for (int number = 3; number < 1000; ++number) {
        const int flags = fcntl(number, F_GETFD);
        inherited += flags >= 0 && (flags & FD_CLOEXEC) == 0;
    }
    CHECK_EQ(run_shell("ls /proc/self/fd | wc -l", limited_to(60)).output, std::to_string(4 + inherited) + "\n");
    CHECK(run_shell("sleep 100", limited_to(1)).how == process_end::out_of_time);
    CHECK_EQ(open_count(), before);
}
