// kiln/emit/helpers: the pieces of text under emit/helpers/ that a kernel needs, and no others.
// in: a kernel's text so far   out: definitions to stand before it   knows nothing of: programs
#pragma once

#include <plan/target.hpp>

#include <string>
#include <string_view>

namespace kiln::emit {

/// The helpers that `text` mentions, and those that they mention; definitions before uses. Empty when there are none.
/// `heavy`: the text is a long job for NVRTC (compile_weight.hpp).
std::string helpers_for(std::string_view text, plan::frame frame, bool heavy = false);

/// Whether this frame has a helper of that name.
bool has_helper(std::string_view name, plan::frame frame);

/// Whether `word` stands in `text` as a whole word.
bool mentions(std::string_view text, std::string_view word);

}  // namespace kiln::emit
