#include <plan/scan.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

// Of a GPU: threads that keep its memory busy. What a part of a column must have to be worth a thread of its own: least_of_column.
constexpr std::int64_t enough_threads = std::int64_t{1} << 18;
// Shared memory of a panel: as many warps as hide what the others wait for have room for theirs (H200: 6).
constexpr int panel_bytes = 32 * 1024;
constexpr int least_row_bytes = 32;
// Lines that keep its memory busy with a thread each, which asks for so many bytes at a time.
constexpr std::int64_t enough_lines = std::int64_t{1} << 15;
constexpr int bytes_of_enough_lines = 4;
constexpr int vector_bytes = 16;
constexpr int best_row_bytes = 128;
// Of a part, where its panels are of whole sectors: as many as leave a lane each a column of panel_bytes. Of (20011, 4096) floats, whose parts
// would have 313, an H200 takes 223 us so and 174 by 256 (a copy 157).
constexpr std::int64_t sector_rows(element_type accumulated) {
    return std::max<std::int64_t>(64, panel_bytes / (warp * bytes_of(accumulated)));
}
// Where rows begin anywhere: as many as leave five warps beside each other 46 KB, of which a multiprocessor takes four and has 60 KB left for
// its first cache, where neighbouring warps find the lines that they share. By hand, of (20011, 4099) floats (a copy 161 us, H200): 72 rows
// of 160 columns 210 us, 64 (five blocks, 28 KB left) 232, 60 of 192 213, 72 of 192 (221 KB) 228, 144 of 128 230, 320 of 64 293; in registers,
// 160 rows of 128 columns 259; whole sectors by columns that neighbours share 226; without waiting for what comes before 189.
constexpr std::int64_t odd_warps = 5;
// Of what is wider, more rows: what others read of a part is twice as much. Doubles of (4099, 8191) take 178 us so, 189 by parts of 72.
constexpr std::int64_t odd_rows(element_type accumulated) { return bytes_of(accumulated) <= 4 ? 72 : 128; }
// Not worth more parts: of (2000000, 31) floats 178 us, 238 by parts of 72.
constexpr std::int64_t few_columns = 2 * warp;
// Of fewer columns a block has whole rows, which are neighbours: of (2500009, 27) floats 177 us so, 206 by panels.
constexpr std::int64_t narrow_columns = 28;
// Of a panel of those: so much that a multiprocessor takes one each 2 us, and has room for six, of which three are on their way while others
// wait. Of (10000019, 9) floats (a copy 172 us, H200) 216 us so, 188 if nobody waits; by hand, panels of 22 KB 281, of 55 KB 238. Blocks that
// end with their panel wait for the last of those before it, whatever they do: 250 us, three of them at once or six, and 200 if each
// waits for its neighbour alone. Of more columns, whose panels come to more elements, larger ones.
constexpr std::int64_t more_columns = 16;
constexpr int narrow_panel_bytes(std::int64_t columns) { return (columns > more_columns ? 44 : 32) * 1024; }
/// Whole vectors of each part's columns.
std::int64_t narrow_rows(std::int64_t columns, element_type accumulated) {
    const std::int64_t rows = narrow_panel_bytes(columns) / bytes_of(accumulated) / (narrow_parts(columns) * columns);
    return rows / scan_vector(accumulated) * scan_vector(accumulated);
}
constexpr int most_slots = 6;
constexpr int least_slots = 2;

/// What parts of few columns come to, part by part, and so on.
void divide_totals(scan_step& of) {
    of.mapping = scan_mapping::columns;
    of.part = of.narrow_level == 2 ? narrow_parts(of.inner) : of.narrow_level == 3 ? narrow_group : of.count;
}

void divide_few_columns(scan_step& of) {
    constexpr std::int64_t least_of_line = 2;
    constexpr std::int64_t least_of_all = 32;
    const std::int64_t rows = narrow_rows(of.inner, of.type);
    const std::int64_t panels = of.count / (narrow_parts(of.inner) * rows);
    if (panels < least_of_line || of.outer * panels < least_of_all) return;
    of.part = rows;
    of.narrow_level = 1;
}

