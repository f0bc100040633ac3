#include <capture/term.hpp>
#include <capture/viewed.hpp>
#include <process/thread_state.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace kiln::inline v0_1::detail {

namespace {

handle<term> make(term::kind what, element_type type) {
    handle<term> made(new term);
    made.get()->what = what;
    made.get()->type = type;
    return made;
}

int add_leaf_or_operation(const term& of, term_table& visited, flat_terms& out) {
    switch (of.what) {
        case term::kind::array:
            out.leaves.push_back({of.node.get(), 0, leaf_kind::array, 0});
            return add_array(out.described, of.type);
        case term::kind::scalar:
            out.leaves.push_back(
                {bytes_of(of.type) > 8 ? of.bits : nullptr, of.bits[0], leaf_kind::scalar, of.capture});
            return add_scalar(out.described, of.type);
        case term::kind::position:
            out.leaves.push_back({of.node.get(), 0, leaf_kind::array, 0});
            return add_position(out.described);
        case term::kind::free_position:
            out.leaves.push_back({free_position(of.along), 0, leaf_kind::array, 0});
            return add_position(out.described);
        case term::kind::full:
            out.leaves.push_back({&of.extents, 0, leaf_kind::extent, 0});
            return add_full(out.described, *visited.find(of.args[0].get()));
        case term::kind::constant: return add_constant(out.described, of.type, of.bits[0]);
        case term::kind::gather:
        case term::kind::operation:
        case term::kind::reduced:
        case term::kind::viewed: break;
    }
    int args[max_operands] = {-1, -1, -1};
    for (int i = 0; i < of.arg_count; ++i) args[i] = *visited.find(of.args[i].get());
    if (of.what == term::kind::reduced) return add_reduced(out.described, of.reduces, of.type, args[0], of.scans);
    if (of.what == term::kind::gather) return add_gather(out.described, args[0], args + 1, of.arg_count - 1);
    if (of.code == operation::call) {
        out.leaves.push_back({nullptr, of.bits[0], leaf_kind::baked, 0});
        return add_call(out.described, of.type, add_baked(out.described), args, of.arg_count);
    }
    return add_operation(out.described, of.code, of.type, args[0], args[1], args[2]);
}

}  // namespace

handle<term> copy_without_operands(const term& of) {
    handle<term> made = make(of.what, of.type);
    term& copy = *made.get();
    copy.code = of.code;
    copy.capture = of.capture;
    std::copy(of.bits, of.bits + 2, copy.bits);
    copy.node = of.node;
    copy.extents = of.extents;
    copy.along = of.along;
    copy.reduces = of.reduces;
    copy.scans = of.scans;
    copy.sorts = of.sorts;
    copy.keeps_axes = of.keeps_axes;
    copy.segments = of.segments;
    copy.over = of.over;
    if (of.view) copy.view = std::make_unique<const view_spec>(*of.view);
    copy.has_stages = stops_views(of);
    return made;
}

void add_operand(term& of, handle<term> operand) {
    of.has_stages = of.has_stages || operand.get()->has_stages;
    of.args[of.arg_count++] = std::move(operand);
}

handle<term> make_array_term(handle<array_node> node, element_type type) {
    handle<term> made = make(term::kind::array, type);
    made.get()->node = std::move(node);
    return made;
}

handle<term> make_scalar_term(element_type type, const void* value, std::uint32_t capture) {
    handle<term> made = make(term::kind::scalar, type);
    std::memcpy(made.get()->bits, value, static_cast<std::size_t>(bytes_of(type)));
    made.get()->capture = capture;
    return made;
}

handle<term> make_position_term(handle<array_node> node) {
    handle<term> made = make(term::kind::position, element_type::int64);
    made.get()->node = std::move(node);
    return made;
}

handle<term> make_free_position_term(int along) {
    handle<term> made = make(term::kind::free_position, element_type::int64);
    made.get()->along = along;
    return made;
}

handle<term> make_gather_term(handle<term> array, handle<term>* lookups, int lookup_count) {
    handle<term> made = make(term::kind::gather, array.get()->type);
    add_operand(*made.get(), std::move(array));
    for (int i = 0; i < lookup_count; ++i) add_operand(*made.get(), std::move(lookups[i]));
    return made;
}

