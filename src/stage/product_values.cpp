#include <stage/product_values.hpp>

#include <capture/array_node.hpp>
#include <capture/reduced.hpp>
#include <capture/viewed.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

/// With an axis of extent 1 for each that is reduced, but those before its first.
handle<array_node> with_reduced_axes(const handle<array_node>& of, int rank, std::uint8_t axes) {
    const shape& extents = of.get()->extents;
    std::vector<index_item> items;
    bool is_as_it_was = true;
    int own = extents.rank();
    for (int axis = rank; own > 0 && axis-- > 0;) {
        const bool is_reduced = axes >> axis & 1;
        items.push_back(is_reduced ? index_item(newaxis) : index_item(all));
        is_as_it_was = is_as_it_was && !is_reduced;
        own -= !is_reduced;
    }
    if (is_as_it_was) return of;
    std::reverse(items.begin(), items.end());
    return viewed(of, sliced(extents, items));
}

/// Calls `each` with the terms from what `root` needs to itself, without those under the product.
template <class Each>
void each_beside(const term& root, const term& product, Each each) {
    term_table seen;
    each_term(
        &root, seen, [&](const term& of) { return &of == &product || of.what != term::kind::operation; }, each);
}

}  // namespace

bool is_for_tiles(const shape& of) {
    constexpr std::int64_t least_side = 16;
    for (int i = 1; i <= 3; ++i)
        if (of[of.rank() - i] < least_side) return false;
    return true;
}

bool is_plain_array(const term& of) {
    return of.what == term::kind::array && !of.node.get()->map && of.node.get()->owned != ownership::position &&
           of.node.get()->free_axis == array_node::no_axis;
}

bool is_made_of_values(const term& root, const term& product, const shape& values) {
    bool is_known = values.rank() < max_rank;
    bool has_values = false;
    each_beside(root, product, [&](const term& of) {
        if (&of == &product) {
            has_values = true;
            return;
        }
        switch (of.what) {
            case term::kind::operation:
            case term::kind::scalar:
            case term::kind::constant: return;
            case term::kind::array: is_known = is_known && is_plain_array(of); return;
            default: is_known = false;
        }
    });
    return is_known && has_values && broadcast_leaves(share(&root)) == values;
}

handle<term> with_reduced_axes(const handle<term>& root, const term& product, const handle<term>& reduced, int rank,
                               std::uint8_t axes) {
    std::unordered_map<const term*, handle<term>> made;
    each_beside(*root.get(), product, [&](const term& of) {
        if (&of == &product) made.emplace(&of, reduced);
        else if (of.what == term::kind::array)
            made.emplace(&of, make_array_term(with_reduced_axes(of.node, rank, axes), of.type));
        else if (of.what == term::kind::operation)
            made.emplace(&of, copy_with_operands(of, [&](const handle<term>& arg) { return made.at(arg.get()); }));
        else made.emplace(&of, share(&of));
    });
    return made.at(root.get());
}

}  // namespace kiln::inline v0_1::detail
