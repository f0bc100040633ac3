#include <capture/source_tokens.hpp>

#include <algorithm>
#include <array>

namespace kiln::inline v0_1::detail {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c); }

/// Letters to some compilers, blanks to others: neither here, and looked past where a directive may begin.
constexpr bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 5> raw_prefixes = {"R", "LR", "uR", "UR", "u8R"};
/// The directives whose next token is a header's name.
constexpr std::array<std::string_view, 5> naming_directives = {"include", "include_next", "include_macros", "import",
                                                               "embed"};

class tokeniser {
public:
    explicit tokeniser(std::string_view text) : text_(text) { join_lines(); }

    tokenised_source run() {
        while (out_.trouble.empty() && !done()) next();
        if (out_.trouble.empty() && ends_in_backslash_) fail(text_.size(), "the last line ends in a backslash");
        leave_raw_literals();
        return std::move(out_);
    }

private:
    /// Phase 2. Raw literals, which it leaves alone, are read from text_.
    void join_lines() {
        for (std::size_t at = 0; at < text_.size();) {
            if (text_[at] == '\\') {
                std::size_t end = at + 1;
                while (end < text_.size() && is_blank(text_[end])) ++end;
                if (end == text_.size()) ends_in_backslash_ = true;
                else if (text_[end] == '\n') {
                    if (end > at + 1) out_.blanks_before_joints.push_back({at + 1, end});
                    at = end + 1;
                    continue;
                }
            }
            joined_ += text_[at];
            places_.push_back(at++);
        }
        places_.push_back(text_.size());
    }

    [[nodiscard]] bool done() const { return at_ >= joined_.size(); }
    /// 0 past the end, where a text of any bytes may also have it.
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < joined_.size() ? joined_[at_ + ahead] : '\0';
    }
    [[nodiscard]] bool sees(std::string_view words) const { return joined_.compare(at_, words.size(), words) == 0; }

    void fail(std::size_t place, std::string why) {
        out_.trouble = std::move(why);
        out_.trouble_line = line_of(place);
    }

    /// Places are asked for from the first to the last, but for a trouble's.
    int line_of(std::size_t place) {
        if (place < counted_to_) {
            counted_to_ = 0;
            line_ = 1;
        }
        line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_to_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
        counted_to_ = place;
        return line_;
    }

    void next() {
        const char c = peek();
        if (c == '\n') {
            starts_line_ = may_start_line_ = true;
            in_directive_ = expects_header_name_ = false;
            ++at_;
        } else if (is_blank(c) || is_beyond_ascii(c)) {
            ++at_;
        } else if (sees("//")) {
            at_ = std::min(joined_.find('\n', at_), joined_.size());
        } else if (sees("/*")) {
            block_comment();
        } else if (expects_header_name_ && (c == '<' || c == '"')) {
            header_name(c == '<' ? '>' : '"');
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number();
        } else if (is_letter(c)) {
            word();
        } else if (c == '"' || c == '\'') {
            literal(c);
        } else {
            mark();
        }
    }

    void add(token_kind kind, std::string spelling, std::size_t begin, std::size_t end) {
        expects_header_name_ = kind == token_kind::word && follows_hash_ && contains(naming_directives, spelling);
        follows_hash_ = kind == token_kind::mark && spelling == "#" && may_start_line_;
        in_directive_ = in_directive_ || follows_hash_;
        source_token made{kind, std::move(spelling), begin, end, line_of(begin), starts_line_, may_start_line_};
        out_.tokens.push_back(std::move(made));
        starts_line_ = may_start_line_ = false;
    }
    /// Of joined_[begin, at_), less `quotes` at its ends.
    void add_from(token_kind kind, std::size_t begin, std::size_t front = 0, std::size_t back = 0) {
        add(kind, joined_.substr(begin + front, at_ - begin - front - back), places_[begin], places_[at_ - 1] + 1);
    }

    void block_comment() {
        const std::size_t end = joined_.find("*/", at_ + 2);
        if (end == std::string::npos) return fail(places_[at_], "a comment begins that has no end");
        may_start_line_ = may_start_line_ || joined_.find('\n', at_) < end;
        at_ = end + 2;
    }

    void header_name(char closing) {
        const std::size_t begin = at_;
        at_ = std::min({joined_.find(closing, at_ + 1), joined_.find('\n', at_), joined_.size()});
        if (peek() == closing) ++at_;
        add_from(token_kind::header_name, begin);
    }

    void number() {
        const std::size_t begin = at_++;
        for (;; ++at_) {
            const char c = peek();
            const bool has_sign = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            if (has_sign && (peek(1) == '+' || peek(1) == '-')) ++at_;
            else if (c == '\'' && is_word(peek(1))) ++at_;
            else if (!is_word(c) && c != '.') break;
        }
        // Whether the number goes on there, and an apostrophe then parts its digits, is the compiler's to say.
        if (is_beyond_ascii(peek()) || peek() == '$' || peek() == '\\')
            return fail(places_[at_], "a number is followed by a character that is not one of C's");
        add_from(token_kind::number, begin);
    }

    void word() {
        const std::size_t begin = at_;
        while (is_word(peek())) ++at_;
        if (peek() == '"' && contains(raw_prefixes, std::string_view(joined_).substr(begin, at_ - begin)))
            return raw_literal(begin);
        add_from(token_kind::word, begin);
    }

    void literal(char closing) {
        const std::size_t begin = at_++;
        while (!done() && peek() != '\n' && peek() != closing) at_ += peek() == '\\' && peek(1) != '\n' ? 2 : 1;
        at_ = std::min(at_, joined_.size());
        const bool closed = peek() == closing;
        if (closed) ++at_;
        add_from(token_kind::literal, begin, 1, closed ? 1 : 0);
    }

    /// `begin`: of the prefix; at_ is at the quotation mark.
    void raw_literal(std::size_t begin) {
        // Whether R is a prefix, or the end of another word or a literal's suffix, is then the compiler's to say.
        const char before = begin > 0 ? joined_[begin - 1] : ' ';
        if (is_beyond_ascii(before) || std::string_view("\"'$}\\").find(before) != std::string_view::npos)
            return fail(places_[begin], "put a blank before a raw string literal");
        if (places_[at_] - places_[begin] != at_ - begin)
            return fail(places_[begin], "a raw string literal's prefix and quotation mark are in two lines");
        constexpr std::size_t longest_delimiter = 16;
        const std::size_t open = places_[at_] + 1;
        const std::size_t parenthesis = text_.find('(', open);
        const std::string_view delimiter = text_.substr(open, parenthesis - open);
        if (parenthesis == std::string_view::npos || delimiter.size() > longest_delimiter ||
            delimiter.find_first_of(" \t\v\f\n)\\\"") != std::string_view::npos)
            return fail(places_[begin], "a raw string literal begins that has no opening parenthesis");
        const std::string closing = ")" + std::string(delimiter) + "\"";
        const std::size_t content_end = text_.find(closing, parenthesis + 1);
        if (content_end == std::string_view::npos)
            return fail(places_[begin], "a raw string literal begins that has no end");
        const std::string_view content = text_.substr(parenthesis + 1, content_end - parenthesis - 1);
        // In a directive g++ ends it with the line, and goes on behind that as if nothing were open.
        if (in_directive_ && content.find('\n') != std::string_view::npos)
            return fail(places_[begin], "a raw string literal of a directive goes on in the next line");
        const std::size_t end = content_end + closing.size();
        at_ = static_cast<std::size_t>(std::lower_bound(places_.begin(), places_.end(), end) - places_.begin());
        add(token_kind::raw_literal, std::string(content), places_[begin], end);
    }

    /// What looks like a joint of lines in one is its own.
    void leave_raw_literals() {
        auto token = out_.tokens.begin();
        std::erase_if(out_.blanks_before_joints, [&](const tokenised_source::range& each) {
            while (token != out_.tokens.end() && token->end <= each.begin) ++token;
            return token != out_.tokens.end() && token->begin < each.begin && token->kind == token_kind::raw_literal;
        });
    }

    void mark() {
        const std::size_t begin = at_;
        const std::size_t width = sees("%:%:") ? 4 : sees("##") || sees("%:") ? 2 : 1;
        std::string spelling = joined_.substr(at_, width);
        if (width == 4) spelling = "##";
        if (spelling == "%:") spelling = "#";
        at_ += width;
        add(token_kind::mark, std::move(spelling), places_[begin], places_[at_ - 1] + 1);
    }

    const std::string_view text_;
    std::string joined_;
    std::vector<std::size_t> places_;  // of each character of joined_ in text_, and the end
    bool ends_in_backslash_ = false;

    std::size_t at_ = 0;
    std::size_t counted_to_ = 0;
    int line_ = 1;
    bool starts_line_ = true;
    bool may_start_line_ = true;
    bool in_directive_ = false;
    bool follows_hash_ = false;
    bool expects_header_name_ = false;
    tokenised_source out_;
};

