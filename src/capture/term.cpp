#include <capture/term.hpp>

#include <kiln/evaluate.hpp>

#include <bit>
#include <cstddef>
#include <memory>

namespace kiln::detail {

namespace {

handle<term> make(term::kind what, element_type type) {
    handle<term> made(new term);
    made.get()->what = what;
    made.get()->type = type;
    return made;
}

/// Which terms a walk has met, and the graph node each became. Open addressing, because a walk happens at every call.
class visited_terms {
public:
    void clear() {
        slots_.assign(slots_.size(), {});
        count_ = 0;
    }

    [[nodiscard]] int* find(const term* wanted) {
        if (slots_.empty()) return nullptr;
        for (std::size_t i = start(wanted);; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i].key == wanted) return &slots_[i].node;
            if (slots_[i].key == nullptr) return nullptr;
        }
    }

    void insert(const term* key, int node) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        ++count_;
        place({key, node});
    }

private:
    struct slot {
        const term* key = nullptr;
        int node = -1;
    };

    [[nodiscard]] std::size_t start(const term* key) const {
        return (std::bit_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
    }
    void place(slot added) {
        std::size_t i = start(added.key);
        while (slots_[i].key) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = added;
    }
    void grow() {
        std::vector<slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        for (const slot& each : old)
            if (each.key) place(each);
    }

    std::vector<slot> slots_;
    std::size_t count_ = 0;
};

int add_leaf_or_operation(const term& of, visited_terms& visited, flat_terms& out) {
    switch (of.what) {
        case term::kind::array:
            out.leaves.push_back({of.node.get(), 0, leaf_kind::array});
            return add_array(out.described, of.type);
        case term::kind::scalar:
            out.leaves.push_back({nullptr, of.bits, leaf_kind::scalar});
            return add_scalar(out.described, of.type);
        case term::kind::index:
            out.leaves.push_back({&of.extents, 0, leaf_kind::extent});
            add_extent(out.described);
            return add_index(out.described);
        case term::kind::full:
            out.leaves.push_back({&of.extents, 0, leaf_kind::extent});
            add_extent(out.described);
            return *visited.find(of.args[0].get());
        case term::kind::constant: return add_constant(out.described, of.type, of.bits);
        case term::kind::operation: break;
    }
    int args[max_arity] = {-1, -1, -1};
    for (int i = 0; i < of.arg_count; ++i) args[i] = *visited.find(of.args[i].get());
    if (of.code == operation::call) {
        out.leaves.push_back({nullptr, of.bits, leaf_kind::baked});
        return add_call(out.described, of.type, add_baked(out.described), args, of.arg_count);
    }
    return add_operation(out.described, of.code, of.type, args[0], args[1], args[2]);
}

}  // namespace

handle<term> make_array_term(handle<array_node> node, element_type type) {
    handle<term> made = make(term::kind::array, type);
    made.get()->node = std::move(node);
    return made;
}

handle<term> make_scalar_term(element_type type, std::uint64_t bits) {
    handle<term> made = make(term::kind::scalar, type);
    made.get()->bits = bits;
    return made;
}

handle<term> make_index_term(const shape& extents) {
    handle<term> made = make(term::kind::index, element_type::int64);
    made.get()->extents = extents;
    return made;
}

handle<term> make_full_term(const shape& extents, handle<term> value) {
    handle<term> made = make(term::kind::full, value.get()->type);
    made.get()->extents = extents;
    made.get()->args[0] = std::move(value);
    made.get()->arg_count = 1;
    return made;
}

handle<term> make_constant_term(element_type type, std::uint64_t bits) {
    handle<term> made = make(term::kind::constant, type);
    made.get()->bits = bits;
    return made;
}

handle<term> make_call_term(element_type result, std::uint64_t function, handle<term>* args, int arg_count) {
    handle<term> made = make(term::kind::operation, result);
    made.get()->code = operation::call;
    made.get()->bits = function;
    made.get()->arg_count = static_cast<std::int8_t>(arg_count);
    for (int i = 0; i < arg_count; ++i) made.get()->args[i] = std::move(args[i]);
    return made;
}

handle<term> make_operation_term(operation code, element_type result, handle<term> a, handle<term> b, handle<term> c) {
    handle<term> made = make(term::kind::operation, result);
    made.get()->code = code;
    made.get()->arg_count = c ? 3 : b ? 2 : 1;
    made.get()->args[0] = std::move(a);
    made.get()->args[1] = std::move(b);
    made.get()->args[2] = std::move(c);
    return made;
}

void destroy(const term* dead) noexcept {
    // A chain of a million terms must not be a million stack frames: what dies with its parent waits in a list.
    // The scalar's bits of a dead term are of no use to anyone any more: they link the list.
    const auto link = [](term* each) -> std::uint64_t& { return each->bits; };
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

void flatten(const handle<term>* roots, int root_count, flat_terms& out) {
    thread_local visited_terms visited;
    thread_local std::vector<const term*> path;
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

}  // namespace kiln::detail
