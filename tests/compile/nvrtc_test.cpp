// compile/nvrtc: found without being opened, and what its compiles and refusals give. Needs no GPU.
#include <compile/find_library.hpp>
#include <compile/nvrtc.hpp>
#include <compile/toolchain.hpp>
#include <emit/body.hpp>

#include <kiln/error.hpp>

#include <support/child.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using kiln::compile_error;
using kiln::compile::binary;
using kiln::compile::nvrtc_toolchain;

/// Changes one variable of the environment while it lives; without a value it is unset.
class changed_variable {
public:
    changed_variable(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        had_value_ = std::getenv(name) != nullptr;
        if (value) setenv(name, value, 1);
        else unsetenv(name);
    }
    ~changed_variable() {
        if (had_value_) setenv(name_, before_.c_str(), 1);
        else unsetenv(name_);
    }
    changed_variable(const changed_variable&) = delete;
    changed_variable& operator=(const changed_variable&) = delete;

private:
    const char* name_;
    std::string before_;
    bool had_value_ = false;
};

const kiln::emit::source five_x = {"five_x",
                                   "extern \"C\" __global__ void __launch_bounds__(256) five_x(float* __restrict__ y,\n"
                                   "        const float* __restrict__ x, unsigned n) {\n"
                                   "    unsigned i = blockIdx.x * 256u + threadIdx.x;\n"
                                   "    if (i < n) y[i] = x[i] + x[i] + x[i] + x[i] + x[i];\n"
                                   "}\n"};
const kiln::emit::source misspelt = {"misspelt",
                                     "extern \"C\" __global__ void misspelt(float* y)\n"
                                     "{\n"
                                     "    y[0] = sqroot(y[1]);\n"
                                     "}\n"};

std::string fact(const binary& made, const std::string& name) {
    for (const auto& [key, value] : made.facts)
        if (key == name) return value;
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What compiling throws; fails the test when it throws nothing.
compile_error error_of(nvrtc_toolchain& compiler, const kiln::emit::source& kernel) {
    try {
        compiler.compile(kernel);
    } catch (const compile_error& thrown) {
        return thrown;
    }
    FAIL("compiled");
    return compile_error("", "", "");
}

bool nvrtc_is_there() {
    const bool there = KILN_HAS_CUDA && !kiln::compile::find_nvrtc().path.empty();
    if (!there) MESSAGE("skipped: no NVRTC here, or none in this build");
    return there;
}

void write_file(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

TEST_CASE("lines are numbered from 1 and aligned") {
    CHECK(kiln::compile::number_lines("a\nb\n") == "1  a\n2  b\n");
    CHECK(kiln::compile::number_lines("a\n\nb") == "1  a\n2  \n3  b\n");
    CHECK(kiln::compile::number_lines("").empty());
    std::string ten;
    for (int i = 0; i < 10; ++i) ten += "x\n";
    const std::string numbered = kiln::compile::number_lines(ten);
    CHECK(numbered.substr(0, 6) == " 1  x\n");
    CHECK(numbered.substr(numbered.size() - 6) == "10  x\n");
}

TEST_CASE("a kernel compiles to an ELF cubin and says its registers") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_90");
    const binary made = compiler.compile(five_x);
    CHECK(made.bytes.substr(0, 4) == "\177ELF");
    CHECK(contains(made.bytes, "five_x"));
    CHECK(std::atoi(fact(made, "registers").c_str()) > 0);
    CHECK(fact(made, "spill_bytes") == "0");
    CHECK(fact(made, "nvrtc") != "");
    CHECK(fact(made, "ptx") == "");
}

TEST_CASE("a GPU newer than this NVRTC gets PTX for the newest that it knows") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_990");
    const binary made = compiler.compile(five_x);
    CHECK(contains(made.bytes, ".visible .entry five_x"));
    CHECK(contains(fact(made, "ptx"), "compute_"));
}

TEST_CASE("NVRTC is given one option more, and does without where it does not know it") {
    if (!nvrtc_is_there()) return;
    using kiln::compile::arithmetic;
    nvrtc_toolchain told("sm_990", /*driver_major=*/0, "--use_fast_math");
    const kiln::emit::source kernel = {"f", "extern \"C\" __global__ void f(float* y) { y[0] = y[1] / y[2]; }\n"};
    CHECK(contains(told.options(arithmetic::exact), " --use_fast_math"));
    CHECK(contains(told.compile(kernel).bytes, "div.approx"));

    nvrtc_toolchain told_nonsense("sm_90", /*driver_major=*/0, "--no-such-option");
    CHECK(fact(told_nonsense.compile(five_x), "spill_bytes") == "0");
}

