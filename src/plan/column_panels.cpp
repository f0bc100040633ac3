#include <plan/column_panels.hpp>

#include <plan/nest/dynamic_shared.hpp>
#include <plan/reduction.hpp>
#include <plan/reduction_set.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

using lower::step;
using lower::value_id;

namespace {

std::size_t at(value_id of) { return static_cast<std::size_t>(of); }

int power_of_two_to(int count) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(count, 1)))); }

/// Of a block, beside its slots: what its threads' accumulators take where they are combined, and those of the cluster's blocks.
int exchanged_bytes(const lower::program& of, int threads, int columns, int splits) {
    constexpr int register_bytes = 4, aligned = 8;
    int accumulators = 0;
    for (const reduction_set& each : reductions_of_rows(of))
        for (const reduction_set::member& one : each.members) {
            const int bytes = std::max(accumulator_bytes(one.of), register_bytes);
            accumulators += each.members.size() == 1 ? bytes : (bytes + aligned - 1) / aligned * aligned;
        }
    return accumulators * (threads + (splits > 1 ? splits * columns : 0));
}

/// The same of vectors of columns: an accumulator for each row of threads, and what all of them come to.
int exchanged_bytes_of_vectors(const lower::program& of, int threads, int columns, int width) {
    int out = 0;
    for (const reduction_set& each : reductions_of_rows(of)) {
        int accumulators = 0;
        bool in_any_order = true;
        for (const reduction_set::member& one : each.members) {
            accumulators += accumulator_bytes(one.of);
            in_any_order = in_any_order && is_orderless(one.of);
        }
        out += accumulators * (threads * (in_any_order ? width : 1) + columns);
    }
    return out;
}

/// An addition, a subtraction or a product of a kept array and of what is one for the whole column.
bool is_cheap_again(const lower::program& of, const step& made, value_id value, const row_phases& phases,
                    const std::vector<bool>& read_in_place) {
    const bool is_cheap = made.code == operation::add || made.code == operation::sub || made.code == operation::mul;
    if (!is_cheap || made.arity != 2 || phases.of_row[at(value)] || !phases.kept[at(value)]) return false;
    int arrays = 0;
    for (int arg = 0; arg < made.arity; ++arg) {
        const value_id from = made.args[arg];
        if (phases.of_row[at(from)]) continue;
        if (at(from) >= of.arrays.size() || read_in_place[at(from)] || !phases.kept[at(from)]) return false;
        if (bytes_of(of.type_of(from)) != bytes_of(of.type_of(value))) return false;
        ++arrays;
    }
    return arrays == 1;
}

/// A wider type of an array that is kept anyway.
bool is_widened(const lower::program& of, const step& made, value_id value, const row_phases& phases,
                const std::vector<bool>& read_in_place) {
    if (made.code != operation::cast || phases.of_row[at(value)] || !phases.kept[at(value)]) return false;
    const value_id from = made.args[0];
    return at(from) < of.arrays.size() && !read_in_place[at(from)] && phases.kept[at(from)] &&
           !phases.of_row[at(from)] && bytes_of(of.type_of(from)) < bytes_of(of.type_of(value));
}

int widest_of(const kept_elements& of) {
    int out = 0;
    for (const element_type each : of.slots) out = std::max(out, bytes_of(each));
    return out;
}

constexpr int line = 128;  // bytes of a row that are worth a panel: all that memory moves at once

/// What a block's threads have registers for.
struct register_room {
    int bytes = 128;  // of elements, of each: of 64 K registers for a multiprocessor's 512 threads, a quarter
    int threads = 512;
};

/// Of doubles, whose copies to shared memory move least at once, twice as many bytes pay: the standard deviation of columns of (4096, 8192) takes
/// an H100 93.4 us in place of 98.9, of (2048, 8192) 47.6 and 49.5.
register_room room_in_registers(int widest, int threads_of_column, const panel_wish& how) {
    constexpr register_room of_few_threads{256, 256};
    if (how.few_registers) return register_room();
    const bool is_wide = how.width == 1 && widest == 8 && threads_of_column * (line / widest) <= of_few_threads.threads;
    return is_wide || how.few_threads ? of_few_threads : register_room();
}

/// How many splits each block of a cluster has: more than one where a cluster has not a block for each; 0: there is no room. Those past the last
/// have no elements, and add what changes nothing. In one kernel the standard deviation of (8192, 4096) doubles over axis 0 takes an H200 72 us
/// in place of 132, z-scores of as many floats 85 and 140; of (10000, 2000) doubles, in blocks of five splits, 84 and 88.
int splits_of_block(const lower::program& of, int splits, int threads_per_output, const target& on) {
    const int out = (splits + on.most_cluster - 1) / on.most_cluster;
    if (out == 1) return 1;
    if (on.most_cluster == 1 || out > most_splits_of_block || threads_per_output == 1 ||
        threads_per_output > most_lanes_read)
        return 0;
    for (const reduction_set& each : reductions_of_rows(of))
        if (!each.is_light() || each.is_narrow()) return 0;
    return out;
}

