#include <stage/reduction_walk.hpp>

#include <capture/array_node.hpp>
#include <capture/equal_reductions.hpp>
#include <capture/float_products.hpp>
#include <capture/row_passes.hpp>
#include <capture/viewed.hpp>
#include <stage/cut_views.hpp>
#include <stage/kernel_sharing.hpp>
#include <stage/nested_rows.hpp>
#include <stage/reduction_draft.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

namespace {

std::vector<const array_node*> arrays_of(const handle<term>& root) {
    const flat_terms flat = flatten(root);
    std::vector<const array_node*> out;
    for (const leaf& each : flat.leaves)
        if (each.kind == leaf_kind::array) {
            const auto* const node = static_cast<const array_node*>(each.object);
            if (node->owned != ownership::position) out.push_back(&node->storage());
        }
    return out;
}

/// The same of a reduction's operand, down to what others come to.
std::vector<const array_node*> arrays_above_reductions(const term& reduction) {
    std::vector<const array_node*> out;
    term_table seen;
    each_term(
        reduction.args[0].get(), seen, [](const term& each) { return each.what == term::kind::reduced; },
        [&out](const term& each) {
            if (each.what == term::kind::array) out.push_back(&each.node.get()->storage());
        });
    return out;
}

// The accumulators of 256 threads are then in 48 KiB of shared memory, with room to spare.
constexpr std::size_t most_of_group = 8;

/// What they are of a group: several values count as two.
std::size_t weight_of(const std::vector<const term*>& reductions) {
    std::size_t out = reductions.size();
    for (const term* const each : reductions) out += keeps_state(each->reduces);
    return out;
}

bool share_one(const std::vector<const array_node*>& left, const std::vector<const array_node*>& right) {
    return std::any_of(left.begin(), left.end(), [&](const array_node* each) {
        return std::find(right.begin(), right.end(), each) != right.end();
    });
}

struct found_terms {
    std::vector<const term*> reductions;  // each after those that it needs
    bool has_views_of_terms = false;
};

found_terms find_terms(const std::vector<handle<term>>& roots) {
    found_terms out;
    term_table seen;
    for (const handle<term>& root : roots)
        each_term(
            root.get(), seen, [](const term& each) { return !each.has_stages; },
            [&out](const term& each) {
                if (each.what == term::kind::reduced) out.reductions.push_back(&each);
                out.has_views_of_terms = out.has_views_of_terms || stage::is_view_of_terms(each);
            });
    return out;
}

}  // namespace

reduction_walk::reduction_walk(const handle<term>* roots, int root_count, reducing_kernels kernels, bool with_roots)
    : roots_(roots, roots + root_count), kernels_(std::move(kernels)), with_roots_(with_roots) {
    if (kernels_.tiles && root_count == 1) roots_.front() = with_narrow_result(roots_.front());
    found_terms found = find_terms(roots_);
    const auto is_product = [](const term* each) { return each->reduces == reduction_kind::dot; };
    // On the CPU, where none has an order of its own, one alone shares no kernel with another: it has the one that it has without stages.
    const bool is_alone =
        kernels_.read_host && root_count == 1 && found.reductions.size() == 1 && found.reductions[0] == roots_[0].get();
    if (!is_alone && std::any_of(found.reductions.begin(), found.reductions.end(), is_product)) {
        roots_ = with_products_as_sums(roots_, kernels_.read_host);
        found = find_terms(roots_);
    }
    const auto has_state = [](const term* each) { return keeps_state(each->reduces); };
    if (std::any_of(found.reductions.begin(), found.reductions.end(), has_state)) {
        roots_ = with_row_passes(roots_);
        found = find_terms(roots_);
    }
    if (may_be_equal(found.reductions)) {
        roots_ = with_equal_reductions_once(roots_);
        found = find_terms(roots_);
    }
    waiting_ = std::move(found.reductions);
    if (!found.has_views_of_terms) return;
    cut_ = stage::cut_views(roots_);
    is_cut_.insert(cut_.begin(), cut_.end());
    std::reverse(cut_.begin(), cut_.end());
}

/// Of all operands of a reduction.
reduction_walk::below reduction_walk::look_below(const term& reduction) const {
    below out = look_below(reduction.args[0]);
    if (reduction.arg_count == 1) return out;
    const below other = look_below(reduction.args[1]);
    out.reductions.insert(out.reductions.end(), other.reductions.begin(), other.reductions.end());
    out.needs_cut = out.needs_cut || other.needs_cut;
    return out;
}

