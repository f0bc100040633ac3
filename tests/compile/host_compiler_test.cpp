// compile/host_compiler: found by name and trusted, shut off from what no key holds, nothing left behind; and what becomes
// of a compiler that does not do its work.
#include <support/changed_variable.hpp>
#include <support/child.hpp>
#include <support/processes.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/host_compiler.hpp>
#include <compile/linked_object.hpp>
#include <compile/program.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using kiln::compile::compiler_failure;
using kiln::compile::find_program;
using kiln::compile::host_toolchain;
using tests::changed_variable;
using tests::in_child;

const kiln::emit::source good = {"good", "extern \"C\" int good()\n{\n    return 7;\n}\n"};
const kiln::emit::source bad = {"bad", "extern \"C\" int bad()\n{\n    return undeclared_name;\n}\n"};

/// What the compiler is asked to write, and what is said where it is nothing of use.
const std::string written = kiln::compile::links_objects ? "kernel.o" : "kernel.so";
const std::string refused =
    std::string("what it wrote cannot be ") + (kiln::compile::links_objects ? "linked: " : "loaded: ");

void write_script(const std::string& path, const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
}

std::string name_of(const std::string& fingerprint) { return fingerprint.substr(0, fingerprint.find(" [")); }

/// A compiler that is a script, which answers to -### and then does `body`.
class odd_compiler {
public:
    explicit odd_compiler(const std::string& body) : own_("KILN_CXX", path().c_str()) { becomes(body); }

    void becomes(const std::string& body) const {
        write_script(path(), "case \"$*\" in *-###*) exit 1;; *--version*) echo odd; exit 0;; esac\n" + body);
    }
    [[nodiscard]] std::string path() const { return folder_.path() + "/c++"; }
    [[nodiscard]] const std::string& folder() const { return folder_.path(); }

