// The manual's table of operations against the table that they are made from, and its code against the programs that run
// it.
#include <support/build_paths.hpp>

#include <kiln/expression.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct row {
    std::string name;
    std::string symbol;  // empty: a function
    int arity;
    std::string rule;
};

const row rows[] = {
#define KILN_OPERATOR(name, symbol, arity, rule, complex_, floating, integer, logical) {#name, #symbol, arity, #rule},
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) {#name, "", arity, #rule},
#include <kiln/operation_table.def>
};

std::string error_of(const std::string& name) {
#define KILN_BOUND(bound, cpu_float, cpu_double, cuda_float, cuda_double) \
    if (name == #bound) return #cpu_float ", " #cpu_double "; " #cuda_float ", " #cuda_double;
#include <support/library_bounds.def>
    return name == "arg" || name == "polar" ? "library" : "exact";
}

/// As a table of Markdown holds it: "a \| b", "-a", "clamp(a, b, c)".
std::string written(const row& of) {
    std::string out;
    if (of.symbol.empty()) {
        out = of.name + "(a";
        for (int i = 1; i < of.arity; ++i) out += std::string(", ") + static_cast<char>('a' + i);
        return out + ")";
    }
    out = of.arity == 1 ? of.symbol + "a" : "a " + of.symbol + " b";
    for (std::size_t bar = out.find('|'); bar != std::string::npos; bar = out.find('|', bar + 2)) out.insert(bar, "\\");
    return out;
}

}  // namespace

TEST_CASE("the manual has every operation, once, with its types and its error") {
    std::ifstream in(tests::source_folder() + "/include/kiln/OPERATIONS.md");
    REQUIRE(in);
    std::set<std::string> lines;
    int operations = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("| `", 0) != 0) continue;
        ++operations;
        // Less the words of the third column: "| `exp(a)` | floating |", "| 2, 2; 2, 1 |".
        const std::size_t types_end = line.find(" | ", line.find("` | ") + 4);
        const std::size_t error_begin = line.rfind(" | ");
        lines.insert(line.substr(0, types_end) + line.substr(error_begin));
    }
    for (const row& each : rows) {
        const std::string wanted = "| `" + written(each) + "` | " + each.rule + " | " + error_of(each.name) + " |";
        CHECK_MESSAGE(lines.count(wanted) == 1, "include/kiln/OPERATIONS.md has no row ", wanted);
    }
    CHECK(operations == static_cast<int>(std::size(rows)));
}

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    REQUIRE_MESSAGE(in, "no file ", file.string());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        // One space for any: what stands deeper in a function is aligned otherwise.
        std::istringstream words(line);
        std::string joined;
        for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
        lines.push_back(std::move(joined));
    }
    return lines;
}

/// Every block between ```cpp and ```, but for whole programs.
std::vector<std::vector<std::string>> blocks_of(const std::filesystem::path& page) {
    std::vector<std::vector<std::string>> blocks;
    bool inside = false;
    for (const std::string& line : lines_of(page)) {
        if (line == "```cpp") {
            blocks.emplace_back();
            inside = true;
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            blocks.back().push_back(line);
        }
    }
    std::erase_if(blocks, [](const auto& block) { return !block.empty() && block[0].starts_with("#include"); });
    return blocks;
}

}  // namespace

TEST_CASE("the manual's code stands in the contract programs, which are built and run") {
    const std::filesystem::path root = std::filesystem::path(tests::source_folder());
    std::vector<std::vector<std::string>> programs;
    for (const auto& each : std::filesystem::directory_iterator(root / "tests/contract"))
        if (each.path().extension() == ".cpp") programs.push_back(lines_of(each.path()));
    for (const char* page : {"README.md", "include/kiln/README.md", "include/kiln/OPERATIONS.md"}) {
        const auto blocks = blocks_of(root / page);
        CHECK_MESSAGE(!blocks.empty(), std::string(page), " has no code");
        for (const auto& block : blocks) {
            const bool found = std::any_of(programs.begin(), programs.end(), [&](const auto& program) {
                return std::search(program.begin(), program.end(), block.begin(), block.end()) != program.end();
            });
            CHECK_MESSAGE(found, std::string(page), ": no program of tests/contract has the block that begins with: ",
                          block.empty() ? "" : block[0]);
        }
    }
}
