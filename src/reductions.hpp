// kiln/reductions: expressions with reductions in them, one part after the other: what a reduction is of, then what is made of
// its result, which stays on the device. Reductions of the same data over the same axes are one kernel.
#pragma once

#include <capture/reduced.hpp>
#include <plan/target.hpp>

#include <kiln/cost.hpp>
#include <kiln/evaluate.hpp>

namespace kiln::detail {

bool has_reductions(const handle<term>* roots, int root_count) noexcept;

void evaluate_reductions(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why);
explanation explain_reductions(const handle<term>* roots, int root_count);

/// Whether a kernel for `device` may keep such rows: they have room in registers, and what is done to them is no program.
rows_fit rows_fit_on(const plan::target& device);

// One group, in evaluate.cpp: like any other expression, but for what becomes of its elements.
void evaluate_group(const reduction_group& of, output* outputs, const char* label, purpose why);
explanation explain_group(const reduction_group& of);
/// The operands' graph, its outputs said to be reduced.
void flatten_group(const reduction_group& of, flat_terms& flat, output* outputs);

}  // namespace kiln::detail