    /// Of a compiler's failure, why; else "rejected: ..." or "compiled".
    [[nodiscard]] std::string outcome() const { return outcome_of(*host_toolchain::find()); }
    static std::string outcome_of(host_toolchain& compiler, const kiln::emit::source& source = good) {
        try {
            compiler.compile(source);
            return "compiled";
        } catch (const compiler_failure& failure) {
            return failure.reason();
        } catch (const kiln::compile_error& trouble) {
            return std::string("rejected: ") + trouble.what();
        }
    }

private:
    tests::temporary_folder folder_;
    changed_variable own_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

// --- Which compiler ---------------------------------------------------------------------------------------------------------

TEST_CASE("KILN_CXX comes before CXX, CXX before c++, and KILN_CXX is not passed over") {
    const tests::temporary_folder folder;
    for (const char* name : {"mine", "usual", "c++"}) write_script(folder.path() + "/" + name, "exit 0");
    const changed_variable path("PATH", folder.path().c_str());
    const auto found = [] { return name_of(host_toolchain::find()->fingerprint()); };
    {
        const changed_variable own("KILN_CXX", "mine -m64");
        const changed_variable usual("CXX", "usual");
        CHECK_EQ(found(), "mine");
        CHECK(host_toolchain::find()->options().find("-m64 ") == 0);
        // Without a compiler the options are those of one that is called as it is, through a wrapper or not.
        const changed_variable wrapped("KILN_CXX", "mine c++");
        const std::string plain = host_toolchain::find()->options();
        const changed_variable none("KILN_CXX", "not-there");
        CHECK_EQ(host_toolchain::find()->options(), plain);
        CHECK(plain.find("-x c++ ") == 0);
    }
    {
        const changed_variable own("KILN_CXX", nullptr);
        const changed_variable usual("CXX", "usual");
        CHECK_EQ(found(), "usual");
        const changed_variable gone("CXX", "not-there");
        CHECK_EQ(found(), "c++");
    }
    {
        const changed_variable own("KILN_CXX", "not-there");
        CHECK_FALSE(host_toolchain::find()->is_there());
        CHECK_EQ(host_toolchain::find()->fingerprint(), "no C++ compiler");
        CHECK(host_toolchain::what_was_looked_for() == "KILN_CXX=not-there in PATH=" + folder.path());
    }
    {
        const changed_variable own("KILN_CXX", nullptr);
        const changed_variable usual("CXX", nullptr);
        const changed_variable empty("PATH", "/no/such/folder");
        CHECK_FALSE(host_toolchain::find()->is_there());
        CHECK(host_toolchain::what_was_looked_for() == "c++, g++, clang++ in PATH=/no/such/folder");
    }
}

TEST_CASE("case 60: KILN_CXX may hold arguments, quotes and spaces, and be the name of a program with spaces in it") {
    const std::string real = find_program("c++");
    if (real.empty()) return;
    const tests::temporary_folder folder;
    const std::string program = folder.path() + "/my compiler";
    const std::string heard = folder.path() + "/heard";
    write_script(program, "echo \"$1,$2\" >> " + heard + "\nexec " + real + " \"$@\"");
    const auto first_two_words = [&](const std::string& value) {
        fs::remove(heard);
        const changed_variable own("KILN_CXX", value.c_str());
        CHECK_EQ(odd_compiler::outcome_of(*host_toolchain::find()), "compiled");
        std::string last;
        std::ifstream file(heard);
        for (std::string line; std::getline(file, line);) last = line;
        return last;
    };
    CHECK_EQ(first_two_words(program), "-x,c++");
    CHECK_EQ(first_two_words("'" + program + "' -pipe"), "-pipe,-x");
    CHECK_EQ(first_two_words("\"" + program + "\" '-DA=a b'"), "-DA=a b,-x");
    CHECK_EQ(first_two_words("/" + folder.path().substr(1) + "/my\\ compiler -DB=\\\"b\\\""), "-DB=\"b\",-x");
}

TEST_CASE("case 47: the fingerprint is the compiler's, not its path's, and is asked once") {
    const std::string real = find_program("c++");
    if (real.empty()) return;
    const tests::temporary_folder folder;
    const std::string asked = folder.path() + "/asked";
    write_script(folder.path() + "/wrapper",
                 "case \"$*\" in *-###*) echo . >> " + asked + ";; esac\nexec " + real + " \"$@\"");
    fs::create_symlink(folder.path() + "/wrapper", folder.path() + "/link");
    std::string fingerprint;
    {
        const changed_variable own("KILN_CXX", (folder.path() + "/wrapper").c_str());
        const auto compiler = host_toolchain::find();
        CHECK_FALSE(fs::exists(asked));
        for (int again = 0; again < 3; ++again) fingerprint = compiler->fingerprint();
        compiler->compile(good);
        CHECK_EQ(fs::file_size(asked), 2);
    }
    const changed_variable own("KILN_CXX", (folder.path() + "/link").c_str());
    CHECK_EQ(host_toolchain::find()->fingerprint(), fingerprint);
}

TEST_CASE("case 47: a compiler that is replaced while the program runs makes no kernel under the old one's key") {
    const std::string real = find_program("c++");
    if (real.empty()) return;
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/c++";
    write_script(path, "exec " + real + " \"$@\"");
    const changed_variable own("KILN_CXX", path.c_str());
    const auto compiler = host_toolchain::find();
    const std::string& before = compiler->fingerprint();
    const std::string kept = before;
    CHECK_EQ(odd_compiler::outcome_of(*compiler), "compiled");
    write_script(path, "exec " + real + " -DCHANGED \"$@\"");
    CHECK(contains(odd_compiler::outcome_of(*compiler), "it was replaced while this program ran"));
    CHECK_EQ(before, kept);  // whoever holds the old text keeps it
    CHECK(compiler->fingerprint() != kept);
    CHECK_EQ(odd_compiler::outcome_of(*compiler), "compiled");
}

TEST_CASE("case 61: escape bytes in a compiler's path are escaped in messages") {
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/c++\033]0;title\007";
    write_script(path, "exit 4");
    const changed_variable own("KILN_CXX", path.c_str());
    try {
        host_toolchain::find()->compile(good);
        FAIL("compiled");
    } catch (const kiln::compile_error& trouble) {
        CHECK(contains(trouble.what(), "c++\\x1b]0;title\\x07"));
        CHECK_FALSE(contains(trouble.what(), "\033"));
    }
    CHECK_FALSE(contains(host_toolchain::find()->fingerprint(), "\033"));
}

TEST_CASE("no option lets the compiler change a bit") {
    const odd_compiler compiler("exit 0");
    const std::string options = host_toolchain::find()->options();
    CHECK(options.find("-ffp-contract=off") != std::string::npos);
    CHECK(options.find("-fno-fast-math") != std::string::npos);
    for (const char* dangerous :
         {" -ffast-math", " -Ofast", " -funsafe", " -ffinite", " -fno-signed", " -fassociative"})
        CHECK(options.find(dangerous) == std::string::npos);
}

