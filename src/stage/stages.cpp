#include <stage/stages.hpp>

#include <capture/other_reductions.hpp>
#include <capture/reduced.hpp>
#include <record/stopwatch.hpp>
#include <stage/elements_first.hpp>
#include <stage/empty_reductions.hpp>
#include <stage/product_operands.hpp>
#include <stage/product_values.hpp>
#include <stage/scan_ends.hpp>
#include <stage/stand_in.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

shape shape_of(const reduction_group& group, const reduction_group::result& each) {
    if (group.nested) {
        const shape outer = without_last_axis(group.of);
        return reduced_shape(outer, group.axes, each.keeps_axes);
    }
    if (each.of_row && each.of->segments.count) return shape{each.of->segments.count};
    if (each.of->sorts.kept) return with_last_extent(group.of, each.of->sorts.kept);
    return each.of_row && !each.of->scans ? reduced_shape(group.of, group.axes, each.keeps_axes) : group.of;
}

bool is_sort(const reduction_group& group) { return group.results.front().of->sorts.what != sorted_rows::to::nothing; }
bool is_scan(const reduction_group& group) { return group.results.front().of->scans && !group.persistent_rows; }
bool is_by_segments(const reduction_group& group) { return group.results.front().of->segments.count != 0; }
bool is_dot(const reduction_group& group) { return group.results.front().of->reduces == reduction_kind::dot; }
/// Of floats, which no tensor core multiplies to the bit.
bool is_dot_of_floats(const reduction_group& group) {
    return is_dot(group) && group.results.front().of->type == element_type::float32;
}

bool broadcast_together(const shape& left, const shape& right) {
    for (int from_right = 1; from_right <= std::min(left.rank(), right.rank()); ++from_right) {
        const std::int64_t a = left[left.rank() - from_right], b = right[right.rank() - from_right];
        if (a != b && a != 1 && b != 1) return false;
    }
    return true;
}

/// Whether a scan can read an array where it lies; `backward`: if one is, that is read as it lies.
bool is_scannable(const term& of, element_type type, const shape& wanted, bool reads_host, bool backward = false) {
    return of.what == term::kind::array && of.type == type &&
           scannable(*of.node.get(), type, wanted, reads_host, backward);
}

class stage_maker {
public:
    stage_maker(const handle<term>* roots, int root_count, const output* wanted, const reducing_kernels& kernels,
                const arguments& of)
        : wanted_(wanted),
          arguments_(of),
          reads_host_(kernels.read_host),
          has_tiles_(kernels.tiles),
          multiplies_(kernels.multiplies),
          makes_operand_(kernels.makes_operand),
          scan_ends_(kernels.scan_ends),
          roots_(with_copies(roots, root_count)),
          walk_(roots_.data(), root_count, kernels, std::none_of(wanted, wanted + root_count, [](const output& each) {
                    return each.where == output::place::through;
                })) {}

    stages run() {
        for (std::vector<reduction_group> groups = walk_.next(); !groups.empty(); groups = walk_.next())
            for (const reduction_group& group : groups) {
                if (group.of_roots) {
                    if (group.product && !group.of_values) add_values_of_product(group);
                    else add_group(group);
                    for (std::size_t i = 0; i < group.results.size(); ++i) {
                        made_.list.back().results[i].root = static_cast<int>(i);
                        made_.roots.push_back({.result = made_.list.back().first_result + static_cast<int>(i)});
                    }
                    return std::move(made_);
                }
                if (group.of_elements) add_seen_elements(group);
                else if (group.of.size() == 0) add_empty_reductions(group);
                else if (is_sort(group)) add_sort(group);
                else if (is_scan(group)) add_scan(group);
                else if (is_by_segments(group)) add_segments(group);
                else if (const auto product = find_library_product(group, multiplies_)) add_product(group, *product);
                else if (is_dot(group) && !is_dot_of_floats(group)) add_dot(group);
                else add_counts(group);
                put_results(group);
            }
        add_roots();
        return std::move(made_);
    }

private:
    /// On the CPU: elements that are reduced, too, are computed first, and arrays that reductions read across are copied.
    std::vector<handle<term>> with_copies(const handle<term>* roots, int root_count) {
        std::vector<handle<term>> out(roots, roots + root_count);
        if (!reads_host_) return out;
        if (root_count > 1) out = with_elements_first(out, before_);
        std::unordered_map<const array_node*, handle<array_node>> copies;
        const computed_before copy = [&](const handle<term>& of) {
            handle<array_node>& made = copies[of.get()->node.get()];
            if (made) return made;
            made = before_(of);
            made_.list.back().ends_for = stage::end::copy;
            return made;
        };
        const bool are_only_reductions = std::all_of(out.begin(), out.end(), [](const handle<term>& each) {
            return each.get()->what == term::kind::reduced && !each.get()->args[0].get()->has_stages;
        });
        return with_other_reductions(
            out,
            [&](const term& of, const shape& extents, std::uint8_t axes, const handle<term>& operand) -> handle<term> {
                const bool is_plain = !of.scans && of.segments.count == 0 &&
                                      of.sorts.what == sorted_rows::to::nothing && of.reduces != reduction_kind::user;
                // A library reads matrices as they lie.
                const bool adds = of.reduces == reduction_kind::sum || of.reduces == reduction_kind::dot;
                if (!is_plain || (multiplies_ && adds)) return {};
                handle<term> copied =
                    with_copies_of_read_across(operand, of.reduces, extents, axes, are_only_reductions, copy);
                if (copied.get() == operand.get()) return {};
                return make_reduction_term(of.reduces, of.type, std::move(copied), of.over, of.keeps_axes);
            });
    }

