// What elements come to by segments, as terms: reductions of two operands, whose result has an element for each segment.
#include <capture/segments.hpp>
#include <capture/term.hpp>
#include <text/format.hpp>

#include <kiln/segments.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kiln::inline v0_1::detail {

handle<term> make_segment_term(const segment_call& by, element_type result, handle<term> of, handle<term> values) {
    if (by.count < 1) throw shape_error(text::format("kiln: histogram of {} bins; it has one at least", by.count));
    if (by.count > most_segments)
        throw shape_error(text::format("kiln: histogram of {} bins, and 2^40 are the most", by.count));
    static constexpr reduction_kind kinds[] = {reduction_kind::sum, reduction_kind::sum, reduction_kind::min,
                                               reduction_kind::max};
    handle<term> made = make_reduction_term(kinds[static_cast<int>(by.what)], result, std::move(of), {}, false);
    made.get()->segments = by;
    if (values) add_operand(*made.get(), std::move(values));
    return made;
}

void check_bins(std::int64_t bins, double low, double high) {
    if (bins < 1) throw shape_error(text::format("kiln: histogram of {} bins; it has one at least", bins));
    if (low == high && std::isfinite(low))
        throw error(text::format("kiln: histogram: from {} to {} is no range; NumPy takes from {} to {} for it", low,
                                 high, low - 0.5, high + 0.5));
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high))
        throw error(
            text::format("kiln: histogram: from {} to {} is no range: it has a finite begin and a greater, finite "
                         "end",
                         low, high));
    if (!std::isfinite(high - low))
        throw error(text::format("kiln: histogram: the width of the range from {} to {} is more than a double holds",
                                 low, high));
}

void check_segments(const char* who, const shape& values, const shape& ids, std::int64_t count) {
    if (count < 0 || (count == 0 && ids.size() > 0))
        throw shape_error(
            text::format("kiln: {}: {} segments for ids of shape {}; there is one at least, where there are ids", who,
                         count, to_string(ids)));
    if (count > most_segments)
        throw shape_error(text::format("kiln: {}: {} segments, and 2^40 are the most", who, count));
    bool fits = ids.rank() <= values.rank();
    for (int i = 0; fits && i < ids.rank(); ++i) fits = ids[i] == values[i];
    if (!fits)
        throw shape_error(
            text::format("kiln: {}: ids of shape {} do not number values of shape {}, which begins otherwise", who,
                         to_string(ids), to_string(values)));
}

std::int64_t segments_in_all(const char* who, std::int64_t count, std::int64_t inside) {
    std::int64_t all = 0;
    if (__builtin_mul_overflow(count, inside, &all) || all > most_segments)
        throw shape_error(text::format("kiln: {}: {} segments of {} elements each, and 2^40 in all are the most", who,
                                       count, inside));
    return all;
}

// Rows of few values have their number read once each, and rows that are long or many for each segment are put in order on a GPU
// (plan/segment_rows.hpp); of others each value is given a number. Places are of 32 bits. Of few values the launches are what counts.
bool are_rows_of_segments(std::int64_t rows, std::int64_t inside, std::int64_t count, element_type values) {
    constexpr std::int64_t least_values = std::int64_t{1} << 18;
    if (inside == 1 || rows * inside < least_values || rows > std::numeric_limits<std::int32_t>::max()) return false;
    return inside <= longest_row_of_values || are_put_in_order(rows, inside, count, values);
}

// To read rows here and there costs little where one has many bytes, and to put them in order pays where segments have some of them:
// an H100 took 95 us in place of 154 for (1M, 8) floats in 4000 segments, but 310 in place of 209 in 200,000.
bool are_put_in_order(std::int64_t rows, std::int64_t inside, std::int64_t count, element_type values) {
    const std::int64_t row_bytes = inside * bytes_of(values);
    return row_bytes >= 64 ? count <= rows : row_bytes >= 32 && count <= rows / 8;
}

}  // namespace kiln::inline v0_1::detail