TEST_CASE("g++ compiles a walk by fewer passes where every bit is told, all else by all") {
    using kiln::compile::arithmetic;
    using kiln::plan::loop_kind;
    const std::string real = find_program("g++");
    if (real.empty()) return;
    const tests::temporary_folder folder;
    const std::string seen = folder.path() + "/seen";
    const std::string wrapper = folder.path() + "/wrapper";
    write_script(wrapper, "echo \"$@\" > " + seen + "\nexec " + real + " \"$@\"");
    const changed_variable own("KILN_CXX", wrapper.c_str());
    const auto compiler = host_toolchain::find();
    const auto words = [&](const kiln::emit::source& of, arithmetic how) {
        static_cast<void>(compiler->compile(of, how));
        std::string line;
        std::getline(std::ifstream(seen) >> std::ws, line);
        return line;
    };
    kiln::emit::source walk = good;
    walk.loops = loop_kind::walk;
    CHECK(contains(words(walk, arithmetic::exact), " -O1 -ftree-vectorize "));
    CHECK_FALSE(contains(words(good, arithmetic::exact), " -O1 "));
    CHECK_FALSE(contains(words(walk, arithmetic::contracted), " -O1 "));
    CHECK_FALSE(contains(words(walk, arithmetic::fast), " -O1 "));
    CHECK(contains(words(walk, arithmetic::exact), " -falign-loops=32 "));
    CHECK(contains(compiler->options(), "(walks: -O1 "));

    // What each other kind has beside that, and in which of them a pass is left out.
    const auto passes = [&](loop_kind loops) {
        walk.loops = loops;
        return words(walk, arithmetic::exact);
    };
    struct option {
        const char* word;
        std::vector<loop_kind> of;
    };
    constexpr loop_kind kinds[] = {loop_kind::any,          loop_kind::walk,       loop_kind::dividing,
                                   loop_kind::float_walk,   loop_kind::float_rows, loop_kind::wide_float_rows,
                                   loop_kind::named_vectors};
    const option options[] = {
        {" -fno-tree-bit-ccp ",
         {loop_kind::walk, loop_kind::dividing, loop_kind::float_walk, loop_kind::float_rows,
          loop_kind::wide_float_rows, loop_kind::named_vectors}},
        {" -fno-tree-vrp ",
         {loop_kind::float_walk, loop_kind::float_rows, loop_kind::wide_float_rows, loop_kind::named_vectors}},
        {" -fno-thread-jumps ", {loop_kind::float_walk, loop_kind::float_rows, loop_kind::wide_float_rows}},
        {" -fno-tree-slp-vectorize ", {loop_kind::float_walk, loop_kind::float_rows, loop_kind::wide_float_rows}},
        {" -fira-region=one ", {loop_kind::float_rows, loop_kind::wide_float_rows}},
#if defined(__x86_64__)
        {" -mno-avx512f ", {loop_kind::wide_float_rows}},
#endif
        {" -fno-tree-vectorize ", {loop_kind::dividing, loop_kind::named_vectors}},
    };
    for (const option& each : options) {
        CAPTURE(each.word);
        for (const loop_kind loops : kinds) {
            CAPTURE(static_cast<int>(loops));
            const bool has_it = std::find(each.of.begin(), each.of.end(), loops) != each.of.end();
            CHECK(contains(passes(loops), each.word) == has_it);
        }
        // Part of what a key holds.
        CHECK(contains(compiler->options() + " ", std::string(each.word).substr(0, std::strlen(each.word) - 1)));
    }
    walk.loops = loop_kind::wide_float_rows;
    CHECK_FALSE(contains(words(walk, arithmetic::contracted), " -fno-tree-"));
    walk.vectors = kiln::plan::loop_vectors::widest;
    CHECK(contains(words(walk, arithmetic::exact), " -fira-region=one "));
    CHECK_FALSE(contains(words(walk, arithmetic::exact), " -mno-avx512f "));
    CHECK_FALSE(contains(words(walk, arithmetic::exact), " -fschedule-insns "));
}

