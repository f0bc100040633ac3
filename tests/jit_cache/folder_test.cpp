// tests/jit_cache/folder: roots that are missing, unsafe, read-only, or no folder at all.
#include "support.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

using jit_cache::origin;
using namespace support;

namespace {

// Two kernels, twice each: right answers from memory only, and one warning that names the path.
void is_memory_only(const fs::path& directory, const std::vector<std::string>& named) {
    warnings said;
    for (int run = 0; run < 2; ++run) {
        warnings this_run;
        jit_cache::store store(settings_for(directory, this_run));
        for (const int number : {1, 2}) {
            CHECK(ask(store, number).from == origin::made);
            const outcome again = ask(store, number);
            CHECK(again.from == origin::memory);
            CHECK(again.right);
        }
        CHECK(this_run.count() == 1);
        for (const std::string& part : named) {
            CAPTURE(part);
            CHECK(this_run.name(part));
        }
    }
}

mode_t mode_of(const fs::path& path) {
    struct ::stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("the folder, its missing parents and its shards are private to the user, and so are the entries") {
    const temporary_folder folder;
    warnings said;
    const fs::path root = folder.path() / "a" / "b" / "cache";
    const mode_t before = ::umask(0);
    ask_anew(root, said, 1);
    ::umask(before);
    CHECK(mode_of(folder.path() / "a") == 0700);
    CHECK(mode_of(folder.path() / "a" / "b") == 0700);
    CHECK(mode_of(root) == 0700);
    CHECK(mode_of(file_of(root, 1).parent_path()) == 0700);
    CHECK(mode_of(file_of(root, 1)) == 0600);
    CHECK(said.count() == 0);
}

TEST_CASE("case 16: a folder deleted while the program runs is made again") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    CHECK(ask(store, 1).right);
    fs::remove_all(folder.cache());
    CHECK(ask(store, 1).from == origin::memory);
    CHECK(ask(store, 2).right);
    store.forget_memory();
    CHECK(ask(store, 2).from == origin::disk);
    CHECK(ask(store, 1).from == origin::made);
    CHECK(said.count() == 0);
}

TEST_CASE("case 21: a cache path that is a file means memory only, and the file stays") {
    const temporary_folder folder;
    overwrite(folder.cache(), "not a folder");
    is_memory_only(folder.cache(), {folder.cache().string(), "not a folder"});
    CHECK(contents(folder.cache()) == "not a folder");
}

TEST_CASE("case 21: a cache path below a file means memory only") {
    const temporary_folder folder;
    overwrite(folder.path() / "file", "");
    is_memory_only(folder.path() / "file" / "cache", {(folder.path() / "file" / "cache").string()});
}

TEST_CASE("case 27: a root that others can write means memory only, and the warning names owner and mode") {
    for (const mode_t mode : {mode_t{0777}, mode_t{0770}, mode_t{0702}}) {
        const temporary_folder folder;
        warnings said;
        ask_anew(folder.cache(), said, 1);
        REQUIRE(::chmod(folder.cache().c_str(), mode) == 0);
        char text[8];
        std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode));
        is_memory_only(folder.cache(), {folder.cache().string(), "uid " + std::to_string(::geteuid()), text});
        CHECK_FALSE(fs::exists(file_of(folder.cache(), 2)));
    }
}

TEST_CASE("case 27: a root of another owner means memory only, and the warning names owner and mode") {
    if (!is_root()) {
        MESSAGE("skipped: giving a folder away needs root");
        return;
    }
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    REQUIRE(::chown(folder.cache().c_str(), nobody, nobody) == 0);
    is_memory_only(folder.cache(), {folder.cache().string(), "uid 65534", "0700"});
}

TEST_CASE("case 27: a root that is a symbolic link means memory only, however the path is spelt") {
    const temporary_folder folder;
    const fs::path real = folder.path() / "real";
    fs::create_directory(real);
    REQUIRE(::chmod(real.c_str(), 0700) == 0);
    fs::create_directory_symlink(real, folder.cache());
    for (const char* end : {"", "/", "//", "/.", "/./"}) {
        CAPTURE(end);
        is_memory_only(folder.cache().string() + end, {folder.cache().string(), "symbolic link", "owner uid"});
    }
    CHECK(fs::is_empty(real));
}

