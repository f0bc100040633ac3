// compile/linked_object: what g++ assembles is linked as ld would link it, or left to ld; what is damaged harms nobody.
#include <support/child.hpp>

#include <compile/elf_check.hpp>
#include <compile/elf_image.hpp>
#include <compile/linked_object.hpp>
#include <compile/program.hpp>
#include <compile/subprocess.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using kiln::compile::elf_damage;
using kiln::compile::find_program;
using kiln::compile::link_object;
using kiln::compile::run_process;
using kiln::compile::why_not_loadable;

/// The bytes of an object file; empty where there is no such compiler.
std::string assembled(const std::string& text, const std::vector<std::string>& options = {},
                      const std::string& compiler = "g++") {
    const std::string program = find_program(compiler);
    if (program.empty()) return {};
    const tests::temporary_folder folder;
    std::ofstream(folder.path() + "/kernel.cpp") << text;
    std::vector<std::string> command = {program, "-O2", "-fPIC",    "-fno-exceptions",
                                        "-c",    "-o",  "kernel.o", "kernel.cpp"};
    command.insert(command.end(), options.begin(), options.end());
    if (run_process(command, {.inherits_environment = true, .folder = folder.path()}).exit_status != 0) return {};
    std::stringstream out;
    out << std::ifstream(folder.path() + "/kernel.o", std::ios::binary).rdbuf();
    return out.str();
}

/// A shared object while it is loaded.
class loaded {
public:
    explicit loaded(const std::string& bytes) {
        const int memory = ::memfd_create("kernel", MFD_CLOEXEC);
        REQUIRE(::write(memory, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        opened_ = ::dlopen(("/proc/self/fd/" + std::to_string(memory)).c_str(), RTLD_NOW | RTLD_LOCAL);
        ::close(memory);
        REQUIRE(opened_ != nullptr);
    }
    loaded(const loaded&) = delete;
    loaded& operator=(const loaded&) = delete;
    ~loaded() { ::dlclose(opened_); }

    [[nodiscard]] bool has(const char* name) const { return ::dlsym(opened_, name) != nullptr; }
    template <class Function>
    [[nodiscard]] Function* find(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(opened_, name));
    }

private:
    void* opened_;
};

/// Constants of several alignments, a table for a switch, calls between functions, what g++ makes a memcpy and a memset of.
const std::string usual = R"(
typedef double four __attribute__((vector_size(32)));
static __attribute__((noinline)) double twice(double a) { return 2.25 * a; }
extern "C" double answer(double a, int which)
{
    switch (which) {
        case 0: return a + 0.1;
        case 1: return a * 3;
        case 2: return twice(a);
        case 3: return twice(a) - 7;
        case 4: return 1 / a;
        case 5: return a - 1e9;
        default: return -1;
    }
}
extern "C" void quadruple(double* to, const double* from)
{
    const four factors = {1.5, 2.5, 3.5, 4.5};
    for (int i = 0; i < 4; ++i) to[i] = from[i] * factors[i];
}
extern "C" void copy(char* to, const char* from, long count)
{
    __builtin_memcpy(to, from, count);
    __builtin_memset(to + count, 'x', count);
}
extern "C" __attribute__((visibility("hidden"))) double unseen(double a) { return a; }
)";

}  // namespace

TEST_CASE("an object file becomes a shared object that a loader takes, whose functions compute what they say") {
    if (!kiln::compile::links_objects) return;
    for (const char* compiler : {"g++", "clang++"}) {
        CAPTURE(compiler);
        const std::string object = assembled(usual, {}, compiler);
        if (object.empty()) continue;
        const std::optional<std::string> linked = link_object(object);
        REQUIRE(linked.has_value());
        CHECK_EQ(why_not_loadable(*linked), "");
        const loaded library(*linked);
        auto* const answer = library.find<double(double, int)>("answer");
        REQUIRE(library.has("answer"));
        const double expected[] = {4.1, 12, 9, 2, 0.25, 4 - 1e9, -1};
        for (int i = 0; i < 7; ++i) CHECK_EQ(answer(4, i), expected[i]);
        std::array<double, 4> to{};
        const std::array<double, 4> from = {2, 2, 2, 2};
        library.find<void(double*, const double*)>("quadruple")(to.data(), from.data());
        CHECK((to == std::array<double, 4>{3, 5, 7, 9}));
        std::array<char, 8> text{};
        library.find<void(char*, const char*, long)>("copy")(text.data(), "kiln", 4);
        CHECK_EQ(std::string(text.data(), 8), "kilnxxxx");
        CHECK_FALSE(library.has("unseen"));
        CHECK_FALSE(library.has("twice"));
        CHECK_FALSE(library.has("not there"));
    }
}

TEST_CASE("what takes a linker is left to one") {
    if (!kiln::compile::links_objects || assembled("").empty()) return;
    const std::string function = "extern \"C\" void f(double* x) { *x = 1; }\n";
    CHECK(link_object(assembled(function)).has_value());
    CHECK_FALSE(link_object(assembled(function, {"-g"})).has_value());
    CHECK_FALSE(link_object(assembled("")).has_value());
    for (const char* text :
         {"extern \"C\" double sin(double); extern \"C\" void f(double* x) { *x = sin(*x); }",
          "static int count; extern \"C\" int f() { return ++count; }",
          "static int count = 7; extern \"C\" int f() { return ++count; }",
          "static thread_local int count; extern \"C\" int f() { return ++count; }",
          "template <class T> __attribute__((noinline)) T g(T a) { static T t; return t += a; }"
          "extern \"C\" int f(int a) { return g(a); }",
          "static int one() { return 1; } static int two() { return 2; }"
          "extern \"C\" int f(int a) { static int (*const table[])() = {one, two}; return table[a](); }",
          "extern \"C\" int f(int* a) { return *a; } struct s { s() { f(0); } } made;"}) {
        CAPTURE(text);
        const std::string object = assembled(text);
        REQUIRE_FALSE(object.empty());
        CHECK_FALSE(link_object(object).has_value());
    }
}

TEST_CASE("of an object file that is damaged, cut or no object file nothing becomes that a loader cannot take") {
    if (!kiln::compile::links_objects) return;
    const std::string object = assembled(usual);
    if (object.empty()) return;
    const auto is_harmless = [](const std::string& bytes) {
        try {
            const std::optional<std::string> linked = link_object(bytes);
            return !linked || why_not_loadable(*linked).empty();
        } catch (const elf_damage& found) {
            return std::string(found.what) != "";
        }
    };
    CHECK_THROWS_AS(link_object(""), elf_damage);
    CHECK_THROWS_AS(link_object("text"), elf_damage);
    for (std::size_t bytes = 0; bytes < object.size(); bytes += 7) CHECK(is_harmless(object.substr(0, bytes)));
    for (std::size_t at = 0; at < object.size(); ++at) {
        for (const int change : {0x01, 0x40, 0xff}) {
            std::string damaged = object;
            damaged[at] = static_cast<char>(damaged[at] ^ change);
            INFO("byte ", at, ", ", change);
            CHECK(is_harmless(damaged));
        }
    }
    CHECK_THROWS_AS(link_object(object.substr(0, object.size() / 2)), elf_damage);
}
