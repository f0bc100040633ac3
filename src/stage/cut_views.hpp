// kiln/stage/cut_views: which of the terms that views see become arrays. A view of few terms is a view of their leaves
// (capture/term.hpp); seen through two views, many terms are twice as many, and those of a loop that does so again and again
// double each time.
// in: terms   out: those that a stage of their own computes   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <vector>

namespace kiln::stage {

/// A view that was not taken when it was written.
bool is_view_of_terms(const kiln::detail::term& of);

/// Each after those that it needs.
std::vector<const kiln::detail::term*> cut_views(const std::vector<kiln::detail::handle<kiln::detail::term>>& roots);

}  // namespace kiln::stage
