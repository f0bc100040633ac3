// compile/elf_check: what compilers write is taken, and of what is damaged nothing that dlopen() would come to harm by.
#include <support/changed_variable.hpp>
#include <support/child.hpp>

#include <compile/elf_check.hpp>
#include <compile/host_compiler.hpp>
#include <compile/program.hpp>
#include <compile/subprocess.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using kiln::compile::find_program;
using kiln::compile::run_process;
using kiln::compile::why_not_loadable;

// Has what a kernel's object may have: libm's functions with their versions, a table of pointers, writable memory.
constexpr const char* source =
    "extern \"C\" double sin(double);\n"
    "extern \"C\" double exp(double);\n"
    "static double twice(double a) { return 2 * a; }\n"
    "static double thrice(double a) { return 3 * a; }\n"
    "extern \"C\" double (*const table[])(double);\n"
    "extern \"C\" double (*const table[])(double) = {twice, thrice, sin};\n"
    "extern \"C\" { int counted = 7; int counter[100]; }\n"
    "extern \"C\" double answer(double a) { counter[1] = counted; return sin(a) + exp(a) + table[counted % 3](a); }\n";

std::string read_file(const std::string& path) {
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

/// The bytes of a shared object; empty where the compiler or linker is not there.
std::string built(const std::string& compiler, const std::vector<std::string>& options, const char* text = source) {
    const std::string program = find_program(compiler);
    if (program.empty()) return {};
    const tests::temporary_folder folder;
    std::ofstream(folder.path() + "/kernel.cpp") << text;
    std::vector<std::string> command = {program,     "-O3", "-shared",   "-fPIC",     "-nostdlib",
                                        "-nostdinc", "-o",  "kernel.so", "kernel.cpp"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("-lm");
    if (run_process(command, {.inherits_environment = true, .folder = folder.path()}).exit_status != 0) return {};
    return read_file(folder.path() + "/kernel.so");
}

/// 0: loaded and gone again; 1: refused by dlopen. A process that dies tells by its status.
int load(const std::string& bytes) {
    const int memory = ::memfd_create("kernel", MFD_CLOEXEC);
    if (memory < 0 || ::write(memory, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return 2;
    void* const opened = ::dlopen(("/proc/self/fd/" + std::to_string(memory)).c_str(), RTLD_NOW | RTLD_LOCAL);
    const int result = opened ? 0 : 1;
    if (opened) {
        static_cast<void>(::dlsym(opened, "answer"));
        static_cast<void>(::dlsym(opened, "not there"));
        ::dlclose(opened);
    }
    ::close(memory);
    return result;
}

/// Damaged objects that pass the check, loaded one after the other in a child; who dies there is told.
class loader {
public:
    void add(std::string bytes, std::string what) {
        ++tried_;
        if (!why_not_loadable(bytes).empty()) return;
        objects_.push_back(std::move(bytes));
        names_.push_back(std::move(what));
    }

    /// Returns how many were refused by the check.
    std::size_t load_all() {
        const std::size_t refused = tried_ - objects_.size();
        for (std::size_t first = 0; first < objects_.size();) {
            int ends[2];
            REQUIRE(::pipe(ends) == 0);
            const pid_t child = ::fork();
            REQUIRE(child >= 0);
            if (child == 0) {
                // Its end is told by who waits for it.
                for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) std::signal(number, SIG_DFL);
                static_cast<void>(std::freopen("/dev/null", "w", stderr));
                for (std::size_t i = first; i < objects_.size(); ++i) {
                    const auto number = static_cast<std::uint32_t>(i);
                    if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(9);
                    if (load(objects_[i]) == 2) ::_exit(8);
                }
                ::_exit(0);
            }
            ::close(ends[1]);
            std::uint32_t last = 0;
            for (std::uint32_t number = 0; ::read(ends[0], &number, sizeof number) == sizeof number;) last = number;
            ::close(ends[0]);
            int status = -1;
            ::waitpid(child, &status, 0);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
            FAIL_CHECK("loading ends the process, status ", status, ": ", names_[last]);
            first = last + 1;
        }
        return refused;
    }

    [[nodiscard]] std::size_t tried() const { return tried_; }

private:
    std::size_t tried_ = 0;
    std::vector<std::string> objects_;
    std::vector<std::string> names_;
};

struct area {
    std::size_t begin;
    std::size_t end;
};

/// The parts of the file that a loader reads: headers, and the sections that are loaded and are no code or unwinding table.
std::vector<area> what_a_loader_reads(const std::string& bytes) {
    ElfW(Ehdr) header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<area> found = {{0, sizeof header},
                               {header.e_phoff, header.e_phoff + header.e_phnum * sizeof(ElfW(Phdr))}};
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        ElfW(Shdr) section;
        std::memcpy(&section, bytes.data() + header.e_shoff + i * sizeof section, sizeof section);
        const bool is_table = section.sh_type != SHT_PROGBITS && section.sh_type != SHT_NOBITS;
        if (is_table && (section.sh_flags & SHF_ALLOC) != 0)
            found.push_back({section.sh_offset, section.sh_offset + section.sh_size});
    }
    return found;
}

struct variant {
    std::string name;
    std::string bytes;
};

std::vector<variant> variants() {
    std::vector<variant> out;
    const auto add = [&out](const std::string& name, std::string bytes) {
        if (bytes.empty()) MESSAGE("skipped: ", name);
        else out.push_back({name, std::move(bytes)});
    };
    add("g++", built("g++", {}));
    add("g++, System V hash table", built("g++", {"-Wl,--hash-style=sysv"}));
    add("g++, both hash tables", built("g++", {"-Wl,--hash-style=both"}));
    add("g++, lazy, without a read-only part", built("g++", {"-Wl,-z,lazy,-z,norelro"}));
    add("g++, all now", built("g++", {"-Wl,-z,now"}));
    add("g++, packed relocations", built("g++", {"-Wl,-z,pack-relative-relocs"}));
    add("g++, gold", built("g++", {"-fuse-ld=gold"}));
    add("g++, lld", built("g++", {"-fuse-ld=lld"}));
    add("g++, mold", built("g++", {"-fuse-ld=mold"}));
    add("clang++", built("clang++", {}));
    add("g++, thread-local memory",
        built("g++", {}, "static thread_local int a = 3; extern \"C\" int answer() { return ++a; }\n"));
    return out;
}

}  // namespace

TEST_CASE("what compilers and linkers write is loadable, and loads") {
    for (const variant& each : variants()) {
        CAPTURE(each.name);
        CHECK_EQ(why_not_loadable(each.bytes), "");
        CHECK_EQ(load(each.bytes), 0);
    }
}

TEST_CASE("kernels as kiln compiles them are loadable") {
    const auto compiler = kiln::compile::host_toolchain::find();
    if (!compiler) return;
    CHECK_EQ(why_not_loadable(compiler->compile({"a", "extern \"C\" int a() { return 1; }\n"}).bytes), "");
    CHECK_EQ(why_not_loadable(compiler->compile({"a", source}).bytes), "");
}

TEST_CASE("case 50: an object cut anywhere is refused, or loads without harm") {
    for (const variant& each : variants()) {
        loader all;
        for (std::size_t length = 0; length < each.bytes.size(); length += length < 2048 ? 1 : 61)
            all.add(each.bytes.substr(0, length), each.name + " cut to " + std::to_string(length));
        CHECK(all.load_all() > all.tried() / 2);
    }
}

TEST_CASE("case 50: an object with a byte of its headers or tables damaged is refused, or loads without harm") {
    for (const variant& each : variants()) {
        loader all;
        for (const area& part : what_a_loader_reads(each.bytes))
            for (std::size_t at = part.begin; at < part.end; ++at)
                for (const int flip : {0xff, 0x80, 0x40, 0x08, 0x01}) {
                    std::string damaged = each.bytes;
                    damaged[at] = static_cast<char>(damaged[at] ^ flip);
                    all.add(std::move(damaged),
                            each.name + " with byte " + std::to_string(at) + " ^ " + std::to_string(flip));
                }
        CHECK(all.load_all() > all.tried() / 10);
    }
}

TEST_CASE("case 50: an object that says of its program headers that they are elsewhere is refused") {
    // Nothing that is loaded and gone again reads them there; an exception on its way through does.
    for (const variant& each : variants()) {
        ElfW(Ehdr) header;
        std::memcpy(&header, each.bytes.data(), sizeof header);
        for (std::size_t i = 0; i < header.e_phnum; ++i) {
            const std::size_t at = header.e_phoff + i * sizeof(ElfW(Phdr));
            ElfW(Phdr) of;
            std::memcpy(&of, each.bytes.data() + at, sizeof of);
            if (of.p_type != PT_PHDR) continue;
            for (const std::uint64_t moved : {of.p_vaddr + 0x100, of.p_vaddr + sizeof of, of.p_vaddr - 8}) {
                ElfW(Phdr) elsewhere = of;
                elsewhere.p_vaddr = moved;
                std::string damaged = each.bytes;
                std::memcpy(damaged.data() + at, &elsewhere, sizeof elsewhere);
                CAPTURE(each.name);
                CHECK_EQ(why_not_loadable(damaged), "its program headers are not where it says");
            }
        }
    }
}

TEST_CASE("case 50: an object with a word of its headers or tables replaced is refused, or loads without harm") {
    for (const variant& each : variants()) {
        loader all;
        for (const area& part : what_a_loader_reads(each.bytes))
            for (std::size_t at = part.begin; at + 8 <= part.end; at += 4)
                for (const std::uint64_t value : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 32,
                                                  std::uint64_t{0x3000}, std::uint64_t{0x7ffffffffffff000}}) {
                    std::string damaged = each.bytes;
                    std::memcpy(damaged.data() + at, &value, sizeof value);
                    all.add(std::move(damaged),
                            each.name + " with " + std::to_string(value) + " at " + std::to_string(at));
                }
        CHECK(all.load_all() > all.tried() / 10);
    }
}