void divide_for_cuda(scan_step& of) {
    if (of.narrow_level > 1) return divide_totals(of);
    const std::int64_t of_warp = std::int64_t{warp} * scan_elements(of.type);
    if (of.inner == 1 && of.count > few_parts) {
        of.mapping = of.count <= of_warp ? scan_mapping::short_rows : scan_mapping::rows;
        of.part = of.mapping == scan_mapping::rows ? of_warp * (scan_threads / warp) : of_warp;
    } else {
        const std::int64_t lines = of.outer * of.inner;
        const std::int64_t wanted = ceil_div(enough_threads, lines);
        of.part = std::max(least_of_column, ceil_div(of.count, wanted));
        // By what is accumulated, so that the order is the same whatever is read and written; and no more parts than a scan of what they
        // come to has in parts of least_of_column.
        const bool is_of_sectors = of.inner * bytes_of(of.type) % sector_bytes == 0;
        const std::int64_t best = is_of_sectors ? sector_rows(of.type) : odd_rows(of.type);
        const bool may_be_walked = lines >= enough_lines && of.inner * bytes_of(of.type) % vector_bytes != 0;
        if (of.inner >= few_columns && !may_be_walked)
            of.part = std::min(of.part, std::max(best, ceil_div(of.count, least_of_column * wanted)));
        if (of.inner > 1 && of.inner < narrow_columns) divide_few_columns(of);
    }
}

/// Whether the block that makes for all what comes before their parts keeps up with them: parts of smaller elements come faster (H100,
/// 67M bytes: 142 us in place of 91), those of wider ones than 8 bytes have shorter rounds; of 8 million floats reading twice is as
/// fast. Of int64 17 million take 105 us, where reading twice takes 145; 5 million 39 and 48. Of rows: (101, 200003) floats 1.25 of a copy
/// where reading twice takes 1.60, (61, 524287) 1.22 and 1.59 (H200).
bool may_be_served(const scan_step& of) {
    return (bytes_of(of.type) == 4 || bytes_of(of.type) == 8) && of.outer * of.parts() > 1024;
}

/// The same of few columns.
std::int64_t published_by_narrow_panels(scan_step& of, const target& on) {
    if (of.narrow_level > 1) return 0;
    const int bytes = bytes_of(of.type);
    const int looked = narrow_looked_elements(of);
    const int totals = most_slots * (narrow_threads + warp);
    const int beside = (looked + looked / narrow_group + warp + totals) * bytes + 1024;
    of.slots = std::min(most_slots, (on.most_shared_bytes - beside) / (narrow_slot_elements(of) * bytes));
    if (of.slots < least_slots) return 0;
    of.mapping = scan_mapping::narrow_panels;
    of.blocks = on.multiprocessors;
    return 1 + of.outer * ceil_div(of.parts(), narrow_parts(of.inner)) * of.inner;
}

/// How many elements blocks publish, and the counter before them; 0: a kernel cannot take these parts in one pass.
std::int64_t published_by(scan_step& of, const target& on) {
    if (!on.async_copies) return 0;
    if (of.mapping == scan_mapping::rows) {
        of.mapping = scan_mapping::row_parts;
        const std::int64_t of_round = std::int64_t{warp} * scan_vector(of.type);
        // Of a million floats each block finds for itself what comes before it (H200: 8 us, and 13 where the operand is read twice).
        constexpr std::int64_t few_blocks = 512;
        const scan_carry carry = carry_of(of);
        if (carry == scan_carry::groups) return 0;
        if (carry == scan_carry::rounds && of.outer * of.parts() > few_blocks) {
            if (!may_be_served(of)) return 0;
            of.mapping = scan_mapping::served_parts;
            return 1 + 2 * of.outer * of.parts();
        }
        const std::int64_t of_line = of.parts() + (carry == scan_carry::rounds ? ceil_div(of.parts(), of_round) : 0);
        return 1 + of.outer * of_line;
    }
    if (of.narrow_level) return published_by_narrow_panels(of, on);
    of.mapping = scan_mapping::panels;
    if (panel_of(of).columns == 0 || of.inner < least_row_bytes / bytes_of(of.type)) return 0;
    std::int64_t of_line = 0;
    std::int64_t count = of.parts();
    for (int level = levels_of(of); level-- > 0; count = ceil_div(count, least_of_column)) of_line += count;
    return 1 + of.outer * of_line * of.inner;
}

