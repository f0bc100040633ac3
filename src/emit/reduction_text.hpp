// kiln/emit/reduction_text: what is known of some elements of a reduction as a type of the kernel, and how two of those
// become one. The row of reduction_table.def says by which operation, or a function of the user's.
// knows nothing of: threads
#pragma once

#include <emit/body.hpp>
#include <plan/reduction_set.hpp>

#include <string>
#include <vector>

namespace kiln::emit {

using plan::reduction_set;

/// Of each set: struct accumulators, with a member for each reduction, s0; identity(), of no element; combine(a, b); and where it
/// is another function, append(a, b), for an element b after those of a. Of each reduction finish_0(accumulator, count): its
/// result. On the host, run_0(before, elements, count, first): what a run of elements comes to after those before; `calls_runs`: they are
/// long enough for a function that is called.
const char* append_name(const reduction_set& of);
std::string reduction_functions(const value_names& names, const std::vector<reduction_set>& sets, plan::frame on,
                                bool calls_runs = false);

/// What changes nothing that it is combined with.
std::string identity_text(detail::reduction_kind what, element_type type);

/// Whether its functions on the host take the library's, as their last argument.
bool takes_library(const plan::reduced_output& of);

/// Whether runs are the library's, where they are called: two loops of each reduction are most of what a softmax takes to compile. Those that
/// find positions or keep a state are in any case. Then run_0 takes the library as its last argument.
bool runs_in_library(const plan::reduced_output& of, bool calls_runs);

/// What a host kernel's reductions call of helpers that take them.
std::string library_calls(const plan::kernel& of, const lower::program& program);

/// "float", or "found_f32": a value and where it was.
std::string accumulator_type(const plan::reduced_output& of);

}  // namespace kiln::emit
