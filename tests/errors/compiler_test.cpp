// A compiler that does not do its work, is another than before, or must not be started: what a whole program sees of it.
// Each is a process of its own, with a store of its own.
#include <support/child.hpp>
#include <support/processes.hpp>

#include <compile/linked_object.hpp>
#include <compile/program.hpp>
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace k = kiln;
namespace fs = std::filesystem;

namespace {

constexpr const char* evaluates = "child: elements, sums, persistent rows and a fused function, all of them right";

void write_script(const std::string& path, const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
}

std::string real_compiler() { return k::compile::find_program("c++"); }

/// A compiler that is a script, and a store that it fills.
struct odd_compiler {
    tests::temporary_folder folder;
    std::string path = folder.path() + "/c++";

    /// Asked which compiler it is, it says nothing of use; then it does `body`.
    void does(const std::string& body) const {
        write_script(path, "case \"$*\" in *-###*) exit 1;; *--version*) echo odd; exit 0;; esac\n" + body);
    }
    [[nodiscard]] std::vector<tests::variable> environment() {
        store_ = folder.path() + "/store";
        return {{"KILN_DEVICE", "cpu"},
                {"KILN_CXX", path.c_str()},
                {"KILN_CACHE_DIR", store_.c_str()},
                {"KILN_TEST_QUIET", "1"}};
    }
    tests::child_result run(const std::string& test_case, const char* time_limit = nullptr) {
        std::vector<tests::variable> all = environment();
        all.push_back({"KILN_COMPILE_TIMEOUT", time_limit});
        return tests::run_child(test_case, all);
    }

private:
    std::string store_;
};

int count_of(const std::string& output, const std::string& name) {
    const std::size_t at = output.find(name + "=");
    return at == std::string::npos ? -1 : std::atoi(output.c_str() + at + name.size() + 1);
}

}  // namespace

TEST_CASE("child: elements, sums, persistent rows and a fused function, all of them right" * doctest::skip()) {
    const k::counters start = k::counters::now();
    const int rows = 20;
    const int columns = 30;
    std::vector<float> values;
    for (int i = 0; i < rows * columns; ++i) values.push_back(static_cast<float>(i % 7));
    const k::array<float> m = k::from_host(values, {rows, columns});
    for (int round = 0; round < 2; ++round) {
        const k::array<float> five = m + m + m + m + m;
        CHECK(five.to_host()[8] == 5.0f);
        CHECK(k::array<float>(k::transpose(m) * 2.0f).to_host()[1] == 2 * values[columns]);
        float sum = 0;
        for (const float each : values) sum += each;
        CHECK(k::array<float>(k::sum(m)).to_host()[0] == sum);

        // Rows are kept where kernels are compiled; the interpreter has kernels for each step.
        const k::array<float> centred = m - k::max(m, k::axis(1), k::keep_dims);
        const k::array<float> shares = k::exp(m) / k::sum(k::exp(m), k::axis(1), k::keep_dims);
        const std::vector<float> got = shares.to_host();
        for (int row = 0; row < rows; ++row) {
            float whole = 0;
            float total = 0;
            for (int column = 0; column < columns; ++column) {
                const auto at = static_cast<std::size_t>(row * columns + column);
                whole += got[at];
                total += std::exp(values[at]);
            }
            CHECK(whole == doctest::Approx(1.0f));
            const auto first = static_cast<std::size_t>(row * columns);
            CHECK(got[first] == doctest::Approx(std::exp(values[first]) / total));
            CHECK(centred.to_host()[first] == values[first] - 6.0f);
        }

        const auto normed = k::fuse([](auto a) { return a - k::mean(a, k::axis(1), k::keep_dims); });
        const k::array<float> around = normed(m);
        const std::vector<float> means = k::array<float>(k::mean(around, k::axis(1))).to_host();
        for (const float each : means) CHECK(std::fabs(each) < 1e-5f);
    }
    const k::counters spent = k::counters::now() - start;
    MESSAGE("compiles=", spent.compiles, ";");
    MESSAGE("disk_hits=", spent.disk_hits, ";");
    MESSAGE("compiled=", k::current_device().describe().compiles, ";");
}

