// kiln/capture/source_tokens: C++ text as a preprocessor reads it: lines joined, comments gone, words apart from literals.
// in: text   out: tokens, and where each stands   knows nothing of: what they mean, macros, which #if is taken
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline v0_1::detail {

enum class token_kind : std::uint8_t {
    word,         // an identifier or keyword, of ASCII's letters
    number,       // 1'000.5e-3f
    literal,      // of a string or character; `spelling` is what stands between the quotes
    raw_literal,  // R"(...)": between the parentheses
    header_name,  // "x.h" or <x.h> of a directive, with its quotes; without the closing one where the line has none
    mark,         // one character; "##" and "#", whichever way they are written
};

struct source_token {
    token_kind kind = token_kind::mark;
    std::string spelling;  // lines joined
    std::size_t begin = 0;
    std::size_t end = 0;  // [begin, end): its bytes in the text
    int line = 1;         // where it begins
    bool starts_line = false;
    /// Where only comments and blanks stand before it in its line, even if a comment began in a line with more. Compilers
    /// differ in whether a directive may begin so.
    bool may_start_line = false;
};

struct tokenised_source {
    std::vector<source_token> tokens;
    /// Blanks between a backslash and the end of its line. g++ and clang++ join such lines, NVRTC does not: without them
    /// all do.
    struct range {
        std::size_t begin;
        std::size_t end;
    };
    std::vector<range> blanks_before_joints;
    /// Why the rest cannot be told apart, or compilers would do so differently; empty where all was read.
    std::string trouble;
    int trouble_line = 0;
};

/// As C++17's phases of translation 1 to 3, of g++, clang++ and NVRTC: no trigraphs; a lone quotation mark takes the rest of
/// its line. Lines end in a line feed alone. Any bytes may be given.
tokenised_source tokenise(std::string_view text);

/// What a literal's escapes stand for; a character past ASCII, and what is no escape, is '?'.
std::string unescaped(std::string_view literal);

}  // namespace kiln::inline v0_1::detail
