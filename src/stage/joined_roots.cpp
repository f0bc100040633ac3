// What an expression's results are made of, in the kernel that reduces: the last of reduction_walk's kernels may store the roots
// themselves.
#include <stage/kernel_sharing.hpp>
#include <stage/library_products.hpp>
#include <stage/nested_rows.hpp>
#include <stage/product_values.hpp>
#include <stage/reduction_draft.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

namespace {

/// Made again from what it is of, over the same axes.
bool is_plain_reduction(const term& of) {
    switch (of.reduces) {
        case reduction_kind::sum:
        case reduction_kind::prod:
        case reduction_kind::min:
        case reduction_kind::max:
        case reduction_kind::mean: return !of.scans && of.segments.count == 0;
        case reduction_kind::dot: return bytes_of(of.type) == 4;
        default: return false;
    }
}

}  // namespace

/// A root as a result of the draft's kernel.
std::optional<reduction_group::result> reduction_walk::joined(const handle<term>& root, draft& of, bool persistent_rows,
                                                              std::unordered_map<const term*, handle<term>>& made) {
    const below found = look_below(root);
    if (found.needs_cut) return {};  // and what it is made of is not known yet
    const shape extents = broadcast_leaves(root);
    reduction_group::result out{root.get(), {}, false, false, {}};
    if (found.reductions.empty()) {  // of elements alone
        if (!(kernels_.store_elements || persistent_rows) || !(extents == of.of)) return {};
        out.computed = resolved(root);
        return out;
    }
    std::vector<draft> only{of};
    if (!found.only_operations || !draft_that_has(only, found)) return {};
    if (!persistent_rows) {  // the reduction itself
        out.of_row = true;
        out.keeps_axes = root.get()->keeps_axes;
        out.computed = resolved(root.get()->args[0]);
        return out;
    }
    const bool meets = meets_elements(found.reductions, of.axes);
    const bool drops = std::none_of(found.reductions.begin(), found.reductions.end(),
                                    [](const term* each) { return each->keeps_axes; });
    out.computed = with_results(root, made);
    if (found.has_leaves || have_scan(found.reductions))
        return meets && extents == of.of ? std::optional(out) : std::nullopt;
    out.of_row = true;
    out.keeps_axes = !drops;
    const bool one_per_row = extents == reduced_shape(of.of, of.axes, out.keeps_axes) && (drops || meets);
    return one_per_row ? std::optional(out) : std::nullopt;
}

/// Whether a library makes all that the draft does (options.library).
bool reduction_walk::is_for_library(const draft& of) {
    if (!kernels_.multiplies || of.reductions.size() != 1) return false;
    const term& only = *of.reductions.front();
    const reduction_group alone{
        .of = of.of, .axes = of.axes, .results = {{&only, resolved(only.args[0]), true, false, {}}}};
    return stage::find_library_product(alone, kernels_.multiplies).has_value();
}

/// Of what is left, each root as it is made of the values of the draft's one reduction; none where some are made of more, or all are it.
std::optional<std::vector<handle<term>>> reduction_walk::made_of_values(const draft& of) {
    const term& reduction = *of.reductions.front();
    const auto is_it = [&](const handle<term>& root) { return root.get() == &reduction; };
    if (of.reductions.size() != 1 || std::all_of(roots_.begin(), roots_.end(), is_it)) return {};
    const shape values = reduced_shape(of.of, of.axes, /*keep=*/false);
    std::unordered_map<const term*, handle<term>> made{{&reduction, share(&reduction)}};
    std::vector<handle<term>> out;
    for (const handle<term>& root : roots_) {
        out.push_back(with_results(root, made));
        if (!is_made_of_values(*out.back().get(), reduction, values)) return {};
    }
    return out;
}

/// Their kernel, which has each of the values, goes on: with what `computed` says of them.
void reduction_walk::go_on_with_values(draft& of, const std::vector<handle<term>>& computed) {
    of.product = share(of.reductions.front());
    for (std::size_t i = 0; i < roots_.size(); ++i) of.roots.push_back({roots_[i].get(), computed[i], true, false, {}});
}

/// The values of a product of matrices on tensor cores.
bool reduction_walk::join_roots_of_product(draft& of) {
    constexpr std::int64_t most_terms = std::int64_t{1} << 24;
    if (!is_for_tiles(of.of) || of.of[of.of.rank() - 2] > most_terms) return false;
    const std::optional<std::vector<handle<term>>> computed = made_of_values(of);
    if (!computed || !kernels_.finishes(of.of, of.axes, *computed) || is_for_library(of)) return false;
    go_on_with_values(of, *computed);
    return true;
}

/// Those of another reduction, in tiles.
bool reduction_walk::join_roots_of_values(draft& of) {
    const term& reduction = *of.reductions.front();
    if (of.persistent_rows || !is_plain_reduction(reduction) || of.of.size() == 0) return false;
    std::optional<std::vector<handle<term>>> computed = made_of_values(of);
    if (!computed || is_for_library(of)) return false;
    const handle<term> kept = make_reduction_term(reduction.reduces, reduction.type, resolved(reduction.args[0]),
                                                  reduction.over, /*keep=*/true);
    for (handle<term>& each : *computed) each = with_reduced_axes(each, reduction, kept, of.of.rank(), of.axes);
    if (!kernels_.finishes_tiles(of.of, of.axes, *computed)) return false;
    of.of_values = true;
    go_on_with_values(of, *computed);
    return true;
}

/// What is left may be computed by the draft's kernel, too: elements, or one for each row.
bool reduction_walk::join_roots(draft& of) {
    const term& first = *of.reductions.front();
    if (first.reduces == reduction_kind::dot && bytes_of(first.type) == 2) return join_roots_of_product(of);
    if (join_roots_of_values(of)) return true;
    if (!std::all_of(of.reductions.begin(), of.reductions.end(), may_be_persistent)) return false;
    bool persistent_rows = of.persistent_rows;
    bool only_reductions = true;
    for (const handle<term>& root : roots_) {
        const bool is_reduction = root.get()->what == term::kind::reduced;
        only_reductions = only_reductions && is_reduction;
        persistent_rows = persistent_rows || (!is_reduction && root.get()->has_stages && !known_.count(root.get()));
    }
    if ((!persistent_rows && only_reductions) || of.of.size() == 0) return false;
    if (kernels_.read_host && is_for_library(of)) return false;
    persistent_rows = persistent_rows || have_scan(of.reductions);
    std::vector<reduction_group::result> results;
    std::unordered_map<const term*, handle<term>> made;
    std::vector<handle<term>> computed;
    for (const handle<term>& root : roots_) {
        std::optional<reduction_group::result> result = joined(root, of, persistent_rows, made);
        if (!result) return false;
        computed.push_back(result->computed);
        results.push_back(std::move(*result));
    }
    if (persistent_rows && !kernels_.fits(of.of, of.axes, computed)) return false;
    of.persistent_rows = persistent_rows;
    of.roots = std::move(results);
    return true;
}

}  // namespace kiln::inline v0_1::detail
