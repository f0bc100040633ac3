// How long a user waits for the compiler: a file with the first program of the manual, at -O2.
#include "support.hpp"

#include <compile/subprocess.hpp>

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace kiln::bench;
namespace compile = kiln::compile;

/// Seconds; negative when the compiler failed, after saying so.
double time_compiler(const std::vector<std::string>& command) {
    const auto start = std::chrono::steady_clock::now();
    const compile::process_result ended = compile::run_process(command);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (ended.exit_status == 0) return took.count();
    fmt::print(stderr, "compile_time: {}:\n{}\n", ended.ended, ended.output);
    return -1;
}

}  // namespace

int main(int count, char** values) {
    const arguments given(count, values);
    const std::string compiler = KILN_BENCH_COMPILER;  // the compiler proper: a cache in front of it would be measured instead
    const std::string source = KILN_BENCH_SOURCE_DIR "/first_program.cpp";
    report out("compile_time", fmt::format("{}; {}", processor(), KILN_BENCH_COMPILER_VERSION), given);
    if (!std::filesystem::exists(compiler) || !std::filesystem::exists(source)) {
        out.note("not measured: the compiler or the sources that this program was built with are not here");
        return out.finish();
    }

    const std::vector<std::string> command{compiler, "-std=c++20", "-O2", "-I" KILN_BENCH_INCLUDE_DIR,
                                           "-c",     source,       "-o",  "/dev/null"};
    std::vector<double> seconds;
    for (std::int64_t i = 0; i <= given.number("--repeats", 5); ++i) {
        const double took = time_compiler(command);
        if (took < 0) return 1;
        if (i > 0) seconds.push_back(took);  // the first one reads the headers from disk
    }
    out.add({"first program at -O2, one file", summarize(seconds), "s", {}, {}, limit{limit::side::at_most, 1.0}});
    return out.finish();
}