TEST_CASE("fma contracts a product and a sum, fast math is approximate, and without them neither is") {
    if (!nvrtc_is_there()) return;
    using kiln::compile::arithmetic;
    const kiln::emit::source kernel = {"f",
                                       "extern \"C\" __global__ void f(float* y)\n"
                                       "{\n"
                                       "    y[0] = (y[1] * y[2] + y[3]) / y[4];\n"
                                       "}\n"};
    nvrtc_toolchain compiler("sm_990");  // too new: PTX comes out, which can be read
    const std::string exact = compiler.compile(kernel).bytes;
    CHECK(contains(exact, "mul.rn.f32"));
    CHECK(contains(exact, "div.rn.f32"));
    CHECK(!contains(exact, "fma.rn"));
    const std::string contracted = compiler.compile(kernel, arithmetic::contracted).bytes;
    CHECK(contains(contracted, "fma.rn.f32"));
    CHECK(contains(contracted, "div.rn.f32"));
    const std::string fast = compiler.compile(kernel, arithmetic::fast).bytes;
    CHECK(contains(fast, "fma.rn.ftz.f32"));
    CHECK(contains(fast, "div.approx.ftz.f32"));
    CHECK(contains(compiler.options(), "--fmad=false"));
    CHECK(contains(compiler.options(arithmetic::contracted), "--fmad=true"));
    CHECK(contains(compiler.options(arithmetic::fast), "--use_fast_math"));
}

TEST_CASE("NVRTC reads the literals of constants as the very bits") {
    if (!nvrtc_is_there()) return;
    using kiln::element_type;
    const float floats[] = {0.1f, 1.17549435e-38f, 1e-45f, 3.4028235e38f, 1.0000001f, -7.0385306e-26f};
    const double doubles[] = {0.1,
                              2.2250738585072011e-308,
                              5e-324,
                              1.7976931348623157e308,
                              9007199254740993.0,
                              1e23,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity()};
    std::string text = "extern \"C\" __global__ void f(unsigned* y, unsigned long long* z)\n{\n";
    std::vector<std::string> wanted;
    for (const float each : floats) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &each, sizeof bits);
        text += "    *y++ = __float_as_uint(" + kiln::emit::literal({element_type::float32, bits}) + ");\n";
        wanted.push_back(std::to_string(static_cast<std::int32_t>(bits)) + ";");
    }
    for (const double each : doubles) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &each, sizeof bits);
        text += "    *z++ = __double_as_longlong(" + kiln::emit::literal({element_type::float64, bits}) + ");\n";
        wanted.push_back(std::to_string(static_cast<std::int64_t>(bits)) + ";");
    }
    nvrtc_toolchain compiler("sm_990");
    const std::string ptx = compiler.compile({"f", text + "}\n"}).bytes;
    for (const std::string& each : wanted) CHECK_MESSAGE(contains(ptx, each), each, " is not in ", ptx);
}

TEST_CASE("a GPU older than this NVRTC is refused with the oldest that it knows") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_20");
    const compile_error thrown = error_of(compiler, five_x);
    CHECK(contains(thrown.what(), "no longer knows sm_20; its oldest is sm_"));
}

TEST_CASE("a kernel that is rejected: stage, target, name, line and its text, numbered source, whole log") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_90");
    const compile_error thrown = error_of(compiler, misspelt);
    CHECK(contains(thrown.what(),
                   "kiln: compile: sm_90 rejected misspelt: line 3: identifier \"sqroot\" is undefined: "
                   "y[0] = sqroot(y[1]); (all of this kernel is kiln's own text"));
    CHECK(contains(thrown.source(), "3      y[0] = sqroot(y[1]);\n"));
    CHECK(contains(thrown.log(), "misspelt.cu(3): error"));
    CHECK(contains(thrown.log(), "1 error detected"));
}