TEST_CASE("a root below a symbolic link is as good as any") {
    const temporary_folder folder;
    const temporary_folder elsewhere;
    warnings said;
    fs::create_directory_symlink(elsewhere.path(), folder.path() / "home");
    ask_anew(folder.path() / "home" / "cache", said, 1);
    CHECK(ask_anew(folder.path() / "home" / "cache", said, 1).from == origin::disk);
    CHECK(said.count() == 0);
}

TEST_CASE("case 27: a shard that is a symbolic link is not followed") {
    const temporary_folder folder;
    const temporary_folder elsewhere;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path shard = file_of(folder.cache(), 1).parent_path();
    fs::rename(shard, elsewhere.path() / "shard");
    fs::create_directory_symlink(elsewhere.path() / "shard", shard);
    const std::string there = contents(elsewhere.path() / "shard" / file_of(folder.cache(), 1).filename());
    const outcome next = ask_anew(folder.cache(), said, 1);
    CHECK(next.from == origin::made);
    CHECK(next.right);
    CHECK(said.count() == 1);
    CHECK(said.name(shard.string()));
    CHECK(contents(elsewhere.path() / "shard" / file_of(folder.cache(), 1).filename()) == there);
}

TEST_CASE("case 27: a shard that others can write is not trusted") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path shard = file_of(folder.cache(), 1).parent_path();
    REQUIRE(::chmod(shard.c_str(), 0777) == 0);
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::made);
    CHECK(said.count() == 1);
    CHECK(said.name(shard.string()));
}

TEST_CASE("case 19: a read-only folder gives hits, and nothing is written") {
    if (!is_root()) {
        MESSAGE("runs as this user");
    }
    const auto body = []() -> std::string {
        const temporary_folder folder;
        warnings said;
        ask_anew(folder.cache(), said, 1);
        const fs::path file = file_of(folder.cache(), 1);
        for (const fs::path& one : {file.parent_path(), root_of(folder.cache()), folder.cache()}) {
            if (::chmod(one.c_str(), 0500) != 0) return "chmod failed";
        }
        if (::chmod(file.c_str(), 0400) != 0) return "chmod failed";
        std::string trouble;
        if (ask_anew(folder.cache(), said, 1).from != origin::disk) trouble += "no hit. ";
        if (said.count() != 0) trouble += "a hit warns. ";
        {
            jit_cache::store store(settings_for(folder.cache(), said));
            for (int number = 2; number < 6; ++number) {
                if (!ask(store, number).right) trouble += "a wrong answer. ";
            }
        }
        if (said.count() != 1 || !said.name(folder.cache().string())) trouble += "not one warning with the path. ";
        if (jit_cache::scan(folder.cache()).entries.size() != 1) trouble += "something was written. ";
        for (const fs::path& one : {folder.cache(), root_of(folder.cache()), file.parent_path()})
            ::chmod(one.c_str(), 0700);
        return trouble;
    };
    CHECK((is_root() ? in_child_as(nobody, body) : in_child(body)) == "");
}

TEST_CASE("case 20: a home in which nothing can be created means memory only") {
    const auto body = []() -> std::string {
        warnings said;
        jit_cache::store store(settings_for("/jit_cache_test/home/.cache/kiln", said));
        for (const int number : {1, 2}) {
            if (!ask(store, number).right) return "a wrong answer";
        }
        if (said.count() != 1) return "not one warning";
        return said.name("/jit_cache_test/home/.cache/kiln: Permission denied") ? "" : "the warning: " + said.all()[0];
    };
    CHECK((is_root() ? in_child_as(nobody, body) : in_child(body)) == "");
}

TEST_CASE("an entry without read permission is a miss, kept, with one warning") {
    const auto body = []() -> std::string {
        const temporary_folder folder;
        warnings said;
        ask_anew(folder.cache(), said, 1);
        const fs::path file = file_of(folder.cache(), 1);
        const std::string before = contents(file);
        if (::chmod(file.c_str(), 0000) != 0) return "chmod failed";
        if (!ask_anew(folder.cache(), said, 1).right) return "a wrong answer";
        if (said.count() != 1 || !said.name(file.string())) return "not one warning that names the file";
        ::chmod(file.c_str(), 0600);
        return contents(file) == before ? "" : "the entry was replaced";
    };
    CHECK((is_root() ? in_child_as(nobody, body) : in_child(body)) == "");
}

