// compile/host_compiler: found by name, started without a shell, nothing left behind; and subprocess, which starts it.
#include <support/changed_variable.hpp>
#include <support/child.hpp>

#include <compile/host_compiler.hpp>
#include <compile/host_cpu.hpp>
#include <compile/subprocess.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using kiln::compile::find_program;
using kiln::compile::host_toolchain;
using kiln::compile::process_result;
using kiln::compile::run_process;
using tests::changed_variable;

const kiln::emit::source good = {"good", "extern \"C\" int good()\n{\n    return 7;\n}\n"};
const kiln::emit::source bad = {"bad", "extern \"C\" int bad()\n{\n    return undeclared_name;\n}\n"};

void write_script(const std::string& path, const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
}

}  // namespace

TEST_CASE("a program's words, exit status and signal are told, and its input is empty") {
    const process_result spoke = run_process({"/bin/sh", "-c", "echo out; echo error >&2; cat; exit 3"});
    CHECK_EQ(spoke.output, "out\nerror\n");
    CHECK_EQ(spoke.exit_status, 3);
    CHECK_EQ(spoke.ended, "exit status 3");
    const process_result killed = run_process({"/bin/sh", "-c", "kill -9 $$"});
    CHECK_EQ(killed.exit_status, -1);
    CHECK_EQ(killed.ended, "ended by signal 9");
    const process_result missing = run_process({"/no/such/program"});
    CHECK_EQ(missing.exit_status, -1);
    CHECK(missing.ended.find("No such file") != std::string::npos);
}

TEST_CASE("arguments reach a program as they are, and its environment is the caller's but for what is replaced") {
    const process_result echoed = run_process({"/bin/echo", "a b", "$HOME", "; exit 1", "\"'*"});
    CHECK_EQ(echoed.output, "a b $HOME ; exit 1 \"'*\n");
    const changed_variable kept("KILN_TEST_KEPT", "kept");
    const changed_variable replaced("KILN_TEST_REPLACED", "old");
    const process_result shown =
        run_process({"/bin/sh", "-c", "echo $KILN_TEST_KEPT $KILN_TEST_REPLACED"}, {"KILN_TEST_REPLACED=new"});
    CHECK_EQ(shown.output, "kept new\n");
}

TEST_CASE("a program that says more than a pipe holds is heard to the end") {
    const process_result loud = run_process(
        {"/bin/sh", "-c",
         "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789012345678; i=$((i+1)); done"});
    CHECK_EQ(loud.exit_status, 0);
    CHECK_EQ(loud.output.size(), 150000);
}

TEST_CASE("programs are found in PATH, in its order, if they can be run") {
    const tests::temporary_folder first;
    const tests::temporary_folder second;
    write_script(second.path() + "/tool", "exit 0");
    std::ofstream(first.path() + "/tool") << "no program";
    const std::string path = first.path() + "::" + second.path();
    const changed_variable folders("PATH", path.c_str());
    CHECK_EQ(find_program("tool"), second.path() + "/tool");
    CHECK_EQ(find_program("other"), "");
    CHECK_EQ(find_program(second.path() + "/tool"), second.path() + "/tool");
    CHECK_EQ(find_program(first.path() + "/tool"), "");
    CHECK_EQ(find_program(""), "");
}

TEST_CASE("KILN_CXX comes before CXX, CXX before c++, and KILN_CXX is not passed over") {
    const tests::temporary_folder folder;
    for (const char* name : {"mine", "usual", "c++"}) write_script(folder.path() + "/" + name, "exit 0");
    const changed_variable path("PATH", folder.path().c_str());
    {
        const changed_variable own("KILN_CXX", "mine -m64");
        const changed_variable usual("CXX", "usual");
        const auto found = host_toolchain::find();
        REQUIRE(found);
        CHECK(found->fingerprint().find(folder.path() + "/mine ") == 0);
        CHECK(found->options().find("-m64 ") == 0);
    }
    {
        const changed_variable own("KILN_CXX", nullptr);
        const changed_variable usual("CXX", "usual");
        CHECK(host_toolchain::find()->fingerprint().find(folder.path() + "/usual ") == 0);
        const changed_variable gone("CXX", "not-there");
        CHECK(host_toolchain::find()->fingerprint().find(folder.path() + "/c++ ") == 0);
    }
    {
        const changed_variable own("KILN_CXX", "not-there");
        CHECK(host_toolchain::find() == nullptr);
        CHECK(host_toolchain::what_was_looked_for() == "KILN_CXX=not-there in PATH=" + folder.path());
    }
    {
        const changed_variable own("KILN_CXX", nullptr);
        const changed_variable usual("CXX", nullptr);
        const changed_variable empty("PATH", "/no/such/folder");
        CHECK(host_toolchain::find() == nullptr);
        CHECK(host_toolchain::what_was_looked_for() == "c++, g++, clang++ in PATH=/no/such/folder");
    }
}

