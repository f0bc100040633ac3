// compile/compiler_identity: the same compiler is the same wherever it lies, another is another whatever stands in front.
#include <support/changed_variable.hpp>
#include <support/child.hpp>

#include <compile/compiler_identity.hpp>
#include <compile/program.hpp>
#include <compile/work_folder.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using kiln::compile::compiler_identity;
using kiln::compile::find_program;
using kiln::compile::identify_compiler;
using kiln::compile::process_options;
using kiln::compile::work_folder;

void write_script(const std::string& path, const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
}

/// Asked in a folder of its own, as host_toolchain does.
compiler_identity ask(std::vector<std::string> command, const std::string& path = "/usr/bin:/bin",
                      std::vector<std::string> environment = {}) {
    work_folder::trouble met;
    const work_folder folder(met);
    REQUIRE(folder.write("kernel.cpp", "\n"));
    process_options how;
    how.folder = folder.path();
    how.limits.seconds = 10;
    how.environment = {"LC_ALL=C", "TMPDIR=" + folder.path(), "PATH=" + path};
    how.environment.insert(how.environment.end(), environment.begin(), environment.end());
    const std::size_t leading = command.size() - 1;
    for (const char* each : {"-x", "c++", "-O3", "-march=native", "-shared", "-fPIC", "-pipe", "-nostdlib", "-nostdinc",
                             "-o", "kernel.so", "kernel.cpp", "-lm"})
        command.emplace_back(each);
    return identify_compiler(command, leading, how);
}

std::string fingerprint(std::vector<std::string> command, const std::string& path = "/usr/bin:/bin") {
    return ask(std::move(command), path).fingerprint;
}

std::string name_of(const std::string& fingerprint) { return fingerprint.substr(0, fingerprint.find(" [")); }

}  // namespace

TEST_CASE("a fingerprint says the compiler's name and version, then a hash of what it is") {
    const std::string gcc = find_program("g++");
    if (!gcc.empty()) {
        const compiler_identity known = ask({gcc});
        CAPTURE(known.fingerprint);
        CHECK(known.fingerprint.find("g++ ") == 0);
        CHECK(known.fingerprint.size() == name_of(known.fingerprint).size() + 2 + 32 + 1);
        CHECK(known.has_assembler);
        CHECK(known.failure.empty());
        CHECK_EQ(fingerprint({gcc}), known.fingerprint);
    }
    if (const std::string clang = find_program("clang++"); !clang.empty()) {
        const compiler_identity known = ask({clang});
        CAPTURE(known.fingerprint);
        CHECK(known.fingerprint.find("clang ") != std::string::npos);
        CHECK_FALSE(known.has_assembler);
        CHECK_EQ(fingerprint({clang}), known.fingerprint);
        CHECK(known.fingerprint != fingerprint({gcc}));
    }
}

TEST_CASE("case 47: the programs behind a compiler, and the libraries that they are made of, are part of what it is") {
    const auto knows = [](const compiler_identity& known, const std::string& part) {
        for (const std::string& each : known.files)
            if (each.find(part) != std::string::npos) return true;
        return false;
    };
    if (const std::string gcc = find_program("g++"); !gcc.empty()) {
        const compiler_identity known = ask({gcc});
        for (const char* part : {"cc1plus", "/as", "collect2", "/ld", "libc.so"})
            CHECK_MESSAGE(knows(known, part), part);
    }
    if (const std::string clang = find_program("clang++"); !clang.empty())
        for (const char* part : {"clang", "/ld"}) CHECK_MESSAGE(knows(ask({clang}), part), part);
}

TEST_CASE("case 47: a wrapper that changes is another compiler, one that is written again is the same") {
    const std::string gcc = find_program("g++");
    if (gcc.empty()) return;
    const tests::temporary_folder folder;
    const std::string wrapper = folder.path() + "/c++";
    write_script(wrapper, "exec " + gcc + " \"$@\"");
    const std::string plain = fingerprint({wrapper});
    CHECK_EQ(name_of(plain), name_of(fingerprint({gcc})));
    CHECK(plain != fingerprint({gcc}));
    // A flag that changes kernels, and the same again with another date.
    write_script(wrapper, "exec " + gcc + " -DX=1 \"$@\"");
    CHECK(fingerprint({wrapper}) != plain);
    write_script(wrapper, "exec " + gcc + " \"$@\"");
    fs::last_write_time(wrapper, fs::last_write_time(wrapper) - std::chrono::hours(1000));
    CHECK_EQ(fingerprint({wrapper}), plain);
    fs::rename(wrapper, folder.path() + "/another_name");
    CHECK_EQ(fingerprint({folder.path() + "/another_name"}), plain);
}

TEST_CASE("case 47: a wrapper that reads its flags from a file is what the flags make of it") {
    const std::string gcc = find_program("g++");
    if (gcc.empty()) return;
    const tests::temporary_folder folder;
    const std::string wrapper = folder.path() + "/c++";
    const std::string flags = folder.path() + "/flags";
    write_script(wrapper, "exec " + gcc + " $(cat " + flags + ") \"$@\"");
    std::ofstream(flags) << "-ffast-math";
    const std::string fast = fingerprint({wrapper});
    std::ofstream(flags) << "-O2";
    CHECK(fingerprint({wrapper}) != fast);
    // A header that a flag names, by its content.
    std::ofstream(folder.path() + "/first.h") << "#define A 1\n";
    std::ofstream(flags) << "-include " << folder.path() << "/first.h";
    const std::string one = fingerprint({wrapper});
    std::ofstream(folder.path() + "/first.h") << "#define A 2\n";
    CHECK(fingerprint({wrapper}) != one);
}

