// kiln/evaluate: the spine, for who stands above it (api/).
#pragma once

#include <plan/bind.hpp>
#include <run/executable.hpp>
#include <run/stage_sequence.hpp>

#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

/// All stages of an expression; `arguments`: of the function that it is the body of, if it is.
void evaluate(const stage_sequence& of, const fused_argument* arguments, output* outputs, const char* label,
              purpose why);

/// An expression without reductions, which is one stage.
void evaluate(run_time_cache& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
              const char* label, purpose why);
void evaluate_flat(const flat_terms& flat, output* outputs, int output_count, const char* label, purpose why);
/// With a graph of its own: while another call is under way.
void evaluate_alone(const handle<term>& root, output& to, const char* label, purpose why);

/// One stage's graph, lowered and planned for calls of a class.
planned plan_call(backend::device& on, const graph& described, const plan::call_class& call);

/// On a host: the kernel whose code makes one of two elements of a reduction that a user wrote, of an array.
std::shared_ptr<const backend::loaded_kernel> kernel_of_reduction(const handle<term>& root, const char* label);

}  // namespace kiln::inline v0_1::detail