reduction_walk::below reduction_walk::look_below(const handle<term>& root) const {
    below out;
    term_table seen;
    const auto is_cut = [&](const term& of) { return &of != root.get() && is_cut_.count(&of); };
    const auto stops = [&](const term& of) {
        return of.what == term::kind::reduced || known_.count(&of) || is_cut(of);
    };
    each_term(root.get(), seen, stops, [&](const term& of) {
        if (known_.count(&of)) {
            out.has_leaves = true;
        } else if (is_cut(of)) {
            out.needs_cut = true;
        } else if (of.what == term::kind::reduced) {
            out.reductions.push_back(&of);
        } else if (of.what == term::kind::operation) {
        } else if (of.has_stages) {
            out.only_operations = false;
        } else {
            out.has_leaves = out.has_leaves || (of.what != term::kind::scalar && of.what != term::kind::constant);
        }
    });
    return out;
}

/// The one draft that has all of these reductions, if there is one.
reduction_walk::draft* reduction_walk::draft_that_has(std::vector<draft>& drafts, const below& of) const {
    for (draft& each : drafts) {
        const auto has = [&each](const term* wanted) { return each.has(wanted); };
        if (std::all_of(of.reductions.begin(), of.reductions.end(), has)) return &each;
    }
    return nullptr;
}

/// A reduction of what others of the draft come to.
bool reduction_walk::join(draft& of, const term& reduction, const below& found) {
    const handle<term>& operand = reduction.args[0];
    if (!may_be_persistent(&reduction) || !std::all_of(of.reductions.begin(), of.reductions.end(), may_be_persistent))
        return false;
    if (!found.only_operations || weight_of(of.reductions) >= most_of_group) return false;
    if (!meets_elements(found.reductions, of.axes)) return false;
    const shape extents = broadcast_leaves(operand);
    if (!(extents == of.of) || reduced_axes(extents, reduction.over, "reduction") != of.axes) return false;
    of.reductions.push_back(&reduction);
    if (!fits(of)) {
        of.reductions.pop_back();
        return false;
    }
    const std::vector<const array_node*> read = arrays_above_reductions(reduction);
    of.arrays.insert(of.arrays.end(), read.begin(), read.end());
    return of.persistent_rows = true;
}

/// A reduction of what reductions in several drafts come to: of the same rows of several arrays (a correlation), which one kernel then
/// keeps, and no other reads again.
bool reduction_walk::join_both(std::vector<draft>& drafts, const term& reduction, const below& found) {
    std::vector<draft*> needed;
    for (const term* const each : found.reductions) {
        const auto of = std::find_if(drafts.begin(), drafts.end(), [each](const draft& one) { return one.has(each); });
        if (of == drafts.end()) return false;
        if (std::find(needed.begin(), needed.end(), &*of) == needed.end()) needed.push_back(&*of);
    }
    draft both = *needed.front();
    for (std::size_t i = 1; i < needed.size(); ++i) {
        const draft& other = *needed[i];
        if (!(other.of == both.of) || other.axes != both.axes) return false;
        both.reductions.insert(both.reductions.end(), other.reductions.begin(), other.reductions.end());
        both.arrays.insert(both.arrays.end(), other.arrays.begin(), other.arrays.end());
    }
    if (!join(both, reduction, found)) return false;
    *needed.front() = std::move(both);
    for (std::size_t i = 1; i < needed.size(); ++i) needed[i]->reductions.clear();
    std::erase_if(drafts, [](const draft& each) { return each.reductions.empty(); });
    return true;
}

bool reduction_walk::fits(const draft& of) {
    std::unordered_map<const term*, handle<term>> made;
    std::vector<handle<term>> computed;
    for (const term* const each : of.reductions) computed.push_back(with_results(share(each), made));
    return kernels_.fits(of.of, of.axes, computed);
}