// Of the CPU: as many parts as keep its threads busy, where there are not as many lines.
void divide_for_host(scan_step& of) {
    constexpr std::int64_t enough_parts = 256;
    constexpr std::int64_t neighbours = 1024;  // lines that a thread takes together
    constexpr std::int64_t least = 4096;       // elements of a part
    const std::int64_t lines = of.outer * ceil_div(of.inner, neighbours);
    const std::int64_t least_of_line = std::max<std::int64_t>(16, least / std::min(of.inner, neighbours));
    of.mapping = of.inner == 1 ? scan_mapping::rows : scan_mapping::columns;
    of.part = std::max(least_of_line, ceil_div(of.count, ceil_div(enough_parts, lines)));
}

class scan_planner {
public:
    explicit scan_planner(const target& on) : on_(on) {}

    scan_plan run(const scan_step& all) {
        add(all);
        return std::move(made_);
    }

private:
    /// Totals of parts, scanned in the same way, then each part on top of those before it.
    void add(scan_step step) {
        if (on_.kind == frame::cuda) divide_for_cuda(step);
        else divide_for_host(step);
        if (step.parts() > 1 && on_.kind == frame::cuda && add_once(step)) return;
        if (step.parts() > 1) {
            step.offsets = 2 + static_cast<int>(made_.temporaries.size());
            made_.temporaries.push_back(step.outer * step.parts() * step.inner * bytes_of(step.type));
            scan_step totals = step;
            totals.totals_only = true;
            totals.to = step.offsets;
            totals.offsets = -1;
            totals.writes = {};
            totals.finish = nullptr;
            made_.steps.push_back(totals);
            scan_step before = scan_of_totals(step);
            before.from = before.to = step.offsets;
            add(before);
        }
        made_.steps.push_back(step);
    }

    bool add_once(const scan_step& step) { return add_lines(step) || add_walked_rows(step) || add_one_pass(step); }

    /// Where rows begin anywhere: cumsum of (1013, 65537) floats over its first axis 307 us by panels of a warp on an H100, 192 by lines
    /// (a copy 181); of (1024, 65536) 199 and 195. Of fewer lines, a block that walks down 32 of them, rows copied
    /// ahead into shared memory, is slower than panels: (20011, 4099) takes an H200 448 us so, 414 if nothing is stored, and 206 by panels (a
    /// copy 157).
    bool add_lines(scan_step step) {
        if (step.mapping != scan_mapping::columns || step.inner * bytes_of(step.type) % vector_bytes == 0) return false;
        const int narrower = std::max(1, bytes_of_enough_lines / bytes_of(step.operand_type()));
        const int longer = panel_of(step).columns < warp ? 2 : 1;  // than a panel has room for
        if (step.outer * step.inner < enough_lines * narrower / longer) return false;
        step.mapping = scan_mapping::lines;
        made_.steps.push_back(step);
        return true;
    }

    /// Rows that keep all blocks busy: cumsum of (6001, 10007) floats 1.28 of a copy by parts and 1.06 so, of (700, 65536) 1.16 and 1.11;
    /// of (501, 131071) 1.23 and 1.40 (H200).
    bool add_walked_rows(scan_step step) {
        constexpr std::int64_t enough_rows = 640;
        if (step.mapping != scan_mapping::rows || step.parts() > few_parts || step.outer < enough_rows) return false;
        step.mapping = scan_mapping::walked_rows;
        made_.steps.push_back(step);
        return true;
    }

