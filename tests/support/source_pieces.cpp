#include <support/source_pieces.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tests {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string last_word(std::string text) {
    while (!text.empty() && !is_word(text.back())) text.pop_back();
    std::size_t begin = text.size();
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return text.substr(begin);
}

/// What a definition without its comment defines.
std::string name_of(const std::string& text) {
    if (text.starts_with("template <")) return name_of(text.substr(text.find('\n') + 1));
    const auto before = [&text](const char* mark) { return last_word(text.substr(0, text.find(mark))); };
    if (text.starts_with("#define ")) return last_word(text.substr(0, text.find_first_of(" (\n", 8)));
    if (text.starts_with("#if")) return before("\n");
    if (text.starts_with("#")) return text.substr(0, text.find_first_of(" \n"));
    if (text.starts_with("typedef "))
        return text.find(" __attribute__") != text.npos ? before(" __attribute__") : before(";");
    if (text.starts_with("struct ")) return before("{");
    if (text.starts_with("enum ")) return before(":");
    constexpr std::string_view inlined = "static inline __attribute__((always_inline)) ";
    if (text.starts_with(inlined)) return name_of(text.substr(inlined.size()));
    return before("(");
}

bool starts_comment(const std::string& line) { return line.starts_with("//"); }

/// Whether a kernel's line still is about its parameters: from their declaration to the last one unpacked.
bool of_head(const std::string& line) {
    return !line.starts_with("    ") || line.find("(parameters[") != line.npos ||
           line == "    wait_for_earlier_kernels();";
}

bool is_kernel(const std::string& text) {
    return text.starts_with("extern \"C\" __global__ ") || text.find("(void* const* parameters, ") != text.npos;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

source_pieces pieces_of(const std::string& source) {
    const std::vector<std::string> all = lines_of(source);
    source_pieces out;
    out.heading = all.at(0);
    std::string comment;
    std::string text;
    std::ptrdiff_t braces = 0;
    std::ptrdiff_t conditions = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const std::string& line = all[i];
        if (text.empty() && line.empty()) continue;
        if (text.empty() && starts_comment(line)) {
            comment += line + "\n";
            continue;
        }
        text += line + "\n";
        const bool for_preprocessor = line.starts_with("#");
        if (line.starts_with("#if")) ++conditions;
        if (line.starts_with("#endif")) --conditions;
        if (!for_preprocessor)
            braces += std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}');
        if (braces || conditions) continue;
        if (!for_preprocessor && line.back() != '}' && line.back() != ';') continue;

        std::string name = name_of(text);
        if (is_kernel(text)) {
            std::string head;
            // __launch_bounds__ stands before the name.
            for (const std::string& each : lines_of(text)) {
                if (!out.lines.empty() || !of_head(each)) out.lines.push_back(each);
                else head += each + "\n";
            }
            const std::size_t at = head.find("kiln_");
            name = head.substr(at, head.find('(', at) - at);
            text = head;
        }
        out.definitions.push_back({name, comment + text});
        comment.clear();
        text.clear();
    }
    return out;
}

}  // namespace tests
