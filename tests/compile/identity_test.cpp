// compile/identity: what a file is, told by its content alone, and from damaged files without harm.
#include <support/child.hpp>

#include <compile/identity.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using kiln::compile::file_identity;
using kiln::compile::program_loader;

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::string read_file(const std::string& path) {
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

constexpr const char* an_elf_program = "/bin/sh";

}  // namespace

TEST_CASE("case 47: a file is what it holds: not its path, not its time, not the link to it") {
    const tests::temporary_folder folder;
    const std::string first = folder.path() + "/first";
    const std::string second = folder.path() + "/second";
    write_file(first, "#!/bin/sh\nexec g++ \"$@\"\n");
    const std::string identity = file_identity(first);
    CHECK(identity.find("content ") == 0);
    fs::copy(first, second);
    fs::last_write_time(second, fs::last_write_time(first) + std::chrono::hours(24));
    fs::create_symlink(second, folder.path() + "/link");
    CHECK_EQ(file_identity(second), identity);
    CHECK_EQ(file_identity(folder.path() + "/link"), identity);
    // The same size and the same time.
    const auto time = fs::last_write_time(first);
    write_file(first, "#!/bin/sh\nexec c++ \"$@\"\n");
    fs::last_write_time(first, time);
    CHECK(file_identity(first) != identity);
}

TEST_CASE("a program is told by its build id and its size") {
    const std::string identity = file_identity(an_elf_program);
    if (identity.find("build-id ") != 0) {
        MESSAGE("skipped: ", an_elf_program, " has no build id");
        return;
    }
    CHECK(identity.find(" " + std::to_string(fs::file_size(an_elf_program)) + " bytes") != std::string::npos);
    const tests::temporary_folder folder;
    const std::string longer = folder.path() + "/longer";
    write_file(longer, read_file(an_elf_program) + "x");
    CHECK(file_identity(longer) != identity);
    CHECK(file_identity(longer).substr(0, 40) == identity.substr(0, 40));
}

TEST_CASE("what is no regular file, or none at all, has no identity") {
    const tests::temporary_folder folder;
    CHECK_EQ(file_identity(folder.path()), "");
    CHECK_EQ(file_identity(folder.path() + "/none"), "");
    CHECK_EQ(file_identity(""), "");
    REQUIRE(::mkfifo((folder.path() + "/fifo").c_str(), 0600) == 0);
    CHECK_EQ(file_identity(folder.path() + "/fifo"), "");  // and nobody waits for who might write into it
    write_file(folder.path() + "/empty", "");
    CHECK(file_identity(folder.path() + "/empty").find("content ") == 0);
}

TEST_CASE("a file of several megabytes is told from one that differs in a byte anywhere") {
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/large";
    std::string bytes((std::size_t{2} << 20) + 12345, 'a');
    write_file(path, bytes);
    const std::string identity = file_identity(path);
    for (const std::size_t at : {std::size_t{0}, std::size_t{1} << 20, bytes.size() - 1}) {
        std::string other = bytes;
        other[at] = 'b';
        write_file(path, other);
        CHECK(file_identity(path) != identity);
    }
}

TEST_CASE("damaged headers are read without harm, and the loader is found in whole ones") {
    const tests::temporary_folder folder;
    const std::string whole = read_file(an_elf_program);
    const std::string path = folder.path() + "/damaged";
    CHECK(program_loader(an_elf_program).find("/l") == 0);
    CHECK_EQ(program_loader(__FILE__), "");
    CHECK_EQ(program_loader(folder.path()), "");
    for (std::size_t at = 0; at < 64 + 14 * 56; ++at) {
        std::string bytes = whole.substr(0, 8192);
        bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
        write_file(path, bytes);
        CHECK(!file_identity(path).empty());
        static_cast<void>(program_loader(path));
    }
    for (std::size_t length = 0; length < 4096; length += 37) {
        write_file(path, whole.substr(0, length));
        CHECK(!file_identity(path).empty());
    }
}
