#include <plan/interleaved.hpp>

#include <plan/compile_weight.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// A thread's: as many as a vector has elements, so that each row's first is a lane that is known.
constexpr int rows_of_thread = 4;

bool is_interleaved(const operand& of) { return of.how == access::contiguous && !of.is_position && !of.is_partial; }

/// What a thread keeps of the elements of its rows.
struct kept_elements {
    int bytes = 0;  // of a row's, each in a register
    int widest = 0;
    int narrowest = 16;

    void add(element_type type, int extent) {
        bytes += extent * std::max(4, bytes_of(type));
        widest = std::max(widest, bytes_of(type));
        narrowest = std::min(narrowest, bytes_of(type));
    }
};

// The mean of 5 doubles of each of 4M rows takes an H200 58 us so, and 47 row by row: neighbouring threads are too far apart.
constexpr int widest_read = 4;

/// Whether so much fits in a thread, and moves in vectors.
bool fits(const kept_elements& of, const kernel& into, const lower::program& program, int extent, int alignment) {
    constexpr int most_bytes = 288;    // of a thread's rows
    constexpr int most_weight = 1000;  // of what stands in the kernel's text once written out
    return rows_of_thread * of.bytes <= most_bytes && alignment >= std::min(rows_of_thread * of.widest, 16) &&
           rows_of_thread * extent * weight_once(program, into) <= most_weight;
}

void take_rows(kernel& into, int extent) {
    into.row_extent = extent;
    into.rows_per_thread = rows_of_thread;
    into.vectorised = true;
}

}  // namespace

bool may_be_interleaved(const reduction_sizes& of) {
    constexpr std::int64_t enough_rows = std::int64_t{1} << 16;  // a block for every other multiprocessor
    return of.vector_width > 1 && of.threads_per_output == 1 && of.splits == 1 && of.reduced > 1 &&
           of.reduced <= longest_known_row && of.kept >= enough_rows;
}

bool choose_interleaved(kernel& into, const lower::program& program, const iteration_class& call, int alignment) {
    const int extent = call.division.known_row;
    if (extent == 0 || into.rows_per_thread > 1 || into.gathers()) return false;
    if (std::any_of(program.steps.begin(), program.steps.end(), [](const lower::step& each) { return each.scans; }))
        return false;
    kept_elements kept;
    for (const operand& each : into.inputs)
        if (is_interleaved(each)) kept.add(each.type, extent);
    if (kept.widest == 0 || kept.widest > widest_read) return false;
    for (std::size_t i = 0; i < into.outputs.size(); ++i)
        if (into.stores_elements(i)) kept.add(into.outputs[i].type, extent);
    if (!fits(kept, into, program, extent, alignment)) return false;
    take_rows(into, extent);
    into.elements_per_thread = rows_of_thread;
    return true;
}

bool may_be_interleaved(int rank, std::int64_t inner) {
    return rank == 2 && inner <= longest_known_row && inner % rows_of_thread != 0;
}

bool choose_interleaved_elements(kernel& into, const lower::program& program, const iteration_class& call,
                                 int alignment) {
    const int extent = call.known_row;
    if (extent == 0 || into.rank != 2 || into.gathers()) return false;
    kept_elements kept;
    for (const operand& each : into.outputs) {
        if (each.how != access::contiguous || each.guarded_axes) return false;
        kept.add(each.type, extent);
    }
    for (const operand& each : into.inputs) {
        if (!each.steps.empty() || each.is_partial) return false;
        if (is_interleaved(each)) kept.add(each.type, extent);
    }
    // One by one, a warp's elements of four bytes and more are whole lines as well. Of bytes they are a quarter: pictures of three colours
    // blended by one share took an H100 185 us, and 98 so.
    if (kept.narrowest > 2 || kept.widest > widest_read) return false;
    if (!fits(kept, into, program, extent, alignment)) return false;
    take_rows(into, extent);
    into.elements_per_thread = extent;
    return true;
}

}  // namespace kiln::plan
