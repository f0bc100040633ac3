// x+x+x+x+x on the CPU against a hand-written loop over the same memory with the same threads. Compiled kernels, then,
// in a process of its own because KILN_CPU is the whole process's.
#include "hand_written.hpp"
#include "support.hpp"

#include <compile/subprocess.hpp>
#include <device/cpu/thread_pool.hpp>

#include <kiln/kiln.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

template <class Work>
double milliseconds(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::json as_json(const summary& of) { return {of.median, of.low, of.high}; }
summary as_summary(const nlohmann::json& of) { return {of.at(0), of.at(1), of.at(2)}; }

/// One way of running kernels, in this process; prints what it measured as one line of JSON.
int measure(std::int64_t elements, int rounds) {
    k::array<float> x = k::cast<float>(k::arange<std::int64_t>(elements) % 9973) * 0.37f;
    k::array<float> y = x * 0.0f;
    y.wait();
    float* const to = y.data();
    const float* const from = std::as_const(x).data();

    k::backend::thread_pool threads(k::backend::usable_thread_count());
    // So little is worth a thread because kiln's kernels, too, use all threads at these sizes.
    constexpr std::int64_t grain = 4096;
    std::vector<contender> contenders(3);
    contenders[0].measure = [&] {
        return milliseconds([&] {
            threads.parallel_for(elements, grain,
                                 [&](std::int64_t begin, std::int64_t end) { five_x(to, from, begin, end); });
        });
    };
    contenders[1].measure = [&] {
        return milliseconds([&] {
            y = x + x + x + x + x;
            y.wait();
        });
    };
    contenders[2].measure = [&] {
        return milliseconds([&] {
            threads.parallel_for(elements, grain, [&](std::int64_t begin, std::int64_t end) {
                std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin) * sizeof(float));
            });
        });
    };
    take_turns(contenders, rounds);

    y = x + x + x + x + x;
    const std::vector<float> inputs = x.to_host();
    const std::vector<float> results = y.to_host();
    bool right = std::as_const(y).data() == to;
    for (std::size_t i = 0; right && i < inputs.size(); ++i)
        right = results[i] == inputs[i] + inputs[i] + inputs[i] + inputs[i] + inputs[i];

    const nlohmann::json out{{"right", right},
                             {"device", k::current_device().describe().name},
                             {"compiles", k::current_device().describe().compiles},
                             {"hand_written", as_json(summarize(contenders[0].values))},
                             {"kiln", as_json(summarize(contenders[1].values))},
                             {"copy", as_json(summarize(contenders[2].values))},
                             // Of bandwidths, so the times the other way round.
                             {"share", as_json(ratio(contenders[0], contenders[1]))}};
    k::bench::print(stdout, "{}\n", out.dump());
    return 0;
}

/// The child's line of JSON; null after a child that failed, which is then on standard error.
nlohmann::json run(const std::string& gear, std::int64_t elements, std::int64_t rounds) {
    const k::compile::process_result ended = k::compile::run_process(
        {this_program(), "--measure", "--elements", std::to_string(elements), "--rounds", std::to_string(rounds)},
        {.environment = {"KILN_DEVICE=cpu", "KILN_CPU=" + gear}, .inherits_environment = true});
    const std::size_t line = ended.output.find("{\"");
    nlohmann::json said =
        line == std::string::npos ? nlohmann::json() : nlohmann::json::parse(ended.output.substr(line), nullptr, false);
    if (ended.exit_status == 0 && said.is_object() && said.at("right")) return said;
    k::bench::print(stderr, "cpu_bandwidth: {}: {}\n{}\n", gear, ended.ended, ended.output);
    return {};
}

void add(report& out, const std::string& gear, const nlohmann::json& measured, double least_share) {
    out.add({"hand-written loop", as_summary(measured.at("hand_written")), "ms"});
    out.add({"memcpy", as_summary(measured.at("copy")), "ms"});
    out.add({"kiln, " + gear, as_summary(measured.at("kiln")), "ms", as_summary(measured.at("share")),
             "x the loop's bandwidth", limit{limit::side::at_least, least_share, limit::subject::ratio}});
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    const std::int64_t elements = given.number("--elements", 100'000'000);
    const std::int64_t rounds = given.number("--rounds", 15);
    if (given.has("--measure")) return measure(elements, static_cast<int>(rounds));

    report out("cpu_bandwidth",
               k::text::format("{}; x+x+x+x+x on {} floats, into y's own memory", processor(), elements), given);
    const nlohmann::json compiled = run("compile", elements, rounds);
    const nlohmann::json interpreted = run("interpret", elements, rounds);
    if (compiled.is_null() || interpreted.is_null()) return 1;
    if (compiled.at("compiles")) add(out, "compiled", compiled, 0.9);
    else out.note("compiled: not measured, there is no host compiler");
    add(out, "interpreted", interpreted, 0.5);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_bandwidth", trouble);
}
