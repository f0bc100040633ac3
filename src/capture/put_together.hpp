// kiln/capture/put_together: what no text of users says, but macros or an assembler could make of several: names pasted by
// ##, an assembler's directives in the pieces of strings.
// in: all texts of one kernel   out: nothing, or compile_error   knows nothing of: macros' definitions
#pragma once

#include <capture/self_contained.hpp>

#include <span>
#include <string_view>

namespace kiln::inline v0_1::detail {

struct user_text {
    user_text_place place;
    std::string_view text;  // self_contained
};

/// Throws compile_error, naming place and line, where ## could make one of asking_words or pragma_operators of the texts'
/// words; and where strings that may reach an assembler have .incbin or .include in them, or what could make these.
/// Nothing that kernels need is refused; it is judged by words, not by what the macros do.
void check_put_together(std::span<const user_text> texts);

}  // namespace kiln::inline v0_1::detail
