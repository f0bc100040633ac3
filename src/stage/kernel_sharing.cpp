#include <stage/kernel_sharing.hpp>

#include <capture/reduced.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

bool stands_alone(const term& reduction) {
    return reduction.scans || reduction.segments.count != 0 || reduction.reduces == reduction_kind::dot;
}

bool sorts_together(const std::vector<const term*>& drafted, const term& other) {
    const term& one = *drafted.front();
    return drafted.size() == 1 && one.sorts.what != sorted_rows::to::nothing &&
           other.sorts.what != sorted_rows::to::nothing && one.sorts.what != other.sorts.what &&
           one.sorts.descending == other.sorts.descending && one.sorts.kept == other.sorts.kept &&
           one.args[0].get() == other.args[0].get();
}

namespace {

bool is_row_scan(const term* reduction) {
    return reduction->scans && reduction->sorts.what == sorted_rows::to::nothing &&
           reduction->reduces != reduction_kind::user;
}

}  // namespace

bool have_scan(const std::vector<const term*>& of) { return std::any_of(of.begin(), of.end(), is_row_scan); }

bool may_be_persistent(const term* reduction) {
    return is_row_scan(reduction) || (!stands_alone(*reduction) && reduction->reduces != reduction_kind::user);
}

bool is_orderless(const term* reduction) {
    const element_kind kind = kind_of(reduction->type);
    switch (reduction->reduces) {
        case reduction_kind::min:
        case reduction_kind::max: return kind != element_kind::floating || reduction->type == element_type::float32;
        case reduction_kind::any:
        case reduction_kind::every:
        case reduction_kind::argmin:
        case reduction_kind::argmax: return true;
        case reduction_kind::sum:
        case reduction_kind::prod: return kind == element_kind::integer || kind == element_kind::logical;
        default: return false;
    }
}

bool ends_in_row(const term* reduction) {
    return may_be_persistent(reduction) && !reduction->scans && !keeps_state(reduction->reduces) &&
           !reduction->keeps_axes;
}

bool adds_up(const term* reduction) {
    return may_be_persistent(reduction) && !reduction->scans && !keeps_state(reduction->reduces) &&
           info(reduction->reduces).result != reduced_to::position;
}

handle<term> with_narrow_result(const handle<term>& root) {
    const term& cast = *root.get();
    if (cast.what != term::kind::operation || cast.code != operation::cast) return root;
    const term& sum = *cast.args[0].get();
    const bool are_integers = kind_of(cast.type) == element_kind::integer && kind_of(sum.type) == element_kind::integer;
    if (sum.what != term::kind::reduced || sum.reduces != reduction_kind::sum || stands_alone(sum) || !are_integers)
        return root;
    return make_reduction_term(sum.reduces, cast.type, sum.args[0], sum.over, sum.keeps_axes);
}

bool meets_elements(const std::vector<const term*>& results, std::uint8_t axes) {
    const bool outermost = (axes & (axes + 1)) == 0;
    return outermost || std::all_of(results.begin(), results.end(), [](const term* each) { return each->keeps_axes; });
}

}  // namespace kiln::inline v0_1::detail