TEST_CASE("the fingerprint follows links to the file, its size and its time") {
    const tests::temporary_folder folder;
    write_script(folder.path() + "/real", "exit 0");
    std::filesystem::create_symlink(folder.path() + "/real", folder.path() + "/link");
    const changed_variable own("KILN_CXX", (folder.path() + "/link").c_str());
    const std::string before = host_toolchain::find()->fingerprint();
    CHECK(before.find(folder.path() + "/real ") == 0);
    CHECK_EQ(host_toolchain::find()->fingerprint(), before);
    write_script(folder.path() + "/real", "exit 1 # longer");
    CHECK(host_toolchain::find()->fingerprint() != before);
}

TEST_CASE("no option lets the compiler change a bit") {
    const tests::temporary_folder folder;
    write_script(folder.path() + "/c++", "exit 0");
    const changed_variable own("KILN_CXX", (folder.path() + "/c++").c_str());
    const std::string options = host_toolchain::find()->options();
    CHECK(options.find("-ffp-contract=off") != std::string::npos);
    CHECK(options.find("-fno-fast-math") != std::string::npos);
    for (const char* dangerous :
         {" -ffast-math", " -Ofast", " -funsafe", " -ffinite", " -fno-signed", " -fassociative"})
        CHECK(options.find(dangerous) == std::string::npos);
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

TEST_CASE("the target names the architecture and a hash of what the processor can do") {
    const kiln::compile::host_cpu& cpu = kiln::compile::this_host_cpu();
    CHECK(!cpu.model.empty());
    CHECK(cpu.target.find(cpu.architecture + "+") == 0);
    CHECK_EQ(cpu.target.size(), cpu.architecture.size() + 1 + 16);
}

TEST_CASE("a source becomes a shared object, and the folder it was made in is empty again") {
    const tests::temporary_folder folder;
    const changed_variable temporary("TMPDIR", folder.path().c_str());
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const std::string bytes = compiler->compile(good).bytes;
    CHECK_EQ(bytes.substr(0, 4), "\177ELF");
    CHECK(std::filesystem::is_empty(folder.path()));
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
    } catch (const kiln::compile_error& trouble) {
        const std::string message = trouble.what();
        CAPTURE(message);
        CHECK(message.find("compile: ") == 0);
        CHECK(message.find(" rejected bad: line 3: ") != std::string::npos);
        CHECK(message.find("undeclared_name") != std::string::npos);
        CHECK(trouble.source().find("3      return undeclared_name;") != std::string::npos);
        CHECK(trouble.log().find("kernel.cpp:3:") != std::string::npos);
        CHECK(trouble.log().find(folder.path()) == std::string::npos);
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a compiler that crashes, writes nothing or is not there any more is a compile_error") {
    const tests::temporary_folder folder;
    const std::string path = folder.path() + "/c++";
    const changed_variable own("KILN_CXX", path.c_str());
    const auto refusal = [&](const std::string& body) {
        write_script(path, body);
        try {
            host_toolchain::find()->compile(good);
        } catch (const kiln::compile_error& trouble) {
            return std::string(trouble.what());
        }
        return std::string("compiled");
    };
    CHECK(refusal("kill -11 $$").find("ended by signal 11") != std::string::npos);
    CHECK(refusal("exit 4").find("exit status 4") != std::string::npos);
    CHECK(refusal("exit 0").find("it wrote no shared object") != std::string::npos);
    CHECK(refusal("echo licence expired; exit 1").find("licence expired") != std::string::npos);
    write_script(path, "exit 0");
    const auto gone = host_toolchain::find();
    std::filesystem::remove(path);
    CHECK_THROWS_AS(gone->compile(good), kiln::compile_error);
}

TEST_CASE("a folder that cannot be written to is a compile_error that says so") {
    const auto compiler = host_toolchain::find();
    if (!compiler) return;
    const changed_variable temporary("TMPDIR", "/no/such/folder");
    CHECK_THROWS_AS(compiler->compile(good), kiln::compile_error);
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