TEST_CASE(
    "case 50: a compiler that crashes, gives nothing or something damaged leaves it to the interpreter, said once") {
    const std::string real = real_compiler();
    odd_compiler compiler;
    struct odd {
        std::string body;
        std::string said;
        int most_reasons = 1;  // each of which is said once
    };
    std::vector<odd> all = {{"kill -11 $$", "ended by signal 11"},
                            {"exit 0", "it wrote no object"},
                            {"echo licence expired; exit 3", "licence expired"},
                            {"head -c 60000000 /dev/zero | tr '\\0' 'x'; exit 1", "xxxx"},
                            {"setsid sh -c 'sleep 20' & exit 0", "it wrote no object"}};
    if (!real.empty()) {
        // An object file ends with what says where its parts are; a shared object begins so.
        const bool links = kiln::compile::links_objects;
        const std::string written = links ? "kernel.o" : "kernel.so";
        const std::string refused = std::string("what it wrote cannot be ") + (links ? "linked" : "loaded");
        all.push_back({real + " \"$@\" && truncate -s " + (links ? "500 " : "5000 ") + written, refused});
        all.push_back({real + " \"$@\" && dd if=/dev/zero of=" + written + " bs=1 seek=" + (links ? "40" : "500") +
                           " count=2000 conv=notrunc",
                       refused});
        // Ended by the limit on files, which is set once the program runs; or it was faster, and what it wrote is refused.
        all.push_back({real + " \"$@\"; dd if=/dev/zero of=" + written + " bs=1 count=1 seek=60000000000", ": ", 2});
    }
    for (const odd& each : all) {
        CAPTURE(each.body);
        compiler.does(each.body);
        const tests::child_result child = compiler.run(evaluates);
        CAPTURE(child.output);
        CHECK(child.exit_status == 0);
        CHECK(child.output.size() < 100000);
        const int said = tests::occurrences(child.output, "the interpreter runs instead");
        CHECK(said >= 1);
        CHECK(said <= each.most_reasons);
        CHECK(child.output.find(each.said) != std::string::npos);
        CHECK(child.output.find("KILN_CPU=interpret") != std::string::npos);
        CHECK(count_of(child.output, "compiles") == 0);
    }
}

namespace {

/// What a program says whose compiler hangs: it is given up after a second, said once, and the program is right.
std::string said_of_hanging(odd_compiler& compiler) {
    const auto start = std::chrono::steady_clock::now();
    const tests::child_result child = compiler.run(evaluates, "1");
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    CHECK(tests::occurrences(child.output, "the interpreter runs instead") == 1);
    return child.output;
}

}  // namespace

TEST_CASE("case 50: a compiler that hangs is started once, and ended with its group; the interpreter runs, said once") {
    odd_compiler compiler;
    const std::string starts = compiler.folder.path() + "/starts";
    compiler.does("echo $$ >> " + starts + "; sleep 300 & echo $! >> " + starts + "; wait");
    const std::string said = said_of_hanging(compiler);
    CAPTURE(said);
    CHECK(said.find("it did not end within 1 s") != std::string::npos);
    CHECK(said.find("KILN_COMPILE_TIMEOUT=<seconds>") != std::string::npos);
    const std::vector<pid_t> pids = tests::pids_in(starts);
    CHECK(pids.size() == 2);
    for (const pid_t each : pids) CHECK(tests::ends_within(each, 2.0));
}

TEST_CASE("case 50: a compiler that hangs when it is asked what it is holds a program for a bounded time, too") {
    odd_compiler compiler;
    write_script(compiler.path, "sleep 300");
    const std::string said = said_of_hanging(compiler);
    CAPTURE(said);
    CHECK(said.find("it was asked which compiler it is") != std::string::npos);
}

TEST_CASE("a KILN_COMPILE_TIMEOUT that is no number of seconds is said once, and 60 s it is") {
    const std::string real = real_compiler();
    if (real.empty()) return;
    odd_compiler compiler;
    write_script(compiler.path, "exec " + real + " \"$@\"");
    const tests::child_result child = compiler.run(evaluates, "soon");
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(tests::occurrences(child.output, "KILN_COMPILE_TIMEOUT=soon is no number of seconds") == 1);
    CHECK(count_of(child.output, "compiles") > 0);
}

