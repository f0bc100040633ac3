// kiln/capture/graph: an expression as one flat list, each node after its operands, whether its type or a run-time expr
// described it.
// knows nothing of: devices, text, values
#pragma once

#include <capture/operand_list.hpp>
#include <kiln/expression.hpp>
#include <kiln/reduction.hpp>

#include <cstddef>
#include <vector>

namespace kiln::inline v0_1::detail {

class graph {
public:
    enum class node_kind : std::uint8_t {
        array,
        position,  // a leaf like an array, whose values are where the elements are
        scalar,
        constant,
        full,    // args[0], a scalar, with extents
        gather,  // args[0], an array or a position, where the other arguments say
        operation,
        reduced,  // args[0], a row of it; with extent 1 on the reduced axes
    };

    struct node {
        node_kind kind = node_kind::array;
        operation code = operation::add;
        element_type type = element_type::float32;  // of its value
        operand_list args = {};
        // Of a leaf, and of full's extents: its place in the collected sequence; of a call: that of the function's number.
        int slot = -1;
        std::uint64_t bits = 0;                         // of a constant
        reduction_kind reduces = reduction_kind::none;  // of reduced
        bool scans = false;                             // of reduced: each element becomes what those up to it come to

        friend bool operator==(const node&, const node&) = default;
    };
    struct output {
        int node = -1;
        element_type as = element_type::float32;  // the type it is stored as, or reduced in
        reduction_kind reduces = reduction_kind::none;
        element_type result = element_type::float32;  // of a reduction
        std::uint64_t definition = 0;                 // of a user's: capture/reduction_table.hpp

        friend bool operator==(const output&, const output&) = default;
    };

    std::vector<node> nodes;
    std::vector<output> outputs;
    int slot_count = 0;

    friend bool operator==(const graph&, const graph&) = default;
};

/// What `node` comes to along the reduced axes, as `result`; `scans`: up to each element.
int add_reduced(graph& into, reduction_kind what, element_type result, int node, bool scans);

/// Throws shape_error for the first operation whose operands do not broadcast, by its name: leaves alone do not say which one it is.
void require_operations_broadcast(const graph& of, const leaf* leaves);

/// For each output, which slots of the collected sequence it comes from.
std::vector<std::vector<bool>> leaves_of_outputs(const graph& of);

/// What one output needs of a graph, and its leaves of `leaves`, in the new graph's order.
graph only_output(const graph& of, int output, const leaf* leaves, std::vector<leaf>& needed_leaves);

/// For tables of graphs; equal graphs have equal hashes, the converse is checked by ==.
std::size_t hash_of(const graph& of) noexcept;

}  // namespace kiln::inline v0_1::detail