TEST_CASE("what the assembler rejects is named too") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_90");
    const compile_error thrown =
        error_of(compiler, {"wrong_ptx", "extern \"C\" __global__ void wrong_ptx() { asm(\"nonsense;\"); }\n"});
    CHECK(contains(thrown.what(), "compile: sm_90 rejected wrong_ptx: "));
    CHECK(contains(thrown.what(), "nonsense"));
}

TEST_CASE("threads compile at once with one toolchain") {
    if (!nvrtc_is_there()) return;
    nvrtc_toolchain compiler("sm_90");
    std::vector<std::string> made(4);
    std::vector<std::thread> threads;
    for (std::string& each : made) threads.emplace_back([&] { each = compiler.compile(five_x).bytes; });
    for (std::thread& each : threads) each.join();
    for (const std::string& each : made) CHECK(each == made[0]);
    CHECK(!made[0].empty());
}

TEST_CASE("case 39: an NVRTC that is not there: the error lists what was looked for where") {
    const tests::temporary_folder folder;
    SUBCASE("KILN_NVRTC names no file") {
        const std::string file = folder.path() + "/libnvrtc.so.12";
        const changed_variable chosen("KILN_NVRTC", file.c_str());
        nvrtc_toolchain compiler("sm_90");
        CHECK(compiler.fingerprint() == "no NVRTC");
        const compile_error thrown = error_of(compiler, five_x);
        if (KILN_HAS_CUDA) CHECK(contains(thrown.what(), "KILN_NVRTC: " + file));
        else CHECK(contains(thrown.what(), "CUDA is not in this build"));
    }
    SUBCASE("the places of a search") {
        const changed_variable chosen("KILN_NVRTC", nullptr);
        const changed_variable home("CUDA_HOME", folder.path().c_str());
        const kiln::compile::found_library found = kiln::compile::find_nvrtc();
        if (!found.path.empty()) {
            MESSAGE("skipped: this machine has ", found.path, " in a place of its own");
            return;
        }
        const std::string looked = kiln::compile::join_places(found.looked);
        CHECK(contains(looked, "CUDA_HOME: " + folder.path() + "/lib64"));
        CHECK(contains(looked, "/usr/local/cuda/lib64"));
        CHECK(contains(looked, "LD_LIBRARY_PATH"));
        CHECK(contains(looked, "pip's wheels"));
    }
}

TEST_CASE("child: threads compile while the program ends" * doctest::skip()) {
    static nvrtc_toolchain& compiler = *new nvrtc_toolchain("sm_90");  // as a device's, never destroyed
    for (int i = 0; i < 3; ++i)
        std::thread([i] {
            for (int number = i;; number += 3) {
                try {
                    const std::string name = "kiln_end_" + std::to_string(number);
                    compiler.open();  // apart from the first compile, as its time is told apart
                    static_cast<void>(
                        compiler.compile({name, "extern \"C\" __global__ void " + name + "() {}", "end"}));
                } catch (const compile_error& trouble) {
                    if (!contains(trouble.what(), "the program is ending")) std::_Exit(3);
                }
            }
        }).detach();
    const char* const wait_ms = std::getenv("KILN_TEST_WAIT_MS");
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms ? std::atoi(wait_ms) : 0));
    std::exit(77);  // doctest has nothing to sum up
}

TEST_CASE(
    "case 48: threads that compile with NVRTC while the program ends get their kernels, or an error that says so") {
    if (!nvrtc_is_there()) return;
    // Before NVRTC is loaded, while it is, during the first compile, between later ones.
    for (const char* const wait_ms : {"0", "1", "2", "3", "4", "5", "6", "8", "10", "30", "60", "100", "300"}) {
        CAPTURE(wait_ms);
        const tests::child_result child =
            tests::run_child("child: threads compile while the program ends", {{"KILN_TEST_WAIT_MS", wait_ms}});
        CAPTURE(child.output);
        CHECK(child.exit_status == 77);
    }
}

TEST_CASE("a file that is no NVRTC is refused by name") {
    if (!KILN_HAS_CUDA) return;
    const tests::temporary_folder folder;
    const std::string file = folder.path() + "/libnvrtc.so.12";
    write_file(file, "not a library");
    const changed_variable chosen("KILN_NVRTC", file.c_str());
    nvrtc_toolchain compiler("sm_90");
    CHECK(contains(error_of(compiler, five_x).what(), "compile: cannot open " + file));
}

