// tests/bench/store_tool: starts the tool, from posix_spawn() to the last byte that it writes.
#include "store_tool.hpp"

#include <compile/subprocess.hpp>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace kiln::bench {

namespace {

class timed_tool {
public:
    explicit timed_tool(std::string tool) : tool_(std::move(tool)) {}

    /// Milliseconds.
    double run(const std::vector<std::string>& words) {
        std::vector<std::string> command{tool_};
        command.insert(command.end(), words.begin(), words.end());
        const auto start = std::chrono::steady_clock::now();
        ended_ = compile::run_process(command, {.inherits_environment = true});
        const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (ended_.exit_status != 0) throw std::runtime_error(tool_ + ": " + ended_.ended + "\n" + ended_.output);
        return took;
    }

    [[nodiscard]] const std::string& output() const { return ended_.output; }

private:
    const std::string tool_;
    compile::process_result ended_;
};

}  // namespace

void measure_tool(report& out, const std::string& tool, const std::string& where, stored_folder& full, int repeats) {
    timed_tool timed(tool);
    const std::string folder = full.path().string();
    const auto samples = [&](const std::vector<std::string>& words) {
        timed.run(words);  // fills the page cache
        std::vector<double> values;
        for (int i = 0; i < repeats; ++i) values.push_back(timed.run(words));
        return summarize(std::move(values));
    };
    const auto at_most = [](double bound_ms) { return limit{limit::side::at_most, bound_ms}; };
    const std::string among = text::format(" among {}", full.entries());
    full.fill_up();
    out.add({where + "kiln-cache --version", samples({"--version"}), "ms", {}, {}, at_most(20)});
    out.add({where + "kiln-cache ls" + among, samples({"--dir", folder, "ls"}), "ms", {}, {}, at_most(300)});
    out.add({where + "kiln-cache stats" + among, samples({"--dir", folder, "stats"}), "ms", {}, {}, at_most(300)});

    // A tenth below this bound is left, which is 11 in 20.
    const std::string bound = std::to_string(full.entries() * 11 / 18);
    std::vector<double> values;
    int removed = 0;
    for (int i = 0; i < repeats; ++i) {
        full.fill_up();
        values.push_back(timed.run({"--dir", folder, "gc", "--max-entries", bound}));
        const std::string& said = timed.output();  // "removed 9000 entries, ..."
        removed = std::atoi(said.substr(said.find(' ') + 1).c_str());
    }
    full.fill_up();
    out.add({text::format("{}kiln-cache gc of {}{}", where, removed, among),
             summarize(std::move(values)),
             "ms",
             {},
             {},
             at_most(1000)});
}

}  // namespace kiln::bench