TEST_CASE("child: a function of the user's, whose compiler fails" * doctest::skip()) {
    const auto f = k::function<float(float)>("halved", {"a"}, "return a / 2;");
    const k::array<float> x = k::from_host(std::vector<float>(10, 1.0f));
    for (int again = 0; again < 2; ++again) {
        try {
            const k::array<float> y = f(x);
            FAIL("it was evaluated");
        } catch (const k::compile_error& thrown) {
            CHECK(std::string(thrown.what()).find("ended by signal 11") != std::string::npos);
            CHECK(thrown.source().find("return a / 2;") != std::string::npos);
        }
    }
}

TEST_CASE("case 50: what the interpreter cannot run throws what became of the compiler") {
    odd_compiler compiler;
    compiler.does("kill -11 $$");
    const tests::child_result child = compiler.run("child: a function of the user's, whose compiler fails");
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(tests::occurrences(child.output, "the interpreter runs instead") == 0);
}

TEST_CASE("case 47: kernels are found again for the same compiler, and made anew for another behind the same path") {
    const std::string real = real_compiler();
    if (real.empty()) return;
    odd_compiler compiler;
    const auto is = [&](const std::string& body) { write_script(compiler.path, body); };
    const auto kernels = [&] {
        const tests::child_result child = compiler.run(evaluates);
        CAPTURE(child.output);
        CHECK(child.exit_status == 0);
        return std::pair(count_of(child.output, "compiles"), count_of(child.output, "disk_hits"));
    };
    is("exec " + real + " \"$@\"");
    const auto [made, found] = kernels();
    CHECK(made > 3);
    CHECK(found == 0);
    CHECK(kernels() == std::pair(0, made));
    fs::last_write_time(compiler.path, fs::last_write_time(compiler.path) - std::chrono::hours(100));
    CHECK(kernels() == std::pair(0, made));
    is("exec " + real + " -DANOTHER \"$@\"");
    CHECK(kernels() == std::pair(made, 0));
    is("exec " + real + " \"$@\"");
    CHECK(kernels() == std::pair(0, made));
    // What it is made of, and not only what it is called by.
    is("PATH=" + compiler.folder.path() + ":$PATH exec " + real + " \"$@\"");
    const auto [made_again, found_again] = kernels();
    CHECK(made_again == made);
    write_script(compiler.folder.path() + "/ccache", "exec \"$@\"");
    CHECK(kernels() == std::pair(0, made));
}

TEST_CASE("child: files must stay small, and signals are the program's own" * doctest::skip()) {
    const rlimit small{0, RLIM_INFINITY};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    static volatile int heard = 0;
    struct sigaction own {};
    own.sa_handler = [](int) { heard = heard + 1; };
    for (const int number : {SIGXFSZ, SIGPIPE}) ::sigaction(number, &own, nullptr);
    ::signal(SIGCHLD, SIG_IGN);
    const k::array<float> x = k::full<float>({100}, 0.5f);
    CHECK(k::array<float>(x + x * 3.0f).to_host() == std::vector<float>(100, 2.0f));
    CHECK(heard == 0);
    for (const int number : {SIGXFSZ, SIGPIPE}) {
        struct sigaction now {};
        ::sigaction(number, nullptr, &now);
        const bool same = now.sa_handler == own.sa_handler;
        CHECK(same);
    }
    struct sigaction child {};
    ::sigaction(SIGCHLD, nullptr, &child);
    const bool ignored = child.sa_handler == SIG_IGN;
    CHECK(ignored);
    // What reports this is a file, too.
    const rlimit large{RLIM_INFINITY, RLIM_INFINITY};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &large) == 0);
}

TEST_CASE("case 52: a program that may write no file evaluates, and its handling of signals is its own") {
    odd_compiler store;
    const std::string real = real_compiler();
    write_script(store.path, real.empty() ? "exit 1" : "exec " + real + " \"$@\"");
    const tests::child_result child = store.run("child: files must stay small, and signals are the program's own");
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
}