TEST_CASE("child: NVRTC is searched in a process that has loaded none" * doctest::skip()) {
    const tests::temporary_folder folder;
    const std::string earlier = folder.path() + "/a";
    const std::string later = folder.path() + "/b";
    std::filesystem::create_directories(earlier);
    std::filesystem::create_directories(later);
    for (const char* name : {"libnvrtc.so.12", "libnvrtc.so.13"}) write_file(earlier + "/" + name, "");
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.14"}) write_file(later + "/" + name, "");
    const changed_variable chosen("KILN_NVRTC", nullptr);
    const changed_variable path("LD_LIBRARY_PATH", (earlier + ":" + later).c_str());
    const auto found = [](int driver_major) { return kiln::compile::find_nvrtc(driver_major).path; };
    CHECK(found(0) == later + "/libnvrtc.so.14");
    CHECK(found(12) == earlier + "/libnvrtc.so.12");
    CHECK(found(13) == earlier + "/libnvrtc.so.13");
    std::filesystem::remove(earlier + "/libnvrtc.so.12");
    const std::string toolkit = folder.path() + "/toolkit";
    std::filesystem::create_directories(toolkit + "/lib64");
    write_file(toolkit + "/lib64/libnvrtc.so.12", "");
    const changed_variable home("CUDA_HOME", toolkit.c_str());
    CHECK(found(13) == earlier + "/libnvrtc.so.13");
    CHECK(found(12) == toolkit + "/lib64/libnvrtc.so.12");  // a later place, but one that the driver takes
}

TEST_CASE("the place found first wins, and in it the newest NVRTC that the driver takes") {
    const tests::child_result child =
        tests::run_child("child: NVRTC is searched in a process that has loaded none", {{"KILN_DEVICE", "cpu"}});
    INFO(child.output);
    CHECK(child.exit_status == 0);
    CHECK(contains(child.output, "1 passed"));
}

TEST_CASE("case 63: the fingerprint is what both files hold, wherever they lie, and none is loaded for it") {
    const tests::temporary_folder folder;
    const tests::temporary_folder elsewhere;
    const std::string library = folder.path() + "/libnvrtc.so.12";
    const std::string builtins = folder.path() + "/libnvrtc-builtins.so.12.3";
    write_file(library, "not a library");
    write_file(builtins, "nor this");
    const changed_variable chosen("KILN_NVRTC", library.c_str());
    const auto fingerprint = [] { return nvrtc_toolchain("sm_90").fingerprint(); };
    const std::string first = fingerprint();
    CHECK(first.find("NVRTC 12.3 [") == 0);
    CHECK(first.size() == std::string("NVRTC 12.3 []").size() + 32);
    CHECK(fingerprint() == first);

    // Installed again, and elsewhere.
    const auto touch = [](const std::string& file) {
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
    };
    touch(library);
    touch(builtins);
    CHECK(fingerprint() == first);
    for (const std::string& each : {library, builtins})
        std::filesystem::copy(each, elsewhere.path() + "/" + std::filesystem::path(each).filename().string());
    {
        const changed_variable other("KILN_NVRTC", (elsewhere.path() + "/libnvrtc.so.12").c_str());
        CHECK(fingerprint() == first);
    }
    // As long as before, and with the time that it had.
    const auto time = std::filesystem::last_write_time(builtins);
    write_file(builtins, "NOR this");
    std::filesystem::last_write_time(builtins, time);
    const std::string second = fingerprint();
    CHECK(second != first);
    CHECK(second.find("NVRTC 12.3 [") == 0);
    write_file(library, "not A library");
    CHECK(fingerprint() != second);
    // Options that NVRTC takes from the environment.
    const std::string third = fingerprint();
    const changed_variable flags("NVRTC_APPEND_FLAGS", "--use_fast_math");
    CHECK(fingerprint() != third);
}

TEST_CASE("NVRTC's version is told by the names of its files") {
    using kiln::compile::nvrtc_version_of;
    CHECK(nvrtc_version_of("/a/libnvrtc.so.13", "/a/libnvrtc-builtins.so.13.0") == "13.0");
    CHECK(nvrtc_version_of("/a/libnvrtc.so.12.4.127", "") == "12.4");
    CHECK(nvrtc_version_of("/a/libnvrtc.so.12", "/a/libnvrtc-builtins.so.12.4.127") == "12.4");
    CHECK(nvrtc_version_of("/a/libnvrtc.so.12", "/a/libnvrtc-builtins.so") == "12");
    CHECK(nvrtc_version_of("/a/other", "") == "");
}

