// Every line that the printers of src/emit can write stands in one of the kinds (kinds.hpp), and so in a golden: read
// off the string literals of their files.
#include "kinds.hpp"

#include <support/build_paths.hpp>
#include <support/golden.hpp>
#include <support/source_pieces.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace {

/// Files whose texts are rows of tables, each row tried by tests/values; and those that print no kernel's lines.
const std::set<std::string> not_printers = {"operation_text.cpp", "c_functions.cpp", "name.cpp", "helpers.cpp",
                                            "helpers.hpp"};

struct literal {
    std::string text;  // its escapes as characters
    bool is_raw = false;
};

/// The string literals of a C++ file, neighbours joined.
std::vector<literal> literals_of(const std::string& code) {
    std::vector<literal> out;
    bool joins = false;  // nothing but white space since the last one
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.compare(i, 2, "//") == 0) {
            i = code.find('\n', i);
        } else if (code[i] == '\'' && !std::isalnum(static_cast<unsigned char>(code[i - 1]))) {
            for (++i; code[i] != '\''; ++i) i += code[i] == '\\';
            joins = false;
        } else if (code.compare(i, 3, "R\"(") == 0) {
            const std::size_t end = code.find(")\"", i);
            out.push_back({code.substr(i + 3, end - i - 3), true});
            joins = false;
            i = end + 1;
        } else if (code[i] == '"') {
            std::string text;
            for (++i; code[i] != '"'; ++i) {
                if (code[i] != '\\') text += code[i];
                else text += code[++i] == 'n' ? '\n' : code[i];
            }
            if (joins) out.back().text += text;
            else out.push_back({text});
            joins = true;
        } else if (!std::isspace(static_cast<unsigned char>(code[i]))) {
            joins = false;
        }
    }
    return out;
}

constexpr const char* of_field = "abcdefghijklmnopqrstuvwxyz0123456789_:";

/// What stands between a line's replacement fields. A text without fields may have single braces.
std::vector<std::string> fixed_parts(const std::string& line, bool has_fields) {
    std::vector<std::string> out(1);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const auto beside = [&](std::size_t at) {
            return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at]));
        };
        if (c == 'I' && (i == 0 || !beside(i - 1)) && !beside(i + 1)) {
            out.emplace_back();  // address.cpp puts the type of an index there
        } else if (!has_fields || (c != '{' && c != '}')) {
            out.back() += c;
        } else if (i + 1 < line.size() && line[i + 1] == c) {
            out.back() += c;
            ++i;
        } else {
            const std::size_t end = std::min(line.find_first_not_of(of_field, i + 1), line.size() - 1);
            if (c == '{' && line[end] == '}') {
                out.emplace_back();
                i = end;
            } else {
                out.back() += c;
            }
        }
    }
    return out;
}

/// Whether its braces are those of fmt.
bool is_format(const literal& of) {
    const std::string& text = of.text;
    for (std::size_t at = text.find('{'); !of.is_raw && at != text.npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find_first_not_of(of_field, at + 1);
        if (end != text.npos && (text[end] == '}' || text[at + 1] == '{')) return true;
    }
    return false;
}

bool holds(const std::string& line, const std::vector<std::string>& parts) {
    std::size_t at = 0;
    for (const std::string& part : parts) {
        at = line.find(part, at);
        if (at == line.npos) return false;
        at += part.size();
    }
    return true;
}

/// Enough to be told from any other, and more than a word.
bool says_something(const std::vector<std::string>& parts) {
    std::size_t letters = 0;
    std::size_t others = 0;
    for (const std::string& part : parts)
        for (const char c : part) (std::isalnum(static_cast<unsigned char>(c)) ? letters : others) += 1;
    return letters >= 6 && others > 0;
}

}  // namespace

TEST_CASE("golden: each line that a printer can write stands in a kind's source") {
    std::vector<std::string> printed;
    for (const tests::kind& each : tests::kinds())
        for (std::string& line : tests::lines_of(each.source.text)) printed.push_back(std::move(line));

    int seen = 0;
    for (const auto& file : std::filesystem::directory_iterator(tests::source_folder() + "/src/emit")) {
        const std::string name = file.path().filename().string();
        const std::string extension = file.path().extension().string();
        if ((extension != ".cpp" && extension != ".hpp") || not_printers.count(name)) continue;
        for (const literal& each : literals_of(tests::text_of_file(file.path().string()))) {
            if (each.text.starts_with("kiln: ")) continue;  // an exception's text
            for (const std::string& line : tests::lines_of(each.text)) {
                const std::vector<std::string> parts = fixed_parts(line, is_format(each));
                if (!says_something(parts)) continue;
                ++seen;
                bool found = false;
                for (const std::string& candidate : printed) found = found || holds(candidate, parts);
                CHECK_MESSAGE(found, name, ": no kind has: ", line);
            }
        }
    }
    CHECK(seen > 200);
}
