// compile/work_folder: private, where there is room, gone afterwards, and what others left is swept.
#include <support/changed_variable.hpp>
#include <support/child.hpp>
#include <support/processes.hpp>

#include <compile/work_folder.hpp>

#include <doctest/doctest.h>

#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using kiln::compile::temporary_folders;
using kiln::compile::work_folder;
using tests::changed_variable;
using tests::in_child;

std::string base_in(const std::string& parent) { return parent + "/kiln-" + std::to_string(::geteuid()); }

mode_t mode_of(const std::string& path) {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

}  // namespace

TEST_CASE("a work folder is the user's alone, and gone with the folder around it") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    const mode_t before = ::umask(0);
    {
        work_folder::trouble met;
        const work_folder first(met);
        const work_folder second(met);
        CHECK_EQ(met.why, "");
        CHECK_EQ(first.path().find(base_in(parent.path()) + "/" + std::to_string(::getpid()) + "-"), 0);
        CHECK(first.path() != second.path());
        CHECK_EQ(mode_of(first.path()), 0700);
        CHECK_EQ(mode_of(base_in(parent.path())), 0700);
        CHECK(first.write("a", "some bytes"));
        CHECK_EQ(mode_of(first.path_of("a")), 0600);
        CHECK_FALSE(first.write("a", "others"));
        fs::create_directories(first.path() + "/deep/er");
        fs::create_symlink(parent.path(), first.path() + "/link");
    }
    ::umask(before);
    CHECK(fs::is_empty(parent.path()));
}

TEST_CASE("only regular files are read, and only small ones") {
    work_folder::trouble met;
    const work_folder folder(met);
    REQUIRE(folder.write("a", "some bytes"));
    std::string bytes;
    CHECK(folder.read("a", 10, bytes) == work_folder::reading::done);
    CHECK_EQ(bytes, "some bytes");
    CHECK(folder.read("a", 9, bytes) == work_folder::reading::too_large);
    CHECK(folder.read("none", 10, bytes) == work_folder::reading::missing);
    REQUIRE(::mkfifo(folder.path_of("fifo").c_str(), 0600) == 0);
    CHECK(folder.read("fifo", 10, bytes) == work_folder::reading::failed);
    fs::create_symlink("a", folder.path_of("link"));
    CHECK(folder.read("link", 10, bytes) == work_folder::reading::failed);
    fs::create_directory(folder.path_of("folder"));
    CHECK(folder.read("folder", 10, bytes) == work_folder::reading::failed);
}

TEST_CASE("case 57: folders are tried in an order, and what is no absolute path is none") {
    const changed_variable temporary("TMPDIR", "/a/");
    const changed_variable runtime("XDG_RUNTIME_DIR", "relative");
    const changed_variable cache("XDG_CACHE_HOME", "/tmp");
    const changed_variable home("HOME", "/home/me");
    CHECK(temporary_folders() == std::vector<std::string>{"/a", "/tmp", "/dev/shm", "/var/tmp", "/home/me/.cache"});
    const changed_variable none("TMPDIR", nullptr);
    CHECK(temporary_folders().front() == "/tmp");
}

TEST_CASE("case 57: where a folder is missing or cannot be written to, the next is taken") {
    const tests::temporary_folder parent;
    const changed_variable missing("TMPDIR", (parent.path() + "/none").c_str());
    work_folder::trouble met;
    const work_folder folder(met);
    CHECK_FALSE(folder.path().empty());
    CHECK(folder.path().find(parent.path()) != 0);
    CHECK(met.why.find(parent.path() + "/none: No such file or directory") != std::string::npos);
}

TEST_CASE("case 57: a full folder is passed over by the next compile, too, until all are full") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    CHECK(in_child([&] {
              work_folder::trouble met;
              work_folder first(met);
              if (first.path().find(parent.path()) != 0) return 1;
              work_folder second(met, first);
              if (second.path().empty() || second.path().find(parent.path()) == 0) return 2;
              if (work_folder(met).path().find(parent.path()) == 0) return 3;
              first = std::move(second);
              return fs::is_empty(parent.path()) ? 0 : 4;
          }) == 0);
}

TEST_CASE("case 57: a file system without room says so") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: mounting a small file system needs root");
        return;
    }
    const tests::temporary_folder parent;
    if (::mount("none", parent.path().c_str(), "tmpfs", 0, "size=65536,mode=0700") != 0) {
        MESSAGE("skipped: no file system can be mounted here");
        return;
    }
    {
        const changed_variable temporary("TMPDIR", parent.path().c_str());
        CHECK(in_child([&] {
                  work_folder::trouble met;
                  const work_folder folder(met);
                  if (folder.path().find(parent.path()) != 0) return 1;
                  if (!folder.is_full()) return 2;
                  if (folder.write("large", std::string(1 << 20, 'x')) || errno != ENOSPC) return 3;
                  return 0;
              }) == 0);
    }
    work_folder::trouble met;
    CHECK_FALSE(work_folder(met).is_full());
    ::umount(parent.path().c_str());
}

