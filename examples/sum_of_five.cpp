// When do I pay for the kernel, how much, and when do I pay again?
//
// x + x + x + x + x on a million and on a hundred million floats: the kernel that kiln makes of it, then what the first
// call costs in an empty cache, in a new process, what a warm call costs, and what the same costs without fusing.
// Uses a cache folder of its own; each first call is made in a new process.
//     sum_of_five [COUNT]    the larger number of floats, instead of a hundred million
#include <kiln/format.hpp>
#include <kiln/kiln.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

namespace k = kiln;

namespace {

std::int64_t now_ns() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

k::array<float> some_floats(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000) * 0.25f;
    return k::from_host<float>(values, {count});  // an upload: compiles nothing
}

/// One call: nanoseconds until it returned, until its result was there, and what it counted.
struct call_cost {
    std::int64_t returned_ns = 0;
    std::int64_t done_ns = 0;
    k::counters counts;
};

call_cost measure(const std::function<void()>& call) {
    k::synchronize();
    const k::counters before = k::counters::now();
    const std::int64_t start = now_ns();
    call();
    const std::int64_t returned = now_ns();
    k::synchronize();
    const std::int64_t done = now_ns();
    call_cost cost{returned - start, done - start, k::counters::now() - before};
    cost.counts.synchronizations -= 1;  // the one above
    return cost;
}

call_cost median_of(int rounds, const std::function<void()>& call) {
    std::vector<call_cost> costs;
    for (int i = 0; i < rounds; ++i) costs.push_back(measure(call));
    std::sort(costs.begin(), costs.end(), [](const call_cost& a, const call_cost& b) { return a.done_ns < b.done_ns; });
    return costs[costs.size() / 2];
}

// --- the first call of a process, made in a process of its own ---------------------------------------------------------

void print_first_call(std::int64_t count) {
    k::array<float> x = some_floats(count);
    k::array<float> y = some_floats(count);  // so that the call has a buffer to write into
    const call_cost cost = measure([&] { y = x + x + x + x + x; });
    fmt::print("{} {} ", cost.returned_ns, cost.done_ns);
#define KILN_COUNTER(name, unit, what) fmt::print("{} ", cost.counts.name);
#include <kiln/counter_table.def>
    fmt::print("\n");
}

call_cost first_call_in_a_new_process(const std::string& program, std::int64_t count) {
    const std::string command = fmt::format("'{}' --first-call {}", program, count);
    std::FILE* const child = popen(command.c_str(), "r");
    call_cost cost;
    bool complete = child && std::fscanf(child, "%ld %ld", &cost.returned_ns, &cost.done_ns) == 2;
#define KILN_COUNTER(name, unit, what) complete = complete && std::fscanf(child, "%ld", &cost.counts.name) == 1;
#include <kiln/counter_table.def>
    if (!child || pclose(child) != 0 || !complete) {
        fmt::print(stderr, "sum_of_five: the new process failed: {}\n", command);
        std::exit(1);
    }
    return cost;
}

// --- the table ---------------------------------------------------------------------------------------------------------

std::string time_text(std::int64_t ns) {
    if (ns < 10'000) return fmt::format("{:.2f} us", static_cast<double>(ns) * 1e-3);
    if (ns < 10'000'000) return fmt::format("{:.1f} us", static_cast<double>(ns) * 1e-3);
    return fmt::format("{:.1f} ms", static_cast<double>(ns) * 1e-6);
}

std::string bytes_text(std::int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) * 1e-6); }

void row(const std::string& name, const std::array<std::string, 2>& columns) {
    fmt::print("{:<46}{:>16}{:>16}\n", name, columns[0], columns[1]);
}

template <class Text>
void row(const std::string& name, const std::array<call_cost, 2>& costs, Text text) {
    row(name, {text(costs[0]), text(costs[1])});
}

void print_first_calls(const std::string& title, const std::array<call_cost, 2>& costs, bool cuda) {
    row(title, costs, [](const call_cost& cost) { return time_text(cost.done_ns); });
    const auto part = [&](const char* name, std::int64_t k::counters::*which) {
        row(fmt::format("    {}", name), costs, [&](const call_cost& cost) { return time_text(cost.counts.*which); });
    };
    part("lower    (graph to program)", &k::counters::lower_ns);
    part("plan     (program to schedule)", &k::counters::plan_ns);
    part("emit     (schedule to source)", &k::counters::emit_ns);
    part("find     (look in memory and on disk)", &k::counters::find_ns);
    part(cuda ? "open     (NVRTC, once per process)" : "open     (the compiler, once per process)",
         &k::counters::toolchain_ns);
    part("compile", &k::counters::compile_ns);
    part("load     (binary to the device)", &k::counters::load_ns);
    part(cuda ? "launch" : "launch   (on the CPU: and run)", &k::counters::launch_ns);
    if (cuda)
        row("    run      (after the call returned)", costs,
            [](const call_cost& cost) { return time_text(cost.done_ns - cost.returned_ns); });
}