TEST_CASE("case 30: a path that is not UTF-8 works") {
    const temporary_folder folder;
    warnings said;
    const fs::path root = folder.path() / "caf\xe9\x1b[31m";
    ask_anew(root, said, 1);
    CHECK(ask_anew(root, said, 1).from == origin::disk);
    CHECK(said.count() == 0);
}

TEST_CASE("case 30: a path longer than the system allows means memory only") {
    const temporary_folder folder;
    std::string path = folder.path().string();
    while (path.size() < 5000) path += "/a_rather_long_name";
    is_memory_only(path, {path});
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a relative path keeps its meaning when the working folder changes") {
    const temporary_folder folder;
    const auto body = [&]() -> std::string {
        warnings said;
        if (::chdir(folder.path().c_str()) != 0) return "no chdir";
        jit_cache::store store(settings_for("cache", said));
        ask(store, 1);
        if (::chdir("/") != 0) return "no chdir";
        ask(store, 2);
        return fs::exists(file_of(folder.cache(), 1)) && fs::exists(file_of(folder.cache(), 2)) ? ""
                                                                                                : "not in one folder";
    };
    CHECK(in_child(body) == "");
}

TEST_CASE("case 55: root makes no folder in a home that is somebody else's, who could then not write it") {
    if (!is_root()) {
        MESSAGE("skipped: needs root and a home that is not root's");
        return;
    }
    const temporary_folder folder;
    const fs::path home = folder.path() / "home";
    fs::create_directory(home);
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    REQUIRE(::chown(home.c_str(), nobody, nobody) == 0);
    is_memory_only(home / ".cache" / "kiln", {(home / ".cache" / "kiln").string(), "uid 65534"});
    CHECK(fs::is_empty(home));
    // Where the user has made it, root neither reads what the user may have put there nor writes to it.
    CHECK(in_child_as(nobody, [&]() -> std::string {
              warnings said;
              return ask_anew(home / ".cache" / "kiln", said, 1).right && said.count() == 0 ? "" : "the user cannot";
          }) == "");
    is_memory_only(home / ".cache" / "kiln", {"uid 65534"});
    CHECK(in_child_as(nobody, [&]() -> std::string {
              warnings said;
              return ask_anew(home / ".cache" / "kiln", said, 1).from == origin::disk ? "" : "the user's is gone";
          }) == "");
}

// AddressSanitizer's leak check cannot look into a set-user-ID process, and calls that an error; an emulator has its own privileges.
#if !defined(__SANITIZE_ADDRESS__) && !defined(JIT_CACHE_IS_EMULATED)
TEST_CASE("case 29 and 44: a set-user-ID program keeps to memory and says so") {
    struct ::statvfs volume {};
    const temporary_folder folder(fs::temp_directory_path());  // volumes in memory refuse set-user-ID programs
    std::ifstream status("/proc/self/status");
    const std::string process((std::istreambuf_iterator<char>(status)), {});
    if (!is_root() || ::statvfs(folder.path().c_str(), &volume) != 0 || (volume.f_flag & ST_NOSUID) != 0 ||
        process.find("NoNewPrivs:\t1") != std::string::npos) {
        MESSAGE("skipped: set-user-ID programs need root and a volume and a container that allow them");
        return;
    }
    constexpr unsigned owner = 1;
    const fs::path program = folder.path() / "helper";
    fs::copy_file(JIT_CACHE_HELPER, program);
    fs::create_directory(folder.cache());
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    REQUIRE(::chmod(folder.cache().c_str(), 0700) == 0);
    REQUIRE(::chown(folder.cache().c_str(), owner, owner) == 0);
    REQUIRE(::chown(program.c_str(), owner, owner) == 0);
    REQUIRE(::chmod(program.c_str(), 04755) == 0);
    const std::string trouble = in_child_as(nobody, [&]() -> std::string {
        const finished ran = run({program.string(), folder.cache().string(), "3", "1"});
        if (ran.exit_code != 0) return "exit code " + std::to_string(ran.exit_code) + ran.errors;
        if (ran.output.find("warning " + folder.cache().string()) == std::string::npos ||
            ran.output.find("raised privileges") == std::string::npos) {
            return "said: " + ran.output;
        }
        return "";
    });
    CHECK(trouble == "");
    CHECK(fs::is_empty(folder.cache()));
}
#endif
