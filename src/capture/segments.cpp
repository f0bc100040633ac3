// What elements come to by segments, as terms: reductions of two operands, whose result has an element for each segment.
#include <capture/term.hpp>
#include <text/format.hpp>

#include <kiln/segments.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kiln::inline v0_1::detail {

handle<term> make_segment_term(const segment_call& by, element_type result, handle<term> of, handle<term> values) {
    if (by.count < 1) throw shape_error(text::format("kiln: histogram of {} bins; it has one at least", by.count));
    static constexpr reduction_kind kinds[] = {reduction_kind::sum, reduction_kind::sum, reduction_kind::min,
                                               reduction_kind::max};
    handle<term> made = make_reduction_term(kinds[static_cast<int>(by.what)], result, std::move(of), {}, false);
    made.get()->segments = by;
    if (values) add_operand(*made.get(), std::move(values));
    return made;
}

void check_bins(std::int64_t bins, double low, double high) {
    if (bins < 1) throw shape_error(text::format("kiln: histogram of {} bins; it has one at least", bins));
    if (!(low < high) || !std::isfinite(high - low))
        throw error(text::format("kiln: histogram: from {} to {} is no range", low, high));
}

void check_segments(const char* who, const shape& values, const shape& ids, std::int64_t count) {
    if (count < 1) throw shape_error(text::format("kiln: {}: {} segments; there is one at least", who, count));
    bool fits = ids.rank() <= values.rank();
    for (int i = 0; fits && i < ids.rank(); ++i) fits = ids[i] == values[i];
    if (!fits)
        throw shape_error(
            text::format("kiln: {}: ids of shape {} do not number values of shape {}, which begins otherwise", who,
                         to_string(ids), to_string(values)));
}

std::int64_t bin_count(std::int64_t least, std::int64_t most, std::int64_t minlength) {
    if (minlength < 0) throw shape_error(text::format("kiln: bincount of at least {} values", minlength));
    if (least < 0) throw error(text::format("kiln: bincount: {} is negative", least));
    constexpr std::int64_t limit = std::int64_t{1} << 40;  // its result would fill 8 TiB
    if (most >= limit)
        throw error(text::format("kiln: bincount: a value of {} asks for a count of each below it", most));
    return std::max(most + 1, minlength);
}

}  // namespace kiln::inline v0_1::detail