TEST_CASE(
    "case 44: a folder that others can change is not written to, and a name that others have taken is left alone") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    const auto is_passed_over = [&] {
        return in_child([&] {
                   work_folder::trouble met;
                   const work_folder folder(met);
                   if (folder.path().empty() || folder.path().find(parent.path()) == 0) return 1;
                   return met.why.find(parent.path()) == 0 ? 0 : 2;
               }) == 0;
    };
    ::chmod(parent.path().c_str(), 0777);
    CHECK(is_passed_over());
    CHECK(fs::is_empty(parent.path()));
    ::chmod(parent.path().c_str(), 01777);
    CHECK_FALSE(is_passed_over());

    const tests::temporary_folder elsewhere;
    fs::create_directory_symlink(elsewhere.path(), base_in(parent.path()));
    CHECK(is_passed_over());
    CHECK(fs::is_empty(elsewhere.path()));
    fs::remove(base_in(parent.path()));
    std::ofstream(base_in(parent.path())) << "a file";
    CHECK(is_passed_over());
    fs::remove(base_in(parent.path()));
    fs::create_directory(base_in(parent.path()));
    ::chmod(base_in(parent.path()).c_str(), 0770);
    CHECK(is_passed_over());
    ::chmod(base_in(parent.path()).c_str(), 0700);
    if (::geteuid() == 0) {
        REQUIRE(::chown(base_in(parent.path()).c_str(), 65534, 65534) == 0);
        CHECK(is_passed_over());
    }
}

TEST_CASE("case 51: what a killed process has left is swept by the next, what is in use or another's stays") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    const std::string ready = parent.path() + "/ready";
    const auto start = [&] {
        const pid_t child = ::fork();
        if (child != 0) return child;
        work_folder::trouble met;
        const work_folder folder(met);
        static_cast<void>(folder.write("kernel.cpp", "int a;"));
        std::ofstream(ready + std::to_string(::getpid())) << folder.path();
        for (;;) ::pause();
    };
    const pid_t killed = start();
    const pid_t living = start();
    for (const pid_t each : {killed, living}) REQUIRE(tests::appears_within(ready + std::to_string(each), 10.0));
    ::kill(killed, SIGKILL);
    ::waitpid(killed, nullptr, 0);
    // Names that kiln does not give, and a folder that is only young: another container's process may own it.
    const std::string base = base_in(parent.path());
    fs::create_directory(base + "/notes");
    fs::create_directory(base + "/12-x");
    std::ofstream(base + "/" + std::to_string(killed) + "-9999") << "a file";
    const auto folders_of = [&](pid_t process) {
        int count = 0;
        for (const auto& each : fs::directory_iterator(base))
            count += each.is_directory() && each.path().filename().string().starts_with(std::to_string(process) + "-");
        return count;
    };
    CHECK_EQ(folders_of(killed), 1);

    CHECK(in_child([] {
              work_folder::trouble met;
              return work_folder(met).path().empty() ? 1 : 0;
          }) == 0);
    CHECK_EQ(folders_of(killed), 0);
    CHECK_EQ(folders_of(living), 1);
    CHECK(fs::exists(base + "/notes"));
    CHECK(fs::exists(base + "/12-x"));
    CHECK(fs::exists(base + "/" + std::to_string(killed) + "-9999"));
    ::kill(living, SIGKILL);
    ::waitpid(living, nullptr, 0);
}

TEST_CASE("case 51: a folder of a living process's number goes when nobody holds it for an hour") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    const std::string base = base_in(parent.path());
    fs::create_directory(base);
    ::chmod(base.c_str(), 0700);
    const std::string old = base + "/" + std::to_string(::getpid()) + "-1000000";
    const std::string young = base + "/" + std::to_string(::getpid()) + "-1000001";
    const std::string held = base + "/" + std::to_string(::getpid()) + "-1000002";
    for (const std::string& each : {old, young, held}) fs::create_directory(each);
    for (const std::string& each : {old, held})
        fs::last_write_time(each, fs::last_write_time(each) - std::chrono::hours(2));
    const int lock = ::open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(::flock(lock, LOCK_EX) == 0);
    CHECK(in_child([] {
              work_folder::trouble met;
              return work_folder(met).path().empty() ? 1 : 0;
          }) == 0);
    CHECK_FALSE(fs::exists(old));
    CHECK(fs::exists(young));
    CHECK(fs::exists(held));
    ::close(lock);
}

TEST_CASE("case 51: processes that make and remove folders at once stay out of each other's way") {
    const tests::temporary_folder parent;
    const changed_variable temporary("TMPDIR", parent.path().c_str());
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (int round = 0; round < 50; ++round) {
                work_folder::trouble met;
                const work_folder folder(met);
                if (folder.path().find(parent.path()) != 0 || !folder.write("a", "b")) ::_exit(1);
                std::string bytes;
                if (folder.read("a", 10, bytes) != work_folder::reading::done) ::_exit(2);
            }
            ::_exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t each : children) {
        int status = -1;
        ::waitpid(each, &status, 0);
        CHECK_EQ(status, 0);
    }
    CHECK(fs::is_empty(parent.path()));
}

TEST_CASE("case 52: beyond RLIMIT_FSIZE nothing is written, and the program lives") {
    CHECK(in_child([] {
              work_folder::trouble met;
              const work_folder folder(met);
              const rlimit small{100, 100};
              ::setrlimit(RLIMIT_FSIZE, &small);
              if (folder.write("large", std::string(101, 'x')) || errno != EFBIG) return 1;
              return folder.write("small", std::string(100, 'x')) ? 0 : 2;
          }) == 0);
}
