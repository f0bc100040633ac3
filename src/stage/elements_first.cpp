#include <stage/elements_first.hpp>

#include <capture/equal_reductions.hpp>
#include <capture/reduced.hpp>

#include <algorithm>
#include <unordered_map>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

bool is_elements(const term& root) { return root.what == term::kind::operation && !root.has_stages; }

bool is_function(operation code) {
    const type_rule rule = operations[static_cast<int>(code)].rule;
    return is_draw(code) || code == operation::call || rule == type_rule::floating || rule == type_rule::polar ||
           rule == type_rule::floating_component;
}

/// What is made without functions is computed in less time than it is written and read.
bool has_function(const term& of) {
    bool out = false;
    term_table seen;
    each_term(
        &of, seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) { out = out || (each.what == term::kind::operation && is_function(each.code)); });
    return out;
}

bool is_reduction_of_elements(const term& root) {
    return root.what == term::kind::reduced && !root.args[0].get()->has_stages && !root.args[1].get() && !root.scans;
}

}  // namespace

std::vector<handle<term>> with_elements_first(const std::vector<handle<term>>& roots, const computed_before& before) {
    const auto are = [&](auto is) { return [&, is](const handle<term>& each) { return is(*each.get()); }; };
    const bool is_simple =
        std::all_of(roots.begin(), roots.end(),
                    are([](const term& each) { return !each.has_stages || is_reduction_of_elements(each); }));
    if (!is_simple || std::none_of(roots.begin(), roots.end(), are(is_elements))) return roots;
    // One term now, where elements are the same.
    std::vector<handle<term>> out = with_equal_reductions_once(roots);
    std::unordered_map<const term*, handle<term>> arrays;
    for (const handle<term>& root : out) {
        const bool is_reduced =
            std::any_of(out.begin(), out.end(),
                        are([&](const term& each) { return each.has_stages && each.args[0].get() == root.get(); }));
        if (is_elements(*root.get()) && is_reduced && !arrays.count(root.get()) && has_function(*root.get()))
            arrays.emplace(root.get(), make_array_term(before(root), root.get()->type));
    }
    const auto instead_of = [&](const handle<term>& of) {
        const auto found = arrays.find(of.get());
        return found == arrays.end() ? of : found->second;
    };
    for (handle<term>& root : out) {
        const bool reads_one = root.get()->has_stages && arrays.count(root.get()->args[0].get());
        root = reads_one ? copy_with_operands(*root.get(), instead_of) : instead_of(root);
    }
    return out;
}

}  // namespace kiln::stage
