#include <capture/graph.hpp>

#include <capture/array_node.hpp>
#include <capture/mixed.hpp>

#include <kiln/evaluate.hpp>

#include <string>

namespace kiln::inline v0_1::detail {

namespace {

int append(graph& into, const graph::node& node) {
    into.nodes.push_back(node);
    return static_cast<int>(into.nodes.size()) - 1;
}

}  // namespace

int add_array(graph& into, element_type type) {
    return append(into, {.kind = graph::node_kind::array, .type = type, .slot = into.slot_count++});
}

int add_scalar(graph& into, element_type type) {
    return append(into, {.kind = graph::node_kind::scalar, .type = type, .slot = into.slot_count++});
}

int add_full(graph& into, int scalar) {
    return append(into, {.kind = graph::node_kind::full,
                         .type = into.nodes[static_cast<std::size_t>(scalar)].type,
                         .args = {scalar},
                         .slot = into.slot_count++});
}

int add_position(graph& into) {
    return append(into, {.kind = graph::node_kind::position, .type = element_type::int64, .slot = into.slot_count++});
}

int add_gather(graph& into, int array, const int* lookups, int lookup_count) {
    graph::node made{.kind = graph::node_kind::gather, .type = into.nodes[static_cast<std::size_t>(array)].type};
    made.args[0] = array;
    for (int i = 0; i < lookup_count; ++i) made.args[1 + i] = lookups[i];
    return append(into, made);
}

int add_constant(graph& into, element_type type, std::uint64_t bits) {
    return append(into, {.kind = graph::node_kind::constant, .type = type, .bits = bits});
}

int add_baked(graph& into) { return into.slot_count++; }

int add_operation(graph& into, operation code, element_type result, int a, int b, int c) {
    return append(into, {.kind = graph::node_kind::operation, .code = code, .type = result, .args = {a, b, c}});
}

int add_reduced(graph& into, reduction_kind what, element_type result, int node, bool scans) {
    return append(into, {.kind = graph::node_kind::reduced,
                         .code = operation::reduce,
                         .type = result,
                         .args = {node},
                         .reduces = what,
                         .scans = scans});
}

int add_call(graph& into, element_type result, int slot, const int* args, int arg_count) {
    graph::node made{.kind = graph::node_kind::operation, .code = operation::call, .type = result, .slot = slot};
    for (int i = 0; i < arg_count; ++i) made.args[i] = args[i];
    return append(into, made);
}

shape broadcast_leaves(const leaf* leaves, int leaf_count) {
    shape out;
    bool empty = true;
    const auto meet = [&](const shape& extents) {
        if (empty) out = extents;
        else if (!(out == extents)) out = broadcast_shapes(out, extents);
        empty = false;
    };
    for (const leaf *each = leaves, *const end = leaves + leaf_count; each != end; ++each) {
        if (each->kind == leaf_kind::array) meet(static_cast<const array_node*>(each->object)->extents);
        if (each->kind == leaf_kind::extent) meet(*static_cast<const shape*>(each->object));
    }
    return out;
}

void require_operations_broadcast(const graph& of, const leaf* leaves) {
    std::vector<shape> shapes;
    const auto extents_of = [&](const graph::node& each) {
        const leaf& from = leaves[each.slot];
        return from.kind == leaf_kind::array ? static_cast<const array_node*>(from.object)->extents
                                             : *static_cast<const shape*>(from.object);
    };
    for (const graph::node& each : of.nodes) {
        shape made;
        switch (each.kind) {
            case graph::node_kind::array:
            case graph::node_kind::position:
            case graph::node_kind::full: made = extents_of(each); break;
            case graph::node_kind::scalar:
            case graph::node_kind::constant: break;
            case graph::node_kind::reduced: return;  // over axes that the graph does not know
            case graph::node_kind::gather:
            case graph::node_kind::operation: {
                const std::string who = std::string(operations[static_cast<int>(each.code)].name) + ": shapes";
                // What a gather takes from has a shape of its own.
                for (int i = each.kind == graph::node_kind::gather; i < max_operands && each.args[i] >= 0; ++i)
                    made = broadcast_shapes(made, shapes[static_cast<std::size_t>(each.args[i])], who.c_str());
            }
        }
        shapes.push_back(made);
    }
}

void add_reduced_output(graph& into, int node, reduction_kind what, element_type result) {
    const element_type of = into.nodes[static_cast<std::size_t>(node)].type;
    into.outputs.push_back({node, accumulated_type(what, of), what, result});
}

void add_output(graph& into, int node, element_type as) {
    into.outputs.push_back({node, as, reduction_kind::none, as});
}

std::vector<std::vector<bool>> leaves_of_outputs(const graph& of) {
    // Nodes stand after their operands, so one walk from the back meets all that an output needs.
    std::vector<std::vector<bool>> out;
    for (const graph::output& output : of.outputs) {
        std::vector<bool> needed(of.nodes.size());
        std::vector<bool> slots(static_cast<std::size_t>(of.slot_count));
        needed[static_cast<std::size_t>(output.node)] = true;
        for (std::size_t i = of.nodes.size(); i-- > 0;) {
            if (!needed[i]) continue;
            if (of.nodes[i].slot >= 0) slots[static_cast<std::size_t>(of.nodes[i].slot)] = true;
            for (const int arg : of.nodes[i].args)
                if (arg >= 0) needed[static_cast<std::size_t>(arg)] = true;
        }
        out.push_back(std::move(slots));
    }
    return out;
}

graph only_output(const graph& of, int output, const leaf* leaves, std::vector<leaf>& needed_leaves) {
    const graph::output& wanted = of.outputs[static_cast<std::size_t>(output)];
    std::vector<bool> needed(of.nodes.size());
    needed[static_cast<std::size_t>(wanted.node)] = true;
    for (std::size_t i = of.nodes.size(); i-- > 0;)
        for (const int arg : of.nodes[i].args)
            if (needed[i] && arg >= 0) needed[static_cast<std::size_t>(arg)] = true;

    graph out;
    std::vector<int> number(of.nodes.size(), -1);
    needed_leaves.clear();
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        if (!needed[i]) continue;
        graph::node node = of.nodes[i];
        for (std::int32_t& arg : node.args)
            if (arg >= 0) arg = number[static_cast<std::size_t>(arg)];
        if (node.slot >= 0) {
            needed_leaves.push_back(leaves[node.slot]);
            node.slot = out.slot_count++;
        }
        number[i] = append(out, node);
    }
    out.outputs.push_back(wanted);
    out.outputs.back().node = number[static_cast<std::size_t>(wanted.node)];
    return out;
}

std::size_t hash_of(const graph& of) noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    const auto mix = [&hash](std::uint64_t word) { hash = mixed(hash, word); };
    for (const graph::node& node : of.nodes) {
        mix(static_cast<std::uint64_t>(node.kind) | static_cast<std::uint64_t>(node.code) << 8 |
            static_cast<std::uint64_t>(node.type) << 16 | static_cast<std::uint64_t>(node.slot + 1) << 24);
        for (const int arg : node.args)
            if (arg >= 0) mix(static_cast<std::uint64_t>(arg + 1));
        if (node.kind == graph::node_kind::constant) mix(node.bits);
    }
    for (const graph::output& output : of.outputs)
        mix(static_cast<std::uint64_t>(output.node) << 16 | static_cast<std::uint64_t>(output.reduces) << 8 |
            static_cast<std::uint64_t>(output.as));
    return hash;
}

}  // namespace kiln::inline v0_1::detail
