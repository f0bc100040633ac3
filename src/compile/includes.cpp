// kiln/compile/includes: the phases of translation as far as directives go; the words of a make rule.
#include <compile/includes.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace kiln::compile {

namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Lines that end with a backslash joined to the next (translation phase 2; compilers allow blanks behind it).
std::string spliced(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\\') {
            const std::size_t next = std::min(source.find_first_not_of(" \t\r\v\f", i + 1), source.size());
            if (next < source.size() && source[next] == '\n') {
                i = next;
                continue;
            }
        }
        text += source[i];
    }
    return text;
}

/// Reads a text from directive to directive (phases 3 and 4), past comments and literals.
class directives {
public:
    explicit directives(const std::string& text) : text_(text) {}

    /// Goes to the next one; false: there is none.
    bool next() {
        while (at_ < text_.size()) {
            if (at_line_begin_ && is_hash()) {
                read_directive();
                return true;
            }
            step();
        }
        return false;
    }

    [[nodiscard]] std::string_view name() const { return name_; }        // "include"
    [[nodiscard]] std::string_view operand() const { return operand_; }  // the rest of its line

private:
    [[nodiscard]] bool is(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
    [[nodiscard]] bool is_hash() const { return text_[at_] == '#' || is("%:"); }
    [[nodiscard]] bool is_blank() const {
        return at_ < text_.size() && std::string_view(" \t\r\v\f").find(text_[at_]) != std::string_view::npos;
    }
    void go_behind(std::size_t found, std::size_t length) {
        at_ = found == std::string::npos ? text_.size() : found + length;
    }

    /// One character, comment, literal or word.
    void step() {
        if (is("//")) return go_behind(text_.find('\n', at_), 0);
        if (is("/*")) return go_behind(text_.find("*/", at_ + 2), 2);
        if (is_blank()) return void(++at_);
        at_line_begin_ = text_[at_] == '\n';
        if (is_word_character(text_[at_])) skip_word();
        else if (text_[at_] == '"' || text_[at_] == '\'') skip_literal(text_[at_]);
        else ++at_;
    }

    void skip_word() {
        const std::size_t begin = at_;
        const bool is_number = text_[at_] >= '0' && text_[at_] <= '9';
        // The quotes of 1'000'000 begin no literal.
        while (at_ < text_.size() && (is_word_character(text_[at_]) || (is_number && text_[at_] == '\''))) ++at_;
        const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
        constexpr std::array<std::string_view, 5> raw = {"R", "u8R", "uR", "UR", "LR"};
        if (std::find(raw.begin(), raw.end(), word) != raw.end() && is("\"")) skip_raw_literal();
    }

    void skip_literal(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ < text_.size() && text_[at_] == quote) ++at_;
    }

    void skip_raw_literal() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string::npos) return go_behind(open, 0);
        const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
        go_behind(text_.find(close, open), close.size());
    }

    void read_directive() {
        at_line_begin_ = false;
        at_ += text_[at_] == '#' ? 1 : 2;
        while (is_blank() || is("/*")) step();
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
        name_ = std::string_view(text_).substr(begin, at_ - begin);
        while (is_blank() || is("/*")) step();
        operand_ = std::string_view(text_).substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
        operand_ = operand_.substr(0, operand_.find_last_not_of(" \t\r") + 1);
    }

    const std::string& text_;
    std::size_t at_ = 0;
    bool at_line_begin_ = true;
    std::string_view name_;
    std::string_view operand_;
};

}  // namespace

std::string undeclared_include(const std::string& file) {
    return "an include that was not declared: " + file +
           " (no key holds its content; write what is used of it into the source)";
}

std::string first_include(std::string_view source, std::string_view known) {
    constexpr std::array<std::string_view, 4> reading = {"include", "include_next", "import", "embed"};
    const std::string text = spliced(source);
    for (directives each(text); each.next();) {
        const bool reads = std::find(reading.begin(), reading.end(), each.name()) != reading.end();
        if (reads && (known.empty() || each.operand() != known))
            return "#" + std::string(each.name()) + " " + std::string(each.operand());
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
