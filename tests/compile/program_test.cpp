// compile/program: words as a shell splits them, PATH as it is searched, and whom a program may belong to.
#include <support/changed_variable.hpp>
#include <support/child.hpp>

#include <compile/program.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using kiln::compile::find_program;
using kiln::compile::find_trusted_program;
using kiln::compile::named;
using kiln::compile::program_search;
using kiln::compile::shell_words;
using kiln::compile::trusted_search_path;
using tests::changed_variable;
using words = std::vector<std::string>;

void write_script(const std::string& path) {
    std::ofstream(path) << "#!/bin/sh\nexit 0\n";
    ::chmod(path.c_str(), 0755);
}

}  // namespace

TEST_CASE("case 60: a line is split as a shell splits it") {
    CHECK(shell_words("").empty());
    CHECK(shell_words("  \t ").empty());
    CHECK(shell_words("g++") == words{"g++"});
    CHECK(shell_words("  ccache   g++\t-m64 ") == words{"ccache", "g++", "-m64"});
    CHECK(shell_words("'/opt/my compiler/g++' -pipe") == words{"/opt/my compiler/g++", "-pipe"});
    CHECK(shell_words("\"/opt/my compiler/g++\" -pipe") == words{"/opt/my compiler/g++", "-pipe"});
    CHECK(shell_words("/opt/my\\ compiler/g++ -pipe") == words{"/opt/my compiler/g++", "-pipe"});
    CHECK(shell_words("-DX='a b'c") == words{"-DX=a bc"});
    CHECK(shell_words("'' \"\"") == words{"", ""});
    CHECK(shell_words("'a\\b' \"a\\b\" \"a\\\"b\\\\\"") == words{"a\\b", "a\\b", "a\"b\\"});
    CHECK(shell_words("a\\") == words{"a\\"});
    CHECK(shell_words("it 'is open") == words{"it", "is open"});
    CHECK(shell_words("$HOME * `ls`") == words{"$HOME", "*", "`ls`"});
}

TEST_CASE("programs are found in PATH, in its order, if they can be run") {
    const tests::temporary_folder first;
    const tests::temporary_folder second;
    write_script(second.path() + "/tool");
    std::ofstream(first.path() + "/tool") << "no program";
    const std::string path = first.path() + "::relative:" + second.path();
    const changed_variable folders("PATH", path.c_str());
    CHECK_EQ(find_program("tool"), second.path() + "/tool");
    CHECK_EQ(find_program("other"), "");
    CHECK_EQ(find_program(second.path() + "/tool"), second.path() + "/tool");
    CHECK_EQ(find_program(first.path() + "/tool"), "");
    CHECK_EQ(find_program(""), "");
    CHECK_EQ(find_trusted_program("tool", named::in_general).path, second.path() + "/tool");
    CHECK_EQ(trusted_search_path(), first.path() + ":" + second.path());
}

TEST_CASE("a program named by a relative path keeps its meaning in another folder") {
    const tests::temporary_folder folder;
    write_script(folder.path() + "/tool");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    CHECK_EQ(find_program("./tool"), folder.path() + "/./tool");
    CHECK_EQ(find_trusted_program("./tool", named::for_kiln).path, folder.path() + "/./tool");
    std::filesystem::current_path(before);
}

TEST_CASE("case 44: a program that others can change is refused with the reason, and PATH is searched on behind it") {
    const tests::temporary_folder open;
    const tests::temporary_folder safe;
    for (const std::string& folder : {open.path(), safe.path()}) write_script(folder + "/tool");
    ::chmod(open.path().c_str(), 0777);
    const std::string path = open.path() + ":" + safe.path();
    const changed_variable folders("PATH", path.c_str());

    const program_search in_general = find_trusted_program("tool", named::in_general);
    CHECK_EQ(in_general.path, safe.path() + "/tool");
    REQUIRE(in_general.refused.size() == 1);
    CHECK(in_general.refused[0].find(open.path() + "/tool is not started: " + open.path() + ": owner uid ") == 0);
    CHECK(in_general.refused[0].find("mode 0777") != std::string::npos);
    CHECK_EQ(trusted_search_path(), safe.path());

    // What was named for kiln is not replaced by something else.
    for (const std::string& name : {std::string("tool"), open.path() + "/tool"}) {
        const program_search for_kiln = find_trusted_program(name, named::for_kiln);
        CHECK_EQ(for_kiln.path, "");
        CHECK_EQ(for_kiln.refused.size(), 1);
    }

    ::chmod(open.path().c_str(), 0700);
    ::chmod((open.path() + "/tool").c_str(), 0757);
    CHECK_EQ(find_trusted_program("tool", named::in_general).path, safe.path() + "/tool");
}

TEST_CASE("case 44: a program of another user's is started if KILN_CXX names it, and not if PATH has it") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: giving a file away needs root");
        return;
    }
    // Not below /tmp, where a name says nothing about whose a file is.
    std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kiln_test_XXXXXX";
    if (folder.starts_with("/tmp/")) {
        MESSAGE("skipped: this program lies below /tmp");
        return;
    }
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::string tool = folder + "/tool";
    write_script(tool);
    REQUIRE(::chown(tool.c_str(), 65534, 65534) == 0);
    const changed_variable folders("PATH", folder.c_str());
    CHECK_EQ(find_trusted_program(tool, named::for_kiln).path, tool);
    CHECK_EQ(find_trusted_program(tool, named::in_general).path, "");
    CHECK_EQ(find_trusted_program("tool", named::in_general).path, "");
    CHECK_EQ(find_trusted_program("tool", named::for_kiln).path, "");
    std::filesystem::remove_all(folder);
}
