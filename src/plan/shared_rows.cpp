#include <plan/shared_rows.hpp>

namespace kiln::plan {

bool may_share_rows(const reduction_sizes& of) {
    constexpr std::int64_t enough_blocks =
        1056;  // of one value for each of its threads: of two, four for each multiprocessor of an H200
    return of.vector_width > 1 && of.splits == 1 && of.groups(1) >= enough_blocks;
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
    // Four values take a fifth longer than two: their accumulators leave room for half of the warps.
    constexpr int values = 2;
    constexpr int most_accumulator_bytes = 256;  // of a thread
    constexpr int most_steps = 400;              // of what stands in the kernel's text once written out
    const int steps = (into.last_step - into.first_step) * division.vector_width;
    if (values * division.vector_width * accumulators <= most_accumulator_bytes && values * steps <= most_steps)
        into.rows_per_thread = values;
}

}  // namespace kiln::plan