/// Of a draft of rows over the last axis, whose reductions no others need. `computed`: what one of them reduces, made of its operand; none:
/// it waits.
template <class Computed>
reduction_walk::readers reduction_walk::readers_of(const draft& of, const std::vector<const term*>& later,
                                                   Computed computed) {
    readers out;
    if (of.persistent_rows || of.of.rank() < 3 || of.axes != 1u << (of.of.rank() - 1)) return out;
    const shape outer = without_last_axis(of.of);
    std::unordered_map<const term*, handle<term>> made;
    std::vector<draft> only{of};
    for (const term* const each : later) {
        const below found = look_below(each->args[0]);
        const bool reads = !found.reductions.empty() && !found.needs_cut && draft_that_has(only, found) &&
                           may_be_persistent(each) && !each->scans && broadcast_leaves(each->args[0]) == outer &&
                           (out.are.empty() || axes_of(*each, outer) == out.axes);
        handle<term> operand = reads ? computed(*each, with_results(each->args[0], made)) : handle<term>();
        if (!operand) {
            out.rest.push_back(each);
            continue;
        }
        out.axes = axes_of(*each, outer);
        out.are.push_back(each);
        out.computed.push_back(std::move(operand));
    }
    if (out.are.size() > most_of_group || !needed_outside(of, out.rest, out.are).empty()) return {};
    return out;
}

/// The draft's reductions of short rows, in the kernel of the only ones that need them: reductions of what they come to, in any order.
std::optional<reduction_group> reduction_walk::nested(const draft& of, std::vector<const term*>& later) {
    if (!std::all_of(of.reductions.begin(), of.reductions.end(), ends_in_row)) return {};
    readers found = readers_of(of, later, [&](const term& each, const handle<term>& operand) {
        return is_orderless(&each) ? with_row_axis(operand, without_last_axis(of.of)) : handle<term>();
    });
    if (found.are.empty()) return {};
    const auto both = static_cast<std::uint8_t>(found.axes | of.axes);
    if (!kernels_.nests(of.of, both, found.computed)) return {};
    later = std::move(found.rest);
    return found.group(of.of, both, /*nested=*/true);
}

/// The same, in the order of those that need them: the rows are operations then.
std::optional<reduction_group> reduction_walk::written_out(const draft& of, std::vector<const term*>& later) {
    const auto may_be = [](const term* each) { return may_be_written_out(*each); };
    if (!std::all_of(of.reductions.begin(), of.reductions.end(), may_be)) return {};
    const row_order order = kernels_.order_of_rows(of.of, of.axes);
    if (order.threads == 0) return {};
    const std::int64_t extent = of.of[of.of.rank() - 1];
    readers found = readers_of(of, later, [&](const term&, const handle<term>& operand) {
        return with_rows_written_out(operand, extent, order);
    });
    const shape outer = without_last_axis(of.of);
    if (found.are.empty() || !kernels_.writes_out(outer, found.axes, found.computed)) return {};
    later = std::move(found.rest);
    return found.group(outer, found.axes, /*nested=*/false);
}

/// A reduction that needs no other.
void reduction_walk::add_simple(std::vector<draft>& drafts, const term& reduction) {
    const handle<term> operand = resolved(reduction.args[0]);
    const shape extents = broadcast_leaves(operand);
    const std::uint8_t axes = axes_of(reduction, extents);
    const std::vector<const array_node*> read = arrays_of(operand);
    auto found = std::find_if(drafts.begin(), drafts.end(), [&](const draft& each) {
        if (sorts_together(each.reductions, reduction)) return true;
        return !stands_alone(reduction) && !stands_alone(*each.reductions.front()) && each.of == extents &&
               each.axes == axes && weight_of(each.reductions) < most_of_group && share_one(each.arrays, read);
    });
    if (found == drafts.end()) {
        drafts.push_back({extents, axes, {}, {}, false, {}, {}});
        found = drafts.end() - 1;
    }
    found->reductions.push_back(&reduction);
    found->arrays.insert(found->arrays.end(), read.begin(), read.end());
}

/// Drafts of the same rows that read an array together are one: the sums of a a and b b, since that of a b reads both.
void reduction_walk::unite(std::vector<draft>& drafts) {
    const auto may_be_united = [](const draft& each) {
        return !each.reductions.empty() && !stands_alone(*each.reductions.front()) && !have_scan(each.reductions);
    };
    for (auto to = drafts.begin(); to != drafts.end(); ++to)
        for (auto from = to + 1; from != drafts.end() && may_be_united(*to); ++from) {
            if (!may_be_united(*from) || !(to->of == from->of) || to->axes != from->axes ||
                weight_of(to->reductions) + weight_of(from->reductions) > most_of_group ||
                !share_one(to->arrays, from->arrays))
                continue;
            draft both = *to;
            both.reductions.insert(both.reductions.end(), from->reductions.begin(), from->reductions.end());
            both.arrays.insert(both.arrays.end(), from->arrays.begin(), from->arrays.end());
            both.persistent_rows = to->persistent_rows || from->persistent_rows;
            if (both.persistent_rows &&
                !(std::all_of(both.reductions.begin(), both.reductions.end(), may_be_persistent) && fits(both)))
                continue;
            *to = std::move(both);
            from->reductions.clear();
            from = to;  // what it did not share an array with, it may now
        }
    std::erase_if(drafts, [](const draft& each) { return each.reductions.empty(); });
}

