// tests/jit_cache/trust: the rule, on real files.
#include "support.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

using namespace support;
namespace trust = jit_cache::trust;

namespace {

// A folder of one's own below "/", since /tmp and /dev/shm are everybody's: there owners are asked for in any case.
struct private_place {
    temporary_folder folder;
    fs::path program = folder.path() / "bin" / "tool";
    private_place() {
        fs::create_directory(program.parent_path());
        overwrite(program, "#!/bin/sh\n");
        REQUIRE(::chmod(program.c_str(), 0755) == 0);
    }
};

}  // namespace

TEST_CASE("a variable that is unset, and one that is empty, are nothing") {
    ::unsetenv("KILN_TEST_VARIABLE");
    CHECK(trust::environment("KILN_TEST_VARIABLE").empty());
    ::setenv("KILN_TEST_VARIABLE", "", 1);
    CHECK(trust::environment("KILN_TEST_VARIABLE").empty());
    ::setenv("KILN_TEST_VARIABLE", "value", 1);
    CHECK(trust::environment("KILN_TEST_VARIABLE") == "value");
    ::unsetenv("KILN_TEST_VARIABLE");
    CHECK_FALSE(trust::has_raised_privileges());
}

TEST_CASE("programs of one's own and of root are trusted, however they were found") {
    const private_place place;
    for (const trust::chosen_by how : {trust::chosen_by::name, trust::chosen_by::search}) {
        CHECK(trust::distrust_program(place.program, how) == "");
        CHECK(trust::distrust_program("/bin/sh", how) == "");
    }
    CHECK(trust::distrust_program((place.program.parent_path() / "missing").string(), trust::chosen_by::name) != "");
}

TEST_CASE("a program that others can write, and one in a folder that others can write, are not") {
    const private_place place;
    for (const fs::path& part : {place.program, place.program.parent_path(), place.folder.path()}) {
        CAPTURE(part);
        struct ::stat before {};
        REQUIRE(::stat(part.c_str(), &before) == 0);
        for (const mode_t mode : {mode_t{0777}, mode_t{0757}}) {
            REQUIRE(::chmod(part.c_str(), mode) == 0);
            for (const trust::chosen_by how : {trust::chosen_by::name, trust::chosen_by::search}) {
                const std::string why = trust::distrust_program(place.program, how);
                CHECK(why.find(part.string() + ": owner uid") != std::string::npos);
            }
        }
        if (fs::is_directory(part)) {
            // The sticky bit keeps others from moving what is in it.
            REQUIRE(::chmod(part.c_str(), 01777) == 0);
            CHECK(trust::distrust_program(place.program, trust::chosen_by::search) == "");
        }
        REQUIRE(::chmod(part.c_str(), before.st_mode & 07777) == 0);
    }
}

TEST_CASE("a link is followed, and each folder on the way is looked at") {
    const private_place place;
    const temporary_folder elsewhere;
    const fs::path link = elsewhere.path() / "tool";
    fs::create_symlink(place.program, link);
    CHECK(trust::distrust_program(link, trust::chosen_by::search) == "");
    fs::create_symlink("tool", elsewhere.path() / "again");
    CHECK(trust::distrust_program(elsewhere.path() / "again", trust::chosen_by::search) == "");
    CHECK(trust::distrust_program((elsewhere.path() / "." / ".." / elsewhere.path().filename() / "tool").string(),
                                  trust::chosen_by::search) == "");
    REQUIRE(::chmod(place.program.c_str(), 0777) == 0);
    CHECK(trust::distrust_program(link, trust::chosen_by::name) != "");
    REQUIRE(::chmod(place.program.c_str(), 0755) == 0);
    REQUIRE(::chmod(elsewhere.path().c_str(), 0777) == 0);
    CHECK(trust::distrust_program(link, trust::chosen_by::name) != "");
    REQUIRE(::chmod(elsewhere.path().c_str(), 0700) == 0);
    fs::create_symlink("loop", elsewhere.path() / "loop");
    CHECK(trust::distrust_program(elsewhere.path() / "loop", trust::chosen_by::name) != "");
}

TEST_CASE("a program of another user is trusted only where it was named, and not below a folder of everybody's") {
    if (!is_root()) {
        MESSAGE("skipped: giving a file away needs root");
        return;
    }
    const private_place place;
    REQUIRE(::chown(place.program.c_str(), 1, 1) == 0);
    const std::string why = trust::distrust_program(place.program, trust::chosen_by::search);
    CHECK(why.find("owner uid 1") != std::string::npos);
    // It lies in /dev/shm or /tmp, where anybody may have made it.
    CHECK(trust::distrust_program(place.program, trust::chosen_by::name) != "");
    const fs::path own = "/kiln_trust_test";
    fs::create_directory(own);
    overwrite(own / "tool", "");
    REQUIRE(::chmod((own / "tool").c_str(), 0755) == 0);
    REQUIRE(::chown((own / "tool").c_str(), 1, 1) == 0);
    const std::string named = trust::distrust_program(own / "tool", trust::chosen_by::name);
    const std::string searched = trust::distrust_program(own / "tool", trust::chosen_by::search);
    fs::remove_all(own);
    CHECK(named == "");
    CHECK(searched != "");
}

TEST_CASE("a shared folder needs the sticky bit") {
    const temporary_folder folder;
    CHECK(trust::distrust_shared_folder(folder.path()) == "");
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    CHECK(trust::distrust_shared_folder(folder.path()).find("sticky") != std::string::npos);
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    CHECK(trust::distrust_shared_folder(folder.path()) == "");
    CHECK(trust::distrust_shared_folder(folder.path() / "missing") != "");
    overwrite(folder.path() / "file", "");
    CHECK(trust::distrust_shared_folder(folder.path() / "file") != "");
}

TEST_CASE("case 61: printable text holds no byte that moves a cursor, and says which there were") {
    CHECK(jit_cache::printable("plain, \xc3\xa4") == "plain, \xc3\xa4");
    CHECK(jit_cache::printable("\x1b[2J\n") == "\\x1b[2J\\x0a");
    CHECK(jit_cache::printable("a\nb\tc\r", jit_cache::lines::many) == "a\nb\tc\\x0d");
    CHECK(jit_cache::printable("\xe2\x80\xae"
                               "abc") ==
          "\\xe2\\x80\\xae"
          "abc");  // right to left from here on
    CHECK(jit_cache::printable("\xff\xc0\x80") == "\\xff\\xc0\\x80");
    CHECK(jit_cache::printable(std::string("\0", 1)) == "\\x00");
}

TEST_CASE("case 61: warnings about paths with escape bytes are printable") {
    const temporary_folder folder;
    const fs::path odd = folder.path() / "a\x1b[31m\nb";
    overwrite(odd, "not a folder");
    warnings said;
    ask_anew(odd, said, 1);
    REQUIRE(said.count() == 1);
    CHECK(said.all()[0].find('\x1b') == std::string::npos);
    CHECK(said.all()[0].find('\n') == std::string::npos);
    CHECK(said.name("\\x1b[31m\\x0ab"));
}
