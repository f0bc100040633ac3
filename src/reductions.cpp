#include <reductions.hpp>

#include <launch/arrays.hpp>

#include <kiln/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace kiln::detail {

namespace {

const char* name_of(reduction_kind what) { return reductions[static_cast<int>(what)].name; }

/// An array that has a place and a shape for planning, and no memory.
handle<array_node> planned_result(element_type type, const shape& extents) {
    handle<array_node> made(new array_node);
    made.get()->type = type;
    made.get()->extents = extents;
    set_contiguous_strides(*made.get());
    return made;
}

/// The value of a reduction of no elements, as `type`.
handle<term> value_of_nothing(reduction_kind what, element_type type) {
    double value = 0;
    switch (what) {
        case reduction_kind::prod:
        case reduction_kind::every: value = 1; break;
        case reduction_kind::mean: value = std::numeric_limits<double>::quiet_NaN(); break;
        case reduction_kind::none:
        case reduction_kind::sum:
        case reduction_kind::any: break;
        case reduction_kind::min:
        case reduction_kind::max:
        case reduction_kind::argmin:
        case reduction_kind::argmax:
            throw shape_error(
                fmt::format("kiln: {}: no elements, of which none is the {}", name_of(what), name_of(what)));
    }
    handle<term> number = make_scalar_term(element_type::float64, &value, 0);
    return type == element_type::float64 ? number : make_operation_term(operation::cast, type, std::move(number));
}

handle<array_node> result_of_nothing(const term& of, const shape& extents, purpose why) {
    const handle<term> root = make_full_term(extents, value_of_nothing(of.reduces, of.type));
    output made;
    if (why != purpose::launch) return planned_result(of.type, extents);
    evaluate(&root, &made, 1, nullptr);
    return handle<array_node>(made.written);
}

/// The reduced axes have extent 1 in what the kernel writes.
void drop_axes(array_node& of, const shape& wanted) {
    of.extents = wanted;
    set_contiguous_strides(of);
}

void compute_group(const reduction_group& group, reduction_walk& walk, const char* label, purpose why) {
    std::vector<output> outputs(group.reductions.size());
    if (group.of.size() != 0) evaluate_group(group, outputs.data(), label, why);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const term& each = *group.reductions[i];
        const shape extents = reduced_shape(group.of, group.axes, each.keeps_axes);
        handle<array_node> result(outputs[i].written);
        if (group.of.size() == 0) result = result_of_nothing(each, extents, why);
        else if (!result) result = planned_result(each.type, extents);
        drop_axes(*result.get(), extents);
        walk.put(&each, std::move(result));
    }
}

/// A whole result that nothing is left to be done to, and that may be anybody's.
bool is_done(const term& root, const output& wanted) {
    return root.what == term::kind::array && wanted.where != output::place::through;
}

}  // namespace

bool has_reductions(const handle<term>* roots, int root_count) noexcept {
    for (int i = 0; i < root_count; ++i)
        if (roots[i].get()->has_reduction) return true;
    return false;
}

void flatten_group(const reduction_group& of, flat_terms& flat, output* outputs) {
    flatten(of.operands.data(), static_cast<int>(of.operands.size()), flat);
    for (std::size_t i = 0; i < of.reductions.size(); ++i) {
        graph::output& stored = flat.described.outputs[i];
        stored.reduces = of.reductions[i]->reduces;
        stored.as = accumulated_type(stored.reduces, stored.as);
        stored.result = of.reductions[i]->type;
        outputs[i].reduces = true;
        outputs[i].reduced_axes = of.axes;
    }
}

void evaluate_reductions(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    reduction_walk walk(roots, output_count);
    for (std::vector<reduction_group> groups = walk.next(); !groups.empty(); groups = walk.next())
        for (const reduction_group& group : groups) compute_group(group, walk, label, why);

    std::vector<handle<term>> rest;
    std::vector<int> places;
    std::vector<output> rest_outputs;
    for (int i = 0; i < output_count; ++i) {
        handle<term> root = walk.resolved(roots[i]);
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

explanation explain_reductions(const handle<term>* roots, int root_count) {
    explanation out;
    const auto add = [&out](explanation part) {
        out.temporary_bytes += part.temporary_bytes;
        for (kernel_explanation& each : part.kernels) out.kernels.push_back(std::move(each));
    };
    reduction_walk walk(roots, root_count);
    for (std::vector<reduction_group> groups = walk.next(); !groups.empty(); groups = walk.next())
        for (const reduction_group& group : groups) {
            if (group.of.size() != 0) add(explain_group(group));
            for (const term* each : group.reductions)
                walk.put(each, planned_result(each->type, reduced_shape(group.of, group.axes, each->keeps_axes)));
        }
    std::vector<handle<term>> rest;
    for (int i = 0; i < root_count; ++i)
        if (handle<term> root = walk.resolved(roots[i]); root.get()->what != term::kind::array)
            rest.push_back(std::move(root));
    if (!rest.empty()) {
        if (!out.kernels.empty() && out.kernels.back().cut.empty())
            out.kernels.back().cut = "what follows needs the whole result of a reduction";
        add(explain(rest.data(), static_cast<int>(rest.size())));
    }
    return out;
}

}  // namespace kiln::detail