    stage& add(flat_terms flat, std::vector<output> outputs, std::vector<result> results) {
        stage made;
        made.described = std::move(flat.described);
        made.leaves = std::move(flat.leaves);
        for (std::size_t leaf = 0; leaf < made.leaves.size(); ++leaf) note_source(made, leaf);
        if (arguments_.others() == arguments::other_numbers::stay) unite_equal_numbers(made);
        made.outputs = std::move(outputs);
        made.results = std::move(results);
        made.first_result = made_.result_count;
        made_.result_count += static_cast<int>(made.results.size());
        made_.list.push_back(std::move(made));
        return made_.list.back();
    }

    /// An expression without reductions: one result, or one for each root.
    stage& add_elements(const std::vector<handle<term>>& roots, std::vector<result> results) {
        flat_terms flat;
        flatten(roots.data(), static_cast<int>(roots.size()), flat);
        made_.kept.insert(made_.kept.end(), roots.begin(), roots.end());
        return add(std::move(flat), std::vector<output>(roots.size()), std::move(results));
    }

    /// Reductions of the same elements; of persistent rows their results, and what is made of them.
    void add_group(const reduction_group& group) {
        std::vector<handle<term>> computed;
        std::vector<result> results;
        for (const reduction_group::result& each : group.results) {
            computed.push_back(each.computed);
            results.push_back({each.of->type, shape_of(group, each), -1});
        }
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        std::vector<output> outputs(group.results.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const reduction_group::result& each = group.results[i];
            outputs[i].call_is = group.nested || group.crossed ? output::reducing::nested
                                 : group.of_values             ? reducing_values(*group.product.get())
                                 : group.product               ? output::reducing::products
                                 : group.persistent_rows       ? output::reducing::rows
                                 : is_dot_of_floats(group)     ? output::reducing::sums_of_products
                                                               : output::reducing::outputs;
            outputs[i].reduces = each.of_row;
            outputs[i].reduced_axes = group.axes;
            if (!group.persistent_rows && !group.product && each.of_row) reduce(flat.described.outputs[i], *each.of);
        }
        made_.kept.insert(made_.kept.end(), computed.begin(), computed.end());
        add(std::move(flat), std::move(outputs), std::move(results));
    }

    static output::reducing reducing_values(const term& of) {
        return of.reduces == reduction_kind::dot ? output::reducing::values_of_sums_of_products
                                                 : output::reducing::values;
    }

