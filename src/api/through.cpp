// Writing into part of an array, or into memory of the user's. Values of other arrays that share the buffer must not
// change, and an operand that overlaps the target at other positions must be read before it is overwritten.
#include <api/copies.hpp>
#include <capture/term.hpp>
#include <device/arrays.hpp>
#include <plan/bind.hpp>

#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

namespace {

/// Owners of `whole` that are neither the array nor the target's view of it. A temporary expression's own leaves do not
/// count: they die with the assignment.
bool has_other_owners(const array_node& whole, const leaf* leaves, int leaf_count, bool discount_leaves) {
    std::int32_t expected = 2;
    if (discount_leaves) {
        for (int slot = 0; slot < leaf_count; ++slot) {
            if (leaves[slot].kind != leaf_kind::array) continue;
            const auto* node = static_cast<const array_node*>(leaves[slot].object);
            // A view that nobody else holds owns `whole` once, however many leaves share the view.
            const bool only_here = node->references.load(std::memory_order_acquire) == 1;
            if (node == &whole || (node->base.get() == &whole && only_here)) ++expected;
        }
    }
    return whole.references.load(std::memory_order_acquire) != expected;
}

bool reads_elsewhere(const array_node& part, const leaf* leaves, int leaf_count) {
    for (int slot = 0; slot < leaf_count; ++slot) {
        if (leaves[slot].kind != leaf_kind::array) continue;
        const auto* node = static_cast<const array_node*>(leaves[slot].object);
        if (plan::overlap(*node, part) && !plan::same_elements(*node, part)) return true;
    }
    return false;
}

/// `evaluate_to(output)` evaluates the expression with these leaves.
template <class Evaluate>
void write_through(handle<array_node>* whole, handle<array_node> part, const leaf* leaves, int leaf_count,
                   bool discount_leaves, Evaluate evaluate_to) {
    if (whole && has_other_owners(*whole->get(), leaves, leaf_count, discount_leaves)) {
        handle<array_node> own = copy_of(*whole);
        part = backend::moved_view(*part.get(), own);
        *whole = std::move(own);
    }
    if (!reads_elsewhere(*part.get(), leaves, leaf_count)) {
        output into{output::place::through, discount_leaves, part.get()};
        evaluate_to(into);
        return;
    }
    output aside;
    evaluate_to(aside);
    copy_into(*part.get(), handle<array_node>(aside.written));
}

}  // namespace

void evaluate_through(handle<array_node>* whole, handle<array_node> part, expression_cache& of, const leaf* leaves,
                      int leaf_count, bool discount_leaves, const char* label) {
    write_through(whole, std::move(part), leaves, leaf_count, discount_leaves,
                  [&](output& into) { evaluate(of, leaves, leaf_count, &into, 1, label); });
}

void evaluate_through(handle<array_node>* whole, handle<array_node> part, const handle<term>& root, const char* label) {
    const flat_terms flat = flatten(root);
    write_through(whole, std::move(part), flat.leaves.data(), static_cast<int>(flat.leaves.size()), false,
                  [&](output& into) { evaluate(&root, &into, 1, label); });
}

}  // namespace kiln::inline v0_1::detail
