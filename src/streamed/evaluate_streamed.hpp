// kiln/streamed/evaluate_streamed: expressions of host arrays, in chunks that have room where they run: each chunk's operands copied in, its
// kernels run, its results copied out. All chunks but the last are of one size, and so of one kernel; the bits are those of one piece.
// in: terms, where results go   out: results   knows nothing of: how an expression of a device's arrays is evaluated
#pragma once

#include <capture/term.hpp>

#include <kiln/cost.hpp>
#include <kiln/evaluate.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::streamed {

/// How detail::evaluate() of terms is reached from here: it stands above.
using evaluate_function = void (*)(const kiln::detail::handle<kiln::detail::term>* roots, kiln::detail::output* outputs,
                                   int output_count, const char* label, kiln::detail::purpose why);

/// Whether any of them reads a host array, or writes one, that is not read and written where it is: by a device that does not reach the
/// host's memory, or in a file. Not while a chunk is evaluated.
bool is_streamed(const kiln::detail::handle<kiln::detail::term>* roots, int root_count,
                 const kiln::detail::output* outputs);
/// The same of terms that are flat: allocates nothing, for it is asked of every expression while there are host arrays.
bool is_streamed(const kiln::detail::flat_terms& flat, const kiln::detail::handle<kiln::detail::term>* roots,
                 int root_count, const kiln::detail::output* outputs);

/// One after the other. Throws kiln::error that says what cannot be cut and why, or how much memory would do; file_error; and what
/// evaluating throws: then host arrays that were written to have some new elements.
void evaluate(const kiln::detail::handle<kiln::detail::term>* roots, kiln::detail::output* outputs, int output_count,
              const char* label, evaluate_function evaluate_terms);

/// How evaluate() would cut it into an array of the thread's device, or where its arrays are. Copies and evaluates nothing.
chunk_explanation explain(const kiln::detail::handle<kiln::detail::term>& root);

}  // namespace kiln::streamed