/// What nobody waits for waits itself, for reductions of the same elements over the same axes that are to read an array of its: of the sums
/// of g and of g h over columns, where h is made of what rows come to, g is read once.
void reduction_walk::put_off(std::vector<draft>& drafts, std::vector<const term*>& later) const {
    std::unordered_set<const term*> needed;
    for (const term* const each : later) {
        const below found = look_below(*each);
        needed.insert(found.reductions.begin(), found.reductions.end());
    }
    const auto reads_with = [](const draft& of, const term& other) {
        if (other.scans || stands_alone(other)) return false;
        const shape extents = broadcast_leaves(other.args[0]);
        return extents == of.of && axes_of(other, extents) == of.axes &&
               share_one(of.arrays, arrays_above_reductions(other));
    };
    std::vector<const term*> waiting;
    std::erase_if(drafts, [&](const draft& of) {
        const auto is_needed = [&](const term* each) { return needed.count(each) > 0; };
        const bool waits =
            !of.persistent_rows && !stands_alone(*of.reductions.front()) && !have_scan(of.reductions) &&
            std::none_of(of.reductions.begin(), of.reductions.end(), is_needed) &&
            std::any_of(later.begin(), later.end(), [&](const term* each) { return reads_with(of, *each); });
        if (waits) waiting.insert(waiting.end(), of.reductions.begin(), of.reductions.end());
        return waits;
    });
    later.insert(later.begin(), waiting.begin(), waiting.end());
}

/// Of a draft's reductions, those that something besides the draft's needs.
std::unordered_set<const term*> reduction_walk::needed_outside(const draft& of, const std::vector<const term*>& later,
                                                               const std::vector<const term*>& but) const {
    std::unordered_set<const term*> needed;
    term_table seen;
    for (const term* const each : but) seen.insert(each, seen.size());
    const auto is_own = [&of](const term& each) {
        return std::find(of.reductions.begin(), of.reductions.end(), &each) != of.reductions.end();
    };
    const auto look = [&](const term* root) {
        each_term(
            root, seen, [&](const term& each) { return !each.has_stages || known_.count(&each) || is_own(each); },
            [&](const term& each) {
                if (is_own(each)) needed.insert(&each);
            });
    };
    for (const handle<term>& root : roots_) look(root.get());
    for (const term* const each : later) look(each);
    return needed;
}

/// Of a draft's reductions the one that it is computed as: itself, or the one that differs in whether it keeps its axes.
/// A root is always itself, an array of its own.
const term* reduction_walk::computed_as(const draft& of, const term* reduction) const {
    const auto is_root = [this](const term* each) {
        return std::any_of(roots_.begin(), roots_.end(), [each](const auto& root) { return root.get() == each; });
    };
    if (is_root(reduction)) return reduction;
    const term* out = nullptr;
    for (const term* const each : of.reductions)
        if (same_values(*each, *reduction) && (!out || is_root(each))) out = each;
    return out;
}

reduction_group reduction_walk::finished(draft& of, const std::vector<const term*>& later) {
    reduction_group out{
        .of = of.of, .axes = of.axes, .persistent_rows = of.persistent_rows, .of_roots = !of.roots.empty()};
    if (out.of_roots) {
        out.results = std::move(of.roots);
        out.product = std::move(of.product);
        out.of_values = of.of_values;
        return out;
    }
    std::unordered_map<const term*, handle<term>> made;
    const std::unordered_set<const term*> needed =
        out.persistent_rows ? needed_outside(of, later) : std::unordered_set<const term*>();
    for (const term* const each : of.reductions) {
        if (out.persistent_rows) {
            if (needed.count(each))
                out.results.push_back({each, with_results(share(each), made), !each->scans, each->keeps_axes, {}});
        } else if (const term* const as = computed_as(of, each); as != each) {
            put_too_.emplace(as, other_shape{each, reduced_shape(of.of, of.axes, each->keeps_axes)});
        } else {
            out.results.push_back({each, resolved(each->args[0]), true, each->keeps_axes, {}});
            if (each->arg_count > 1) out.results.back().values = resolved(each->args[1]);
        }
    }
    return out;
}