TEST_CASE("each arithmetic has options of its own, and NaN, infinity and denormals are safe in all of them") {
    using kiln::compile::arithmetic;
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    CHECK(compiler->options(arithmetic::contracted).find("-ffp-contract=fast") != std::string::npos);
    CHECK(compiler->options(arithmetic::contracted).find("-ffp-contract=off") == std::string::npos);
    CHECK(compiler->options(arithmetic::contracted).find("-fassociative") == std::string::npos);
    CHECK(compiler->options(arithmetic::fast).find("-fassociative-math") != std::string::npos);
    for (const arithmetic how : {arithmetic::exact, arithmetic::contracted, arithmetic::fast})
        for (const char* dangerous : {" -ffast-math", " -Ofast", " -funsafe", " -ffinite"})
            CHECK(compiler->options(how).find(dangerous) == std::string::npos);
}

// --- What it sees -----------------------------------------------------------------------------------------------------------

TEST_CASE("case 46: of the environment a compiler sees what it needs to run, and nothing that changes a kernel") {
    const odd_compiler compiler("/usr/bin/env > " + std::string("\"$SEEN\""));
    const std::string seen = compiler.folder() + "/seen";
    compiler.becomes("/usr/bin/env | sort > " + seen + "; exit 1");
    std::vector<std::unique_ptr<changed_variable>> set;
    const char* const hidden[] = {"CPATH",
                                  "C_INCLUDE_PATH",
                                  "CPLUS_INCLUDE_PATH",
                                  "OBJC_INCLUDE_PATH",
                                  "LIBRARY_PATH",
                                  "GCC_EXEC_PREFIX",
                                  "COMPILER_PATH",
                                  "CCC_OVERRIDE_OPTIONS",
                                  "DEPENDENCIES_OUTPUT",
                                  "SUNPRO_DEPENDENCIES",
                                  "SOURCE_DATE_EPOCH",
                                  "LD_RUN_PATH",
                                  "GCC_COLORS",
                                  "CXXFLAGS",
                                  "LANG",
                                  "KILN_TEST_SECRET"};
    for (const char* each : hidden) set.push_back(std::make_unique<changed_variable>(each, "/hidden"));
    const changed_variable cache("CCACHE_DIR", "/cache");
    const changed_variable library("LD_LIBRARY_PATH", "/lib");
    const changed_variable home("HOME", "/home/me");
    static_cast<void>(compiler.outcome());
    std::ifstream file(seen);
    std::string names;
    for (std::string line; std::getline(file, line);) {
        names += line.substr(0, line.find('=')) + " ";
        if (line.starts_with("LC_ALL=")) CHECK_EQ(line, "LC_ALL=C");
        if (line.starts_with("TMPDIR=")) CHECK(contains(line, "/kiln-" + std::to_string(::geteuid()) + "/"));
        if (line.starts_with("HOME=")) CHECK_EQ(line, "HOME=/home/me");
    }
    CAPTURE(names);
    for (const char* each : hidden) CHECK_FALSE(contains(" " + names, " " + std::string(each) + " "));
    for (const char* each : {"CCACHE_DIR", "LD_LIBRARY_PATH", "HOME", "PATH", "TMPDIR", "LC_ALL"})
        CHECK_MESSAGE(contains(" " + names, " " + std::string(each) + " "), each);
}

TEST_CASE(
    "case 46: a header that variables point to, or a path names, is not seen; and a test of its being there is no") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const tests::temporary_folder folder;
    const std::string header = folder.path() + "/number.h";
    std::ofstream(header) << "#define NUMBER 1\n";
    std::vector<std::unique_ptr<changed_variable>> set;
    for (const char* each : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
        set.push_back(std::make_unique<changed_variable>(each, folder.path().c_str()));
    const auto outcome = [&](const std::string& text) {
        return odd_compiler::outcome_of(*compiler, {"k", text + "\nextern \"C\" int k() { return 1; }\n"});
    };
    const std::vector<std::string> lines = {"#include <number.h>",
                                            "#include \"number.h\"",
                                            "#include \"" + header + "\"",
                                            "#include <" + header + ">",
                                            "#define FILE <number.h>\n#include FILE",
                                            "#include <stdio.h>"};
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(contains(outcome(line), "rejected: "));
        CHECK(contains(outcome(line), "an include that was not declared: #include "));
    }
    // gcc 12 rejects the question where there is no folder to look in.
    CHECK_FALSE(
        contains(outcome("#if __has_include(<number.h>) || __has_include(\"number.h\")\n#error seen\n#endif"), "seen"));
    // Where a wrapper brings a file in, what the compiler says that it has read tells.
    const std::string real = find_program("c++");
    const changed_variable own("KILN_CXX", (real + " -include " + header).c_str());
    const std::string said = odd_compiler::outcome_of(*host_toolchain::find());
    CHECK(contains(said, "rejected: "));
    CHECK(contains(said, "an include that was not declared: " + header));
}