handle<term> make_full_term(const shape& extents, handle<term> value) {
    handle<term> made = make(term::kind::full, value.get()->type);
    made.get()->extents = extents;
    add_operand(*made.get(), std::move(value));
    return made;
}

handle<term> make_constant_term(element_type type, std::uint64_t bits) {
    handle<term> made = make(term::kind::constant, type);
    made.get()->bits[0] = bits;
    return made;
}

handle<term> make_call_term(element_type result, std::uint64_t function, handle<term>* args, int arg_count) {
    handle<term> made = make(term::kind::operation, result);
    made.get()->code = operation::call;
    made.get()->bits[0] = function;
    for (int i = 0; i < arg_count; ++i) add_operand(*made.get(), std::move(args[i]));
    return made;
}

handle<term> make_operation_term(operation code, element_type result, handle<term> a, handle<term> b, handle<term> c) {
    handle<term> made = make(term::kind::operation, result);
    made.get()->code = code;
    for (handle<term>* each : {&a, &b, &c})
        if (*each) add_operand(*made.get(), std::move(*each));
    return made;
}

handle<term> make_operation_term(operation code, element_type result, const erasable* operands, int count) {
    handle<term> made[3];
    for (int i = 0; i < count; ++i) made[i] = operands[i].erase(operands[i].object);
    return make_operation_term(code, result, std::move(made[0]), std::move(made[1]), std::move(made[2]));
}