TEST_CASE("case 61: escape bytes in KILN_CXX are escaped where they are printed") {
    const tests::temporary_folder folder;
    const tests::child_result child = tests::run_child(
        evaluates,
        {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", "/none/\033[31mred\007"}, {"KILN_CACHE_DIR", folder.path().c_str()}});
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(child.output.find("KILN_CXX=/none/\\x1b[31mred\\x07") != std::string::npos);
    CHECK(child.output.find("\033[31mred") == std::string::npos);
}

TEST_CASE("case 44: a compiler that others can change is not started, and that is said once, with the reason") {
    odd_compiler compiler;
    compiler.does("touch " + compiler.folder.path() + "/started; exit 1");
    ::chmod(compiler.folder.path().c_str(), 0777);
    const tests::child_result child = compiler.run(evaluates);
    CAPTURE(child.output);
    CHECK(child.exit_status == 0);
    CHECK(count_of(child.output, "compiled") <= 0);
    CHECK(tests::occurrences(child.output, "is not started: " + compiler.folder.path() + ": owner uid ") == 1);
    CHECK_FALSE(fs::exists(compiler.folder.path() + "/started"));
    ::chmod(compiler.folder.path().c_str(), 0700);
}

#ifndef __SANITIZE_ADDRESS__  // its leak check cannot look into a set-user-ID process, and calls that an error
TEST_CASE("case 44: with raised privileges no program is started, whoever names it, and the CPU interprets") {
    struct ::statvfs volume {};
    const tests::temporary_folder folder;
    std::stringstream process;
    process << std::ifstream("/proc/self/status").rdbuf();
    if (::geteuid() != 0 || ::statvfs(folder.path().c_str(), &volume) != 0 || (volume.f_flag & ST_NOSUID) != 0 ||
        process.str().find("NoNewPrivs:\t1") != std::string::npos || tests::is_emulated()) {
        MESSAGE("skipped: set-user-ID programs need root and a volume and a container that allow them");
        return;
    }
    constexpr ::uid_t other = 65534;
    const std::string program = folder.path() + "/kiln_test";
    const std::string started = folder.path() + "/started";
    fs::copy_file("/proc/self/exe", program);
    for (const char* name : {"c++", "g++", "clang++", "mine"})
        write_script(folder.path() + "/" + name, "echo $0 >> " + started + "; exit 1");
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    REQUIRE(::chown(program.c_str(), other, other) == 0);
    REQUIRE(::chmod(program.c_str(), 04755) == 0);

    const std::string output = folder.path() + "/output";
    const std::string mine = "KILN_CXX=" + folder.path() + "/mine";
    const std::string path = "PATH=" + folder.path();
    const std::string temporary = "TMPDIR=" + folder.path();
    const std::string filter = std::string("--test-case=child: elements* sums*");
    for (const bool names_one : {true, false}) {
        CAPTURE(names_one);
        const char* const arguments[] = {program.c_str(), "--no-skip", filter.c_str(), nullptr};
        const char* const environment[] = {path.c_str(), temporary.c_str(), names_one ? mine.c_str() : nullptr,
                                           nullptr};
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
        pid_t child = -1;
        REQUIRE(::posix_spawn(&child, program.c_str(), &files, nullptr, const_cast<char**>(arguments),
                              const_cast<char**>(environment)) == 0);
        posix_spawn_file_actions_destroy(&files);
        int status = -1;
        ::waitpid(child, &status, 0);
        std::stringstream text;
        text << std::ifstream(output).rdbuf();
        const std::string said = text.str();
        CAPTURE(said);
        CHECK(status == 0);
        CHECK(said.find("1 passed") != std::string::npos);
        // KILN_DEVICE counts as little as the others: where there is a GPU, that is used, with the system's own NVRTC.
        if (said.find(", sm_") == std::string::npos) {
            CHECK(said.find("compiled=false;") != std::string::npos);
            CHECK(tests::occurrences(said, "this process has rights that its caller has not") == 1);
        }
        CHECK_FALSE(fs::exists(started));
        for (const auto& each : fs::directory_iterator(folder.path()))
            CHECK_FALSE(each.path().filename().string().starts_with("kiln-"));
    }
}
#endif