TEST_CASE(
    "case 46: an include of the user's is refused before NVRTC reads it, and the folder we are in is not looked at") {
    if (!nvrtc_is_there()) return;
    const tests::temporary_folder folder;
    write_file(folder.path() + "/number.h", "#define NUMBER 1\n");
    const std::string path = folder.path() + "/number.h";
    nvrtc_toolchain compiler("sm_90");
    for (const std::string& file : {std::string("\"number.h\""), "\"" + path + "\"", "<" + path + ">"}) {
        const kiln::emit::source kernel = {
            "k", "#include " + file + "\nextern \"C\" __global__ void k(int* y) { *y = NUMBER; }\n"};
        CHECK(contains(error_of(compiler, kernel).what(), "an include that was not declared: #include " + file));
    }
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const kiln::emit::source asks = {"k",
                                     "#if __has_include(\"number.h\")\n#error seen\n#endif\n"
                                     "extern \"C\" __global__ void k(int* y) { *y = 1; }\n"};
    CHECK(contains(compiler.compile(asks).bytes, "ELF"));
    std::filesystem::current_path(before);
}

TEST_CASE("case 44: an NVRTC that others can change is not loaded") {
    const tests::temporary_folder folder;
    const std::string library = folder.path() + "/libnvrtc.so.12";
    write_file(library, "not a library");
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    {
        const changed_variable chosen("KILN_NVRTC", library.c_str());
        const kiln::compile::found_library found = kiln::compile::find_nvrtc();
        CHECK(found.path == "");
        REQUIRE(found.refused.size() == 1);
        CHECK(contains(found.refused[0], library + " is not loaded: " + folder.path() + ": owner uid "));
        CHECK(contains(kiln::compile::join_places(found.looked), "mode 0777"));
        CHECK(nvrtc_toolchain("sm_90").fingerprint() == "no NVRTC");
    }
    const changed_variable none("KILN_NVRTC", nullptr);
    const changed_variable path("LD_LIBRARY_PATH", folder.path().c_str());
    const kiln::compile::found_library found = kiln::compile::find_nvrtc();
    CHECK(found.path != library);
    if (!contains(found.path, "libnvrtc.so")) CHECK(found.refused.size() == 1);
}

TEST_CASE("the builtins that belong to a versioned libnvrtc are those of its version") {
    const tests::temporary_folder folder;
    for (const char* name : {"libnvrtc-builtins.so.11.8", "libnvrtc-builtins.so.12.4.127", "libnvrtc-builtins.so.12.9"})
        write_file(folder.path() + "/" + name, "");
    const auto of = [&](const std::string& name) {
        return std::filesystem::path(kiln::compile::nvrtc_builtins_of(folder.path() + "/" + name)).filename().string();
    };
    CHECK(of("libnvrtc.so.12.4.127") == "libnvrtc-builtins.so.12.4.127");
    CHECK(of("libnvrtc.so.12") == "libnvrtc-builtins.so.12.9");
    CHECK(of("libnvrtc.so.11.8.89") == "libnvrtc-builtins.so.11.8");
}

TEST_CASE("an older NVRTC compiles without the options that it does not know") {
    const char* const old = std::getenv("KILN_TEST_OLD_NVRTC");
    if (!old || !KILN_HAS_CUDA) {
        MESSAGE("skipped: KILN_TEST_OLD_NVRTC names no libnvrtc.so.12 (of nvidia-cuda-nvrtc-cu12==12.0.*)");
        return;
    }
    const changed_variable chosen("KILN_NVRTC", old);
    nvrtc_toolchain compiler("sm_90");
    CHECK(contains(compiler.options(), "--minimal --no-cache"));
    for (int i = 0; i < 2; ++i) {
        const binary made = compiler.compile(five_x);
        CHECK(made.bytes.substr(0, 4) == "\177ELF");
        CHECK(contains(fact(made, "nvrtc"), "12."));
        CHECK(std::atoi(fact(made, "registers").c_str()) > 0);
    }
    const compile_error thrown = error_of(compiler, misspelt);
    CHECK(contains(thrown.what(), "line 3: identifier \"sqroot\" is undefined: y[0] = sqroot(y[1]);"));
}