void destroy(const term* dead) noexcept {
    // A chain of a million terms must not be a million stack frames: what dies with its parent waits in a list.
    // The scalar's bits of a dead term are of no use to anyone any more: they link the list.
    const auto link = [](term* each) -> std::uint64_t& { return each->bits[0]; };
    term* waiting = const_cast<term*>(dead);
    link(waiting) = 0;
    while (waiting) {
        term* current = waiting;
        waiting = reinterpret_cast<term*>(link(current));
        for (int i = 0; i < current->arg_count; ++i) {
            term* child = current->args[i].release();
            if (!child || child->references.fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
            link(child) = reinterpret_cast<std::uint64_t>(waiting);
            waiting = child;
        }
        delete current;
    }
}

namespace {
/// Kept from call to call, so that a warm one allocates nothing.
struct flattening {
    term_table visited;
    std::vector<const term*> path;
};
}  // namespace

void flatten(const handle<term>* roots, int root_count, flat_terms& out) {
    flattening& mine = process::thread_state<flattening, flattening>();
    term_table& visited = mine.visited;
    std::vector<const term*>& path = mine.path;
    visited.clear();
    path.clear();
    out.described.nodes.clear();
    out.described.outputs.clear();
    out.described.slot_count = 0;
    out.leaves.clear();

    for (int i = 0; i < root_count; ++i) {
        path.push_back(roots[i].get());
        while (!path.empty()) {
            const term* current = path.back();
            if (visited.find(current)) {
                path.pop_back();
                continue;
            }
            const std::size_t before = path.size();
            for (int arg = current->arg_count; arg-- > 0;)
                if (!visited.find(current->args[arg].get())) path.push_back(current->args[arg].get());
            if (path.size() != before) continue;
            visited.insert(current, add_leaf_or_operation(*current, visited, out));
            path.pop_back();
        }
        add_output(out.described, *visited.find(roots[i].get()), roots[i].get()->type);
    }
}

flat_terms flatten(const handle<term>& root) {
    flat_terms out;
    flatten(&root, 1, out);
    return out;
}

shape broadcast_leaves(const handle<term>& root) {
    if (root.get()->has_stages) return shape_with_stages(root);
    const flat_terms flat = flatten(root);
    return broadcast_leaves(flat.leaves.data(), static_cast<int>(flat.leaves.size()));
}

namespace {

/// A leaf's elements where its lookups say: those of them that move it.
handle<term> make_live_gather_term(const handle<term>& leaf, const std::vector<handle<term>>& lookups) {
    handle<term> moved = copy_without_operands(*leaf.get());
    std::vector<int> live;
    moved.get()->node = without_dead_steps(leaf.get()->node, live);
    if (live.empty()) return moved;
    handle<term> made = make(term::kind::gather, leaf.get()->type);
    add_operand(*made.get(), std::move(moved));
    for (const int each : live) add_operand(*made.get(), lookups[static_cast<std::size_t>(each)]);
    return made;
}

handle<term> make_viewed_term(const term& of, const view_spec& by, const handle<term>& index) {
    handle<term> made = make(term::kind::viewed, of.type);
    made.get()->view = std::make_unique<const view_spec>(by);
    made.get()->has_stages = true;
    add_operand(*made.get(), share(&of));
    if (index) add_operand(*made.get(), index);
    return made;
}

/// Views that see more than this are views of its results: who puts stages together knows which are seen more than once, and
/// would be there twice. (capture/index_map.hpp for the steps on the way to a leaf's element.)
constexpr int most_terms_seen_through = 64;
constexpr int most_steps_seen_through = 12;

int steps_of(const view_spec& of) {
    switch (of.how) {
        case view_spec::kind::affine: return 0;
        case view_spec::kind::gather: return 1;
        case view_spec::kind::reshaped: return of.from.rank();
        default: return static_cast<int>(std::count(of.moves, of.moves + of.from.rank(), true));
    }
}

bool may_be_seen_through(const term& root) {
    term_table met;
    std::vector<const term*> waiting{&root};
    while (!waiting.empty()) {
        const term* const each = waiting.back();
        waiting.pop_back();
        if (met.find(each)) continue;
        met.insert(each, met.size());
        if (met.size() > most_terms_seen_through) return false;
        if (each != &root && steps_to_elements(*each) > most_steps_seen_through) return false;
        if (stops_views(*each)) continue;
        for (int i = 0; i < each->arg_count; ++i) waiting.push_back(each->args[i].get());
    }
    return true;
}

/// Of an array or a position.
handle<term> viewed_leaf(const term& of, const view_spec& by) {
    handle<term> made = copy_without_operands(of);
    made.get()->node = viewed(of.node ? of.node : make_position(by.from, of.along), by);
    if (!of.node) made.get()->what = term::kind::position;
    return made;
}

}  // namespace

int steps_to_elements(const term& of) {
    if (of.node && of.node.get()->map) return static_cast<int>(of.node.get()->map->steps.size());
    int steps = 0;
    for (const term* each = &of; each->what == term::kind::viewed; each = each->args[0].get())
        steps += steps_of(*each->view);
    return steps;
}

handle<term> seen_through(const handle<term>& root, const view_spec& by, const handle<term>& index) {
    std::unordered_map<const term*, handle<term>> views;
    term_table seen;
    each_term(root.get(), seen, stops_views, [&](const term& of) {
        if (stops_views(of)) {
            views.emplace(&of, make_viewed_term(of, by, index));
            return;
        }
        if (of.what == term::kind::gather) {
            std::vector<handle<term>> lookups;
            for (int i = 1; i < of.arg_count; ++i) lookups.push_back(views.at(of.args[i].get()));
            if (index) lookups.push_back(index);
            views.emplace(&of, make_live_gather_term(viewed_leaf(*of.args[0].get(), by), lookups));
            return;
        }
        if (of.node || of.what == term::kind::free_position) {
            if (of.node && of.node.get()->map && of.node.get()->map->lookup_count > 0)
                return;  // a part of one that takes
            handle<term> leaf = viewed_leaf(of, by);
            views.emplace(&of, index ? make_live_gather_term(leaf, {index}) : std::move(leaf));
            return;
        }
        handle<term> made = copy_without_operands(of);
        if (of.what == term::kind::full) made.get()->extents = by.to;
        for (int i = 0; i < of.arg_count; ++i) add_operand(*made.get(), views.at(of.args[i].get()));
        views.emplace(&of, std::move(made));
    });
    return views.at(root.get());
}

handle<term> viewed(const handle<term>& root, const view_spec& by, const handle<term>& index) {
    return may_be_seen_through(*root.get()) ? seen_through(root, by, index) : make_viewed_term(*root.get(), by, index);
}

}  // namespace kiln::inline v0_1::detail