/// Whether blocks of a cluster may have some of a split's threads each: they send each other what these come to.
bool can_share_threads(const lower::program& of, const reduction_class& division, int blocks, const target& on) {
    if (division.threads_per_output < blocks || division.threads_per_output > most_lanes_read ||
        std::max(division.cluster, 1) * blocks > on.most_cluster)
        return false;
    const std::vector<reduction_set> sets = reductions_of_rows(of);
    return std::all_of(sets.begin(), sets.end(), [](const reduction_set& each) { return each.is_light(); });
}

}  // namespace

kept_elements kept_elements_of(const lower::program& of, const row_phases& phases,
                               const std::vector<bool>& read_in_place, bool make_again) {
    const std::size_t count = phases.phase.size();
    kept_elements out;
    out.slot_of.assign(count, -1);
    out.made_again.assign(count, false);
    for (std::size_t i = 0; make_again && i < of.steps.size(); ++i) {
        const step& each = of.steps[i];
        const value_id made = of.step_value(static_cast<int>(i));
        out.made_again[at(made)] =
            is_cheap_again(of, each, made, phases, read_in_place) || is_widened(of, each, made, phases, read_in_place);
    }
    std::vector<int> last_use(count, -1);
    const auto use = [&](value_id value, int phase) {
        last_use[at(value)] = std::max(last_use[at(value)], phase);
        if (!out.made_again[at(value)]) return;
        const step& made = *of.step_of(value);
        for (int arg = 0; arg < made.arity; ++arg) {
            int& last = last_use[at(made.args[arg])];
            last = std::max(last, phase);
        }
    };
    for (const value_id output : of.outputs) use(output, phases.phase[at(output)]);
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
        const step& each = of.steps[i];
        const std::size_t value = at(of.step_value(static_cast<int>(i)));
        const bool reduces = each.code == operation::reduce;
        if (phases.of_row[value] && !reduces) continue;
        for (int arg = 0; arg < each.arity; ++arg) use(each.args[arg], phases.phase[value] - reduces);
    }
    const auto is_array = [&](std::size_t value) { return value < of.arrays.size(); };
    std::vector<int> free_after;  // of each slot, the last phase that needs what is in it
    for (int phase = 0; phase < phases.count; ++phase)
        for (std::size_t value = 0; value < count; ++value) {
            if (!phases.kept[value] || phases.of_row[value] || phases.phase[value] != phase) continue;
            if (out.made_again[value]) continue;
            if (is_array(value) && read_in_place[value]) continue;
            const element_type type = of.type_of(static_cast<value_id>(value));
            // A phase reads all that it needs of an element before it keeps what it makes; what it loads comes before.
            std::size_t slot = 0;
            while (slot < out.slots.size() && !(out.slots[slot] == type && free_after[slot] + is_array(value) <= phase))
                ++slot;
            if (slot == out.slots.size()) {
                out.slots.push_back(type);
                free_after.push_back(-1);
            }
            free_after[slot] = last_use[value];
            out.slot_of[value] = static_cast<int>(slot);
        }
    return out;
}

bool is_read_in_place(const operand& of, int rank) {
    if (of.is_position || of.is_partial || of.how == access::uniform) return true;
    const auto all = static_cast<std::uint8_t>((1u << rank) - 1);
    return of.how != access::contiguous && (of.axes_read() & all) != all;
}

std::vector<bool> arrays_read_in_place(const lower::program& program, const kernel& of) {
    std::vector<bool> out(program.arrays.size());
    for (const operand& each : of.inputs) out[static_cast<std::size_t>(each.value)] = is_read_in_place(each, of.rank);
    return out;
}

bool is_orderless(const reduced_output& of) {
    using detail::reduction_kind;
    const element_kind kind = kind_of(of.accumulated);
    switch (of.what) {
        case reduction_kind::min:
        case reduction_kind::max: return kind != element_kind::floating || of.accumulated == element_type::float32;
        case reduction_kind::any:
        case reduction_kind::every: return true;
        case reduction_kind::sum:
        case reduction_kind::prod: return kind == element_kind::integer || kind == element_kind::logical;
        default: return false;
    }
}

int whole_panel_items(int items, int width) {
    int out = items;
    for (int of_lane = whole_items_of_column(items); of_lane <= items; ++of_lane)
        out = std::min(out, of_lane - (width - 1) * ((of_lane + width - 1) / width));
    return std::max(out, 0);
}

