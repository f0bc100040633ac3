// tests/jit_cache/tool/disassemble: show --sass: which program is started, with what, and what is left of it.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

using namespace support;

namespace {

std::string elf_for(unsigned machine) {
    std::string bytes =
        "\x7f"
        "ELF";
    bytes.resize(200, '\0');
    bytes[18] = static_cast<char>(machine & 0xffU);
    bytes[19] = static_cast<char>(machine >> 8);
    return bytes + "the end";
}

constexpr unsigned cuda = 190;
constexpr unsigned x86_64 = 62;

// A folder with an entry for a machine, one for programs, and one for temporaries.
struct stage {
    temporary_folder folder;
    fs::path bin = folder.path() / "bin";
    fs::path temporary = folder.path() / "tmp";
    std::string key = name_of(key_of(1));
    explicit stage(unsigned machine) {
        fs::create_directory(bin);
        fs::create_directory(temporary);
        fs::permissions(bin, fs::perms::owner_all);
        fs::permissions(temporary, fs::perms::owner_all);
        put(folder.cache(), key_of(1), {.payload = elf_for(machine), .facts = {}});
    }
    [[nodiscard]] std::vector<std::string> environment() const {
        return {"PATH=" + bin.string() + ":/usr/bin:/bin", "TMPDIR=" + temporary.string(), "CUDA_HOME=", "CUDA_PATH="};
    }
    [[nodiscard]] finished sass() const { return tool(folder.cache(), {"show", key, "--sass"}, environment()); }
};

}  // namespace

TEST_CASE("a cubin goes to nvdisasm as a private file that is gone afterwards") {
    const stage made(cuda);
    write_script(made.bin / "nvdisasm",
                 "#!/bin/sh\n"
                 "echo words=$# mode=$(stat -c %a \"$1\") folder=$(stat -c %a $(dirname \"$1\"))\n"
                 "tail -c 7 \"$1\"\nprintf '\\033[31mred\\n'\necho spoken >&2\n");
    const finished ended = made.sass();
    CHECK(ended.exit_code == 0);
    CHECK(ended.output == "words=1 mode=600 folder=700\nthe end\\x1b[31mred\n");
    CHECK(fs::is_empty(made.temporary));
    const json said = tool_json(made.folder.cache(), {"show", made.key, "--sass"}, 0, made.environment());
    CHECK(holds(said["sass"].get<std::string>(), "the end"));
    CHECK(said["disassembler"] == (made.bin / "nvdisasm").string());
}

TEST_CASE("where there is no nvdisasm, cuobjdump is asked") {
    const stage made(cuda);
    write_script(made.bin / "cuobjdump", "#!/bin/sh\necho \"$1\"\n");
    const finished ended = made.sass();
    if (fs::exists("/usr/local/cuda/bin/nvdisasm") || fs::exists("/usr/bin/nvdisasm")) {
        MESSAGE("skipped: there is an nvdisasm here");
        return;
    }
    CHECK(ended.output == "--dump-sass\n");
}

TEST_CASE("CUDA_HOME is looked into where PATH has none") {
    const stage made(cuda);
    fs::create_directories(made.folder.path() / "cuda" / "bin");
    write_script(made.folder.path() / "cuda" / "bin" / "nvdisasm", "#!/bin/sh\necho from CUDA_HOME\n");
    std::vector<std::string> environment = made.environment();
    environment.push_back("PATH=/usr/nowhere");
    environment.push_back("CUDA_HOME=" + (made.folder.path() / "cuda").string());
    CHECK(tool(made.folder.cache(), {"show", made.key, "--sass"}, environment).output == "from CUDA_HOME\n");
}

TEST_CASE("a disassembler that others can write is passed over, and so are relative folders of PATH") {
    const stage made(cuda);
    write_script(made.bin / "nvdisasm", "#!/bin/sh\necho run > " + (made.folder.path() / "was_run").string() + "\n");
    REQUIRE(::chmod((made.bin / "nvdisasm").c_str(), 0777) == 0);
    const finished shared = made.sass();
    CHECK_FALSE(fs::exists(made.folder.path() / "was_run"));
    const bool is_there = fs::exists("/usr/local/cuda/bin/nvdisasm") || fs::exists("/usr/bin/nvdisasm");
    if (!is_there) {
        CHECK(holds(shared.errors, "nvdisasm: owner uid"));
        CHECK(holds(shared.errors, "mode 0777"));
    }
    REQUIRE(::chmod((made.bin / "nvdisasm").c_str(), 0700) == 0);
    std::vector<std::string> environment = made.environment();
    environment.push_back("PATH=:.:bin");
    const fs::path before = fs::current_path();
    fs::current_path(made.folder.path());
    const finished relative = tool(made.folder.cache(), {"show", made.key, "--sass"}, environment);
    fs::current_path(before);
    CHECK_FALSE(fs::exists(made.folder.path() / "was_run"));
    CHECK(is_harmless(relative.errors));
}

