#include <capture/other_reductions.hpp>

#include <capture/reduced.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

bool has_own_extents(const term& of) { return of.what == term::kind::full || of.what == term::kind::viewed; }

}  // namespace

std::vector<handle<term>> with_other_reductions(const std::vector<handle<term>>& roots, const other_reduction& other) {
    std::unordered_map<const term*, shape> shapes;
    std::unordered_map<const term*, handle<term>> copies;
    const auto instead_of = [&](const handle<term>& of) {
        const auto found = copies.find(of.get());
        return found == copies.end() ? of : found->second;
    };
    const auto visit = [&](const term& of) {
        shape extents;
        if (of.node) extents = of.node.get()->extents;
        else if (of.what == term::kind::full) extents = of.extents;
        else if (of.what == term::kind::viewed) extents = of.view->to;
        for (int i = has_own_extents(of) ? of.arg_count : 0; i < of.arg_count; ++i)
            extents = broadcast_shapes(extents, shapes.at(of.args[i].get()));
        if (of.what == term::kind::reduced) {
            const std::uint8_t axes = axes_of(of, extents);
            if (handle<term> made = other(of, extents, axes, instead_of(of.args[0])))
                copies.emplace(&of, std::move(made));
            extents = result_shape(of, extents, axes);
        }
        shapes.emplace(&of, extents);
        const bool stays = std::all_of(of.args, of.args + of.arg_count,
                                       [&](const handle<term>& arg) { return !copies.count(arg.get()); });
        if (!stays && !copies.count(&of)) copies.emplace(&of, copy_with_operands(of, instead_of));
    };
    std::vector<handle<term>> out;
    term_table seen;
    for (const handle<term>& root : roots) {
        each_term(
            root.get(), seen, [](const term&) { return false; }, visit);
        out.push_back(instead_of(root));
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
