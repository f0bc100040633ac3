#include <capture/reduced.hpp>

#include <capture/array_node.hpp>

#include <kiln/evaluate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace kiln {

axis_list::axis_list(std::initializer_list<int> numbers) : count_(0) {
    if (numbers.size() > static_cast<std::size_t>(max_rank))
        throw shape_error(fmt::format("kiln: axes: {} of them; arrays have up to {}", numbers.size(), max_rank));
    for (const int each : numbers) numbers_[count_++] = each;
}

namespace detail {

namespace {

handle<term> share(const term* of) {
    of->references.fetch_add(1, std::memory_order_relaxed);
    return handle<term>(const_cast<term*>(of));
}

std::vector<const array_node*> arrays_of(const handle<term>& root) {
    flat_terms flat;
    flatten(&root, 1, flat);
    std::vector<const array_node*> out;
    for (const leaf& each : flat.leaves)
        if (each.kind == leaf_kind::array) {
            const auto* const node = static_cast<const array_node*>(each.object);
            if (node->owned != ownership::position) out.push_back(&node->storage());
        }
    return out;
}

// The states of 256 threads are then in 48 KiB of shared memory, with room to spare.
constexpr std::size_t most_of_group = 8;

bool share_one(const std::vector<const array_node*>& left, const std::vector<const array_node*>& right) {
    return std::any_of(left.begin(), left.end(), [&](const array_node* each) {
        return std::find(right.begin(), right.end(), each) != right.end();
    });
}

}  // namespace

std::uint8_t reduced_axes(const shape& of, const axis_list& over, const char* who) {
    if (over.all()) return static_cast<std::uint8_t>((1u << of.rank()) - 1);
    std::uint8_t out = 0;
    for (const int each : over) {
        const int axis = resolve_axis(each, of.rank(), who);
        if (out >> axis & 1) throw shape_error(fmt::format("kiln: {}: axis {} stands twice in the list", who, axis));
        out = static_cast<std::uint8_t>(out | 1u << axis);
    }
    return out;
}

shape reduced_shape(const shape& of, std::uint8_t axes, bool keep) {
    std::int64_t extents[max_rank];
    int rank = 0;
    for (int axis = 0; axis < of.rank(); ++axis) {
        const bool goes = axes >> axis & 1;
        if (goes && !keep) continue;
        extents[rank++] = goes ? 1 : of[axis];
    }
    return shape(extents, rank);
}

handle<term> make_reduction_term(reduction_kind what, element_type result, handle<term> of, const axis_list& over,
                                 bool keep) {
    handle<term> made(new term);
    term& it = *made.get();
    it.what = term::kind::reduced;
    it.type = result;
    it.reduces = what;
    it.over = over;
    it.keeps_axes = keep;
    it.has_reduction = true;
    it.arg_count = 1;
    it.args[0] = std::move(of);
    return made;
}

shape shape_with_reductions(const handle<term>& root) {
    std::unordered_map<const term*, shape> shapes;
    std::unordered_set<const term*> seen;
    each_term(
        root.get(), seen, [](const term&) { return false; },
        [&](const term& of) {
            shape out;
            if (of.node) out = of.node.get()->extents;
            else if (of.what == term::kind::full) out = of.extents;
            const int first = of.what == term::kind::full ? of.arg_count : 0;
            for (int i = first; i < of.arg_count; ++i) out = broadcast_shapes(out, shapes.at(of.args[i].get()));
            if (of.what == term::kind::reduced)
                out = reduced_shape(out, reduced_axes(out, of.over, reductions[static_cast<int>(of.reduces)].name),
                                    of.keeps_axes);
            shapes.emplace(&of, out);
        });
    return shapes.at(root.get());
}

handle<array_node> evaluated(const term& of) {
    const handle<term> root = share(&of);
    output made;
    evaluate(&root, &made, 1, nullptr);
    return handle<array_node>(made.written);
}

reduction_walk::reduction_walk(const handle<term>* roots, int root_count) {
    std::unordered_set<const term*> seen;
    for (int i = 0; i < root_count; ++i)
        each_term(
            roots[i].get(), seen, [](const term& each) { return !each.has_reduction; },
            [this](const term& each) {
                if (each.what == term::kind::reduced) waiting_.push_back(&each);
            });
}

std::vector<reduction_group> reduction_walk::next() {
    std::vector<reduction_group> groups;
    std::vector<std::vector<const array_node*>> arrays;
    std::vector<const term*> later;
    std::unordered_set<const term*> unknown(waiting_.begin(), waiting_.end());
    for (const term* const each : waiting_) {
        bool ready = true;
        std::unordered_set<const term*> seen;
        each_term(
            each->args[0].get(), seen, [this](const term& of) { return !of.has_reduction || known_.count(&of); },
            [&](const term& of) { ready = ready && !(of.what == term::kind::reduced && unknown.count(&of)); });
        if (!ready) {
            later.push_back(each);
            continue;
        }
        handle<term> operand = resolved(each->args[0]);
        const shape extents = broadcast_leaves(operand);
        const std::uint8_t axes = reduced_axes(extents, each->over, reductions[static_cast<int>(each->reduces)].name);
        std::vector<const array_node*> read = arrays_of(operand);
        std::size_t group = 0;
        while (group < groups.size() &&
               !(groups[group].of == extents && groups[group].axes == axes &&
                 groups[group].reductions.size() < most_of_group && share_one(arrays[group], read)))
            ++group;
        if (group == groups.size()) {
            groups.push_back({extents, axes, {}, {}});
            arrays.emplace_back();
        }
        groups[group].reductions.push_back(each);
        groups[group].operands.push_back(std::move(operand));
        arrays[group].insert(arrays[group].end(), read.begin(), read.end());
    }
    waiting_ = std::move(later);
    return groups;
}

void reduction_walk::put(const term* reduction, handle<array_node> result) {
    known_[reduction] = make_array_term(std::move(result), reduction->type);
}

handle<term> reduction_walk::resolved(const handle<term>& root) {
    if (!root.get()->has_reduction) return root;
    std::unordered_set<const term*> seen;
    each_term(
        root.get(), seen, [this](const term& of) { return !of.has_reduction || known_.count(&of); },
        [this](const term& of) {
            if (!of.has_reduction || known_.count(&of)) return;
            handle<term> made = copy_without_operands(of);
            term& copy = *made.get();
            copy.arg_count = of.arg_count;
            copy.has_reduction = false;
            for (int i = 0; i < of.arg_count; ++i) {
                const auto found = known_.find(of.args[i].get());
                copy.args[i] = found == known_.end() ? of.args[i] : found->second;
            }
            alive_.push_back(share(&of));  // its address stays what it is in the table
            known_.emplace(&of, std::move(made));
        });
    return known_.at(root.get());
}

}  // namespace detail
}  // namespace kiln
