#include <plan/interleaved.hpp>

#include <plan/compile_weight.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// A thread's: as many as a vector has elements, so that each row's first is a lane that is known.
constexpr int rows_of_thread = 4;

bool is_interleaved(const operand& of) { return of.how == access::contiguous && !of.is_position && !of.is_partial; }

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
    int bytes = 0;  // of a row's elements, as a thread keeps them
    int widest = 0;
    const auto look = [&](const operand& each) {
        bytes += extent * std::max(4, bytes_of(each.type));
        widest = std::max(widest, bytes_of(each.type));
    };
    for (const operand& each : into.inputs)
        if (is_interleaved(each)) look(each);
    // The mean of 5 doubles of each of 4M rows takes an H200 58 us so, and 47 row by row: neighbouring threads are too far apart.
    constexpr int widest_element = 4;
    if (widest == 0 || widest > widest_element) return false;
    for (std::size_t i = 0; i < into.outputs.size(); ++i)
        if (into.stores_elements(i)) look(into.outputs[i]);
    constexpr int most_bytes = 288;    // of a thread's rows
    constexpr int most_weight = 1000;  // of what stands in the kernel's text once written out
    if (rows_of_thread * bytes > most_bytes || alignment < std::min(rows_of_thread * widest, 16)) return false;
    if (rows_of_thread * extent * weight_once(program, into) > most_weight) return false;
    into.row_extent = extent;
    into.rows_per_thread = rows_of_thread;
    into.vectorised = true;
    into.elements_per_thread = rows_of_thread;
    return true;
}

}  // namespace kiln::plan
