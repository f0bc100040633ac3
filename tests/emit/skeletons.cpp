#include "skeletons.hpp"

#include <support/source_pieces.hpp>

#include <emit/helpers.hpp>

#include <algorithm>
#include <cctype>
#include <regex>

namespace tests {

namespace {

using kiln::plan::frame;

const char* ending(frame on) { return on == frame::cuda ? ".cu" : ".host.cc"; }

struct group {
    const char* name;
    std::regex members;
};

/// By who writes them.
const std::vector<group>& groups() {
    static const std::vector<group> out = {
        {"types", std::regex("[iu](8|16|32|64)|complex")},
        {"bodies", std::regex("(fast_|block_|vector_|words_)?(body(_\\d)?|((element|result)_)?of_row|of_columns|"
                              "element(_anew)?(_\\d){0,2}|row(_\\d)"
                              "{1,2})|make_[a-z]+\\d+|"
                              "(body|element(_\\d)?|row_\\d)(_exact|_results|_called|_made)?")},
        {"heads", std::regex("kiln_(?!promoted).*|layout")},
        {"vectors", std::regex("[a-z]+\\d+x\\d+|load_.*|store|write")},
        {"indices", std::regex(".*_index|.*_run|divide")},
        {"accumulators", std::regex("accumulators.*|identity.*|combine(_\\d)?|append|finish_.*|found_.*|.*_of|"
                                    ".*_next(_by_bits|_until_nan)?|(run|rows)_\\d")},
        {"library", std::regex("[a-z0-9]+_(f|bf)(16|32|64)|block_[a-z0-9]+_(f|bf)(16|32|64)|BLOCK_exp")},
        {"orders", std::regex("row_order")},
        {"moves", std::regex("(copy|gather|spread|repeat|turn)_rows_of_\\d+")},
        {"shuffles", std::regex("spread_.*|__has_builtin")},
        {"users",
         std::regex("user.*|#.*|(combine|nothing|widen|narrow|append|append_each)\\d|kiln_promoted|__.*__|[a-z]+")},
    };
    return out;
}

std::string trimmed(const std::string& line) { return line.substr(std::min(line.find_first_not_of(' '), line.size())); }

/// How much a line says of where it comes from: braces, pragmas and short loops stand everywhere.
std::ptrdiff_t letters_of(const std::string& line) {
    const bool is_pragma = trimmed(line)[0] == '#';
    const auto count = std::count_if(line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c); });
    return is_pragma || count < 8 ? 0 : count;
}

struct shown_kernel {
    std::string name;
    std::vector<std::string> lines;  // all of them, trimmed
};

struct run {
    const shown_kernel* in = nullptr;
    std::size_t length = 0;
};

constexpr std::ptrdiff_t least_letters = 24;

/// The longest run of lines from `at` on that one of the kernels has, too; none that says too little.
run run_elsewhere(const std::vector<std::string>& lines, std::size_t at, const std::vector<shown_kernel>& before) {
    run out;
    for (const shown_kernel& each : before)
        for (std::size_t from = 0; from < each.lines.size(); ++from) {
            std::size_t length = 0;
            std::ptrdiff_t letters = 0;
            while (at + length < lines.size() && from + length < each.lines.size() &&
                   lines[at + length] == each.lines[from + length])
                letters += letters_of(lines[at + length++]);
            if (letters >= least_letters && length > out.length) out = {&each, length};
        }
    return out;
}

/// Its lines, without those of kernels before it.
std::string own_lines(const std::vector<std::string>& lines, const shown_kernel& of,
                      const std::vector<shown_kernel>& before) {
    std::string out;
    const shown_kernel* last = nullptr;  // named by the line before
    for (std::size_t i = 0; i < lines.size();) {
        const run elsewhere = run_elsewhere(of.lines, i, before);
        if (!elsewhere.in) {
            out += lines[i++] + "\n";
            last = nullptr;
            continue;
        }
        if (elsewhere.in != last)
            out += lines[i].substr(0, lines[i].find_first_not_of(' ')) + "// ... as in " + elsewhere.in->name + "\n";
        last = elsewhere.in;
        i += elsewhere.length;
    }
    return out;
}

}  // namespace

std::string group_of(const std::string& name, frame on) {
    if (kiln::emit::has_helper(name, on) || name.starts_with("LIBRARY_") || name.starts_with("EXACT_"))
        return std::string("shared/helpers") + ending(on);
    for (const group& each : groups())
        if (std::regex_match(name, each.members)) return "shared/" + std::string(each.name) + ending(on);
    return {};
}

std::map<std::string, std::string> skeletons(const std::vector<kind>& of) {
    std::map<std::string, std::string> out;
    std::map<frame, std::vector<shown_kernel>> before;
    for (const kind& each : of) {
        const source_pieces pieces = pieces_of(each.source.text);
        std::string& text = out[each.name + ending(each.on)];
        text = pieces.heading + "\n";
        std::vector<std::string> in_order;
        std::map<std::string, std::string> names;
        for (const source_pieces::definition& definition : pieces.definitions) {
            const std::string group = group_of(definition.name, each.on);
            std::string& shared = out[group];
            if (shared.find(definition.text) == shared.npos) shared += (shared.empty() ? "" : "\n") + definition.text;
            if (names[group].empty()) in_order.push_back(group);
            if (const std::string name = " " + definition.name + ","; names[group].find(name) == text.npos)
                names[group] += name;
        }
        for (const std::string& group : in_order) {
            names[group].pop_back();
            text += "// ... " + group + ":" + names[group] + "\n";
        }
        text += "\n";
        shown_kernel kernel{each.name, {}};
        for (const std::string& line : pieces.lines) kernel.lines.push_back(trimmed(line));
        text += own_lines(pieces.lines, kernel, before[each.on]);
        before[each.on].push_back(std::move(kernel));
    }
    return out;
}

}  // namespace tests
