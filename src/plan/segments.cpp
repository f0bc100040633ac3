#include <plan/segments.hpp>

#include <plan/policy/segments.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace kiln::plan {

namespace {

using detail::segment_call;

// As many blocks as an H200 has room for at once; fewer elements than so many are not worth one more.
constexpr std::int64_t most_blocks = 264;
constexpr std::int64_t least_of_block = 16384;
// Where blocks have no tables of their own, each element waits for memory: a turn of all threads is enough.
constexpr std::int64_t least_without_table = 2048;

/// The word of a segment without elements, from which each element is less, or greater.
std::int64_t worst_word(element_type type, bool least) {
    if (kind_of(type) == element_kind::floating) {
        const auto infinity = std::bit_cast<std::int64_t>(std::numeric_limits<double>::infinity());
        return least ? infinity
                     : std::numeric_limits<std::int64_t>::min() + (std::numeric_limits<std::int64_t>::max() - infinity);
    }
    if (type == element_type::boolean) return least;
    if (bytes_of(type) == 8)
        return least ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
    const int bits = 8 * bytes_of(type);
    const bool sign = detail::is_signed_integer(type);
    const std::int64_t largest = (std::int64_t{1} << (bits - sign)) - 1;
    return least ? largest : sign ? -largest - 1 : 0;
}

/// Of 67M floats in 100 bins an H100 takes 94 us for 128 by doubles, where all are at edges 109 for 265; reading them takes 92.
/// Whether an element as a float is as near to an edge as it is itself, but for a sixteenth of a bin (bin_clearance): in a block's table
/// are 8192 bins at most.
bool is_known_by_floats(const segment_step& of) {
    constexpr double farthest_ranges = 16;
    constexpr double least_range = 0x1p-60;  // far from where floats lose digits
    const bool is_float = of.numbers == element_type::float32 || bytes_of(of.numbers) < 4;
    const double range = of.high - of.low;
    const double farthest = std::max(std::abs(of.low), std::abs(of.high));
    return is_float && range >= least_range && range <= 1 / least_range && farthest <= farthest_ranges * range;
}

void divide_for_cuda(segment_step& of) {
    if (!of.over_elements()) return;
    const bool is_narrow = of.pass == segment_pass::number || of.pass == segment_pass::magnitude;
    std::int64_t room = is_narrow ? segment_counters : segment_words;
    if (of.pass == segment_pass::parts && of.has_rests()) room /= 2;
    of.shared = of.count <= room;
    if (!of.shared) return;
    while (of.copies < warp && of.copies * 2 * of.count <= room) of.copies *= 2;
    // Values of rows do not come together before they go to a table: rows of one segment, one after the other, would wait there.
    constexpr std::int64_t least_copies_of_rows = 4;
    if (of.inside > 1 && of.copies < least_copies_of_rows) {
        of.shared = false;
        of.copies = 1;
        return;
    }
    of.by_floats = of.by_bins && is_known_by_floats(of);
    of.all_inside = of.numbers == element_type::uint8 && !of.by_bins && of.count >= 256;
}

/// Of few segments threads wait for each other: an H200 takes 544 us for 16M floats in 5000 at random, and 85 for (1M, 16) in 1000 that are
/// sorted, which are 450 and 53 as integers; in 1M segments the first are 184 for 450, in 100,000 the second 43 for 184.
bool adds_floats_in_place(const segment_call& by, element_type values) {
    constexpr std::int64_t least_segments = 8192;  // more than a block's table has
    return bytes_of(values) >= 4 && by.count / by.inside >= least_segments;
}

/// Parts of floats are taken from the low bits of a double (segment_part_by).
constexpr int most_digits_of_rows = 50;

/// There is still room for words as they are elsewhere, which the host takes the same steps in.
void put_in_sectors(segment_plan& plan) {
    for (std::size_t i = 1; i < plan.steps.size(); ++i) {
        segment_step& step = plan.steps[i];
        step.in_sectors = true;
        step.shared = false;
        step.copies = 1;
    }
    const segment_step& parts = plan.steps[2];
    const std::int64_t magnitudes = ceil_div(parts.count / parts.inside * row_pitch(parts), std::int64_t{2});
    plan.words = std::max(plan.words, words_of_rows(parts) + magnitudes);
    plan.steps[0].count = plan.words;
}

}  // namespace

