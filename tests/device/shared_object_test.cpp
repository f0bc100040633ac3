// device/cpu/shared_object: what is loaded, what is refused, and that nothing is left behind.
#include <support/child.hpp>

#include <compile/host_compiler.hpp>
#include <device/cpu/cpu_device.hpp>
#include <device/cpu/shared_object.hpp>

#include <doctest/doctest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using kiln::backend::shared_object;

/// Empty where there is no compiler.
std::string object_returning(int number) {
    const auto compiler = kiln::compile::host_toolchain::find();
    if (!compiler) return {};
    return compiler->compile({"answer", "extern \"C\" int answer() { return " + std::to_string(number) + "; }\n"})
        .bytes;
}

int answer_of(const shared_object& object) {
    void* const found = object.symbol("answer");
    REQUIRE(found != nullptr);
    return reinterpret_cast<int (*)()>(found)();
}

#if defined(__x86_64__)
/// From here on this process may map no file as code, as on a machine whose folders are all mounted noexec.
bool forbid_mapping_code() {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{sizeof(program) / sizeof(*program), program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#endif

}  // namespace

TEST_CASE("two objects with the same symbol are loaded beside each other") {
    const std::string one = object_returning(1);
    const std::string two = object_returning(2);
    if (one.empty()) return;
    const shared_object::opening first = shared_object::open(one);
    const shared_object::opening second = shared_object::open(two);
    REQUIRE(first.object);
    REQUIRE(second.object);
    CHECK_EQ(answer_of(*first.object), 1);
    CHECK_EQ(answer_of(*second.object), 2);
    CHECK(first.object->symbol("question") == nullptr);
}

TEST_CASE("a kernel that takes another's place in memory is the new one") {
    for (int number = 0; number < 8; ++number) {
        const std::string bytes = object_returning(number);
        if (bytes.empty()) return;
        const shared_object::opening opened = shared_object::open(bytes);
        REQUIRE(opened.object);
        CHECK_EQ(answer_of(*opened.object), number);
    }
}

TEST_CASE("loading leaves no file behind, and neither does refusing") {
    const tests::temporary_folder folder;
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before ? before : "";
    setenv("TMPDIR", folder.path().c_str(), 1);
    const std::string bytes = object_returning(3);
    if (!bytes.empty()) CHECK(shared_object::open(bytes).object);
    CHECK(!shared_object::open("no ELF").object);
    if (before) setenv("TMPDIR", kept.c_str(), 1);
    else unsetenv("TMPDIR");
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("bytes that are no shared object for this machine are refused without harm") {
    const std::string whole = object_returning(4);
    if (whole.empty()) return;
    const auto refuses = [](const std::string& bytes) {
        const shared_object::opening opened = shared_object::open(bytes);
        return !opened.object && opened.how == shared_object::outcome::refused && !opened.why.empty();
    };
    CHECK(refuses(""));
    CHECK(refuses("\177ELF"));
    CHECK(refuses(std::string(100000, 'x')));
    std::string other_machine = whole;
    other_machine[18] = static_cast<char>(0x28);  // e_machine: 32-bit ARM
    CHECK(refuses(other_machine));
    // Cut anywhere inside what would be mapped: dlopen alone would end the process by SIGBUS.
    for (std::size_t length = 1; length < 4096 && length < whole.size(); length += 61)
        CHECK(refuses(whole.substr(0, length)));
}

#if defined(__x86_64__)
TEST_CASE("where no folder's files may run, that is told from a bad object") {
    const std::string bytes = object_returning(5);
    if (bytes.empty()) return;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (!forbid_mapping_code()) ::_exit(77);
        const shared_object::opening opened = shared_object::open(bytes);
        std::string why;
        const bool is_told = !opened.object && opened.how == shared_object::outcome::nowhere &&
                             !shared_object::can_run(why) && opened.why.find("cannot be run") != std::string::npos &&
                             why == opened.why;
        // Found out before programs are planned for compiled code.
        const std::unique_ptr<kiln::backend::device> interprets = kiln::backend::make_cpu_device();
        ::_exit(is_told && !interprets->toolchain() && !interprets->target().persistent_rows ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}
#endif
