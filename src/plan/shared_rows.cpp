#include <plan/ceil_div.hpp>
#include <plan/policy/element_tile.hpp>
#include <plan/row_sets.hpp>
#include <plan/shared_rows.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// Of a block whose lanes have values of their own. Rows that have fewer threads are of at most 8192 elements, which first caches hold.
constexpr int lane_threads = 512;

/// Whether lanes read elements from tiles: 16384 bodies' accelerations take an H100 272 us so in place of 314, with ranges assumed 261 for
/// 300, by rsqrt 203 for 248. `accumulators`: bytes, of one value.
bool may_have_tiles(const kernel& of, int values, int accumulators) {
    constexpr int least_accumulators = 12;
    constexpr int most_tile_bytes = 16;   // of an element; beside what a block's values come to
    constexpr int most_value_bytes = 96;  // of a thread
    constexpr int most_steps = 32;
    int own = 0;
    for (const operand& each : of.inputs)
        if (!(each.axes_read() & of.reduced_axes)) own += bytes_of(each.type);
    return accumulators >= least_accumulators && values * (accumulators + own) <= most_value_bytes &&
           of.last_step - of.first_step <= most_steps &&
           tile_bytes(of, [&](std::size_t i) { return of.inputs[i].axes_read() & of.reduced_axes; }) <= most_tile_bytes;
}

/// Whether rows come in vectors of all their elements, and a thread has registers for so many values of its own beside.
bool has_row_sets_of(const kernel& of, int values) {
    constexpr int most_words = 80;
    int words = 0;
    bool has_set = false;
    for (std::size_t i = 0; i < of.inputs.size(); ++i) {
        const operand& each = of.inputs[i];
        const bool is_of_row = each.axes_read() & of.reduced_axes;
        has_set = has_set || row_element_of(each).extent > 0;
        words += static_cast<int>(ceil_div(bytes_of(each.type), 4)) * (is_of_row ? of.vector_width : values);
    }
    for (const reduced_output& each : of.reduced) words += values * of.vector_width * accumulator_bytes(each) / 4;
    return has_set && words <= most_words;
}

}  // namespace

bool may_share_rows(const reduction_sizes& of) {
    constexpr std::int64_t enough_blocks =
        1056;  // of one value for each of its threads: of two, four for each multiprocessor of an H200
    return of.vector_width > 1 && of.splits == 1 && of.groups(1) >= enough_blocks;
}

int values_of_lane(const reduction_sizes& of) {
    constexpr std::int64_t enough_values = 10'240;  // for 80 blocks of 128, of which an H200 has room for 132 at once
    if (!may_share_rows(of) || of.threads_per_output < lane_threads || of.kept < enough_values) return 0;
    // All blocks take as long, so that the last ones leave multiprocessors idle: of 20011 bodies, 157 blocks of four values a lane would
    // take as long as 264. Each value takes a lane of two about a 20th longer.
    constexpr std::int64_t blocks_at_once = 132;
    const auto turns = [&](int values) { return ceil_div(of.kept, std::int64_t{values} * warp * blocks_at_once); };
    return turns(2) * 2 * 21 < turns(4) * 4 * 20 ? 2 : 4;
}

void choose_shared_rows(kernel& into, const iteration_class& call) {
    const reduction_class& division = call.division;
    if (division.vector_width == 1 || !(division.many_values || division.tall_axes) || division.splits ||
        into.persistent_rows || into.gathers())
        return;
    int accumulators = 0;  // bytes, of one value
    for (std::size_t i = 0; i < into.outputs.size(); ++i) {
        if (into.stores_elements(i)) return;
        accumulators += accumulator_bytes(into.reduced[i]);
    }
    int of_row = 0;
    int of_value = 0;
    for (const operand& each : into.inputs) {
        const std::uint8_t axes = each.axes_read();
        const bool row = axes & into.reduced_axes;
        const bool value = axes & ~into.reduced_axes;
        if (row && value) return;
        of_row += row;
        of_value += value;
    }
    if (of_row == 0 || of_value == 0) return;
    constexpr int most_accumulator_bytes = 256;  // of a thread
    constexpr int most_steps = 400;              // of what stands in the kernel's text once written out
    const int steps = (into.last_step - into.first_step) * division.vector_width;
    const auto has_room = [&](int values) {
        return values * division.vector_width * accumulators <= most_accumulator_bytes && values * steps <= most_steps;
    };
    if (division.lane_values > 0 && division.threads_per_output >= warp) {
        for (const int values : {division.lane_values, 2})
            if (has_room(values)) {
                into.rows_per_thread = values;
                into.values_in_lanes = true;
                into.tiles_of_lanes = may_have_tiles(into, values, accumulators);
                into.threads_per_block = std::min(division.threads_per_output, lane_threads);
                return;
            }
    }
    // Where lanes share a value, four take a fifth longer than two: their accumulators leave room for half of the warps. Not of rows of
    // which all elements come in vectors: 8209 by 4099 points of 5 features take an H100 37 us for 41, of 4 33 for 44, of 8 83 for 145.
    into.rows_per_thread = has_row_sets_of(into, 4) && has_room(4) ? 4 : has_room(2) ? 2 : 1;
}

}  // namespace kiln::plan
