#include <plan/sort.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// Where only the first are wanted: 8 of rows of 100 floats of 32M take an H200 667 us by blocks that select, of 200 347, of 500 150.
constexpr std::int64_t longest_of_network_to_select = 128;

/// A block sorts one digit after the other, and so takes longer of wide elements. Of 32M floats, rows of 500 take an H200 208 us so and 523 in
/// blocks, with places 441 and 606; of longer rows, 32 elements to a lane, NVRTC makes no kernel in less than 0.8 s.
std::int64_t longest_of_network(const sort_step& of) {
    const std::int64_t bytes = bytes_of(of.type);
    return bytes == 1 || (bytes == 8 && of.compares_places()) ? 256 : 512;
}

constexpr std::int64_t longest_of_block = 4096;
// Of a row from which few are selected, for a block; as short where there are fewer rows than keep multiprocessors busy.
constexpr std::int64_t longest_selected = 32768;
constexpr std::int64_t least_selected = 4096;
constexpr std::int64_t enough_selecting_blocks = 264;  // two for each multiprocessor of an H200
constexpr std::int64_t enough_selecting_ranges = 64;   // for the host's threads to share out
// Two bits of a state say what the rest counts.
constexpr std::int64_t most_of_narrow = (std::int64_t{1} << 30) - 1;

class sort_planner {
public:
    sort_planner(const sort_task& of, const target& on) : of_(of), on_(on) {}

    sort_plan run() {
        sort_step step;
        step.type = of_.type;
        step.descending = of_.descending;
        step.has_places = of_.positions;
        step.rows = of_.rows;
        step.count = of_.count;
        step.to = of_.values ? 1 : -1;
        step.places_to = of_.positions ? 2 : -1;
        step.kept = of_.kept ? of_.kept : of_.count;
        if (selects()) {
            add_selections(step);
        } else if (of_.count <= longest_of_block) {
            step.what = of_.count <= longest_of_network(step) ? sort_kind::network : sort_kind::block;
            made_.steps.push_back(step);
        } else {
            step.wide = of_.count > most_of_narrow;
            add_passes(step);
        }
        return std::move(made_);
    }

private:
    /// Of short rows a good part is read off rows in order.
    [[nodiscard]] bool selects() const {
        constexpr std::int64_t least_share = 4;
        if (of_.kept == 0) return false;
        return on_.kind == frame::cuda ? of_.count > longest_of_network_to_select : of_.kept * least_share <= of_.count;
    }

    /// Of a row, for a block; a thread of the host sorts what it selects, which is to be little beside what it reads.
    [[nodiscard]] std::int64_t part_of_row(const sort_step& step) const {
        const bool on_cuda = on_.kind == frame::cuda;
        const std::int64_t least = on_cuda ? least_selected : std::max(least_selected, 64 * step.kept);
        const std::int64_t enough = on_cuda ? enough_selecting_blocks : enough_selecting_ranges;
        std::int64_t out = std::max(longest_selected, least);
        while (out > least && step.rows * ceil_div(step.count, out) < enough) out /= 2;
        return std::max(out, least);
    }

    int temporary(std::int64_t bytes) {
        made_.temporaries.push_back(bytes);
        return 2 + static_cast<int>(made_.temporaries.size());
    }

    /// What is selected from parts of a row are rows of their own: equal elements are still in the order in which they were. 10 of each of
    /// 4099 rows of 10007 floats take an H100 94 us, in place of 2010 of a sort; 10 of 67M in a row 202 and 2830.
    void add_selections(sort_step step) {
        step.what = sort_kind::select;
        const sort_step last = step;
        for (;;) {
            step.parts = ceil_div(step.count, part_of_row(step));
            step.to = last.to;
            step.places_to = last.places_to;
            if (step.parts > 1) {
                const std::int64_t selected = step.rows * step.parts * step.kept;
                step.to = temporary(selected * bytes_of(of_.type));
                if (of_.positions) step.places_to = temporary(selected * 8);
            }
            made_.steps.push_back(step);
            if (step.parts == 1) return;
            step.count = step.parts * step.kept;
            step.from = step.to;
            step.places_from = step.places_to;
        }
    }

