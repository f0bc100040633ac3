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

/// Whether elements are made in a loop of plain steps.
bool has_plain_elements(const kernel& of, const lower::program& program) {
    // Elements of what has steps are found one by one, those of functions are made in strips, and random numbers of positions in blocks.
    for (const operand& each : of.inputs)
        if (each.is_partial || each.is_position || !each.steps.empty()) return false;
    for (int step = of.first_step; step < of.last_step; ++step)
        if (is_strip_function(program.steps[static_cast<std::size_t>(step)])) return false;
    return true;
}

/// Extremes are found in vectors that need not keep the order (best_of_run.hpp): as elements are made, a largest of 4M differences takes two
/// cores of an EPYC (Zen 5) 336 us for 232, but their sum of squares 257 for 305, and sums of squares 90 for 150.
bool adds_or_multiplies(const reduced_output& of) {
    const operation combine = detail::info(of.what).combine;
    return combine == operation::add || combine == operation::mul;
}

/// A range knows no row: what has an element for each is another one's.
bool is_contiguous_or_one(const operand& each) { return each.how == access::contiguous || each.axes_read() == 0; }

/// Of 16-bit floats, blocks are computed in vectors (float_vectors.hpp); bytes become floats in longer runs: a sum of squares of 2M took 340 us
/// for 195.
bool is_wide(const operand& each) { return bytes_of(each.type) > 1 && !is_small_float(each.type); }

}  // namespace

bool is_row_of_part(std::int64_t elements) {
    return elements > longest_short_row && elements <= host_order::piece * host_order::pieces_of_part;
}

bool choose_rows_in_lanes(kernel& into, const lower::program& program, const iteration_class& call, const target& on) {
    // Nothing is computed of an array as it is: the device reduces it where it lies.
    if (!on.persistent_rows || !into.reduces() || into.persistent_rows || into.crossed || call.nested || into.aliased ||
        into.gathers() || into.first_step == into.last_step)
        return false;
    if (into.last_step - into.first_step > most_steps_in_lanes) return false;
    if (!std::all_of(into.reduced.begin(), into.reduced.end(), fills_lanes)) return false;
    if (!has_plain_elements(into, program)) return false;
    if (call.division.rows_of_part) {
        into.rows_in_lanes = true;
        into.rank = call.rank;  // where all operands are contiguous, too, rows are told apart
        for (std::size_t i = 0; i < into.outputs.size(); ++i) into.outputs[i].type = into.reduced[i].result;
        return true;
    }
    into.parts_in_lanes = !call.short_rows && call.reduced_axes == 1 << (call.rank - 1) &&
                          std::all_of(into.reduced.begin(), into.reduced.end(), adds_or_multiplies) &&
                          std::all_of(into.inputs.begin(), into.inputs.end(), is_contiguous_or_one) &&
                          std::all_of(into.inputs.begin(), into.inputs.end(), is_wide);
    return into.parts_in_lanes;
}

}  // namespace kiln::plan