TEST_CASE("case 46: a file that is brought in by the assembler is found out") {
    const tests::temporary_folder folder;
    const std::string file = folder.path() + "/bytes";
    std::ofstream(file) << "bytes";
    const kiln::emit::source reads = {
        "k", "asm(\".inc\" \"bin \\\"" + file + "\\\"\");\nextern \"C\" int k() { return 1; }\n"};
    const kiln::emit::source harmless = {"k", "extern \"C\" int k() { asm volatile(\"nop\"); return 1; }\n"};
    for (const char* name : {"g++", "clang++"}) {
        if (find_program(name).empty()) continue;
        CAPTURE(name);
        const changed_variable own("KILN_CXX", name);
        const auto compiler = host_toolchain::find();
        CHECK(contains(odd_compiler::outcome_of(*compiler, reads), "an include that was not declared: " + file));
        CHECK_EQ(odd_compiler::outcome_of(*compiler, harmless), "compiled");
    }
}

TEST_CASE("case 46: a kernel cannot hold the time at which it was compiled") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    CHECK(contains(odd_compiler::outcome_of(*compiler, {"k", "extern \"C\" const char* k() { return __TIME__; }\n"}),
                   "rejected: "));
}

// --- What it leaves ---------------------------------------------------------------------------------------------------------

TEST_CASE("a source becomes a shared object, and the folder it was made in is empty again") {
    const tests::temporary_folder folder;
    const changed_variable temporary("TMPDIR", folder.path().c_str());
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const std::string bytes = compiler->compile(good).bytes;
    CHECK_EQ(bytes.substr(0, 4), "\177ELF");
    CHECK(fs::is_empty(folder.path()));
    CHECK_EQ(compiler->compile(good).bytes, bytes);  // no random name, no time in it
}

TEST_CASE("a source that is refused gives its line, its numbered text and the whole log, and leaves nothing behind") {
    const tests::temporary_folder folder;
    const changed_variable temporary("TMPDIR", folder.path().c_str());
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    try {
        compiler->compile(bad);
        FAIL("compiled");
    } catch (const compiler_failure&) {
        FAIL("the source is at fault, not the compiler");
    } catch (const kiln::compile_error& trouble) {
        const std::string message = trouble.what();
        CAPTURE(message);
        CHECK(message.find("kiln: compile: ") == 0);
        CHECK(message.find(" rejected bad: line 3: ") != std::string::npos);
        CHECK(message.find("undeclared_name") != std::string::npos);
        CHECK(message.find("please report it") != std::string::npos);
        CHECK(trouble.source().find("3      return undeclared_name;") != std::string::npos);
        CHECK(trouble.log().find("kernel.cpp:3:") != std::string::npos);
        CHECK(trouble.log().find(folder.path()) == std::string::npos);
    }
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("case 57: where the folder is missing or full, another is compiled in") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const tests::temporary_folder parent;
    {
        const changed_variable missing("TMPDIR", (parent.path() + "/none").c_str());
        CHECK_EQ(odd_compiler::outcome_of(*compiler), "compiled");
    }
    if (::geteuid() != 0 || ::mount("none", parent.path().c_str(), "tmpfs", 0, "size=65536,mode=0700") != 0) {
        MESSAGE("skipped: a small file system cannot be mounted here");
        return;
    }
    const changed_variable full("TMPDIR", parent.path().c_str());
    // Room for a small source and for nothing that is made of it; and not even for a large source.
    for (const std::size_t comment_bytes : {std::size_t{40000}, std::size_t{100000}}) {
        kiln::emit::source large = good;
        large.text += "//" + std::string(comment_bytes, 'x') + "\n";
        CHECK(in_child([&] { return odd_compiler::outcome_of(*compiler, large) == "compiled" ? 0 : 1; }) == 0);
        CHECK(fs::is_empty(parent.path()));
    }
    ::umount(parent.path().c_str());
}

