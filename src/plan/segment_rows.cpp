#include <plan/segment_rows.hpp>

#include <plan/ceil_div.hpp>

namespace kiln::plan {

namespace {

constexpr int widest_bytes = 16;           // that a thread reads at once
constexpr std::int64_t order_rows = 1024;  // of a block that puts rows in order: four for each thread
// From so many rows of a segment on, on average, a whole block has enough of one.
constexpr std::int64_t rows_for_a_block = 64;

}  // namespace

segment_row_plan plan_segment_rows(const detail::segment_call& by, std::int64_t elements, element_type numbers,
                                   element_type values) {
    // What words become, and by what, is the same as of elements that are told apart one by one.
    const segment_plan of_elements = plan_segments(by, elements, numbers, values, /*on=*/{});
    segment_row_step all{.numbers = numbers,
                         .values = values,
                         .rows = elements / by.inside,
                         .segments = by.count / by.inside,
                         .inside = by.inside};
    for (const segment_step& each : of_elements.steps)
        if (each.over_elements()) all.makes = each.pass, all.setting = each.setting;
    segment_row_plan out;
    out.words = all.words_of_each() * by.count;
    out.places = 2 + 2 * all.segments + 2 * most_parts(all) + 2 * all.rows;
    const auto add = [&](segment_row_pass pass) {
        segment_row_step step = all;
        step.pass = pass;
        out.steps.push_back(step);
    };
    for (const segment_row_pass each : {segment_row_pass::clear, segment_row_pass::rank, segment_row_pass::place,
                                        segment_row_pass::order, segment_row_pass::finish_short})
        add(each);
    if (all.has_magnitudes()) add(segment_row_pass::magnitudes);
    add(segment_row_pass::words);
    add(segment_row_pass::finish_long);
    return out;
}

segment_row_share share_of(const segment_row_step& of) {
    segment_row_share out;
    while (out.vector * 2 * bytes_of(of.values) <= widest_bytes && out.vector < 4 && of.inside % (out.vector * 2) == 0)
        out.vector *= 2;
    out.ahead = 4;
    while (out.lanes > 1 && (out.lanes / 2) * out.vector >= of.inside) out.lanes /= 2;
    out.warps = of.rows >= rows_for_a_block * of.segments ? 8 : 1;
    return out;
}

int threads_per_block(const segment_row_step& of) { return of.pass == segment_row_pass::rank ? 1024 : 256; }

std::int64_t most_parts(const segment_row_step& of) {
    // Each long segment has a part that is not whole, at most.
    return of.rows / segment_row_part + of.rows / longest_segment + 1;
}

std::int64_t block_count(const segment_row_step& of) {
    const segment_row_share share = share_of(of);
    const std::int64_t tiles = ceil_div(of.inside, std::int64_t{share.lanes} * share.vector);
    switch (of.pass) {
        case segment_row_pass::clear: return ceil_div(2 + of.segments, threads_per_block(of));
        case segment_row_pass::rank: return ceil_div(of.rows, rank_rows);
        case segment_row_pass::order: return ceil_div(of.rows, order_rows);
        case segment_row_pass::place: return ceil_div(of.segments, threads_per_block(of));
        case segment_row_pass::finish_short: return ceil_div(of.segments * tiles * share.warps, 8);
        case segment_row_pass::magnitudes:
        case segment_row_pass::words: return most_parts(of) * tiles;
        case segment_row_pass::finish_long: break;
    }
    return most_parts(of);
}

std::int64_t bytes_read(const segment_row_step& of) {
    switch (of.pass) {
        case segment_row_pass::rank: return of.rows * bytes_of(of.numbers);
        case segment_row_pass::order: return of.rows * (bytes_of(of.numbers) + 4);
        // As if no segment were long. Values are read twice where their magnitudes come first; a cache has most of them then.
        case segment_row_pass::finish_short: return of.rows * (of.inside * bytes_of(of.values) + 4);
        default: return 0;
    }
}

std::int64_t bytes_written(const segment_row_step& of) {
    switch (of.pass) {
        case segment_row_pass::clear: return 4 * (2 + of.segments);
        case segment_row_pass::rank:
        case segment_row_pass::order: return 4 * of.rows;
        case segment_row_pass::place: return 4 * of.segments;
        case segment_row_pass::finish_short:
            return of.segments * of.inside * (of.makes == segment_pass::sum ? 8 : bytes_of(of.values));
        default: return 0;
    }
}

}  // namespace kiln::plan
