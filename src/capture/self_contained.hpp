// kiln/capture/self_contained: users' text must hold all that its kernel is made of, since the kernel is kept under that text
// alone: no file is read, and neither the clock nor a file's name gets in.
// in: text   out: the same, without the #include of what stands before it   knows nothing of: kernels
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kiln::inline v0_1::detail {

struct user_text_place {
    std::string_view function;
    std::string_view header = {};  // of that function's; empty: its body
};

/// "function f, line 3", "function f: header h, line 3"
std::string to_words(const user_text_place& place, int line);

/// What the preprocessor would answer from elsewhere than the text: "__DATE__", asks "when the kernel is compiled".
struct asking_word {
    std::string_view word;
    std::string_view asks;
};
inline constexpr asking_word asking_words[] = {
    {"__DATE__", "when the kernel is compiled"},
    {"__TIME__", "when the kernel is compiled"},
    {"__TIMESTAMP__", "when the kernel's source was written"},
    {"__BASE_FILE__", "where the kernel's source is kept"},
    {"__has_include", "which files this machine has"},
    {"__has_include__", "which files this machine has"},
    {"__has_include_next", "which files this machine has"},
    {"__has_include_next__", "which files this machine has"},
    {"__has_embed", "which files this machine has"},
};

/// A #pragma anywhere in a line, and so one that a macro may make.
inline constexpr std::string_view pragma_operators[] = {"_Pragma", "__pragma"};

/// `text`, less what the compiler is not to see: of #include and #import of one of `headers`, and of #pragma once, only
/// the # stays, which does nothing; no line moves. What it then reads is what all compilers read: lines end in a line feed,
/// and no blank follows the backslash that joins two.
/// Throws compile_error, naming place, line and remedy, for all that reads a file or asks for more than the text: every other
/// #include, #include_next, #include_macros, #import and #embed, a computed one, asking_words, pragmas that read files;
/// whether or not an #if would skip it. And for text that ends in a comment, a raw string literal or a backslash, or that
/// compilers would read differently.
std::string self_contained(std::string_view text, const user_text_place& place, std::span<const std::string> headers);

}  // namespace kiln::inline v0_1::detail
