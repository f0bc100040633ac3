// kiln/compile/toolchain: what the toolchains share.
#include <compile/toolchain.hpp>

#include <algorithm>
#include <cstddef>

namespace kiln::compile {

std::string number_lines(const std::string& text) {
    const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    const bool open_end = !text.empty() && text.back() != '\n';
    const std::size_t width = std::to_string(breaks + (open_end ? 1 : 0)).size();
    std::string numbered;
    numbered.reserve(text.size() + (breaks + 1) * (width + 2));
    std::size_t line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string number = std::to_string(line);
        numbered.append(width - number.size(), ' ').append(number).append("  ").append(text, begin, end - begin);
        numbered += '\n';
        begin = end + 1;
    }
    return numbered;
}

std::string advice_on_rejected(const emit::source& kernel) {
    if (kernel.text.find("#line 1 \"" + std::string(emit::kernel_file) + '"') != std::string::npos) return {};
    return " (all of this kernel is kiln's own text: a fault of kiln's or of the compiler's, not of yours; please "
           "report "
           "it with source() and log() of this compile_error)";
}

namespace {

/// Of a function whose body begins at `body`: where its last line that is not blank begins. That a value is missing
/// compilers say of the brace behind it, in a line that the body's writer never wrote.
std::size_t last_line_of_body(const std::string& kernel_text, std::size_t body) {
    // Behind the body stand a brace, perhaps another function's head, and a #line.
    const std::size_t next = kernel_text.find("\n#line 1 \"", body);
    const std::size_t brace = kernel_text.rfind("\n}\n", next);
    if (next == std::string::npos || brace == std::string::npos || brace < body) return std::string::npos;
    const std::size_t last = kernel_text.find_last_not_of(" \t\r\n", brace);
    if (last == std::string::npos || last < body) return std::string::npos;
    return std::max(kernel_text.rfind('\n', last) + 1, body);
}

}  // namespace

function_place place_in_function(const std::string& kernel_text, std::string_view file, int line) {
    const std::string directive = "#line 1 \"" + std::string(file) + "\"\n";
    std::size_t at = kernel_text.find(directive);
    if (file == emit::kernel_file || at == std::string::npos) return {};
    // A body's #line stands behind its brace, a header's behind an empty line.
    const bool in_body = at >= 2 && kernel_text.compare(at - 2, 2, "{\n") == 0;
    at += directive.size();
    const std::size_t last_line = in_body ? last_line_of_body(kernel_text, at) : std::string::npos;
    int here = 1;
    for (; here < line && at != std::string::npos && at != last_line; ++here) {
        at = kernel_text.find('\n', at);
        if (at != std::string::npos) ++at;
    }
    if (at != std::string::npos) line = here;
    function_place out{
        (in_body ? "function " : "header ") + std::string(file) + ", line " + std::to_string(line) + ": ", {}};
    if (at == std::string::npos) return out;
    const std::size_t first = std::min(kernel_text.find_first_not_of(" \t", at), kernel_text.size());
    out.line_text = kernel_text.substr(first, kernel_text.find('\n', first) - first);
    return out;
}

}  // namespace kiln::compile