void print_warm_calls(const std::string& title, const std::array<call_cost, 2>& costs) {
    row(title, costs, [](const call_cost& cost) { return time_text(cost.done_ns); });
    row("    until the call returned", costs, [](const call_cost& cost) { return time_text(cost.returned_ns); });
    row("    launches", costs, [](const call_cost& cost) { return fmt::format("{}", cost.counts.launches); });
    row("    kernels compiled", costs, [](const call_cost& cost) { return fmt::format("{}", cost.counts.compiles); });
    row("    bytes read and written", costs,
        [](const call_cost& cost) { return bytes_text(cost.counts.bytes_read + cost.counts.bytes_written); });
    row("    bandwidth", costs, [](const call_cost& cost) {
        return fmt::format("{:.0f} GB/s", static_cast<double>(cost.counts.bytes_read + cost.counts.bytes_written) /
                                              static_cast<double>(cost.done_ns));
    });
}

void print_kernel(const k::explanation& plan) {
    for (const k::kernel_explanation& kernel : plan.kernels) {
        fmt::print("{}, for {}:\n\n{}\n", kernel.name, kernel.target,
                   kernel.source.empty() ? "    (interpreted: there is no host compiler, or KILN_CPU=interpret)\n"
                                         : kernel.source);
    }
}

void run(const std::string& program, const std::array<std::int64_t, 2>& sizes) {
    const k::device_info device = k::current_device().describe();
    fmt::print("kiln: y = x + x + x + x + x on {}{}\n\n", device.name,
               device.is_cuda ? "" : ". There is no GPU here (or KILN_DEVICE=cpu): all of this is the CPU device.");

    std::array<call_cost, 2> empty_cache, warm_disk, warm, unfused;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // The sizes share one kernel, so the cache is emptied before each first call.
        std::filesystem::remove_all(std::getenv("KILN_CACHE_DIR"));
        empty_cache[i] = first_call_in_a_new_process(program, sizes[i]);
        warm_disk[i] = first_call_in_a_new_process(program, sizes[i]);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        k::array<float> x = some_floats(sizes[i]);
        k::array<float> y = x + x;
        if (i == 0) print_kernel(k::explain(x + x + x + x + x));
        const auto call = [&] { y = x + x + x + x + x; };
        call();
        warm[i] = median_of(21, call);
        const k::scoped_options off({.fuse = false});
        call();
        unfused[i] = median_of(21, call);
    }

    row("floats", {fmt::format("{}", sizes[0]), fmt::format("{}", sizes[1])});
    fmt::print("\n");
    print_first_calls("first call ever (empty cache)", empty_cache, device.is_cuda);
    fmt::print("\n");
    print_first_calls("first call in a new process (disk cache warm)", warm_disk, device.is_cuda);
    fmt::print("\n");
    print_warm_calls("warm call (median of 21)", warm);
    fmt::print("\n");
    print_warm_calls("warm call with fuse = false (median of 21)", unfused);
    fmt::print("\n");
    std::array<std::string, 2> gain;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        gain[i] =
            fmt::format("{:.2f} x", static_cast<double>(unfused[i].done_ns) / static_cast<double>(warm[i].done_ns));
    row("fusing made it faster by", gain);
    fmt::print(
        "\nYou pay for the compile once per machine: the kernel is then on disk. A new process pays for the load, "
        "once.\n"
        "Every later call pays for its launch and its bytes, whatever the size and the scalars are.\n");
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 3 && std::string(argv[1]) == "--first-call") {
        print_first_call(std::atoll(argv[2]));
        return 0;
    }
    std::string folder = (std::filesystem::temp_directory_path() / "kiln_sum_of_five_XXXXXX").string();
    if (!mkdtemp(folder.data())) {
        fmt::print(stderr, "sum_of_five: no folder can be made in {}\n",
                   std::filesystem::temp_directory_path().string());
        return 1;
    }
    setenv("KILN_CACHE_DIR", (folder + "/cache").c_str(), 1);
    run(std::filesystem::read_symlink("/proc/self/exe").string(),
        {1'000'000, argc == 2 ? std::max(std::atoll(argv[1]), 1LL) : 100'000'000});
    std::filesystem::remove_all(folder);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "sum_of_five: {}\n", trouble.what());
    return 1;
}