    bool add_one_pass(scan_step step) {
        const std::int64_t published = published_by(step, on_);
        if (published == 0) return false;
        step.offsets = 2 + static_cast<int>(made_.temporaries.size());
        const std::int64_t words = published * ceil_div(bytes_of(step.type), 4);
        made_.temporaries.push_back(words * 8);
        scan_step clear;
        clear.type = element_type::uint64;
        clear.mapping = scan_mapping::clear;
        clear.count = words;
        clear.part = words;
        clear.to = step.offsets;
        made_.steps.push_back(clear);
        made_.steps.push_back(step);
        return true;
    }

    const target& on_;
    scan_plan made_;
};

}  // namespace

scan_plan plan_scan(const shape& of, int axis, detail::reduction_kind what, element_type type, const target& on,
                    std::uint64_t definition, scan_access reads, scan_access writes,
                    std::shared_ptr<const scan_finish> finish) {
    scan_step all;
    all.reads = reads;
    all.writes = writes;
    all.finish = std::move(finish);
    all.what = what;
    all.definition = definition;
    all.type = type;
    for (int i = 0; i < of.rank(); ++i) (i < axis ? all.outer : i == axis ? all.count : all.inner) *= of[i];
    return plan_scan(all, on);
}

scan_plan plan_scan(const scan_step& undivided, const target& on) { return scan_planner(on).run(undivided); }

scan_step scan_of_totals(const scan_step& of) {
    scan_step out{.what = of.what, .definition = of.definition, .type = of.type};
    out.narrow_level = of.narrow_level ? of.narrow_level + 1 : 0;
    out.outer = of.outer;
    out.count = of.parts();
    out.inner = of.inner;
    return out;
}

scan_carry carry_of(const scan_step& row_parts) {
    if (row_parts.parts() <= few_parts) return scan_carry::sequence;
    return row_parts.parts() <= row_parts.part ? scan_carry::rounds : scan_carry::groups;
}

namespace {

/// Whether what is read beside values changes along a line.
bool reads_along(const scan_step& of) {
    if (!of.finish || of.totals_only) return false;
    for (std::size_t i = 0; i < of.finish->besides.size(); ++i)
        if (of.finish->walk(i) != beside_walk::stays) return true;
    return false;
}

/// Where rows begin anywhere, panels are no whole sectors, and two of them that write one do so at different times. Warps that go down
/// together have as few edges as they have room for columns.
/// Where rows are whole sectors: of a warp's lanes that a panel has no column for, none asks for what is read beside. cumsum(x) * x of
/// (12000, 4096) doubles takes 481 us so, 561 by panels of half a warp; of (16384, 4096) floats, whose panels are of whole warps, 318 and 277.
scan_panel wide_panel_of(const scan_step& panels, const scan_panel& narrow) {
    constexpr int bytes_of_multiprocessor = 192 * 1024;
    const bool is_of_sectors = panels.inner * bytes_of(panels.result_type()) % sector_bytes == 0;
    if (is_of_sectors && (narrow.columns == warp || !reads_along(panels))) return {};
    const bool is_short = panels.part <= odd_rows(element_type::float32) && bytes_of(panels.type) <= 4;
    const std::int64_t rows = is_short ? odd_rows(panels.type) : ceil_div(panels.part, warp) * warp;  // as many kernels
    const std::int64_t of_row = ceil_div(panels.inner, warp);
    const std::int64_t bytes_of_warp = rows * warp * bytes_of(panels.operand_type());
    // Three blocks at least, so that one loads while others wait and store.
    std::int64_t warps = std::min({odd_warps, of_row, bytes_of_multiprocessor / 3 / bytes_of_warp});
    if (warps == 0) return {};
    warps = ceil_div(of_row, ceil_div(of_row, warps));  // as few that have no columns
    return {static_cast<int>(rows), static_cast<int>(warps) * warp};
}

}  // namespace

scan_panel panel_of(const scan_step& panels) {
    scan_panel out{static_cast<int>(least_of_column)};
    const int bytes = bytes_of(panels.operand_type());
    while (out.rows < panels.part && out.rows * least_row_bytes < panel_bytes) out.rows *= 2;
    if (out.rows < panels.part) out = {};
    else out.columns = std::min(warp, best_row_bytes / bytes);
    while (out.rows * out.columns * bytes > panel_bytes) out.columns /= 2;
    const scan_panel wide = wide_panel_of(panels, out);
    return wide.columns > out.columns ? wide : out;
}