/// The terms that views see, up to the first that needs what is not known.
std::vector<reduction_group> reduction_walk::next_cut() {
    std::vector<reduction_group> groups;
    for (; !cut_.empty(); cut_.pop_back()) {
        const handle<term> root = share(cut_.back());
        const below found = look_below(root);
        if (!found.reductions.empty() || found.needs_cut) break;
        std::unordered_map<const term*, handle<term>>
            made;  // it is known when its stage has run, not as what it is made of
        handle<term> computed = with_results(root, made);
        groups.emplace_back();
        groups.back().of = broadcast_leaves(computed);
        groups.back().of_elements = true;
        groups.back().results.push_back({cut_.back(), std::move(computed), false, false, {}});
    }
    return groups;
}

std::vector<reduction_group> reduction_walk::next() {
    if (std::vector<reduction_group> cut = next_cut(); !cut.empty()) return cut;
    std::vector<draft> drafts;
    std::vector<const term*> later;
    for (const term* const each : waiting_) {
        const below found = look_below(*each);
        if (found.needs_cut) {
            later.push_back(each);
            continue;
        }
        if (found.reductions.empty()) {
            add_simple(drafts, *each);
            continue;
        }
        draft* const of = draft_that_has(drafts, found);
        const bool joined = of ? join(*of, *each, found) : join_both(drafts, *each, found);
        if (!joined) later.push_back(each);
    }
    unite(drafts);
    if (drafts.size() > 1) put_off(drafts, later);
    // A scan's operand is then computed in its kernel; of 16M floats in rows of 64, and a sum beside it, an H200 takes 35 us for 169.
    for (draft& each : drafts)
        if (!each.persistent_rows && have_scan(each.reductions)) each.persistent_rows = fits(each);
    std::vector<reduction_group> groups;
    groups.reserve(drafts.size());
    std::erase_if(drafts, [&](const draft& each) {
        std::optional<reduction_group> made = nested(each, later);
        if (!made) made = written_out(each, later);
        if (!made) made = crossed(each, later);
        if (made) groups.push_back(std::move(*made));
        return made.has_value();
    });
    if (with_roots_ && later.empty() && drafts.size() == 1 && groups.empty()) join_roots(drafts.front());
    for (draft& each : drafts) groups.push_back(finished(each, later));
    waiting_ = std::move(later);
    return groups;
}

void reduction_walk::put(const term* reduction, handle<array_node> result) {
    const auto [begin, end] = put_too_.equal_range(reduction);
    for (auto each = begin; each != end; ++each)
        known_[each->second.of] = make_array_term(viewed(result, reshaped(result.get()->extents, each->second.extents)),
                                                  each->second.of->type);
    known_[reduction] = make_array_term(std::move(result), reduction->type);
}

/// A copy of the graph down to what is known, in whose place its results stand.
handle<term> reduction_walk::with_results(const handle<term>& root,
                                          std::unordered_map<const term*, handle<term>>& made) {
    const auto result_of = [&](const term* of) -> const handle<term>* {
        if (const auto known = known_.find(of); known != known_.end()) return &known->second;
        const auto found = made.find(of);
        return found == made.end() ? nullptr : &found->second;
    };
    if (!root.get()->has_stages) return root;
    term_table seen;
    each_term(
        root.get(), seen, [&](const term& of) { return !of.has_stages || result_of(&of); },
        [&](const term& of) {
            if (!of.has_stages || result_of(&of)) return;
            alive_.push_back(share(&of));  // its address stays what it is in the table
            const auto with_result = [&](const handle<term>& arg) {
                const handle<term>* const result = result_of(arg.get());
                return result ? *result : arg;
            };
            if (of.what == term::kind::viewed)
                made.emplace(&of, seen_through(with_result(of.args[0]), *of.view,
                                               of.arg_count > 1 ? with_result(of.args[1]) : handle<term>()));
            else made.emplace(&of, copy_with_operands(of, with_result));
        });
    return *result_of(root.get());
}

handle<term> reduction_walk::resolved(const handle<term>& root) { return with_results(root, known_); }

handle<term> reduction_walk::resolved(const handle<term>& root, const term& reduction, const handle<term>& instead) {
    std::unordered_map<const term*, handle<term>> made{{&reduction, instead}};
    return with_results(root, made);
}

}  // namespace kiln::inline v0_1::detail