TEST_CASE("case 51: a compile whose program is killed at any moment leaves no process, and no folder after the next") {
    const auto there = host_toolchain::find();
    if (!there) return;
    const tests::temporary_folder folder;
    const changed_variable temporary("TMPDIR", folder.path().c_str());
    const std::string pids = folder.path() + "/pids";
    const std::string real = find_program("c++");
    // Slow enough to be met in the middle, in every one of its passes.
    write_script(folder.path() + "/slow", "echo $$ >> " + pids + "\nsleep 0.0$((RANDOM % 3)) & wait\n" + real +
                                              " \"$@\" & echo $! >> " + pids + "\nwait $!");
    const changed_variable own("KILN_CXX", (folder.path() + "/slow").c_str());
    unsigned random = 12345;
    for (int round = 0; round < 30; ++round) {
        fs::remove(pids);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const auto compiler = host_toolchain::find();
            for (;;) static_cast<void>(odd_compiler::outcome_of(*compiler));
        }
        random = random * 1664525 + 1013904223;
        std::this_thread::sleep_for(std::chrono::milliseconds(random >> 16 & 127));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const auto killed = std::chrono::steady_clock::now();
        for (const pid_t each : tests::pids_in(pids)) CHECK(tests::ends_within(each, 1.0));
        CHECK(std::chrono::steady_clock::now() - killed < std::chrono::seconds(2));
    }
    CHECK(in_child([] { return odd_compiler::outcome_of(*host_toolchain::find()) == "compiled" ? 0 : 1; }) == 0);
    CHECK_FALSE(fs::exists(folder.path() + "/kiln-" + std::to_string(::geteuid())));
}

// --- What it does wrong -------------------------------------------------------------------------------------------------------

TEST_CASE("case 50: a compiler that crashes, writes nothing or something else has failed, and rejected no source") {
    const odd_compiler compiler("exit 0");
    const auto outcome = [&](const std::string& body) {
        compiler.becomes(body);
        return compiler.outcome();
    };
    CHECK(contains(outcome("kill -11 $$"), "ended by signal 11"));
    CHECK(contains(outcome("exit 4"), "exit status 4"));
    CHECK(contains(outcome("exit 0"), "it wrote no object"));
    CHECK(contains(outcome("echo licence expired; exit 1"), "licence expired"));
    CHECK(contains(outcome("echo no licence server"), "it wrote no object and said: no licence server"));
    CHECK(contains(outcome("echo 'kernel.cpp:1:1: internal compiler error: Segmentation fault'; exit 1"),
                   "internal compiler error: Segmentation fault"));
    CHECK(contains(outcome("echo text > " + written + "; echo k: > kernel.d"), refused + "it is shorter than an ELF"));
    CHECK(contains(outcome("head -c 5000 /bin/sh > " + written + "; echo k: > kernel.d"), refused));
    CHECK(contains(outcome("mkfifo " + written), "what it wrote cannot be read"));
    CHECK(contains(outcome("mkdir " + written), "what it wrote cannot be read"));
    CHECK(contains(outcome("truncate -s 300M " + written + " 2>/dev/null || dd if=/dev/null of=" + written +
                           " bs=1 seek=268435457"),
                   ": "));
    const std::string error = outcome("echo \"kernel.cpp:3:5: error: no such thing\"; exit 1");
    CHECK(contains(error, "rejected: "));
    CHECK(contains(error, "line 3: no such thing"));
    if (const std::string real = find_program("c++"); !real.empty())
        CHECK(contains(outcome(real + (kiln::compile::links_objects ? " -c" : " -shared -nostdlib") + " -o " + written +
                               " -x c++ kernel.cpp"),
                       "it does not say which files it has read"));
    const auto gone = host_toolchain::find();
    fs::remove(compiler.path());
    CHECK_THROWS_AS(gone->compile(good), compiler_failure);
}

TEST_CASE("case 50: a compiler that hangs is ended, and not started again") {
    const changed_variable limit("KILN_COMPILE_TIMEOUT", "1");
    const odd_compiler compiler("exit 0");
    const std::string starts = compiler.folder() + "/starts";
    compiler.becomes("echo $$ >> " + starts + "; sleep 300 & echo $! >> " + starts + "; wait");
    const auto hanging = host_toolchain::find();
    const auto start = std::chrono::steady_clock::now();
    const std::string first = odd_compiler::outcome_of(*hanging);
    CHECK(contains(
        first, "it did not end within 1 s, and is not started again; KILN_COMPILE_TIMEOUT=<seconds> gives it more"));
    CHECK_EQ(odd_compiler::outcome_of(*hanging), first);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    const std::vector<pid_t> pids = tests::pids_in(starts);
    CHECK_EQ(pids.size(), 2);
    for (const pid_t each : pids) CHECK(tests::ends_within(each, 2.0));
}