    /// From the operand to a temporary, from there to the result, and so on, so that the last pass, an odd one of more than one, ends
    /// in the result. Places begin in the first pass.
    void add_passes(sort_step step) {
        const int digits = step.digits();
        const std::int64_t elements = step.element_count();
        if (on_.kind == frame::cuda) {
            step.counts = temporary(sort_tickets * 4 + step.rows * digits * 256 * step.count_bytes());
            const std::int64_t tiles = ceil_div(step.count, tile_of(step).length());
            step.states = temporary(std::min(digits, 2) * step.rows * tiles * 256 * step.count_bytes());
            for (const sort_kind each : {sort_kind::clear, sort_kind::count}) {
                made_.steps.push_back(step);
                made_.steps.back().what = each;
            }
        }
        int values[2] = {-1, of_.values ? 1 : -1};  // after even passes and odd ones
        int places[2] = {-1, 2};
        if (digits > 1) {
            values[0] = temporary(elements * bytes_of(of_.type));
            if (!of_.values && digits > 2) values[1] = temporary(elements * bytes_of(of_.type));
            if (of_.positions) places[0] = temporary(elements * step.count_bytes());
        }
        for (step.digit = 0; step.digit < digits; ++step.digit) {
            const int odd = step.digit % 2;
            step.from = step.digit == 0 ? 0 : values[1 - odd];
            step.to = !step.is_last() ? values[odd] : of_.values ? 1 : -1;
            if (of_.positions) {
                step.places_from = step.digit == 0 ? -1 : places[1 - odd];
                step.places_to = step.is_last() ? 2 : places[odd];
            }
            made_.steps.push_back(step);
        }
    }

    const sort_task& of_;
    const target& on_;
    sort_plan made_;
};

}  // namespace

sort_plan plan_sort(const sort_task& of, const target& on) { return sort_planner(of, on).run(); }

bool sorts_in_place(const sort_plan& plan) {
    if (plan.steps.front().kept < plan.steps.front().count) return false;
    return std::none_of(plan.steps.begin(), plan.steps.end(), [](const sort_step& each) {
        return each.what == sort_kind::pass && each.from == 0 && each.to == 1;
    });
}

sort_tile tile_of(const sort_step& step) {
    const std::int64_t bytes = bytes_of(step.type);
    switch (step.what) {
        case sort_kind::block:
            if (step.count <= 256) return {64, 4};
            if (step.count <= 512) return {64, 8};
            if (step.count <= 1024) return {128, 8};
            if (step.count <= 2048) return {256, 8};
            return {512, 8};
        case sort_kind::count:
        case sort_kind::pass:
        case sort_kind::clear:
            // As many as two blocks of a multiprocessor have registers for, and 48 KiB of shared memory have room for. On an H200,
            // of 67 million: floats in 1.54 ms (16 elements of 256 threads: 1.65), beside 1.48 of CUB; with places 2.2.
            if (std::max<std::int64_t>(bytes, step.has_places ? step.count_bytes() : 0) == 8)
                return {384, step.has_places ? 12 : 14};
            if (step.has_places) return {384, 20};
            return {384, bytes == 4 ? 23 : 24};
        case sort_kind::select: {
            if (selection_parts(step) > 64) return {256, 1};
            const std::int64_t length = step.longest_part();
            return {length <= 1024 ? 64 : length <= 4096 ? 128 : 256, 1};
        }
        case sort_kind::network: break;
    }
    const bool has_wide_words = bytes == 8 && step.compares_places();
    const int elements = step.count <= 4 ? 4 : step.count <= 64 || has_wide_words ? 8 : 16;
    int lanes = 1;
    while (lanes * elements < step.count) lanes *= 2;
    return {128, elements, lanes};
}

std::int64_t block_count(const sort_step& of) {
    switch (of.what) {
        case sort_kind::network: return ceil_div(of.rows, tile_of(of).threads / tile_of(of).lanes);
        case sort_kind::block: return of.rows;
        case sort_kind::select: return of.rows * of.parts;
        case sort_kind::clear: return std::min<std::int64_t>(ceil_div(bytes_written(of), 1024), 1024);
        case sort_kind::count: return of.rows * ceil_div(of.count, sort_part);
        case sort_kind::pass: break;
    }
    return of.rows * ceil_div(of.count, tile_of(of).length());
}

std::int64_t bytes_read(const sort_step& of) {
    if (of.what == sort_kind::clear) return 0;
    if (of.what == sort_kind::select)
        return of.element_count() * bytes_of(of.type) + (of.places_from < 0 ? 0 : of.rows * of.parts * of.kept * 8);
    const std::int64_t places = of.places_from < 0 ? 0 : of.count_bytes();
    return of.element_count() * (bytes_of(of.type) + places);
}

std::int64_t bytes_written(const sort_step& of) {
    if (of.what == sort_kind::clear) return sort_tickets * 4 + of.rows * of.digits() * 256 * of.count_bytes();
    if (of.what == sort_kind::count) return of.rows * ceil_div(of.count, tile_of(of).length()) * 256 * of.count_bytes();
    if (of.what == sort_kind::network || of.what == sort_kind::select)
        return of.rows * of.parts * of.kept * ((of.to < 0 ? 0 : bytes_of(of.type)) + (of.places_to < 0 ? 0 : 8));
    const std::int64_t values = of.to < 0 ? 0 : bytes_of(of.type);
    const std::int64_t places = of.places_to < 0 ? 0 : of.is_last() ? 8 : of.count_bytes();
    return of.element_count() * (values + places);
}

}  // namespace kiln::plan