int digit_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

}  // namespace

tokenised_source tokenise(std::string_view text) { return tokeniser(text).run(); }

std::string unescaped(std::string_view literal) {
    std::string out;
    std::size_t at = 0;
    /// A number of up to `most` digits, or of any between braces.
    const auto code = [&](int base, std::size_t most) {
        const bool braced = at < literal.size() && literal[at] == '{';
        if (braced) ++at;
        unsigned value = 0;
        for (std::size_t count = 0; at < literal.size() && (braced || count < most); ++at, ++count) {
            const int digit = digit_value(literal[at]);
            if (digit >= base) break;
            value = std::min(value * static_cast<unsigned>(base) + static_cast<unsigned>(digit), 0x110000u);
        }
        if (braced && at < literal.size() && literal[at] == '}') ++at;
        out += value < 0x80 ? static_cast<char>(value) : '?';
    };
    while (at < literal.size()) {
        const char c = literal[at++];
        if (c != '\\' || at == literal.size()) {
            out += c;
            continue;
        }
        const char escape = literal[at++];
        constexpr std::string_view letters = "abefnrtv";
        constexpr std::string_view meanings = "\a\b\033\f\n\r\t\v";
        if (const std::size_t found = letters.find(escape); found != letters.npos) out += meanings[found];
        else if (escape == 'x') code(16, literal.npos);
        else if (escape == 'u') code(16, 4);
        else if (escape == 'U') code(16, 8);
        else if (escape == 'o') code(8, 0);
        else if (escape >= '0' && escape <= '7') --at, code(8, 3);
        else if (std::string_view("\\'\"?").find(escape) != std::string_view::npos) out += escape;
        else out += '?';
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
