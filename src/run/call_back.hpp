// kiln/run/call_back: how a room asks the spine, which stands above it, to evaluate what it meets on the way.
#pragma once

#include <capture/term.hpp>

#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

/// Evaluates an expression without reductions. May be called while another call is under way.
using evaluate_function = void (*)(const handle<term>& root, output& to, const char* label, purpose why);

/// The same of a graph, with its leaves.
using evaluate_flat_function = void (*)(const flat_terms& flat, output* outputs, int output_count, const char* label,
                                        purpose why);

}  // namespace kiln::inline v0_1::detail
