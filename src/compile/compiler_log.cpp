// kiln/compile/compiler_log: file, line and words of the first "error: ".
#include <compile/compiler_log.hpp>

#include <compile/toolchain.hpp>

#include <cstdlib>

namespace kiln::compile {

namespace {

/// As much as belongs in a message; the log has all of it.
std::string cut(std::string_view text) {
    constexpr std::size_t longest = 400;
    std::string out(text.substr(0, longest));
    if (out.size() < text.size()) out += "...";
    return out;
}

}  // namespace

complaint first_complaint(std::string_view log, std::string_view source_name, const std::string& source) {
    const complaint first{cut(log.substr(0, log.find('\n'))), false};
    for (std::string_view rest = log; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
        constexpr std::string_view mark = "error: ";
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        const std::string text = cut(line.substr(at + mark.size()));
        const std::string_view place = line.substr(0, at);
        // A compiler that broke down over a line says where it was, too.
        if (place.ends_with("internal compiler ")) return {cut(line.substr(at - 18)), false};
        if (const std::size_t colon = place.find(':'); colon != std::string_view::npos) {
            const int line_number = std::atoi(std::string(place.substr(colon + 1)).c_str());
            const function_place found = place_in_function(source, place.substr(0, colon), line_number);
            if (!found.words.empty()) return {found.words + text + ": `" + found.line_text + "`", true};
        }
        const std::size_t name = place.find(source_name);
        if (name == std::string_view::npos) return {text, false};
        const std::string_view after = place.substr(name + source_name.size());
        if (after.empty() || after.front() != ':') return {text, false};
        return {"line " + std::string(after.substr(1, after.find(':', 1) - 1)) + ": " + text, true};
    }
    return first;
}

}  // namespace kiln::compile
