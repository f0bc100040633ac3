// kiln/capture/term: a node of a graph built at run time, behind expr<T>. Terms are immutable and shared; nothing here
// recurses, because a loop can make a chain as long as it likes.
// in: terms   out: one flat graph and its leaves   knows nothing of: devices, text
#pragma once

#include <capture/array_node.hpp>
#include <capture/graph.hpp>
#include <capture/term_table.hpp>

#include <kiln/reduction.hpp>
#include <kiln/view_spec.hpp>

#include <memory>
#include <vector>

namespace kiln::inline v0_1::detail {

/// What becomes of rows that are sorted.
struct sorted_rows {
    enum class to : std::uint8_t { nothing, values, positions };  // positions: where each element was in its row
    to what = to::nothing;
    bool descending = false;
    std::int64_t kept = 0;  // of each row, in order, so many first ones; 0: all

    friend bool operator==(const sorted_rows&, const sorted_rows&) = default;
};

struct term : counted {
    enum class kind : std::uint8_t {
        array,
        position,
        free_position,
        scalar,
        full,
        constant,
        gather,
        operation,
        reduced,
        viewed  // a view of a reduction, of another view, or of many terms: leaves have theirs in their nodes
    };

    kind what = kind::scalar;
    operation code = operation::add;
    element_type type = element_type::float32;
    std::int8_t arg_count = 0;
    std::uint64_t bits[2] = {};  // of a scalar or constant; of a call, or a user's reduction: [0] is its number
    handle<array_node> node;     // of an array, a position
    std::uint32_t capture = 0;   // of a scalar: as in its leaf
    shape extents;               // of full
    int along = 0;               // of a free position
    reduction_kind reduces = reduction_kind::none;  // of reduced, args[0] by it
    bool scans = false;       // of reduced: every partial result along its one axis, sum or prod: the operand's shape
    sorted_rows sorts;        // of a scan: in place of partial results, the elements in order, or the first of them
    bool keeps_axes = false;  // of reduced: with extent 1
    segment_call
        segments;  // of reduced: if it has any, what elements come to by segments; args: which segment, elements
    bool has_stages = false;                // it, or what it is made of, is a reduction or a view that may end a stage
    axis_list over;                         // of reduced
    std::unique_ptr<const view_spec> view;  // of viewed
    // Of an operation; of full: its scalar; of gather: the leaf, then the lookups; of a view: what is seen, then, if it takes,
    // the index.
    handle<term> args[max_operands];
};

struct flat_terms {
    graph described;
    std::vector<leaf> leaves;  // borrow from the terms
};

/// What stands twice in the graph is one node of the result. Each root is stored as its own type. Reductions are those of
/// rows that their kernel keeps (reduced.hpp).
void flatten(const handle<term>* roots, int root_count, flat_terms& out);
[[nodiscard]] flat_terms flatten(const handle<term>& root);

/// The graph below `root`, each term after its operands and once; not below terms for which `stops`. `seen`: the terms that
/// it and walks before it visited, numbered in that order.
template <class Stops, class Visit>
void each_term(const term* root, term_table& seen, Stops stops, Visit visit) {
    std::vector<const term*> path{root};
    while (!path.empty()) {
        const term* const current = path.back();
        const std::size_t before = path.size();
        const bool is_new = !seen.find(current);
        if (is_new && !stops(*current))
            for (const handle<term>& arg : current->args)
                if (arg && !seen.find(arg.get())) path.push_back(arg.get());
        if (path.size() != before) continue;
        path.pop_back();
        if (is_new) seen.insert(current, seen.size()), visit(*current);
    }
}

/// A term of the same kind, without operands.
handle<term> copy_without_operands(const term& of);
/// An operand of `of` from now on.
void add_operand(term& of, handle<term> operand);

/// A term of the same kind, of what `instead_of` says of each operand.
template <class InsteadOf>
handle<term> copy_with_operands(const term& of, InsteadOf instead_of) {
    handle<term> made = copy_without_operands(of);
    for (int i = 0; i < of.arg_count; ++i) add_operand(*made.get(), instead_of(of.args[i]));
    return made;
}

/// Of a graph with reductions or views in it.
shape shape_with_stages(const handle<term>& root);

/// What a reduction or a view of one is made of is seen through no view: its result is.
inline bool stops_views(const term& of) { return of.what == term::kind::reduced || of.what == term::kind::viewed; }

/// Steps of the map (capture/index_map.hpp) to the elements of a leaf; of a view, of views of views: those that they add.
int steps_to_elements(const term& of);

/// As viewed(), of however many terms: the leaves are seen through the view, and the reductions and views that are there.
handle<term> seen_through(const handle<term>& root, const view_spec& by, const handle<term>& index = {});

}  // namespace kiln::inline v0_1::detail
