#include <stage/written_out_rows.hpp>

#include <capture/viewed.hpp>
#include <stage/kernel_sharing.hpp>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

using made_terms = std::unordered_map<const term*, handle<term>>;
/// Of each array, elements of its rows: what several reductions read is one leaf.
using elements_of_arrays = std::map<std::pair<const array_node*, std::int64_t>, handle<term>>;

/// Element `e` of each of the array's rows.
handle<array_node> element_of_rows(const handle<array_node>& of, std::int64_t e) {
    const shape& extents = of.get()->extents;
    if (extents.rank() == 0) return of;
    std::vector<index_item> items(static_cast<std::size_t>(extents.rank() - 1), all);
    items.push_back(extents[extents.rank() - 1] == 1 ? 0 : e);
    return viewed(of, sliced(extents, items));
}

/// The same of what is made of arrays; none where something else is in it.
handle<term> element_of_rows(const handle<term>& root, std::int64_t e, elements_of_arrays& arrays) {
    made_terms made;
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
                    if (!is_known) return;
                    handle<term>& element = arrays[{of.node.get(), e}];
                    if (!element) element = make_array_term(element_of_rows(of.node, e), of.type);
                    made.emplace(&of, element);
                    return;
                }
                case term::kind::operation:
                    made.emplace(&of,
                                 copy_with_operands(of, [&](const handle<term>& arg) { return made.at(arg.get()); }));
                    return;
                default: is_known = false;
            }
        });
    return is_known ? made.at(root.get()) : handle<term>();
}

/// Accumulators begin with what changes nothing (the sum of no elements is -0), so that one of no elements is left out.
handle<term> combined(const term& reduction, std::int64_t extent, row_order order, elements_of_arrays& arrays) {
    const auto combine = [&](const handle<term>& a, const handle<term>& b) {
        if (!a || !b) return a ? a : b;
        return make_operation_term(info(reduction.reduces).combine, reduction.type, a, b);
    };
    std::vector<handle<term>> places(static_cast<std::size_t>(order.threads * order.width));
    for (std::int64_t e = 0; e < extent; ++e) {
        const handle<term> one = element_of_rows(reduction.args[0], e, arrays);
        if (!one) return {};
        handle<term>& place = places[static_cast<std::size_t>(e) % places.size()];
        place = combine(place, one);
    }
    // A thread's places in pairs of neighbours, the threads in pairs half as many apart, then a quarter.
    for (int left = order.width; left > 1; left /= 2) {
        for (std::size_t i = 0; i < places.size() / 2; ++i) places[i] = combine(places[2 * i], places[2 * i + 1]);
        places.resize(places.size() / 2);
    }
    for (std::size_t apart = places.size() / 2; apart > 0; apart /= 2)
        for (std::size_t i = 0; i < apart; ++i) places[i] = combine(places[i], places[i + apart]);
    return places.front();
}

}  // namespace

bool may_be_written_out(const term& reduction) {
    if (!ends_in_row(&reduction) || reduction.args[0].get()->type != reduction.type) return false;
    switch (reduction.reduces) {
        case reduction_kind::sum:
        case reduction_kind::prod:
        case reduction_kind::min:
        case reduction_kind::max: return !is_small_float(reduction.type);
        default: return false;
    }
}

handle<term> with_rows_written_out(const handle<term>& root, std::int64_t extent, row_order order) {
    made_terms made;
    elements_of_arrays arrays;
    bool is_known = true;
    term_table seen;
    each_term(
        root.get(), seen, [](const term& of) { return of.what != term::kind::operation; },
        [&](const term& of) {
            if (!is_known) return;
            handle<term> as = of.what == term::kind::reduced ? combined(of, extent, order, arrays)
                              : of.what == term::kind::operation
                                  ? copy_with_operands(of, [&](const handle<term>& arg) { return made.at(arg.get()); })
                                  : share(&of);
            is_known = static_cast<bool>(as);
            made.emplace(&of, std::move(as));
        });
    return is_known ? made.at(root.get()) : handle<term>();
}

}  // namespace kiln::inline v0_1::detail
