// The tour's expression, and what each room made of it. src/README.md has what this prints:
//   tour                   prints it
//   tour --compare PAGE    fails where PAGE, a Markdown file, has something else between ```tour and ```
//   tour --write PAGE      puts it there
// Words and figures of one machine or one run are "_" there.
#include <support/rooms.hpp>
#include <support/source_pieces.hpp>

#include <compile/host_compiler.hpp>
#include <device/kernel_store.hpp>
#include <emit/source.hpp>
#include <lower/lower.hpp>
#include <plan/bind.hpp>
#include <plan/partition.hpp>
#include <plan/row_limits.hpp>
#include <stage/stages.hpp>

#include <kiln/kiln.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace k = kiln;
namespace d = kiln::detail;

namespace {

const char* name_of(k::operation code) { return d::operations[static_cast<int>(code)].name; }
const char* name_of(d::reduction_kind what) { return d::reductions[static_cast<int>(what)].name; }
const char* name_of(k::element_type type) { return k::info(type).name; }

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
    std::string out;
    for (const auto& each : items) out += (out.empty() ? "" : ", ") + std::string(text(each));
    return out;
}

/// One graph of terms: each after its operands.
std::string captured(const d::handle<d::term>& root) {
    std::string out;
    d::term_table seen;
    const auto number = [&seen](const d::term* of) { return *seen.find(of); };
    const auto visit = [&](const d::term& each) {
        std::string what;
        switch (each.what) {
            case d::term::kind::array: what = fmt::format("array {}", to_string(each.node.get()->extents)); break;
            case d::term::kind::operation: what = name_of(each.code); break;
            case d::term::kind::reduced: what = name_of(each.reduces); break;
            default: what = "another term"; break;
        }
        std::string operands;
        for (int i = 0; i < each.arg_count; ++i)
            operands += fmt::format("{}{}", i ? ", " : " of ", number(each.args[i].get()));
        out += fmt::format("  {}: {}{}\n", number(&each), what, operands);
    };
    d::each_term(
        root.get(), seen, [](const d::term&) { return false; }, visit);
    return out;
}

/// A straight line of typed steps over numbered values.
std::string lowered(const k::lower::program& of) {
    std::string out;
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const k::lower::step& each = of.steps[i];
        std::string operands;
        for (int j = 0; j < each.arity; ++j) operands += fmt::format("{}v{}", j ? ", " : "", each.args[j]);
        out += fmt::format("  v{} = {}({}): {}\n", of.step_value(static_cast<int>(i)), name_of(each.code), operands,
                           name_of(each.result));
    }
    for (std::size_t i = 0; i < of.outputs.size(); ++i) {
        const d::graph::output& stored = of.stored[i];
        out +=
            fmt::format("  output {}: {}v{}\n", i,
                        stored.reduces == d::reduction_kind::none ? "" : std::string(name_of(stored.reduces)) + " of ",
                        of.outputs[i]);
    }
    return out;
}

/// What one call is, as far as a kernel may depend on it; and the kernels of it.
std::string planned(const k::plan::bindings& call, const k::plan::schedule& made) {
    constexpr const char* classes[] = {"contiguous", "row", "uniform", "strided", "partial sums"};
    std::string out =
        fmt::format("  over {}, {} elements; its class: {}, {} bytes aligned{}\n", to_string(*call.iteration),
                    call.element_count, call.kind.all_contiguous() ? "contiguous" : "strided or reduced",
                    call.kind.alignment(), call.kind.wide_index() ? ", positions of 64 bits" : "");
    for (const k::plan::kernel& each : made.kernels) {
        const auto how = [&](const k::plan::operand& operand) { return classes[static_cast<int>(operand.how)]; };
        out += fmt::format("  a kernel: reads {}; writes {}{}\n", joined(each.inputs, how), joined(each.outputs, how),
                           each.reduces() ? ", which the device reduces" : "");
    }
    return out;
}

/// Without the functions before the body, which tests/golden/shared has.
std::string emitted(const k::emit::source& of) {
    const tests::source_pieces pieces = tests::pieces_of(of.text);
    std::string out = "  " + pieces.heading + "\n  // ...\n";
    std::string text;
    for (const auto& each : pieces.definitions)
        if (each.name == "body" || each.name == of.name) text += each.text;
    for (const std::string& line : tests::lines_of(text)) out += "  " + line + "\n";
    for (const std::string& line : pieces.lines) out += "  " + line + "\n";
    return out;
}

std::string compiled(const k::emit::source& of) {
    const auto compiler = k::compile::host_toolchain::find();
    const auto start = std::chrono::steady_clock::now();
    const k::compile::binary made = compiler->compile(of);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    const std::string who = compiler->fingerprint();
    return fmt::format("  {}: {} KiB in {:.0f} ms by {}\n", of.name, made.bytes.size() / 1024, took.count(),
                       who.substr(0, who.find(" [")));
}

