#include <api/copies.hpp>

#include <capture/term.hpp>

#include <kiln/evaluate.hpp>

namespace kiln::inline v0_1::detail {

handle<array_node> copy_of(const handle<array_node>& original) {
    const handle<term> root = make_array_term(original, original.get()->type);
    output copied;
    evaluate(&root, &copied, 1, "copy");
    return handle<array_node>(copied.written);
}

void copy_into(array_node& target, const handle<array_node>& from) {
    const handle<term> root = make_array_term(from, from.get()->type);
    output into{output::place::through, false, &target};
    evaluate(&root, &into, 1, "copy");
}

}  // namespace kiln::inline v0_1::detail
