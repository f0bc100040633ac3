// What kiln itself does in a warm call, from the first operator to the launch: instructions, allocations, nanoseconds.
// The device is one that does nothing. Without --iterations the program starts itself under valgrind, which counts: two
// runs of different length, whose difference holds no start-up.
#include "count_allocations.hpp"
#include "idle_device.hpp"
#include "support.hpp"

#include <compile/program.hpp>
#include <compile/subprocess.hpp>

#include <kiln/kiln.hpp>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

constexpr std::int64_t elements = 1000;
/// Calls whose instructions are counted: so many that what a process does before them, a few thousand instructions more or
/// less, is nothing to each.
constexpr int counted = 20000;

struct operands {
    k::array<float> x = k::from_host(std::vector<float>(elements, 1.0f));
    k::array<float> y = k::eval(x + x);
    k::array<float> rows = k::ones<float>({10, 20, 5});
    k::array<float> row = k::ones<float>({20, 5});
    k::array<float> product = k::eval(rows * row);
    k::array<float> table = k::ones<float>({20, 50});
    k::array<float> shares = k::eval(table + 0.0f);
};

// Not inlined, so that a profile has a name to show.
[[gnu::noinline]] void reuse(operands& of) { of.y = of.x + of.x + of.x + of.x + of.x; }

[[gnu::noinline]] void make_new(operands& of) {
    k::array<float> made = of.x + of.x + of.x + of.x + of.x;
    of.y = std::move(made);
}

[[gnu::noinline]] void broadcast(operands& of) { of.product = of.rows * of.row; }
// Of several reductions: its terms are made anew, its stages are kept (api/kept_stages.hpp).
[[gnu::noinline]] void softmax(operands& of) {
    const auto e = k::exp(of.table - k::max(of.table, k::axis(1), k::keep_dims));
    of.shares = e / k::sum(e, k::axis(1), k::keep_dims);
}

struct way {
    std::string name;
    std::string what;
    void (*call)(operands&);
    double instruction_limit;
    double allocation_limit;
};

// A new array allocates nothing either: its node is one that the thread gave back, its elements are the device's.
const way ways[] = {{"reuse", "y = x + x + x + x + x", reuse, 800, 0},
                    {"new", "array<float> y = x + x + x + x + x", make_new, 1030, 0},
                    {"broadcast", "y = (10,20,5) * (20,5)", broadcast, 4000, 0},
                    {"softmax", "y = softmax of rows, as it is written", softmax, 17000, 20}};

struct calls {
    operands with;

    void run(const way& which, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) which.call(with);
    }
};

std::optional<std::int64_t> instructions(const std::string& valgrind, const way& which, std::int64_t iterations) {
    const k::compile::process_result ended =
        k::compile::run_process({valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", this_program(),
                                 "--way", which.name, "--iterations", std::to_string(iterations)},
                                {.inherits_environment = true});
    const std::string label = "Collected : ";
    const std::size_t found = ended.output.find(label);
    if (ended.exit_status != 0 || found == std::string::npos) {
        k::bench::print(stderr, "warm_call: valgrind {}:\n{}\n", ended.ended, ended.output);
        return {};
    }
    return std::stoll(ended.output.substr(found + label.size()));
}

void count_instructions(report& out, const way& which) {
    const std::string valgrind = k::compile::find_program("valgrind");
    if (valgrind.empty()) {
        out.note("instructions: not counted, there is no valgrind");
        return;
    }
    const std::optional<std::int64_t> few = instructions(valgrind, which, 1000);
    const std::optional<std::int64_t> many = instructions(valgrind, which, 1000 + counted);
    if (!few || !many) {
        out.note("instructions: not counted, valgrind failed");
        return;
    }
    const double each = static_cast<double>(*many - *few) / counted;
    out.add(
        {which.what, {each, each, each}, "instructions", {}, {}, limit{limit::side::at_most, which.instruction_limit}});
}

void count_allocations(report& out, calls& warm, const way& which) {
    warm.run(which, 10);
    const std::int64_t before = allocation_count();
    warm.run(which, 1000);
    const double each = static_cast<double>(allocation_count() - before) / 1000;
    out.add(
        {which.what, {each, each, each}, "allocations", {}, {}, limit{limit::side::at_most, which.allocation_limit}});
}

void measure_time(report& out, calls& warm, const way& which) {
    std::vector<double> ns;
    for (int round = 0; round < 21; ++round) {
        constexpr std::int64_t count = 20'000;
        const auto start = std::chrono::steady_clock::now();
        warm.run(which, count);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        ns.push_back(took.count() / count);
    }
    out.add({which.what, summarize(ns), "ns"});
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    // Nothing to keep: the kernels of this device are no kernels.
    ::setenv("KILN_CACHE_MAX_SIZE", "0", 1);
    use_idle_device(elements * sizeof(float));

    calls warm;
    if (given.has("--iterations")) {
        for (const way& each : ways)
            if (each.name == given.text("--way", "reuse")) warm.run(each, given.number("--iterations", 0));
        return 0;
    }

    report out("warm_call", processor() + "; a device that launches nothing", given);
    for (const way& each : ways) {
        count_instructions(out, each);
        count_allocations(out, warm, each);
        measure_time(out, warm, each);
    }
    out.note(
        "instructions: callgrind, (Ir of 21000 calls - Ir of 1000) / 20000; the kernel's part of clock_gettime is not "
        "in");
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("warm_call", trouble);
}
