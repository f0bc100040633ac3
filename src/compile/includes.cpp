// kiln/compile/includes: tokens for the source, words of a make rule for what was read.
#include <compile/includes.hpp>

#include <capture/source_tokens.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

namespace kiln::compile {

std::string undeclared_include(const std::string& file) {
    return "an include that was not declared: " + file +
           " (no key holds its content; write what is used of it into the source)";
}

std::string first_include(std::string_view source) {
    using detail::token_kind;
    constexpr std::array<std::string_view, 5> reading = {"include", "include_next", "include_macros", "import",
                                                         "embed"};
    const std::vector<detail::source_token> tokens = detail::tokenise(source).tokens;
    const auto in_line = [&tokens](std::size_t i) { return i < tokens.size() && !tokens[i].starts_line; };
    for (std::size_t hash = 0; hash < tokens.size(); ++hash) {
        const bool begins =
            tokens[hash].kind == token_kind::mark && tokens[hash].spelling == "#" && tokens[hash].may_start_line;
        if (!begins || !in_line(hash + 1) || tokens[hash + 1].kind != token_kind::word) continue;
        const std::string& name = tokens[hash + 1].spelling;
        if (std::find(reading.begin(), reading.end(), name) == reading.end()) continue;
        return "#" + name + (in_line(hash + 2) ? " " + tokens[hash + 2].spelling : "");
    }
    return {};
}

std::string first_file_outside(std::string_view rule, const std::string& folder) {
    // "kernel.o: kernel.cpp /usr/a\ b.h \<line break>": a target ends with ": ", blanks in names are escaped, $ is doubled.
    std::string word;
    bool is_target = true;
    const auto outside = [&]() -> std::string {
        const std::string path = std::exchange(word, {});
        if (path.empty()) return {};
        if (is_target) {
            is_target = !path.ends_with(':');
            return {};
        }
        const std::string whole =
            (path.front() == '/' ? std::filesystem::path(path) : std::filesystem::path(folder) / path)
                .lexically_normal()
                .string();
        return whole.starts_with(folder + "/") ? std::string() : path;
    };
    for (std::size_t i = 0; i <= rule.size(); ++i) {
        const char c = i < rule.size() ? rule[i] : '\n';
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
        if (c == '\\' && (next == ' ' || next == '#' || next == '\\' || next == '\t')) {
            word += next;
            ++i;
        } else if (c == '\\' && next == '\n') {
            ++i;
            if (std::string file = outside(); !file.empty()) return file;
        } else if (c == '$' && next == '$') {
            word += c;
            ++i;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (std::string file = outside(); !file.empty()) return file;
            if (c == '\n') is_target = true;
        } else {
            word += c;
        }
    }
    return {};
}

}  // namespace kiln::compile