std::optional<panel_plan> panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                   const reduction_class& division, const target& on, const panel_wish& how) {
    constexpr int most_unrolled = 640;  // steps that stand in a kernel's text for the items in registers
    const int width = how.width;
    const int splits = std::max(division.cluster, 1);
    const int of_block = splits_of_block(of, splits, division.threads_per_output, on);
    const int of_split = how.blocks_of_split;
    if (of_block == 0 || (of_block > 1 && (width > 1 || of_split > 1))) return {};
    if (of_split > 1 && !can_share_threads(of, division, of_split, on)) return {};
    const int blocks = (splits + of_block - 1) / of_block * of_split;
    const row_phases phases = phases_of(of);
    const kept_elements kept = kept_elements_of(of, phases, read_in_place, width == 1);
    int in_registers = 0;
    for (const element_type each : kept.slots) in_registers += std::max(4, bytes_of(each));
    const int widest = widest_of(kept);
    int kept_values = 0;
    for (const int slot : kept.slot_of) kept_values += slot >= 0;
    const int threads_of_column = division.threads_per_output * of_block / of_split;
    const int items = division.items_per_thread;
    const register_room room = room_in_registers(widest, threads_of_column, how);
    panel_plan out;
    const int items_of_thread = (items + width - 1) / width;
    out.panel.width = width;
    out.panel.items = std::min(items_of_thread, power_of_two_to(room.bytes / (std::max(4, in_registers) * width)));
    const auto elements = [&] { return out.panel.items * width; };
    while (elements() > 4 &&
           (elements() * static_cast<int>(of.steps.size()) > most_unrolled || elements() * kept_values > room.bytes))
        out.panel.items /= 2;
    out.panel.slots = items_of_thread - out.panel.items;
    out.panel.blocks = blocks;
    out.panel.splits_of_block = of_block;
    out.panel.blocks_of_split = of_split;
    out.panel.whole = division.whole_items && items % width == 0 && splits * of_split == blocks * of_block;
    out.panel.copies = on.async_copies;

    const auto bytes = [&](int columns) {
        int end = 0;
        for (const element_type each : kept.slots)
            end = nest::dynamic_shared_end(end, nest::types::element(each),
                                           out.panel.slots * threads_of_column * columns * width);
        return end;
    };
    constexpr int beside = 1024;  // mbarriers, and what a column has one of
    const auto all_bytes = [&](int columns) {
        const int threads = threads_of_column * columns;
        return bytes(columns) + beside +
               (width > 1 ? exchanged_bytes_of_vectors(of, threads, columns, width)
                          : exchanged_bytes(of, threads, columns, blocks * of_block));
    };
    constexpr int reserved = 1024;  // of each block
    const auto fit = [&](int columns) {
        return all_bytes(columns) > on.most_shared_bytes ? 0
                                                         : on.shared_bytes_at_once / (all_bytes(columns) + reserved);
    };
    out.columns = division.outputs_per_block * how.times_columns;
    while ((fit(out.columns) < 2 || out.columns * threads_of_column > room.threads) && out.columns % 2 == 0 &&
           out.columns / 2 * widest >= line && out.columns / 2 * threads_of_column >= line)
        out.columns /= 2;
    if (out.columns * threads_of_column > on.most_threads) return {};
    const int at_once = fit(out.columns);
    if (at_once == 0) return {};
    out.at_once = at_once;
    const bool has_registers = out.columns * threads_of_column <= room.threads;
    // Of more threads than 1024, none has registers for what it has to do beside its items.
    const int of_few_registers = std::clamp(1024 / (out.columns * threads_of_column), 2, 3);
    out.panel.resident =
        at_once > 1 && items > 16 && has_registers ? std::min(at_once, how.few_registers ? of_few_registers : 2) : 0;
    out.dynamic_shared_bytes = out.panel.slots > 0 ? bytes(out.columns) : 0;
    return out;
}

std::optional<panel_plan> roomy_panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                         const reduction_class& division, const target& on, panel_wish how) {
    // Of a multiprocessor: so many hide what each waits for; each of so many has 128 registers.
    constexpr int enough_threads = 768, most_with_room = 512;
    const std::optional<panel_plan> out = panel_of(of, read_in_place, division, on, how);
    const auto threads_of = [&](const panel_plan& each) {
        return each.columns * division.threads_per_output * each.panel.splits_of_block / each.panel.blocks_of_split;
    };
    const bool has_all_columns = out && out->columns == division.outputs_per_block * how.times_columns;
    if (has_all_columns && (out->at_once * threads_of(*out) >= enough_threads || out->panel.slots == 0)) return out;
    how.few_threads = true;
    const std::optional<panel_plan> roomy = panel_of(of, read_in_place, division, on, how);
    if (!roomy || !out) return roomy ? roomy : out;
    const int at_once = std::min(out->at_once, 2);
    const bool has_as_many = roomy->columns >= out->columns && roomy->at_once >= at_once;
    return has_as_many && at_once * threads_of(*roomy) <= most_with_room ? roomy : out;
}

std::optional<panel_plan> any_panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                       const reduction_class& division, const target& on) {
    if (division.items_per_thread <= tall_panel_items) return panel_of(of, read_in_place, division, on);
    std::optional<panel_plan> out;
    for (int blocks = 1; blocks <= on.most_cluster && !(out && out->at_once > 1); blocks *= 2) {
        const auto made = roomy_panel_of(of, read_in_place, division, on, {.blocks_of_split = blocks});
        if (made && (!out || made->at_once > out->at_once)) out = made;
    }
    return out;
}

}  // namespace kiln::plan