std::string kept(const k::explanation& plan) {
    std::string out;
    for (const k::kernel_explanation& each : plan.kernels)
        out += fmt::format("  {}: {}, key {}\n", each.name, to_string(each.origin), each.cache_key);
    return out;
}

std::string counted(const k::counters& counts) {
    std::string out;
#define KILN_COUNTER(name, unit, what)            \
    if (counts.name || std::string(unit) == "ns") \
        out += fmt::format("  {} {}{}{}\n", #name, counts.name, *unit ? " " : "", unit);
#include <kiln/counter_table.def>
    return out;
}

/// A vector of length one.
template <class X>
auto normalised(const X& x) {
    return x / k::sqrt(k::sum(x * x));
}

std::string tour() {
    const k::array<float> x = k::full<float>({1000000}, 2.0f);
    std::string out =
        "x / sqrt(sum(x * x)), of a million float32\n\ncapture: one graph of terms, each after its operands\n";
    const d::handle<d::term> root = k::expr<float>(normalised(x)).erase();
    out += captured(root);

    const d::output wanted;
    const k::plan::target on = k::plan::host_target;
    const k::stage::stages plan = k::stage::make_stages(&root, 1, &wanted, k::plan::row_limits(on, /*fuse=*/true));
    out += fmt::format("\nstage: {} stages, since every element needs the sum\n", plan.list.size());
    for (const k::stage::stage& each : plan.list)
        out += fmt::format(
            "  {} nodes; makes {}{}\n", each.described.nodes.size(),
            joined(each.results, [](const auto& made) { return made.root < 0 ? to_string(made.extents) : "the root"; }),
            joined(each.moving, [](const auto& from) { return fmt::format("; reads result {}", from.index); }));

    std::vector<k::emit::source> sources;
    for (std::size_t i = 0; i < plan.list.size(); ++i) {
        const k::stage::stage& each = plan.list[i];
        k::plan::bindings call(each.leaves.data(), static_cast<int>(each.leaves.size()), each.outputs.data(),
                               static_cast<int>(each.outputs.size()));
        tests::bind_as_on(on.kind, call);
        k::lower::lowered steps = k::lower::lower(each.described, call.kind.numbers(), call.kind.baked());
        out += fmt::format("\nlower, stage {}: a straight line of typed steps\n", i) + lowered(steps.code);
        const k::plan::schedule made = k::plan::partition(std::move(steps.code), call.kind, on);
        out += fmt::format("\nplan, stage {}: this call, and its kernels\n", i) + planned(call, made);
        for (const k::plan::kernel& kernel : made.kernels)
            sources.push_back(k::emit::emit(made.program, kernel, on.kind));
    }
    out += "\nemit: the text of the last kernel\n" + emitted(sources.back());
    out += "\ncompile: shared objects\n";
    for (const k::emit::source& each : sources) out += compiled(each);

    out += "\njit_cache: before the first call\n" + kept(k::explain(normalised(x)));
    const k::counters before = k::counters::now();
    const k::array<float> y = normalised(x);
    y.wait();
    const k::counters after = k::counters::now();
    out += "jit_cache: after it\n" + kept(k::explain(normalised(x)));
    out += fmt::format("\nrun, device: y[0] = {}\n\nrecord: what it came to\n", y.to_host()[0]);
    return out + counted(after - before);
}

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string elided(std::string text) {
    text = std::regex_replace(text, std::regex("[0-9]+ (KiB|ms|ns)"), "_ $1");
    text = std::regex_replace(text, std::regex(" by .*"), " by _");
    return std::regex_replace(text, std::regex("key [0-9a-f]{32}"), "key _");
}

}  // namespace

int main(int argument_count, char** arguments) {
    // Kernels are compiled, whatever was before.
    std::string store = std::filesystem::temp_directory_path() / "kiln_tour_XXXXXX";
    if (!mkdtemp(store.data())) return std::perror("kiln_tour: a folder for its kernels"), 1;
    setenv("KILN_CACHE_DIR", store.c_str(), 1);
    setenv("KILN_DEVICE", "cpu", 1);
    setenv("KILN_CPU", "compile", 1);
    const std::string made = tour();
    k::backend::kernel_store().flush();  // another thread writes
    std::filesystem::remove_all(store);

    const std::string how = argument_count == 3 ? arguments[1] : "";
    if (how != "--compare" && how != "--write") return std::fputs(made.c_str(), stdout), argument_count != 1;
    const std::string page = text_of(arguments[2]);
    const std::string fence = "```tour\n";
    const std::size_t begin = page.find(fence);
    const std::size_t end = page.find("```\n", begin + fence.size());
    if (begin == page.npos || end == page.npos)
        return std::fprintf(stderr, "%s has no ```tour block\n", arguments[2]), 1;
    const std::string now = page.substr(0, begin) + fence + elided(made) + page.substr(end);
    if (how == "--write") return std::ofstream(arguments[2], std::ios::binary) << now, 0;
    if (now == page) return 0;
    std::fprintf(stderr, "%s differs; tour --write puts this there:\n%s", arguments[2], elided(made).c_str());
    return 1;
}