TEST_CASE("where there is no disassembler, what was looked for where is said") {
    const stage made(x86_64);
    std::vector<std::string> environment = made.environment();
    environment.push_back("PATH=/usr/nowhere:/nor/here");
    const finished ended = tool(made.folder.cache(), {"show", made.key, "--sass"}, environment);
    CHECK(ended.exit_code == 1);
    CHECK(holds(ended.errors, "looked for objdump in /usr/nowhere, /nor/here"));
}

TEST_CASE("a disassembler that fails is quoted, and leaves no file") {
    const stage made(cuda);
    write_script(made.bin / "nvdisasm", "#!/bin/sh\nprintf 'fatal: \\033 not mine\\nmore\\n' >&2\nexit 3\n");
    const finished failed = made.sass();
    CHECK(failed.exit_code == 1);
    CHECK(failed.output == "");
    CHECK(holds(failed.errors, "it left with 3: fatal: \\x1b not mine\n"));
    CHECK(fs::is_empty(made.temporary));
    write_script(made.bin / "nvdisasm", "#!/bin/sh\nkill -SEGV $$\n");
    CHECK(holds(made.sass().errors, "ended by signal 11"));
    CHECK(fs::is_empty(made.temporary));
}

TEST_CASE("a signal during a disassembly ends the tool after its file is gone") {
    const stage made(cuda);
    write_script(made.bin / "nvdisasm",
                 "#!/bin/sh\necho $PPID > " + (made.folder.path() / "started").string() + "\nsleep 0.3\n");
    std::thread killer([&] {
        for (int tries_left = 2000; tries_left > 0; --tries_left) {
            const std::string parent = contents(made.folder.path() / "started");
            if (parent.ends_with('\n')) {
                ::kill(std::stoi(parent), SIGTERM);
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    const finished ended = made.sass();
    killer.join();
    CHECK(ended.exit_code == 128 + SIGTERM);
    CHECK(fs::is_empty(made.temporary));
}

TEST_CASE("a temporary folder in which others can move files is not used") {
    const stage made(cuda);
    write_script(made.bin / "nvdisasm", "#!/bin/sh\necho \"$1\"\n");
    REQUIRE(::chmod(made.temporary.c_str(), 0777) == 0);
    CHECK_FALSE(holds(made.sass().output, made.temporary.string()));
    REQUIRE(::chmod(made.temporary.c_str(), 0700) == 0);
    CHECK(made.sass().output.starts_with(made.temporary.string()));
}

TEST_CASE("a binary that is PTX is printed as such, and is nothing to disassemble") {
    const temporary_folder folder;
    const std::string ptx = "//\n// Generated by NVIDIA NVVM Compiler\n//\n.version 9.0\n.target sm_90\n";
    put(folder.cache(), key_of(1), {.payload = ptx + '\0', .facts = {}});
    const std::string key = name_of(key_of(1));
    CHECK(tool(folder.cache(), {"show", key, "--ptx"}).output == ptx);
    const finished ended = tool(folder.cache(), {"show", key, "--sass"});
    CHECK(ended.exit_code == 1);
    CHECK(holds(ended.errors, "the driver compiles when it is loaded"));
}

TEST_CASE("a shared object is disassembled by objdump") {
    const fs::path library = "/lib/x86_64-linux-gnu/libdl.so.2";
    if (!fs::exists("/usr/bin/objdump") || !fs::exists(library)) {
        MESSAGE("skipped: no objdump, or no small shared object, here");
        return;
    }
    const temporary_folder folder;
    put(folder.cache(), key_of(1), {.payload = contents(library), .facts = {}});
    const finished ended = tool(folder.cache(), {"show", name_of(key_of(1)), "--sass"});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "Disassembly of section"));
    CHECK(holds(tool(folder.cache(), {"show", name_of(key_of(1)), "--ptx"}).errors, "shared object for a CPU"));
}
