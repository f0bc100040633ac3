// Sorts as terms: of rows on the last axis. Other axes are brought there by a view, and back by another.
#include <capture/reduced.hpp>
#include <capture/viewed.hpp>
#include <text/format.hpp>

#include <kiln/sort.hpp>

#include <bit>
#include <cmath>

namespace kiln::inline v0_1::detail {

namespace {

handle<term> make_sorted_rows(const handle<term>& of, int rank, sorted_rows how, element_type result) {
    handle<term> made = make_reduction_term(reduction_kind::none, result, of, axis(rank - 1), true);
    made.get()->scans = true;
    made.get()->sorts = how;
    return made;
}

/// What `how` says is kept of rows in order.
sorted_terms make_first_terms(handle<term> of, axis along, sorted_rows how, const char* who) {
    const element_type type = of.get()->type;
    const shape from = broadcast_leaves(of);
    const int rank = from.rank();
    const int number = resolve_axis(along.number, rank, who);
    const bool is_last = number == rank - 1;
    int there[max_rank];
    int back[max_rank];
    for (int i = 0; i < rank; ++i) {
        there[i] = i == rank - 1 ? number : i < number ? i : i + 1;
        back[there[i]] = i;
    }
    const view_spec turned = permuted(from, {there, static_cast<std::size_t>(rank)});
    const shape rows = how.kept ? with_last_extent(turned.to, how.kept) : turned.to;
    if (!is_last) of = viewed(of, turned);
    const auto sorted = [&](sorted_rows::to what, element_type result) {
        how.what = what;
        handle<term> made = make_sorted_rows(of, rank, how, result);
        return is_last ? made : viewed(made, permuted(rows, {back, static_cast<std::size_t>(rank)}));
    };
    return {sorted(sorted_rows::to::values, type), sorted(sorted_rows::to::positions, element_type::int64)};
}

}  // namespace

sorted_terms make_sorted_terms(handle<term> of, axis along, bool descending, const char* who) {
    return make_first_terms(std::move(of), along, {.descending = descending}, who);
}

sorted_terms make_topk_terms(handle<term> of, std::int64_t count, axis along, bool descending) {
    // Of more, a sort; and of more than a few where they are a good part of their rows.
    constexpr std::int64_t most_kept = 512;
    constexpr std::int64_t few = 64;
    constexpr std::int64_t least_share = 8;
    const shape from = broadcast_leaves(of);
    const int number = resolve_axis(along.number, from.rank(), "topk");
    if (count < 0 || count > from[number])
        throw shape_error(text::format("kiln: topk: {} elements along axis {} of shape {}, which has {}", count, number,
                                       to_string(from), from[number]));
    const bool keeps = count > 0 && count <= most_kept && count < from[number] &&
                       (count <= few || count * least_share <= from[number]);
    sorted_terms out =
        make_first_terms(std::move(of), along, {.descending = descending, .kept = keeps ? count : 0}, "topk");
    if (keeps || count == from[number]) return out;
    std::vector<index_item> first(static_cast<std::size_t>(from.rank()), all);
    first[static_cast<std::size_t>(number)] = range(0, count);
    const view_spec kept = sliced(from, first);
    return {viewed(std::move(out.values), kept), viewed(std::move(out.positions), kept)};
}

merged_axes merge_axes(const shape& of, const axis_list& over, const char* who) {
    const unsigned axes = reduced_axes(of, over, who);
    int order[max_rank];
    std::int64_t extents[max_rank + 1];
    int next = 0;
    for (int i = 0; i < of.rank(); ++i)
        if (!(axes >> i & 1)) extents[next] = of[i], order[next++] = i;
    const int kept = next;
    std::int64_t count = 1;
    for (int i = 0; i < of.rank(); ++i)
        if (axes >> i & 1) count *= of[i], order[next++] = i;
    extents[kept] = count;
    merged_axes out;
    if (kept == max_rank)
        throw shape_error(text::format("kiln: {}: over no axis of {}, the most that an array has", who, max_rank));
    out.order = permuted(of, {order, static_cast<std::size_t>(of.rank())});
    out.merged = reshaped(out.order.to, shape(extents, kept + 1));
    out.count = count;
    out.kept = reduced_shape(of, static_cast<std::uint8_t>(axes), true);
    return out;
}

quantile_place place_of_quantile(double q, std::int64_t count, const char* who, const shape& of) {
    if (q > 1 && q <= 100)
        throw shape_error(text::format("kiln: quantile: {} is not from 0 to 1; {} percent is {}", q, q, q / 100));
    if (!(q >= 0 && q <= 1)) throw shape_error(text::format("kiln: quantile: {} is not from 0 to 1", q));
    if (count == 0)
        throw shape_error(text::format("kiln: {} of no elements, of an operand of shape {}: it has no value there", who,
                                       to_string(of)));
    const double exact = q * static_cast<double>(count - 1);
    const double low = std::floor(exact);
    const auto first = std::min(static_cast<std::int64_t>(low), count - 1);
    return {first, std::min(first + 1, count - 1), exact - low};
}

}  // namespace kiln::inline v0_1::detail
