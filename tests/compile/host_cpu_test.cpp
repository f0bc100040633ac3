// compile/host_cpu: what the processor says of itself, without a file.
#include <compile/host_cpu.hpp>

#include <doctest/doctest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace {

/// From here on this process is killed if it opens a file.
bool forbid_opening() {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#if defined(SYS_open)
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 2, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 2, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const sock_fprog filter{sizeof(program) / sizeof(*program), program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

TEST_CASE("the target names the architecture and a hash of what the processor can do") {
    const kiln::compile::host_cpu& cpu = kiln::compile::this_host_cpu();
    CHECK(!cpu.model.empty());
    CHECK(cpu.target.find(cpu.architecture + "+") == 0);
    CHECK_EQ(cpu.target.size(), cpu.architecture.size() + 1 + 16);
}

TEST_CASE("case 56: the processor is asked itself, and no file is opened for it") {
    const std::string known = kiln::compile::this_host_cpu().target;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (!forbid_opening()) ::_exit(77);
        ::_exit(kiln::compile::read_host_cpu().target == known ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

TEST_CASE("case 56: whichever core is asked, the target is the same") {
    const std::string known = kiln::compile::this_host_cpu().target;
    for (int again = 0; again < 100; ++again) CHECK_EQ(kiln::compile::read_host_cpu().target, known);
}

#if defined(__x86_64__)
TEST_CASE("the model is what /proc/cpuinfo calls it, where there is one") {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) {
            CHECK_EQ(kiln::compile::this_host_cpu().model, line.substr(line.find(": ") + 2));
            return;
        }
    MESSAGE("skipped: no /proc/cpuinfo");
}
#endif