TEST_CASE("case 50: an object with pages of zeros is refused, or loads without harm") {
    for (const variant& each : variants()) {
        loader all;
        for (std::size_t at = 0; at < each.bytes.size(); at += 512)
            for (const std::size_t length : {std::size_t{512}, std::size_t{4096}}) {
                std::string damaged = each.bytes;
                const std::size_t end = std::min(damaged.size(), at + length);
                std::fill(damaged.begin() + static_cast<std::ptrdiff_t>(at),
                          damaged.begin() + static_cast<std::ptrdiff_t>(end), '\0');
                all.add(std::move(damaged), each.name + " with zeros from " + std::to_string(at));
            }
        all.load_all();
    }
}

TEST_CASE("what is no shared object for this machine is told in words") {
    CHECK_EQ(why_not_loadable(""), "it is shorter than an ELF header");
    CHECK_EQ(why_not_loadable(std::string(100000, 'x')), "it is no ELF file");
    const std::string program = read_file("/proc/self/exe");
    CHECK(!why_not_loadable(program).empty());
    const std::string whole = built("g++", {});
    if (whole.empty()) return;
    std::string other = whole;
    other[18] = static_cast<char>(0x28);  // e_machine: 32-bit ARM
    CHECK_EQ(why_not_loadable(other), "it is for another machine");
}

TEST_CASE("an object that wants to run code while it is loaded is no kernel's") {
    const std::string begins = built("g++", {},
                                     "static int a; __attribute__((constructor)) static void begin() { a = 1; "
                                     "}\nextern \"C\" int answer() { return a; }\n");
    if (begins.empty()) return;
    CHECK_EQ(why_not_loadable(begins), "it wants to run code while it is loaded");
}

TEST_CASE("libraries that no kernel needs are not loaded for it") {
    const std::string needing = built("g++", {"-Wl,--no-as-needed", "-lrt", "-lresolv"});
    if (needing.empty()) return;
    CHECK_EQ(why_not_loadable(needing), "it needs a library that no kernel needs");
}
