#include <recipe.hpp>
#include <reductions.hpp>
#include <scans.hpp>

#include <capture/reduction_table.hpp>
#include <launch/arrays.hpp>
#include <launch/device.hpp>
#include <plan/host_order.hpp>
#include <plan/reduction.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <complex>
#include <limits>

namespace kiln::inline v0_1::detail {

namespace {

const char* name_of(reduction_kind what) { return reductions[static_cast<int>(what)].name; }

/// The value of a reduction of no elements.
handle<term> value_of_nothing(const term& of) {
    const reduction_kind what = of.reduces;
    const element_type type = of.type;
    double value = 0;
    switch (what) {
        case reduction_kind::prod:
        case reduction_kind::every: value = 1; break;
        case reduction_kind::mean: value = std::numeric_limits<double>::quiet_NaN(); break;
        case reduction_kind::none:
        case reduction_kind::sum:
        case reduction_kind::any: break;
        case reduction_kind::user: return make_scalar_term(type, reduction_at(of.bits[0]).identity, 0);
        case reduction_kind::min:
        case reduction_kind::max:
        case reduction_kind::argmin:
        case reduction_kind::argmax:
            throw shape_error(
                text::format("kiln: {}: no elements, of which none is the {}", name_of(what), name_of(what)));
    }
    handle<term> number = make_scalar_term(element_type::float64, &value, 0);
    return type == element_type::float64 ? number : make_operation_term(operation::cast, type, std::move(number));
}

handle<array_node> result_of_nothing(const term& of, const shape& extents, purpose why) {
    // Of no rows there are no least ones, and none of nothing.
    static constexpr std::complex<double> unseen = 0;
    const handle<term> root =
        make_full_term(extents, extents.size() != 0 ? value_of_nothing(of) : make_scalar_term(of.type, &unseen, 0));
    output made;
    if (why != purpose::launch) return planned_result(of.type, extents);
    evaluate(&root, &made, 1, nullptr);
    return handle<array_node>(made.written);
}

/// Of an element: what is as large as what is reduced, at least a register.
int bytes_kept(const flat_terms& flat, const shape& of) {
    int bytes = 0;
    std::vector<const array_node*> counted;
    for (const leaf& each : flat.leaves) {
        const auto* const node = static_cast<const array_node*>(each.object);
        if (each.kind != leaf_kind::array || node->extents.size() != of.size()) continue;
        if (std::find(counted.begin(), counted.end(), node) != counted.end()) continue;
        counted.push_back(node);
        bytes += std::max(4, bytes_of(node->type));
    }
    return std::max(4, bytes);
}

void compute_group(const reduction_group& group, reduction_walk& walk, const char* label, purpose why) {
    if (is_scan(group)) return walk.put(group.results.front().of, evaluate_scan(group, label, why));
    std::vector<output> outputs(group.results.size());
    if (group.of.size() != 0) evaluate_group(group, outputs.data(), label, why);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const term& each = *group.results[i].of;
        const shape extents = shape_of_result(group, group.results[i]);
        handle<array_node> result(outputs[i].written);
        if (group.of.size() == 0) result = result_of_nothing(each, extents, why);
        else if (!result) result = planned_result(each.type, extents);
        drop_axes(*result.get(), extents);
        walk.put(&each, std::move(result));
    }
}

/// The last kernel, whose results are the caller's.
void compute_roots(const reduction_group& group, output* outputs, const char* label, purpose why) {
    evaluate_group(group, outputs, label, why);
    for (std::size_t i = 0; i < group.results.size(); ++i)
        if (outputs[i].written && group.results[i].of_row)
            drop_axes(*outputs[i].written, shape_of_result(group, group.results[i]));
}

/// Whether every result has memory of its own.
bool all_whole(const output* outputs, int count) {
    return std::none_of(outputs, outputs + count,
                        [](const output& each) { return each.where == output::place::through; });
}

/// A whole result that nothing is left to be done to, and that may be anybody's: a view, or memory of the user's, is read.
bool is_done(const term& root, const output& wanted = {}) {
    if (root.what != term::kind::array || wanted.where == output::place::through) return false;
    const array_node& of = *root.node.get();
    return of.owned == ownership::owner && of.contiguous && !of.map;
}

}  // namespace

void drop_axes(array_node& of, const shape& wanted) {
    of.extents = wanted;
    set_contiguous_strides(of);
}

bool one_iteration(const leaf* leaves, const int* leaf_ends, const reduction_call* calls, output* outputs,
                   int output_count, const plan::target& device, shape& whole) {
    const reduction_call* first = nullptr;
    std::uint8_t axes = 0;
    for (int i = 0, begin = 0; i < output_count; begin = leaf_ends[i++]) {
        if (outputs[i].where == output::place::through) return false;
        const shape extents = broadcast_leaves(leaves + begin, leaf_ends[i] - begin);
        if (i == 0) whole = extents;
        else if (!(extents == whole)) return false;
        if (calls[i].what == reduction_kind::none) continue;
        const std::uint8_t over = reduced_axes(whole, *calls[i].over, name_of(calls[i].what));
        if (first && over != axes) return false;
        first = &calls[i];
        axes = over;
    }
    if (whole.size() == 0) return false;
    for (int i = 0; i < output_count; ++i) {
        if (calls[i].what == reduction_kind::none && !device.reduces) return false;
        outputs[i].call_is = output::reducing::outputs;
        outputs[i].reduces = calls[i].what != reduction_kind::none;
        outputs[i].reduced_axes = axes;
    }
    return true;
}

