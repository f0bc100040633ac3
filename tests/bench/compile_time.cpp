// How long a user waits for the compiler: a file with the first program of the manual, at -O2.
#include "support.hpp"

#include <compile/subprocess.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace {

using namespace kiln::bench;
namespace compile = kiln::compile;

struct seconds {
    double wall = 0;
    double processor = 0;  // what is left of wall where nobody else wants the processor
};

/// Of all child processes that ended so far.
double processor_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

/// Nothing when the compiler failed, after saying so.
std::optional<seconds> time_compiler(const std::vector<std::string>& command) {
    const double processor_start = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const compile::process_result ended = compile::run_process(command, {.inherits_environment = true});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (ended.exit_status == 0) return seconds{took.count(), processor_seconds() - processor_start};
    kiln::bench::print(stderr, "compile_time: {}:\n{}\n", ended.ended, ended.output);
    return {};
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    // The compiler proper: a cache in front of it would be measured instead.
    const std::string compiler = KILN_BENCH_COMPILER;
    const std::string source = KILN_BENCH_SOURCE_DIR "/first_program.cpp";
    report out("compile_time", kiln::text::format("{}; {}", processor(), KILN_BENCH_COMPILER_VERSION), given);
    if (!std::filesystem::exists(compiler) || !std::filesystem::exists(source)) {
        out.note("not measured: the compiler or the sources that this program was built with are not here");
        return out.finish();
    }

    const std::vector<std::string> command{compiler, "-std=c++20", "-O2", "-I" KILN_BENCH_INCLUDE_DIR,
                                           "-c",     source,       "-o",  "/dev/null"};
    std::vector<double> wall;
    std::vector<double> processor_time;
    for (std::int64_t i = 0; i <= given.number("--repeats", 5); ++i) {
        const std::optional<seconds> took = time_compiler(command);
        if (!took) return 1;
        if (i == 0) continue;  // reads the headers from disk
        wall.push_back(took->wall);
        processor_time.push_back(took->processor);
    }
    out.add({"first program at -O2, one file", summarize(wall), "s", {}, {}, limit{limit::side::at_most, 1.0}});
    out.add({"the same, processor time", summarize(processor_time), "s"});
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("compile_time", trouble);
}