TEST_CASE("case 50: a compiler that leaves a daemon, floods or writes without end is bounded in time and room") {
    const changed_variable limit("KILN_COMPILE_TIMEOUT", "30");
    const odd_compiler compiler("exit 0");
    const std::string pid = compiler.folder() + "/pid";
    const auto start = std::chrono::steady_clock::now();
    compiler.becomes("setsid sh -c 'echo $$ > " + pid + "; exec sleep 300' & while [ ! -s " + pid +
                     " ]; do sleep 0.01; done");
    CHECK(contains(compiler.outcome(), "it wrote no object"));
    ::kill(tests::pid_in(pid), SIGKILL);
    compiler.becomes("head -c 600000000 /dev/zero | tr '\\0' 'x'; exit 1");
    CHECK(compiler.outcome().size() < (std::size_t{2} << 20));
    compiler.becomes("dd if=/dev/zero of=" + written + " bs=1 count=1 seek=60000000000; exit 0");
    CHECK(contains(compiler.outcome(), ": "));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("a time limit that is no number of seconds is said once and ignored") {
    const odd_compiler compiler("exit 4");
    for (const char* value : {"0", "-1", "abc", "5s", "99999999999"}) {
        const changed_variable limit("KILN_COMPILE_TIMEOUT", value);
        CHECK(contains(compiler.outcome(), "exit status 4"));
    }
}

TEST_CASE("case 53: where descriptors have run out a compiler has failed for now, and is not taken for another") {
#ifdef __SANITIZE_ADDRESS__
    MESSAGE("skipped: UndefinedBehaviorSanitizer, built in with this one, looks at objects through a pipe of its own");
    return;
#endif
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const std::string known = compiler->fingerprint();
    CHECK(in_child([&] {
              const auto other = host_toolchain::find();
              rlimit before{};
              ::getrlimit(RLIMIT_NOFILE, &before);
              // This process's own have run out: a compiler, which has none of them, opens what it needs.
              for (int i = 0; i < 64; ++i) ::fcntl(0, F_DUPFD_CLOEXEC, 0);
              const int first_free = ::dup(0);
              ::close(first_free);
              // None, then some: enough to begin, and not to end.
              for (int more = 0; more < 12; ++more) {
                  const rlimit few{static_cast<rlim_t>(first_free + more), before.rlim_max};
                  ::setrlimit(RLIMIT_NOFILE, &few);
                  try {
                      if (other->fingerprint() != known) return 1;
                      other->compile(good);
                  } catch (const compiler_failure& failure) {
                      if (!failure.is_for_now()) return 2;
                  }
              }
              ::setrlimit(RLIMIT_NOFILE, &before);
              if (other->fingerprint() != known) return 3;
              return odd_compiler::outcome_of(*other) == "compiled" ? 0 : 4;
          }) == 0);
}

TEST_CASE("threads compile beside each other, and a program that ignores SIGCHLD compiles too") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&] { done += !compiler->compile(good).bytes.empty(); });
    for (std::thread& each : threads) each.join();
    CHECK_EQ(done.load(), 3);

    const auto before = std::signal(SIGCHLD, SIG_IGN);
    CHECK(!compiler->compile(good).bytes.empty());
    CHECK_THROWS_AS(compiler->compile(bad), kiln::compile_error);
    std::signal(SIGCHLD, before);
}

TEST_CASE("case 52: a program whose files must stay small compiles, or is told, and lives") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    CHECK(in_child([&] {
              const rlimit small{1000, RLIM_INFINITY};
              ::setrlimit(RLIMIT_FSIZE, &small);
              if (odd_compiler::outcome_of(*compiler) != "compiled") return 1;
              const rlimit tiny{10, RLIM_INFINITY};
              ::setrlimit(RLIMIT_FSIZE, &tiny);
              return contains(odd_compiler::outcome_of(*compiler), "File too large") ? 0 : 2;
          }) == 0);
}
