// What the first x+x+x+x+x of a process costs, context up: with an empty kernel store, and with one that an earlier
// process filled. Each sample is a process of its own, started by this program.
#include "support.hpp"

#include <compile/subprocess.hpp>

#include <kiln/kiln.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// A folder that is gone afterwards.
class temporary_folder {
public:
    temporary_folder() : path_((std::filesystem::temp_directory_path() / "kiln-first-call-XXXXXX").string()) {
        if (!::mkdtemp(path_.data())) throw std::runtime_error("cannot make " + path_);
    }
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

// What a cold call is made of, in order. The first three are for the compiler and the driver to answer for.
struct row {
    const char* name;
    std::int64_t k::counters::*ns;
    bool kiln_answers;
};
const row rows[] = {{"toolchain (dlopen)", &k::counters::toolchain_ns, false},
                    {"compile", &k::counters::compile_ns, false},
                    {"load", &k::counters::load_ns, false},
                    {"lower", &k::counters::lower_ns, true},
                    {"plan", &k::counters::plan_ns, true},
                    {"emit", &k::counters::emit_ns, true},
                    {"find", &k::counters::find_ns, true},
                    {"launch", &k::counters::launch_ns, true}};

/// The measured process: prints one line of JSON. `touch`: evaluates something else first.
int measure(bool touch) {
    const k::array<float> x = k::from_host(std::vector<float>(1000, 1.5f));
    if (touch) k::array<float>(x * x).wait();
    x.wait();

    const k::counters before = k::counters::now();
    const auto start = std::chrono::steady_clock::now();
    const k::array<float> y = x + x + x + x + x;
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
    const k::counters spent = k::counters::now() - before;

    bool right = true;
    for (const float each : y.to_host()) right = right && each == 7.5f;
    nlohmann::json out{
        {"right", right}, {"wall", wall.count()}, {"compiles", spent.compiles}, {"disk_hits", spent.disk_hits}};
    for (const row& each : rows) out[each.name] = static_cast<double>(spent.*each.ns) * 1e-3;
    const k::device_info device = k::current_device().describe();
    out["device"] = k::text::format("{}, {}", device.name, device.target);
    out["is_cuda"] = device.is_cuda;
    k::bench::print(stdout, "{}\n", out.dump());
    return 0;
}

nlohmann::json run(const std::string& folder, bool touch) {
    std::vector<std::string> command{this_program(), "--measure"};
    if (touch) command.emplace_back("--touch");
    const k::compile::process_result ended =
        k::compile::run_process(command, {.environment = {"KILN_CACHE_DIR=" + folder}, .inherits_environment = true});
    const std::size_t line = ended.output.find("{\"");
    nlohmann::json said =
        line == std::string::npos ? nlohmann::json() : nlohmann::json::parse(ended.output.substr(line), nullptr, false);
    if (ended.exit_status != 0 || !said.is_object() || !said.at("right"))
        throw std::runtime_error("the measured process: " + ended.ended + "\n" + ended.output);
    return said;
}

summary of_row(const std::vector<nlohmann::json>& samples, const std::string& name) {
    std::vector<double> us;
    for (const nlohmann::json& each : samples) us.push_back(each.at(name));
    return summarize(std::move(us));
}

summary beyond_compiler(const std::vector<nlohmann::json>& samples) {
    std::vector<double> us;
    for (const nlohmann::json& each : samples) {
        double rest = each.at("wall");
        for (const row& part : rows)
            if (!part.kiln_answers) rest -= each.at(part.name).get<double>();
        us.push_back(rest);
    }
    return summarize(std::move(us));
}

void cold(report& out, std::int64_t repeats, bool limited) {
    std::vector<nlohmann::json> samples;
    for (std::int64_t i = 0; i < repeats; ++i) {
        const temporary_folder empty;
        samples.push_back(run(empty.path(), false));
        if (samples.back().at("compiles") != 1) out.note("an empty store, and yet nothing was compiled");
    }
    for (const row& each : rows) out.add({k::text::format("cold: {}", each.name), of_row(samples, each.name), "us"});
    out.add({"cold: the whole call", of_row(samples, "wall"), "us"});
    figure beyond{"cold: beyond dlopen, compile, load", beyond_compiler(samples), "us"};
    if (limited) beyond.must_be = limit{limit::side::at_most, 1000};
    out.add(std::move(beyond));
}

void warm_disk(report& out, std::int64_t repeats, bool touch, bool limited) {
    const temporary_folder store;
    run(store.path(), touch);
    std::vector<nlohmann::json> samples;
    for (std::int64_t i = 0; i < repeats; ++i) {
        samples.push_back(run(store.path(), touch));
        if (samples.back().at("disk_hits") != 1) out.note("a filled store, and yet nothing was found on disk");
    }
    const std::string when = touch ? "disk, another expression before" : "disk, an upload before";
    for (const row& each : rows)
        if (of_row(samples, each.name).median > 0)
            out.add({k::text::format("{}: {}", when, each.name), of_row(samples, each.name), "us"});
    figure whole{when + ": the whole call", of_row(samples, "wall"), "us"};
    if (limited) whole.must_be = limit{limit::side::at_most, 250};
    out.add(std::move(whole));
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (given.has("--measure")) return measure(given.has("--touch"));
    const temporary_folder scratch;
    const nlohmann::json first = run(scratch.path(), false);  // also warms the files of compiler and driver
    const std::int64_t repeats = given.number("--repeats", 15);
    const bool limited = first.at("is_cuda");  // what is promised is promised for GPUs; a host compiler takes longer
    const auto device = first.at("device").get<std::string>();
    report out("first_call", k::text::format("{}; {}; {} processes each", device, processor(), repeats), given);
    cold(out, repeats, limited);
    warm_disk(out, repeats, false, limited);
    warm_disk(out, repeats, true, limited);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("first_call", trouble);
}
