#include <plan/rows_in_lanes.hpp>

#include <plan/host_order.hpp>
#include <plan/side_by_side.hpp>
#include <plan/strips.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

constexpr int most_steps_in_lanes = 64;  // of a body, which stands in the kernel twice

/// Of others, loops over lanes have no vectors, or too few of them in one.
bool fills_lanes(const reduced_output& of) {
    return combines_elements(of) &&
           (of.accumulated == element_type::float32 || of.accumulated == element_type::float64);
}

}  // namespace

bool is_row_of_part(std::int64_t elements) {
    return elements > longest_short_row && elements <= host_order::piece * host_order::pieces_of_part;
}

bool choose_rows_in_lanes(kernel& into, const lower::program& program, const iteration_class& call, const target& on) {
    // Nothing is computed of an array as it is: the device reduces it where it lies.
    if (!on.persistent_rows || !into.reduces() || into.persistent_rows || into.crossed || call.nested || into.aliased ||
        into.gathers() || !call.division.rows_of_part || into.first_step == into.last_step)
        return false;
    if (into.last_step - into.first_step > most_steps_in_lanes) return false;
    if (!std::all_of(into.reduced.begin(), into.reduced.end(), fills_lanes)) return false;
    // Elements of what has steps are found one by one, those of functions are made in strips, and random numbers of positions in blocks.
    for (const operand& each : into.inputs)
        if (each.is_partial || each.is_position || !each.steps.empty()) return false;
    for (int step = into.first_step; step < into.last_step; ++step)
        if (is_strip_function(program.steps[static_cast<std::size_t>(step)])) return false;
    into.rows_in_lanes = true;
    into.rank = call.rank;  // where all operands are contiguous, too, rows are told apart
    for (std::size_t i = 0; i < into.outputs.size(); ++i) into.outputs[i].type = into.reduced[i].result;
    return true;
}

}  // namespace kiln::plan
