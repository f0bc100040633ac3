#include <plan/side_by_side.hpp>

#include <plan/ceil_div.hpp>
#include <plan/host_order.hpp>
#include <plan/strips.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

constexpr std::int64_t least_values = 16;
constexpr int most_steps = 64;  // of all bodies in the kernel: two, or one for each element

bool reads_axis(const operand& of, int axis) { return of.axes_read() >> axis & 1; }

/// Whether each element of an operand goes into many values: one does not know neighbours, the other not rows of values.
bool is_contraction(const kernel& of) {
    const int along = of.has_columns() ? of.rank - 2 : of.rank - 1;
    const int beside = of.has_columns() ? of.rank - 1 : of.rank - 2;
    const int across = of.rank - 3;
    if (across < 0 || of.reduced_axes != 1 << along || !of.divisors.empty()) return false;
    bool rows = false;
    bool columns = false;
    for (const operand& each : of.inputs) {
        const bool has_rows = reads_axis(each, across);
        const bool has_columns = reads_axis(each, beside);
        if (each.how == access::contiguous || (has_rows && has_columns)) return false;
        if (!reads_axis(each, along)) continue;
        rows = rows || has_rows;
        columns = columns || has_columns;
    }
    return rows && columns;
}

/// Whether a kernel's values are worth tiles: of columns always, but for those too long to be brought together.
bool gains_by_tiles(const kernel& of, const iteration_class& call) {
    if (!is_contraction(of)) return false;
    if (of.has_columns()) return call.division.tall_axes != 0;
    return call.division.tall_axes >> (of.rank - 2) & 1 && !call.short_rows;
}

/// Whether memory has neighbouring values' elements beside each other, where it has a value's own anywhere: sums over rows of a transposed matrix.
/// One after the other, each would come from a line of its own.
bool lies_across(const kernel& of, const iteration_class& call) {
    const int along = of.rank - 1;
    const int beside = of.rank - 2;
    if (beside < 0 || of.reduced_axes != 1 << along || !(call.division.tall_axes >> beside & 1)) return false;
    bool any = false;
    for (const operand& each : of.inputs) {
        if (!reads_axis(each, along) || !reads_axis(each, beside)) continue;
        if (each.how == access::contiguous || !(each.address.unit_axes >> beside & 1)) return false;
        any = true;
    }
    return any;
}

}  // namespace

bool combines_elements(const reduced_output& of) {
    return of.what != detail::reduction_kind::none && !of.appends_apart() && of.definition == 0;
}

int values_side_by_side(const kernel& of) {
    int widest = 4;
    for (const reduced_output& each : of.reduced) widest = std::max(widest, bytes_of(each.accumulated));
    return 512 / widest;
}

std::uint8_t axes_side_by_side(const call_values& call, std::uint8_t reduced_axes) {
    std::uint8_t out = 0;
    std::int64_t reduced = 1;
    for (int axis = 0; axis < call.rank; ++axis) {
        const bool goes = reduced_axes >> axis & 1;
        if (goes) reduced *= call.extents[axis];
        if (goes || call.extents[axis] >= least_values) out = static_cast<std::uint8_t>(out | 1 << axis);
    }
    return reduced <= most_tiled ? out : std::uint8_t{0};
}

bool is_turned(const kernel& of, const operand& input) {
    const int along = of.rank - 1;
    // Rows of a known length are read where they are: vectors of every so manieth element are loads and shuffles.
    if (input.how == access::contiguous) return of.row_extent == 0;
    return reads_axis(input, along - 1) && !(input.address.unit_axes >> (along - 1) & 1) &&
           input.address.unit_axes >> along & 1;
}

bool serves_all_rows(const kernel& of, const operand& input) {
    if (input.how == access::contiguous) return of.rank == 2;
    for (int axis = 0; axis < of.rank - 2; ++axis)
        if (reads_axis(input, axis)) return false;
    return true;
}

int rows_of_tile(const kernel& of) {
    constexpr int most = 4;
    // Of accumulators: half of the registers of AVX2 and of AVX-512, the other half being what they are made of. A product of 1024 x 1024 floats
    // takes two cores of a Xeon (Emerald Rapids, 2026-11) 14 ms by four rows, 19 by two; in vectors of 256 bits 24 and 25.
    constexpr int most_bytes = 512;
    int bytes = 0;
    for (const reduced_output& each : of.reduced) bytes += accumulator_bytes(each);
    return std::clamp(most_bytes / (columns_of_tile * bytes), 1, most);
}

std::int64_t tiles_of(const kernel& of, std::int64_t rows, std::int64_t neighbours) {
    return ceil_div(rows, std::int64_t{rows_of_tile(of)}) * ceil_div(neighbours, std::int64_t{columns_of_tile});
}

bool are_tiled(bool has_columns, std::int64_t reduced, std::int64_t neighbours) {
    if (reduced > most_tiled) return false;
    return has_columns || (neighbours >= least_values && reduced > longest_short_row);
}

bool choose_side_by_side(kernel& into, const lower::program& program, const iteration_class& call, const target& on) {
    if (!on.persistent_rows || into.persistent_rows || into.rank < 2 || call.nested || into.gathers()) return false;
    if (into.last_step - into.first_step > most_steps || into.aliased) return false;
    if (!std::all_of(into.reduced.begin(), into.reduced.end(), combines_elements)) return false;
    for (const operand& each : into.inputs)
        if (each.is_position || each.is_partial || !each.steps.empty()) return false;
    for (int step = into.first_step; step < into.last_step; ++step)
        if (is_strip_function(program.steps[static_cast<std::size_t>(step)])) return false;
    into.in_tiles = gains_by_tiles(into, call);
    const bool has_short_rows =
        call.short_rows && into.reduced_axes == 1 << (into.rank - 1) && call.division.tall_axes >> (into.rank - 2) & 1;
    into.lies_across = !into.in_tiles && !has_short_rows && lies_across(into, call);
    if (!into.in_tiles && !has_short_rows && !into.lies_across) return false;
    into.side_by_side = true;
    if (has_short_rows && !into.in_tiles && call.known_row * (into.last_step - into.first_step) <= most_steps)
        into.row_extent = call.known_row;
    for (std::size_t i = 0; i < into.outputs.size(); ++i) into.outputs[i].type = into.reduced[i].result;
    return true;
}

}  // namespace kiln::plan
