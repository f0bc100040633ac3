// kiln/reductions: expressions with reductions in them, one part after the other: what a reduction is of, then what is made of
// its result, which stays on the device. Reductions of the same data over the same axes are one kernel.
#pragma once

#include <capture/reduction_walk.hpp>
#include <plan/target.hpp>

#include <kiln/cost.hpp>
#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

bool has_reductions(const handle<term>* roots, int root_count) noexcept;

void evaluate_reductions(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why);
explanation explain_reductions(const handle<term>* roots, int root_count);

/// Rows may be kept where they have room in registers or caches, and what is done to them is no program.
reducing_kernels kernels_of(const plan::target& device);

/// One scan, which is steps of its own (scans.hpp) and no call.
bool is_scan(const reduction_group& group) noexcept;

/// What becomes of a group's result once its kernel has run.
shape shape_of_result(const reduction_group& group, const reduction_group::result& each);

/// Whether expressions of these leaves iterate over one shape, and one kernel of `device` computes them all. If so, says in
/// the outputs what becomes of them.
bool one_iteration(const leaf* leaves, const int* leaf_ends, const reduction_call* calls, output* outputs,
                   int output_count, const plan::target& device, shape& whole);
/// The reduced axes have extent 1 in what a kernel writes.
void drop_axes(array_node& of, const shape& wanted);
/// An array that has a place and a shape for planning, and no memory.
handle<array_node> planned_result(element_type type, const shape& extents);

// One group, in evaluate.cpp: like any other expression, but for what becomes of its elements.
void evaluate_group(const reduction_group& of, output* outputs, const char* label, purpose why);
explanation explain_group(const reduction_group& of);
/// The operands' graph, its outputs said to be reduced.
void flatten_group(const reduction_group& of, flat_terms& flat, output* outputs);

}  // namespace kiln::inline v0_1::detail