TEST_CASE("case 47: behind a masquerading link the compiler that PATH has is told, and ccache is seen through") {
    const std::string gcc = find_program("g++");
    const std::string clang = find_program("clang++");
    if (gcc.empty() || clang.empty()) {
        MESSAGE("skipped: g++ and clang++ are wanted");
        return;
    }
    // As ccache does it: finds the next program of its own name in PATH.
    const tests::temporary_folder cache;
    const tests::temporary_folder real;
    const std::string masquerade = cache.path() + "/cache";
    write_script(masquerade, "exec " + real.path() + "/$(basename $0) \"$@\"");
    fs::create_symlink(masquerade, cache.path() + "/c++");
    fs::create_symlink(gcc, real.path() + "/c++");
    const std::string before = fingerprint({cache.path() + "/c++"});
    CHECK(before.find("g++ ") == 0);
    fs::remove(real.path() + "/c++");
    fs::create_symlink(clang, real.path() + "/c++");
    const std::string after = fingerprint({cache.path() + "/c++"});
    CHECK(after.find("clang ") != std::string::npos);
    CHECK(after != before);

    const std::string ccache = find_program("ccache");
    if (ccache.empty()) return;
    const std::string path = fs::path(gcc).parent_path().string() + ":/usr/bin:/bin";
    CHECK_EQ(name_of(ask({ccache, "g++"}, path).fingerprint), name_of(fingerprint({gcc})));
    CHECK_EQ(name_of(ask({ccache, "clang++"}, path).fingerprint), name_of(fingerprint({clang})));
    CHECK(ask({ccache, "g++"}).fingerprint != ask({ccache, "g++"}, "/usr/bin:/bin", {"CCACHE_PREFIX=x"}).fingerprint);
    CHECK(ask({ccache, "g++"}).fingerprint ==
          ask({ccache, "g++"}, "/usr/bin:/bin", {"CCACHE_MAXSIZE=1G", "CCACHE_BASEDIR=/x"}).fingerprint);
    CHECK(ask({ccache, "g++"}).fingerprint == ask({ccache, "g++"}, "/usr/bin:/bin", {"HOME=/root"}).fingerprint);
}

TEST_CASE("case 47: the same compiler installed elsewhere, with another date, is the same") {
    const std::string gcc = find_program("g++");
    const compiler_identity known = gcc.empty() ? compiler_identity() : ask({gcc});
    std::string parts;
    for (const std::string& each : known.files)
        if (each.ends_with("/cc1plus")) parts = each.substr(0, each.size() - 8);
    const std::string::size_type at = parts.find("/lib/gcc/");
    if (at == std::string::npos) {
        MESSAGE("skipped: no g++ in the usual places");
        return;
    }
    const tests::temporary_folder folder;
    fs::create_directories(folder.path() + "/bin");
    fs::create_directories(folder.path() + parts.substr(at));
    fs::copy_file(fs::canonical(gcc), folder.path() + "/bin/g++");
    for (const char* part : {"cc1plus", "collect2", "lto-wrapper", "liblto_plugin.so"})
        if (fs::exists(parts + "/" + part))
            fs::create_symlink(parts + "/" + part, folder.path() + parts.substr(at) + "/" + part);
    CHECK_EQ(fingerprint({folder.path() + "/bin/g++"}), known.fingerprint);
    // Its assembler is another program now.
    write_script(folder.path() + "/bin/as", "exec /usr/bin/as \"$@\"");
    CHECK(fingerprint({gcc}, folder.path() + "/bin:/usr/bin:/bin") != known.fingerprint);
}

TEST_CASE("case 47: a compiler that does not know the question is what it says its version is, and its content") {
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/odd";
    write_script(path, "case $1 in --version) echo odd compiler 7 $TAIL;; *) exit 1;; esac");
    const std::string seven = fingerprint({path});
    CHECK_EQ(name_of(seven), "odd compiler 7");
    write_script(path, "case $1 in --version) echo odd compiler 8 $TAIL;; *) exit 1;; esac");
    CHECK_EQ(name_of(fingerprint({path})), "odd compiler 8");
    write_script(path, "exit 0");
    CHECK_EQ(name_of(fingerprint({path})), "odd");
    write_script(path, "echo '\033[31mred\007'");
    CHECK_EQ(name_of(fingerprint({path})), "\\x1b[31mred\\x07");
}

TEST_CASE("case 50: a compiler that does not answer is not waited for") {
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/slow";
    write_script(path, "sleep 300");
    work_folder::trouble met;
    const work_folder work(met);
    process_options how;
    how.folder = work.path();
    how.limits.seconds = 1;
    how.environment = {"PATH=/usr/bin:/bin"};
    const auto start = std::chrono::steady_clock::now();
    const compiler_identity known = identify_compiler({path, "-O3"}, 0, how);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    CHECK_EQ(known.failure, "it was asked which compiler it is, and it did not end within 1 s");
    CHECK_EQ(name_of(known.fingerprint), "slow");
}