segment_plan plan_segments(const segment_call& by, std::int64_t elements, element_type numbers, element_type values,
                           const target& on, bool any_order) {
    segment_plan out;
    segment_step all;
    all.numbers = numbers;
    all.values = values;
    all.by_bins = by.by_bins;
    all.low = by.low;
    all.high = by.high;
    all.elements = elements;
    all.count = by.count;
    all.inside = by.inside;
    const auto add = [&](segment_pass pass, std::int64_t setting) {
        segment_step step = all;
        step.pass = pass;
        step.setting = setting;
        // What a step does not read is of one type, so that it is one kernel.
        if (!step.over_elements()) step.numbers = element_type::int64;
        if (pass == segment_pass::clear || pass == segment_pass::number) step.values = element_type::int64;
        if (on.kind == frame::cuda) divide_for_cuda(step);
        out.steps.push_back(step);
    };
    const auto clear = [&](std::int64_t setting, std::int64_t words_of_each) {
        add(segment_pass::clear, setting);
        out.steps.back().count *= words_of_each;
    };
    if (by.what == segment_call::kind::least || by.what == segment_call::kind::greatest) {
        const bool least = by.what == segment_call::kind::least;
        clear(worst_word(values, least), 1);
        add(least ? segment_pass::least : segment_pass::greatest, worst_word(values, least));
        segment_step& combines = out.steps.back();
        combines.narrow = out.steps.front().narrow =
            on.kind == frame::cuda && values == element_type::int32 && !combines.shared && combines.inside == 1;
        if (values == element_type::int64 || combines.narrow) return out;
        out.words = by.count;
        add(segment_pass::extreme, 0);
    } else if (by.what == segment_call::kind::sum && kind_of(values) == element_kind::floating) {
        if (any_order && on.kind == frame::cuda && adds_floats_in_place(by, values)) {
            clear(0, 1);
            add(segment_pass::sum, 0);
            out.steps.front().narrow = values == element_type::float32;
            out.steps.back().any_order = true;
            return out;
        }
        // So that as many parts as there are elements do not overflow.
        const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(elements - 1)));
        const std::int64_t words_of_each = all.has_rests() ? 3 : 2;
        out.words = words_of_each * by.count;
        clear(0, words_of_each);
        add(segment_pass::magnitude, 0);
        add(segment_pass::parts, 61 - bits);
        add(segment_pass::total, 61 - bits);
        if (on.kind == frame::cuda && all.inside > 1 && !out.steps[2].shared && 61 - bits < most_digits_of_rows)
            put_in_sectors(out);
    } else {
        const segment_pass pass = by.what == segment_call::kind::number ? segment_pass::number : segment_pass::sum;
        add(pass, 0);
        // The clearing step comes before it.
        if (!ends_in_counters(out.steps.back())) {
            clear(0, 1);
            std::swap(out.steps[0], out.steps[1]);
        }
    }
    return out;
}

int threads_per_block(const segment_step& of) { return of.over_elements() ? segment_threads : 256; }

std::int64_t block_count(const segment_step& of) {
    if (!of.over_elements()) return ceil_div(of.count, 256);
    return std::clamp(ceil_div(of.elements, of.shared ? least_of_block : least_without_table), std::int64_t{1},
                      most_blocks);
}

std::int64_t bytes_read(const segment_step& of) {
    if (of.pass == segment_pass::clear) return 0;
    if (!of.over_elements()) return 8 * of.count;
    return of.elements / of.inside * bytes_of(of.numbers) + (of.reads_values() ? of.elements * bytes_of(of.values) : 0);
}

std::int64_t bytes_written(const segment_step& of) {
    if (of.narrow) return of.count * 4;
    const bool is_of_values = of.pass == segment_pass::total || of.pass == segment_pass::extreme || of.any_order;
    return of.count * (is_of_values ? bytes_of(of.values) : 8);
}

}  // namespace kiln::plan
