#include <capture/self_contained.hpp>

#include <capture/source_tokens.hpp>
#include <jit_cache/printable.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

struct reading_pragma {
    std::string_view first;
    std::string_view second = {};
};
constexpr reading_pragma reading_pragmas[] = {
    {"GCC", "dependency"}, {"GCC", "pch_preprocess"}, {"clang", "module"}, {"include_alias"},
    {"comment"},  // (lib, "name"): a library for the linker
};

template <class Words>
bool contains(const Words& words, std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class checker {
public:
    checker(std::string_view text, const user_text_place& place, std::span<const std::string> headers)
        : text_(text), place_(place), headers_(headers), source_(tokenise(text)) {}

    std::string run() {
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            const source_token& each = source_.tokens[i];
            if (is_mark(i, "#") && each.may_start_line) directive(i);
            if (each.kind == token_kind::word) word(i);
        }
        if (!source_.trouble.empty()) refuse(source_.trouble_line, source_.trouble);
        for (const tokenised_source::range& each : source_.blanks_before_joints) take_out(each.begin, each.end);
        return edited();
    }

private:
    [[noreturn]] void refuse(int line, const std::string& why) const {
        throw compile_error(text::format("kiln: {}: {}", to_words(place_, line), why), {}, {});
    }

    [[nodiscard]] bool has(std::size_t i, token_kind kind) const {
        return i < source_.tokens.size() && source_.tokens[i].kind == kind;
    }
    [[nodiscard]] bool is_mark(std::size_t i, std::string_view spelling) const {
        return has(i, token_kind::mark) && source_.tokens[i].spelling == spelling;
    }
    /// Whether these words begin at i, all in the line of the one before.
    [[nodiscard]] bool are_words(std::size_t i, std::initializer_list<std::string_view> words) const {
        for (const std::string_view each : words) {
            if (!has(i, token_kind::word) || source_.tokens[i].starts_line || source_.tokens[i].spelling != each)
                return false;
            ++i;
        }
        return true;
    }

    /// `hash`: its #.
    void directive(std::size_t hash) {
        const std::size_t name = hash + 1;
        if (are_words(name, {"pragma"})) return pragma(hash);
        for (const std::string_view each : {"include", "import", "include_next", "include_macros", "embed"})
            if (are_words(name, {each})) return reading(hash, each);
    }

    void reading(std::size_t hash, std::string_view directive) {
        const int line = source_.tokens[hash].line;
        const std::size_t operand = hash + 2;
        if (!has(operand, token_kind::header_name) || source_.tokens[operand].starts_line)
            refuse(line,
                   text::format("#{} does not say which file it names before the compiler runs; a kernel holds all "
                                "that it is made of. Give the header's text with the function, and its name here",
                                directive));
        const source_token& header = source_.tokens[operand];
        const std::string written = text::format("#{} {}", directive, jit_cache::printable(header.spelling));
        const bool closed =
            header.spelling.size() > 2 && (header.spelling.back() == '"' || header.spelling.back() == '>');
        const std::string name = header.spelling.substr(1, header.spelling.size() - (closed ? 2 : 1));
        const bool once = directive == "include" || directive == "import";
        if (once && closed && contains(headers_, name)) return take_out(source_.tokens[hash].end, header.end);
        if (name == "math.h" || name == "cmath")
            refuse(line, text::format("{}: leave it out, what C's functions need stands in the kernel", written));
        if (directive == "embed")
            refuse(line, text::format("{} reads a file; a kernel holds all that it is made of. Write its bytes into an "
                                      "array",
                                      written));
        refuse(line, text::format("{} reads a file; a kernel holds all that it is made of. Give its text with the "
                                  "function: k::function(..., {{{{\"{}\", text}}}})",
                                  written, jit_cache::printable(name)));
    }

    void pragma(std::size_t hash) {
        const std::size_t first = hash + 2;
        if (are_words(first, {"once"})) return take_out(source_.tokens[hash].end, source_.tokens[first].end);
        check_pragma(first, source_.tokens[hash].line);
    }

    /// `first`: the token after #pragma, or the first of _Pragma's text.
    void check_pragma(std::size_t first, int line) const {
        for (const reading_pragma& each : reading_pragmas) {
            if (!are_words(first, {each.first}) || (!each.second.empty() && !are_words(first + 1, {each.second})))
                continue;
            refuse(line, text::format("#pragma {}{}{} reads a file; a kernel holds all that it is made of", each.first,
                                      each.second.empty() ? "" : " ", each.second));
        }
    }

    void word(std::size_t i) {
        const source_token& word = source_.tokens[i];
        for (const asking_word& each : asking_words)
            if (word.spelling == each.word)
                refuse(word.line,
                       text::format("{} asks {}; a kernel holds all that it is made of", each.word, each.asks));
        if (contains(pragma_operators, word.spelling)) pragma_operator(i);
    }

    void pragma_operator(std::size_t i) {
        const source_token& word = source_.tokens[i];
        const bool plain = is_mark(i + 1, "(") && is_mark(i + 3, ")") &&
                           (has(i + 2, token_kind::literal) || has(i + 2, token_kind::raw_literal));
        if (!plain) refuse(word.line, text::format("{} takes one string literal here, or use #pragma", word.spelling));
        const source_token& literal = source_.tokens[i + 2];
        const std::string pragma =
            "#pragma " + (literal.kind == token_kind::literal ? unescaped(literal.spelling) : literal.spelling);
        checker inside(pragma, place_, headers_);
        inside.check_pragma(2, word.line);
    }

    void take_out(std::size_t begin, std::size_t end) { taken_out_.push_back({begin, end}); }

    /// Lines stay where they are: a line feed of what is taken out stays, behind a backslash as it was.
    [[nodiscard]] std::string edited() {
        std::sort(taken_out_.begin(), taken_out_.end(), [](const auto& a, const auto& b) {
            return a.begin < b.begin || (a.begin == b.begin && a.end < b.end);
        });
        std::string out;
        std::size_t at = 0;
        for (const auto& [begin, end] : taken_out_) {
            if (begin < at) continue;  // blanks inside a directive that is gone
            out.append(text_, at, begin - at);
            const auto lines = std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                          text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
            for (auto i = lines; i > 0; --i) out += "\\\n";
            at = end;
        }
        return out.append(text_, at, text_.size() - at);
    }

    const std::string_view text_;
    const user_text_place& place_;
    const std::span<const std::string> headers_;
    const tokenised_source source_;
    std::vector<tokenised_source::range> taken_out_;
};

/// Lines that end in a line feed alone. A carriage return elsewhere ends a line to clang++, and to nobody else.
std::string with_plain_lines(std::string_view text, const user_text_place& place) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!text.substr(i).starts_with("\r\n")) out += text[i];
    const std::size_t at = out.find('\r');
    if (at == std::string::npos) return out;
    const auto line = std::count(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    throw compile_error(
        text::format("kiln: {}: a carriage return that no line feed follows", to_words(place, static_cast<int>(line))),
        {}, {});
}

}  // namespace

std::string to_words(const user_text_place& place, int line) {
    if (place.header.empty()) return text::format("function {}, line {}", place.function, line);
    return text::format("function {}: header {}, line {}", place.function, place.header, line);
}

std::string self_contained(std::string_view text, const user_text_place& place, std::span<const std::string> headers) {
    const std::string plain = with_plain_lines(text, place);
    return checker(plain, place, headers).run();
}

}  // namespace kiln::inline v0_1::detail