    /// Those of a sum's products that its kernel makes.
    [[nodiscard]] made_by_product made_operands(const handle<term>& product, const reduction_group& group) const {
        made_by_product out{};
        if (!makes_operand_) return out;
        const auto operand = [&](std::size_t i) -> const term& { return *product.get()->args[i].get()->args[0].get(); };
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::optional<operand_work> work = work_of_operand(operand(i));
            // Elements that do not move in whole vectors take more registers than there are.
            out[i] = work && will_have_whole_rows(operand(1 - i)) && makes_operand_(group.of, *work);
        }
        return out;
    }
    /// The values of a product whose kernel goes on with them.
    handle<term> values_of_product(const term& of, const handle<term>& product, const reduction_group& group) {
        const made_by_product made = made_operands(product, group);
        return make_reduction_term(of.reduces, of.type, product_of_operands(*product.get(), group.of, made, before_),
                                   of.over, /*keep=*/true);
    }

    /// What is too small for tensor cores is a sum of whatever it is.
    void add_dot(reduction_group group) {
        const bool is_small = has_tiles_ && !is_for_tiles(group.of);
        reduction_group::result& only = group.results.front();
        const auto is_made = [](const made_by_product& of) { return of[0] || of[1]; };
        if (has_tiles_ && !is_small && is_made(made_operands(only.computed, group))) {
            group.product = share(only.of);
            only.computed = values_of_product(*only.of, only.computed, group);
        } else if (has_tiles_ && !is_small) {
            only.computed = product_of_operands(*only.computed.get(), group.of, /*made=*/{}, before_);
        }
        add_group(group);
        if (is_small) made_.list.back().described.outputs[0].reduces = reduction_kind::sum;
    }

    /// What tensor cores count, if it is that.
    void add_counts(reduction_group group) {
        const bool along_rows = group.of.rank() > 0 && group.axes == 1u << (group.of.rank() - 1);
        if (has_tiles_ && group.results.size() == 1 && along_rows) {
            handle<term>& computed = group.results.front().computed;
            computed = common_bits_of_whole_rows(computed, group.of, before_);
        }
        add_group(group);
    }

    void add_product(const reduction_group& group, const found_product& found) {
        const handle<term> operands[] = {found.left, found.right};
        flat_terms flat;
        flatten(operands, 2, flat);
        product_of_leaves made{found.how};
        made.left_leaf = leaf_of(flat, 0);
        made.right_leaf = leaf_of(flat, 1);
        made_.kept.insert(made_.kept.end(), std::begin(operands), std::end(operands));
        const reduction_group::result& only = group.results.front();
        add(std::move(flat), std::vector<output>(1), {{only.of->type, shape_of(group, only), -1}}).over_arrays = made;
    }

    /// Of an output that is a leaf.
    static int leaf_of(const flat_terms& flat, std::size_t output) {
        const int node = flat.described.outputs[output].node;
        return flat.described.nodes[static_cast<std::size_t>(node)].slot;
    }

    /// A product of matrices and what is made of its values, in one kernel.
    void add_values_of_product(reduction_group group) {
        const term& product = *group.product.get();
        const handle<term> operand = walk_.resolved(product.args[0]);
        const handle<term> summed = values_of_product(product, operand, group);
        for (reduction_group::result& each : group.results)
            each.computed = with_reduced_axes(each.computed, product, summed, group.of.rank(), group.axes);
        add_group(group);
    }

    void add_seen_elements(const reduction_group& group) {
        const reduction_group::result& only = group.results.front();
        add_elements({only.computed}, {{only.of->type, group.of, -1}}).ends_for = stage::end::views;
    }

    static void reduce(graph::output& stored, const term& by) {
        stored.reduces = by.reduces;
        stored.as = accumulated_type(stored.reduces, stored.as);
        stored.result = by.type;
        if (stored.reduces == reduction_kind::user) stored.definition = by.bits[0];
    }

    void add_empty_reductions(const reduction_group& group) {
        for (const reduction_group::result& each : group.results) {
            const shape extents = shape_of(group, each);
            add_elements({result_of_empty_reduction(*each.of, extents)}, {{each.of->type, extents, -1}});
        }
    }

    /// What is summed up is computed by a stage of its own, unless it is an array already. Casts and flips around the scan are its
    /// kernel's, where it knows them.
    void add_scan(const reduction_group& group) {
        const reduction_group::result& only = group.results.front();
        const element_type type = only.of->type;
        const int axis = std::countr_zero(static_cast<unsigned>(group.axes));
        const bool is_users = only.of->reduces == reduction_kind::user;
        const bool has_ends = scan_ends_ && !is_users;
        scan_operand operand{only.computed, {}};
        if (has_ends) operand = uncast_operand(operand.of, type);
        operand.how.backward = has_ends && operand.of.get()->what == term::kind::array &&
                               is_backward(*operand.of.get()->node.get(), group.of, axis);
        const bool is_ready =
            is_scannable(*operand.of.get(), operand.of.get()->type, group.of, reads_host_, operand.how.backward) &&
            (operand.how.type || operand.of.get()->type == type);
        if (!is_ready) {
            // What is computed is stored as what has fewer bytes.
            if (operand.how.type && bytes_of(*operand.how.type) > bytes_of(type)) operand = {only.computed, {}};
            if (!operand.how.type && operand.of.get()->type != type)
                operand.of = make_operation_term(operation::cast, type, operand.of);
            operand.how.backward = false;
            const result stored{operand.of.get()->type, group.of, -1};
            const stage& before = add_elements({operand.of}, {stored});
            made_.list.back().ends_for = stage::end::scan;
            operand.of = make_array_term(result_node(before.first_result, before.results.front()), stored.type);
        }
        const scan_result written = has_ends ? written_result(*only.of, axis, walk_.roots()) : scan_result{only.of, {}};
        const bool is_in_place = !is_ready && operand.how.is_plain() && written.how.is_plain();
        scan made_by{only.of->reduces, type,        axis,       is_users ? only.of->bits[0] : 0,
                     is_in_place,      operand.how, written.how};
        if (has_ends && add_finished_scan(made_by, operand.of, *written.of, only.of, group.of)) return;
        stage& made = add_elements({operand.of}, {{written.of->type, group.of, -1}});
        made.over_arrays = made_by;
        if (written.of != only.of) written_[only.of] = {written.of};
        if (!is_users) return;
        // The graph of a reduction of the same elements: what a host's compiler makes of it combines elements of a scan, too.
        reduce(made.described.outputs.front(), *only.of);
        made.outputs.front().call_is = output::reducing::outputs;
        made.outputs.front().reduces = true;
        made.outputs.front().reduced_axes = group.axes;
    }

    /// A scan whose kernel stores what is made of its values, if all that reads them is made element by element.
    bool add_finished_scan(scan how, const handle<term>& operand, const term& value, const term* scanned,
                           const shape& of) {
        std::vector<const term*> made = made_of_elements(value, walk_.roots());
        if (made.empty()) return false;
        const handle<array_node> node = stand_in(value.type, of);
        const handle<term> instead = make_array_term(node, value.type);
        std::vector<handle<term>> stored;
        std::vector<result> results;
        for (const term* const each : made) {
            stored.push_back(walk_.resolved(share(each), value, instead));
            results.push_back({each->type, of, -1});
        }
        if (!may_finish(stored, *node.get(), of, how.axis, reads_host_)) return false;
        flat_terms flat;
        flatten(stored.data(), static_cast<int>(stored.size()), flat);
        const flat_terms read = flatten(operand);
        how.operand_leaf = static_cast<int>(flat.leaves.size());
        how.value_leaf = static_cast<int>(std::find_if(flat.leaves.begin(), flat.leaves.end(),
                                                       [&](const leaf& each) { return each.object == node.get(); }) -
                                          flat.leaves.begin());
        how.in_place = how.in_place && results.size() == 1 && results.front().type == how.type;
        flat.leaves.push_back(read.leaves.front());
        made_.kept.insert(made_.kept.end(), stored.begin(), stored.end());
        made_.kept.push_back(operand);
        std::vector<output> outputs(results.size());
        add(std::move(flat), std::move(outputs), std::move(results)).over_arrays = how;
        written_[scanned] = std::move(made);
        return true;
    }

    /// An operand that kernels read as an array: what is none yet is computed by a stage of its own.
    handle<term> ready_operand(const handle<term>& of, const shape& extents) {
        const element_type type = of.get()->type;
        if (is_scannable(*of.get(), type, extents, reads_host_)) return of;
        const stage& before = add_elements({of}, {{type, extents, -1}});
        made_.list.back().ends_for = stage::end::segments;
        return make_array_term(result_node(before.first_result, before.results.front()), type);
    }

    void add_segments(const reduction_group& group) {
        const reduction_group::result& only = group.results.front();
        // The group's elements are what is numbered: each of them, or rows.
        const shape of = only.of->segments.inside > 1 ? broadcast_leaves(only.values) : group.of;
        std::vector<handle<term>> operands{ready_operand(only.computed, group.of)};
        if (only.values) operands.push_back(ready_operand(only.values, of));
        flat_terms flat;
        flatten(operands.data(), static_cast<int>(operands.size()), flat);
        segments by{only.of->segments, operands.front().get()->type, {}, leaf_of(flat, 0), -1, of.size()};
        if (only.values) {
            by.values = only.values.get()->type;
            by.values_leaf = leaf_of(flat, 1);
        }
        made_.kept.insert(made_.kept.end(), operands.begin(), operands.end());
        add(std::move(flat), std::vector<output>(1), {{only.of->type, shape_of(group, only), -1}}).over_arrays = by;
    }

    /// What is sorted, in the same way.
    void add_sort(const reduction_group& group) {
        handle<term> operand = group.results.front().computed;
        const element_type type = operand.get()->type;
        const bool is_ready = is_scannable(*operand.get(), type, group.of, reads_host_);
        if (!is_ready) {
            const stage& before = add_elements({operand}, {{type, group.of, -1}});
            made_.list.back().ends_for = stage::end::sort;
            operand = make_array_term(result_node(before.first_result, before.results.front()), type);
        }
        std::vector<result> results;
        const sorted_rows& how = group.results.front().of->sorts;
        const std::int64_t count = group.of[group.of.rank() - 1];
        sort made{.type = type, .descending = how.descending, .count = count, .kept = how.kept, .in_place = !is_ready};
        for (const reduction_group::result& each : group.results) {
            const int number = static_cast<int>(results.size());
            (each.of->sorts.what == sorted_rows::to::values ? made.values : made.positions) = number;
            results.push_back({each.of->type, shape_of(group, each), -1});
        }
        std::vector<output> outputs(results.size());
        flat_terms flat = flatten(operand);
        made_.kept.push_back(std::move(operand));
        add(std::move(flat), std::move(outputs), std::move(results)).over_arrays = made;
    }

    /// What stands for a result in the plans of later stages.
    handle<array_node> result_node(int number, const result& of) {
        handle<array_node> node = stand_in(of.type, of.extents);
        results_[node.get()] = number;
        return node;
    }

    /// The last results that were made are the group's.
    void put_results(const reduction_group& group) {
        const auto instead_of = written_.find(group.results.front().of);
        const std::size_t count = instead_of == written_.end() ? group.results.size() : instead_of->second.size();
        int number = made_.result_count - static_cast<int>(count);
        for (const reduction_group::result& each : group.results) {
            const auto put = [&](const term* of) {
                walk_.put(of, result_node(number++, {of->type, shape_of(group, each), -1}));
            };
            const auto instead = written_.find(each.of);
            if (instead == written_.end()) put(each.of);
            else std::for_each(instead->second.begin(), instead->second.end(), put);
        }
    }

    /// What is left once every reduction is computed: one stage for the roots that are not there yet, if they broadcast together.
    /// Elements alone have to. What is made of reductions is another stage else: whether the kernel that reduces could have stored it,
    /// too, depends on what that one holds, and what may be evaluated does not.
    void add_roots() {
        std::vector<handle<term>> roots;
        std::vector<std::size_t> elements, made_of_results;
        for (std::size_t i = 0; i < walk_.roots().size(); ++i) {
            roots.push_back(walk_.resolved(walk_.roots()[i]));
            made_.kept.push_back(roots.back());
            made_.roots.push_back(done(*roots.back().get(), wanted_[i]));
            if (made_.roots[i].result >= 0 || made_.roots[i].array) continue;
            (roots_[i].get()->has_stages ? made_of_results : elements).push_back(i);
        }
        std::vector<std::vector<std::size_t>> kernels;
        if (!elements.empty()) kernels.push_back(std::move(elements));
        for (const std::size_t i : made_of_results) {
            const auto meets = [&](std::size_t other) {
                return broadcast_together(broadcast_leaves(roots[i]), broadcast_leaves(roots[other]));
            };
            const auto one = std::find_if(kernels.begin(), kernels.end(), [&](const auto& others) {
                return std::all_of(others.begin(), others.end(), meets);
            });
            (one == kernels.end() ? kernels.emplace_back() : *one).push_back(i);
        }
        for (std::vector<std::size_t>& of : kernels) {
            std::sort(of.begin(), of.end());
            add_roots(roots, of);
        }
    }

    void add_roots(const std::vector<handle<term>>& roots, const std::vector<std::size_t>& of_kernel) {
        std::vector<handle<term>> computed;
        std::vector<result> results;
        for (const std::size_t i : of_kernel) {
            made_.roots[i].result = made_.result_count + static_cast<int>(computed.size());
            results.push_back({roots[i].get()->type, {}, static_cast<int>(i)});
            computed.push_back(roots[i]);
        }
        add_elements(computed, std::move(results));
    }

    /// A whole array to which nothing is left to be done, and that may be anybody's: a view, or memory of the user's, is read.
    [[nodiscard]] stages::root done(const term& root, const output& wanted) const {
        if (root.what != term::kind::array || wanted.where == output::place::through) return {};
        const array_node& node = *root.node.get();
        const auto known = results_.find(&node.storage());
        if (known != results_.end() && (&node == &node.storage() || is_reshaped(node))) {
            const auto clashes = [&](const stages::root& other) {
                return other.result == known->second && (other.is_reshaped || is_reshaped(node));
            };
            if (std::any_of(made_.roots.begin(), made_.roots.end(), clashes)) return {};
            return {known->second, {}, is_reshaped(node), node.extents};
        }
        if (is_stand_in(node) || node.owned != ownership::owner || !node.contiguous || node.map) return {};
        return {.array = root.node};
    }

    /// A view of all of a result, in its order: the segments of rows, which are numbered one by one.
    static bool is_reshaped(const array_node& node) {
        const array_node& of = node.storage();
        return &node != &of && node.contiguous && !node.map && node.type == of.type && node.data == of.data &&
               node.extents.size() == of.extents.size();
    }

    void note_source(stage& of, std::size_t leaf) const {
        detail::leaf& each = of.leaves[leaf];
        source out{source::kind::result, -1, leaf, false, leaf};
        if (each.kind == leaf_kind::scalar) {
            out.from = source::kind::number;
            out.index = arguments_.number(each.capture);
            if (out.index >= 0) each.capture = arguments_.capture_of(out.index);
        } else if (each.kind == leaf_kind::array) {
            const auto* const node = static_cast<const array_node*>(each.object);
            out.is_view = node != &node->storage();
            if (out.is_view)
                for (const source& earlier : of.moving)
                    if (of.leaves[earlier.leaf].object == each.object && earlier.is_view) {
                        out.first = earlier.first;
                        break;
                    }
            const auto known = results_.find(&node->storage());
            if (known != results_.end()) {
                out.index = known->second;
            } else {
                out.from = source::kind::argument;
                out.index = arguments_.array(*node);
            }
        }
        if (out.index >= 0) of.moving.push_back(out);
    }

    /// A 2 that is written in each turn of a loop is one number to the kernel: each has a register, or is loaded again.
    void unite_equal_numbers(stage& of) const {
        std::vector<bool> is_argument(of.leaves.size(), false);
        for (const source& each : of.moving) is_argument[each.leaf] = true;
        std::map<std::pair<element_type, std::uint64_t>, std::uint32_t> captures;  // by type and bits
        for (const graph::node& each : of.described.nodes) {
            if (each.kind != graph::node_kind::scalar) continue;
            const auto slot = static_cast<std::size_t>(each.slot);
            leaf& number = of.leaves[slot];
            if (is_argument[slot] || number.capture == 0 || number.object) continue;  // one of 16 bytes is borrowed
            number.capture = captures.try_emplace({each.type, number.bits}, number.capture).first->second;
        }
    }

    const output* const wanted_;
    const arguments& arguments_;
    const bool reads_host_;
    const bool has_tiles_;
    const library_multiplies multiplies_;
    bool (*const makes_operand_)(const shape&, const operand_work&);
    const bool scan_ends_;
    stages made_;
    std::unordered_map<const array_node*, int> results_;
    std::unordered_map<const term*, std::vector<const term*>> written_;  // by scans, in place of their results
    const computed_before before_ = [this](const handle<term>& of) {
        const result made{of.get()->type, broadcast_leaves(of), -1};
        return result_node(add_elements({of}, {made}).first_result, made);
    };
    const std::vector<handle<term>> roots_;
    reduction_walk walk_;
};

}  // namespace

bool scannable(const array_node& node, element_type type, const shape& wanted, bool reads_host,
               bool backward) noexcept {
    return (node.contiguous || backward) && !node.map && node.type == type && node.extents == wanted &&
           (reads_host || node.owned != ownership::host_user) && node.owned != ownership::position;
}

detail::known_device& device_of(const handle<term>* roots, int root_count, const output* wanted,
                                detail::known_device& (*usual)()) {
    detail::meeting_device one;
    term_table seen;
    for (int i = 0; i < root_count; ++i) {
        if (wanted[i].where == output::place::through) one.meet(wanted[i].target->device);
        each_term(
            roots[i].get(), seen, [](const term&) { return false; },
            [&](const term& each) {
                if (each.node) one.meet(each.node.get()->device);
            });
    }
    return one.or_else(usual);
}

stages make_stages(const handle<term>* roots, int root_count, const output* wanted, const reducing_kernels& kernels,
                   const arguments& of) {
    const record::timed_phase staging(&profile_phases::stage);
    return stage_maker(roots, root_count, wanted, kernels, of).run();
}

}  // namespace kiln::stage