int narrow_gap(const scan_step& narrow_panels) {
    const int vector = scan_vector(narrow_panels.type);
    return static_cast<int>(ceil_div(narrow_panels.inner, vector)) * vector;
}

/// With what is read along lines beside, as many as there are: x * cumsum(x) of (10000019, 9) floats takes 402 us so (80 bytes of registers for
/// what is on its way, H200), 416 by 256 (64 bytes), of (2500009, 27) 298 and 345; of cumsum(x) alone, by more than 256, 224 for 215.
int narrow_storing_threads(const scan_step& of) { return reads_along(of) ? 416 : 256; }

int narrow_slot_elements(const scan_step& of) {
    // And gaps: of 64 parts of four columns, or of fewer.
    return narrow_panel_bytes(of.inner) / bytes_of(of.type) + narrow_threads +
           most_narrow_parts * (scan_vector(of.type) - 1);
}

int narrow_looked_elements(const scan_step& of) {
    return (of.inner > more_columns ? 16 : 12) * 1024 / bytes_of(of.type);
}

int levels_of(const scan_step& panels) {
    int out = 1;
    for (std::int64_t count = panels.parts(); count > least_of_column; count = ceil_div(count, least_of_column)) ++out;
    return out;
}

std::int64_t block_count(const scan_step& of) {
    switch (of.mapping) {
        case scan_mapping::columns: return ceil_div(of.outer * of.parts() * of.inner, scan_threads);
        case scan_mapping::lines: return ceil_div(of.outer * of.inner, line_threads(of));
        case scan_mapping::short_rows: return ceil_div(of.outer, scan_threads / 32);
        case scan_mapping::panels: return of.outer * of.parts() * ceil_div(of.inner, panel_of(of).columns);
        case scan_mapping::narrow_panels: {
            const std::int64_t panels = of.outer * ceil_div(of.parts(), narrow_parts(of.inner));
            return of.blocks ? std::min<std::int64_t>(of.blocks, panels) : panels;
        }
        case scan_mapping::clear: return ceil_div(of.count, scan_threads);
        case scan_mapping::served_parts: return of.outer * of.parts() + 1;
        case scan_mapping::walked_rows: return of.outer;
        case scan_mapping::rows:
        case scan_mapping::row_parts: break;
    }
    return of.outer * of.parts();
}

/// Few kernels, and no warp of three without elements for long. Chunks of a row that is carried on have the kernel of the whole, whatever
/// is left for the last.
int row_warps(const scan_step& rows) {
    constexpr int all = scan_threads / warp;
    if (rows.mapping != scan_mapping::rows || rows.totals_only || rows.offsets >= 0 || rows.parts() > 1) return all;
    const std::int64_t needed = ceil_div(rows.count, std::int64_t{warp} * scan_elements(rows.type));
    for (const int some : {2, 3, 4, 6})
        if (needed <= some) return some;
    return all;
}

int row_rounds(const scan_step& rows) {
    const int all = scan_elements(rows.type) / scan_vector(rows.type);
    if (rows.mapping != scan_mapping::short_rows) return all;
    return static_cast<int>(ceil_div(rows.count, std::int64_t{warp} * scan_vector(rows.type)));
}

int threads_per_block(const scan_step& of) {
    if (of.mapping == scan_mapping::panels) return static_cast<int>(ceil_div(panel_of(of).columns, warp)) * warp;
    if (of.mapping == scan_mapping::narrow_panels)
        return warp + narrow_loading_threads + narrow_looking_threads + 2 * narrow_adding_threads +
               narrow_storing_threads(of);
    if (of.mapping == scan_mapping::lines) return line_threads(of);
    if (of.mapping == scan_mapping::rows) return row_warps(of) * warp;
    return of.mapping == scan_mapping::row_parts ? scan_threads + warp : scan_threads;
}

}  // namespace kiln::plan
