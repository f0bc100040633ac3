#include <stage/nested_rows.hpp>

#include <capture/reduced.hpp>
#include <capture/viewed.hpp>

#include <unordered_map>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

handle<array_node> with_last_axis(const handle<array_node>& of, const shape& outer) {
    std::vector<index_item> items(static_cast<std::size_t>(outer.rank()), all);
    items.push_back(newaxis);
    return viewed(of, sliced(outer, items));
}

}  // namespace

handle<term> with_row_axis(const handle<term>& root, const shape& outer) {
    if (outer.rank() == max_rank) return {};
    std::unordered_map<const term*, handle<term>> made;
    bool is_known = true;
    term_table seen;
    each_term(
        root.get(), seen, [](const term& of) { return of.what != term::kind::operation; },
        [&](const term& of) {
            if (!is_known) return;
            switch (of.what) {
                case term::kind::scalar:
                case term::kind::constant: made.emplace(&of, share(&of)); return;
                case term::kind::array: {
                    is_known = !of.node.get()->map;  // which may look things up
                    if (is_known) made.emplace(&of, make_array_term(with_last_axis(of.node, outer), of.type));
                    return;
                }
                case term::kind::operation:
                    made.emplace(&of,
                                 copy_with_operands(of, [&](const handle<term>& arg) { return made.at(arg.get()); }));
                    return;
                case term::kind::reduced: {
                    handle<term> row = copy_with_operands(of, [](const handle<term>& arg) { return arg; });
                    row.get()->keeps_axes = true;
                    made.emplace(&of, std::move(row));
                    return;
                }
                default: is_known = false;
            }
        });
    return is_known ? made.at(root.get()) : handle<term>();
}

}  // namespace kiln::inline v0_1::detail