reducing_kernels kernels_of(const plan::target& device) {
    if (!device.keeps_rows || !thread_options.fuse) return {};
    const auto fits = [on = device.kind](const shape& of, std::uint8_t axes,
                                         const std::vector<handle<term>>& computed) {
        constexpr std::size_t most_nodes = 96;
        if (of.size() == 0) return false;
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        if (flat.described.nodes.size() > most_nodes) return false;
        for (const graph::node& each : flat.described.nodes)
            if (each.kind == graph::node_kind::taken) return false;
        const int bytes = bytes_kept(flat, of);
        return on == plan::frame::host ? plan::host_row_fits(of, axes, bytes)
                                       : plan::row_fits(plan::sizes_of_reduction(of, axes), bytes);
    };
    return {device.reduces, fits};
}

shape shape_of_result(const reduction_group& group, const reduction_group::result& each) {
    return each.of_row && !each.of->scans ? reduced_shape(group.of, group.axes, each.keeps_axes) : group.of;
}

handle<array_node> planned_result(element_type type, const shape& extents) {
    handle<array_node> made(new array_node);
    made.get()->type = type;
    made.get()->extents = extents;
    set_contiguous_strides(*made.get());
    return made;
}

bool is_scan(const reduction_group& group) noexcept {
    return !group.results.empty() && group.results.front().of->scans;
}

bool has_reductions(const handle<term>* roots, int root_count) noexcept {
    for (int i = 0; i < root_count; ++i)
        if (roots[i].get()->has_reduction) return true;
    return false;
}

void flatten_group(const reduction_group& of, flat_terms& flat, output* outputs) {
    std::vector<handle<term>> computed;
    for (const reduction_group::result& each : of.results) computed.push_back(each.computed);
    flatten(computed.data(), static_cast<int>(computed.size()), flat);
    for (std::size_t i = 0; i < of.results.size(); ++i) {
        outputs[i].call_is = of.keeps_rows ? output::reducing::rows : output::reducing::outputs;
        outputs[i].reduces = of.results[i].of_row;
        outputs[i].reduced_axes = of.axes;
        if (of.keeps_rows || !of.results[i].of_row) continue;
        graph::output& stored = flat.described.outputs[i];
        stored.reduces = of.results[i].of->reduces;
        stored.as = accumulated_type(stored.reduces, stored.as);
        stored.result = of.results[i].of->type;
        if (stored.reduces == reduction_kind::user) stored.definition = of.results[i].of->bits[0];
    }
}

namespace {

void evaluate_in_groups(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    reduction_walk walk(roots, output_count, kernels_of(launch::current_device().target()),
                        all_whole(outputs, output_count));
    for (std::vector<reduction_group> groups = walk.next(); !groups.empty(); groups = walk.next())
        for (const reduction_group& group : groups) {
            if (group.of_roots) return compute_roots(group, outputs, label, why);
            compute_group(group, walk, label, why);
        }

    std::vector<handle<term>> rest;
    std::vector<int> places;
    std::vector<output> rest_outputs;
    for (int i = 0; i < output_count; ++i) {
        handle<term> root = walk.resolved(walk.roots()[static_cast<std::size_t>(i)]);
        if (is_done(*root.get(), outputs[i])) {
            if (why == purpose::launch) outputs[i].written = handle<array_node>(root.get()->node).release();
            continue;
        }
        rest.push_back(std::move(root));
        places.push_back(i);
        rest_outputs.push_back(outputs[i]);
    }
    if (rest.empty()) return;
    evaluate(rest.data(), rest_outputs.data(), static_cast<int>(rest.size()), label, why);
    for (std::size_t i = 0; i < places.size(); ++i) outputs[places[i]].written = rest_outputs[i].written;
}

}  // namespace

void evaluate_reductions(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    try {
        evaluate_in_groups(roots, outputs, output_count, label, why);
    } catch (const rows_no_longer_kept&) {
        // Nothing was written but temporaries: outputs are the last that is launched.
        evaluate_in_groups(roots, outputs, output_count, label, why);
    }
}

explanation explain_reductions(const handle<term>* roots, int root_count) {
    explanation out;
    const auto add = [&out](explanation part) {
        out.temporary_bytes += part.temporary_bytes;
        if (!out.kernels.empty() && !part.kernels.empty() && out.kernels.back().cut.empty())
            out.kernels.back().cut = "what follows needs the whole result of a reduction";
        for (kernel_explanation& each : part.kernels) out.kernels.push_back(std::move(each));
    };
    reduction_walk walk(roots, root_count, kernels_of(launch::current_device().target()));
    for (std::vector<reduction_group> groups = walk.next(); !groups.empty(); groups = walk.next())
        for (const reduction_group& group : groups) {
            if (group.of.size() != 0) add(is_scan(group) ? explain_scan(group) : explain_group(group));
            if (group.of_roots) return out;
            for (const reduction_group::result& each : group.results) {
                const shape extents = shape_of_result(group, each);
                if (std::none_of(walk.roots().begin(), walk.roots().end(),
                                 [&](const auto& root) { return root.get() == each.of; }))
                    out.temporary_bytes += extents.size() * bytes_of(each.of->type);
                walk.put(each.of, planned_result(each.of->type, extents));
            }
        }
    std::vector<handle<term>> rest;
    for (const handle<term>& each : walk.roots())
        if (handle<term> root = walk.resolved(each); !is_done(*root.get())) rest.push_back(std::move(root));
    if (!rest.empty()) add(explain(rest.data(), static_cast<int>(rest.size())));
    return out;
}

}  // namespace kiln::inline v0_1::detail
